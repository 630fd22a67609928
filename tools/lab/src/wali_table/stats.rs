//! What the positions of a table are worth: counts, longest games and how long wins take.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use ratlla::game::{ExactValue, Notation, Side};
use ratlla::games::endgame_file::checksum;
use ratlla::games::wali::bits::Shape;
use ratlla::games::wali::board::{Board, Phase};
use ratlla::games::wali::endgame::index::{Class, NumberedPosition};
use ratlla::games::wali::endgame::{Endgames, exact_value};
use ratlla_common::table::Align::{Left, Right};
use ratlla_common::table::Table;
use serde::{Deserialize, Serialize};

/// Arguments of `wali-table stats`.
#[derive(Args)]
pub struct Stats {
    /// Table file
    file: PathBuf,
    /// Print one line of JSON for each class
    #[arg(long)]
    json: bool,
}

impl Stats {
    /// Prints what the file contains.
    pub fn run(&self) -> Result<()> {
        let table = super::load(&self.file)?;
        let checksum = format!("{:016x}", checksum(table.values()));
        let classes = table.index().classes().iter();
        let stats: Vec<ClassStats> =
            classes.map(|&class| ClassStats::of(&table, class, &checksum)).collect();
        if self.json {
            for stats in &stats {
                println!("{}", serde_json::to_string(stats)?);
            }
        } else {
            print!("{}\n{}\n{}", counts(&stats), examples(&stats), histogram(&stats));
            println!("\nchecksum of the positions: {checksum}");
        }
        Ok(())
    }
}

/// How many positions are decided in so many plies.
type Histogram = Vec<(usize, u64)>;

/// What the positions of a class are worth for the side to move. Counts are of every position of the
/// board, not of those up to symmetry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClassStats {
    /// What comes after `newgame`, without the number of stones, which does not matter.
    pub game: String,
    /// Stones of the side to move.
    pub own: usize,
    /// Stones of the other side.
    pub enemy: usize,
    /// All positions.
    pub positions: u64,
    /// Those that the side to move wins.
    pub won: u64,
    /// Those that it loses.
    pub lost: u64,
    /// The others.
    pub drawn: u64,
    /// Plies of the longest win.
    pub longest_win: Option<usize>,
    /// Plies of the longest loss.
    pub longest_loss: Option<usize>,
    /// A position with the longest win, in the words of a `position` command.
    pub example: Option<String>,
    /// Wins by their plies.
    pub histogram: Histogram,
    /// Losses by their plies.
    pub loss_histogram: Histogram,
    /// The checksum of all positions of the table.
    pub table_checksum: String,
}

impl ClassStats {
    /// Counts the positions of one class of a table with this checksum.
    pub fn of(table: &Endgames, class: Class, table_checksum: &str) -> ClassStats {
        let mut counts = [0; 256];
        for (block, weight) in table.index().blocks(class) {
            for &value in &table.values()[block.start as usize..block.end as usize] {
                counts[usize::from(value)] += weight;
            }
        }
        let (mut histogram, mut loss_histogram, mut drawn) = (Vec::new(), Vec::new(), 0);
        for (value, count) in (0..=u8::MAX).zip(counts).filter(|&(_, count)| count > 0) {
            match exact_value(value) {
                ExactValue::Win(plies) => histogram.push((plies, count)),
                ExactValue::Loss(plies) => loss_histogram.push((plies, count)),
                ExactValue::Draw => drawn = count,
            }
        }
        let sum = |histogram: &Histogram| histogram.iter().map(|&(_, count)| count).sum();
        let longest = |histogram: &Histogram| histogram.last().map(|&(plies, _)| plies);
        let (won, lost): (u64, u64) = (sum(&histogram), sum(&loss_histogram));
        let longest_win = longest(&histogram);
        let shape = table.index().shape();
        ClassStats {
            game: match (shape.rows(), shape.columns()) {
                (5, 6) => "wali".to_owned(),
                (rows, columns) => format!("wali {rows} {columns}"),
            },
            own: class.0,
            enemy: class.1,
            positions: won + lost + drawn,
            won,
            lost,
            drawn,
            longest_win,
            longest_loss: longest(&loss_histogram),
            example: longest_win.and_then(|plies| example(table, class, plies)),
            histogram,
            loss_histogram,
            table_checksum: table_checksum.to_owned(),
        }
    }
}

/// The first position of the class that is decided in so many plies, player 1 to move.
fn example(table: &Endgames, class: Class, plies: usize) -> Option<String> {
    let at = table.class(class).iter().position(|&value| usize::from(value) == plies)?;
    let number = table.index().range(class)?.start + at as u64;
    let NumberedPosition { own, enemy, .. } = table.index().position(number);
    let shape = table.index().shape();
    let board = Board::from_stones(shape, [own, enemy], Side::P1, Phase::Move, 0);
    Some(board.position_text())
}

fn counts(stats: &[ClassStats]) -> Table {
    let headings =
        ["own", "enemy", "positions", "won", "lost", "drawn", "longest win", "longest loss"];
    let mut table = Table::new(&headings.map(|heading| (heading, Right)));
    let plies = |plies: Option<usize>| plies.map_or_else(String::new, |plies| plies.to_string());
    for class in stats {
        let ClassStats { own, enemy, positions, won, lost, drawn, .. } = class;
        let [own, enemy] = [own, enemy].map(usize::to_string);
        let [positions, won, lost, drawn] = [positions, won, lost, drawn].map(u64::to_string);
        let [win, loss] = [class.longest_win, class.longest_loss].map(plies);
        table.row([own, enemy, positions, won, lost, drawn, win, loss]);
    }
    table
}

fn examples(stats: &[ClassStats]) -> Table {
    let mut table =
        Table::new(&[("own", Right), ("enemy", Right), ("plies", Right), ("a longest win", Left)]);
    for class in stats {
        if let (Some(plies), Some(example)) = (class.longest_win, &class.example) {
            let [own, enemy, plies] = [class.own, class.enemy, plies].map(|n| n.to_string());
            table.row([own, enemy, plies, example.clone()]);
        }
    }
    table
}

fn histogram(stats: &[ClassStats]) -> Table {
    let mut table = Table::new(&["own", "enemy", "plies", "wins"].map(|heading| (heading, Right)));
    for class in stats {
        for &(plies, count) in &class.histogram {
            table.row([class.own as u64, class.enemy as u64, plies as u64, count]);
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use ratlla::games::wali::bits::AnyShape;

    fn table(rows: usize, columns: usize, most: usize) -> Endgames {
        let shape = AnyShape::new(rows, columns, 3).unwrap();
        Endgames::build(shape, most, || true).unwrap().unwrap()
    }

    /// Every way to put so many stones on so many cells.
    fn sets(cells: usize, stones: usize) -> impl Iterator<Item = u32> {
        (0..1u32 << cells).filter(move |set| set.count_ones() as usize == stones)
    }

    #[test]
    fn counts_are_those_of_every_position_of_the_board() {
        for (rows, columns, most) in [(3, 3, 5), (2, 5, 4), (4, 3, 3)] {
            let table = table(rows, columns, most);
            let cells = rows * columns;
            for &(own, enemy) in table.index().classes() {
                let mut counts: BTreeMap<String, u64> = BTreeMap::new();
                for mine in sets(cells, own) {
                    for other in sets(cells, enemy).filter(|other| other & mine == 0) {
                        let value = table.look_up(mine, other).unwrap();
                        *counts.entry(format!("{value:?}")).or_default() += 1;
                    }
                }
                let stats = ClassStats::of(&table, (own, enemy), "");
                let mut found: BTreeMap<String, u64> = BTreeMap::new();
                let wins = stats.histogram.iter().map(|&(n, count)| (ExactValue::Win(n), count));
                let losses =
                    stats.loss_histogram.iter().map(|&(n, count)| (ExactValue::Loss(n), count));
                let draws = (stats.drawn > 0).then_some((ExactValue::Draw, stats.drawn));
                for (value, count) in wins.chain(losses).chain(draws) {
                    found.insert(format!("{value:?}"), count);
                }
                assert_eq!(found, counts, "{rows}x{columns}, {own} against {enemy}");
                assert_eq!(stats.positions, counts.values().sum::<u64>());
                assert_eq!(stats.positions, stats.won + stats.lost + stats.drawn);
            }
        }
    }

    #[test]
    fn the_example_takes_as_long_as_the_longest_win() {
        let table = table(3, 4, 3);
        let shape = table.index().shape();
        for &class in table.index().classes() {
            let stats = ClassStats::of(&table, class, "");
            assert_eq!(stats.example.is_some(), stats.won > 0);
            if let Some(text) = stats.example {
                let words: Vec<&str> = text.split(' ').collect();
                let board = Board::empty_board(shape).parse_position(&words).unwrap();
                let stones = [Side::P1, Side::P2].map(|side| board.stones(side));
                let value = table.look_up(stones[0], stones[1]);
                assert_eq!(value, stats.longest_win.map(ExactValue::Win));
                assert_eq!(stones.map(|stones| stones.count_ones() as usize), [class.0, class.1]);
            }
        }
    }

    #[test]
    fn the_usual_board_with_three_stones() {
        let table = table(5, 6, 3);
        let stats = |own, enemy| ClassStats::of(&table, (own, enemy), "");
        let won = stats(3, 2);
        assert_eq!((won.won, won.positions, won.longest_win), (1_425_060, 1_425_060, Some(29)));
        let lost = stats(2, 3);
        assert_eq!(
            (lost.lost, lost.positions, lost.longest_loss),
            (1_425_060, 1_425_060, Some(30))
        );
        let even = stats(3, 3);
        assert_eq!((even.won, even.lost, even.drawn), (5_931_178, 3_695_170, 2_249_152));
        assert_eq!((even.longest_win, even.longest_loss), (Some(45), Some(44)));
        let line = serde_json::to_string(&even).unwrap();
        assert!(line.starts_with(
            "{\"game\":\"wali\",\"own\":3,\"enemy\":3,\"positions\":11875500,\"won\":5931178,"
        ));
        assert!(line.contains("\"histogram\":[[9,624000],[11,1712922],"), "{line}");
    }
}
