//! The claims that every game shares, in words.

use crate::game::Outcome;
use crate::game::explain::{Claim, Explain, Importance};
use crate::game::state::{Cell, GameEnd};
use crate::search::result::ReportedScore;

/// The kind of what is not proved.
pub const JUDGED: &str = "judged";
/// The kind of what a move gives away.
pub const SPOILS: &str = "spoils";

/// The sentences of claims, one after the other.
pub fn joined(claims: &[Claim]) -> String {
    let sentences: Vec<&str> = claims.iter().map(|claim| claim.sentence.as_str()).collect();
    sentences.join(" ")
}

fn detail(kind: &'static str, sentence: String) -> Claim {
    Claim::new(kind, Importance::Detail, Vec::new(), sentence)
}

/// The move made in `game` ended it, which led to `after`.
pub fn ends<G: Explain>(game: &G, after: &G, outcome: Outcome) -> Claim {
    let GameEnd { reason, cells } =
        after.describe(&[]).ending.unwrap_or_else(|| GameEnd::because("no more moves"));
    let wins = outcome == Outcome::Win(game.side_to_move());
    let (kind, sentence) = match outcome {
        Outcome::Win(_) if wins && !cells.is_empty() => {
            ("line", format!("Wins at once by completing {}.", lines_of(game, &cells)))
        }
        Outcome::Win(_) if wins => ("ends", format!("Wins at once ({reason}).")),
        Outcome::Win(_) => ("ends", format!("Ends the game, and the opponent wins ({reason}).")),
        Outcome::Draw => ("ends", format!("Ends the game in a draw ({reason}).")),
    };
    Claim::new(kind, Importance::Decisive, cells, sentence)
}

/// The winning cells in words. One move can complete several lines, whose cells come mixed.
fn lines_of<G: Explain>(game: &G, cells: &[Cell]) -> String {
    let step = |pair: &[Cell]| {
        [0, 1].map(|axis| pair[1][axis].cast_signed() - pair[0][axis].cast_signed())
    };
    let mut steps = cells.windows(2).map(step);
    let first = steps.next();
    let names = game.all_of(cells);
    match steps.all(|step| Some(step) == first) {
        true => format!("the line {names}"),
        false => format!("more than one line: {names}"),
    }
}

/// The opponent then wins in one turn with these moves, which complete lines of `cells` if there
/// are any.
pub fn allows<G: Explain>(game: &G, cells: Vec<Cell>, moves: &[String]) -> Claim {
    let by = moves.join(", then ");
    let sentence = match &cells[..] {
        [] => format!("Lets the opponent win at once with {by}."),
        cells => {
            let lines = lines_of(game, cells);
            format!("Lets the opponent win at once with {by}, completing {lines}.")
        }
    };
    Claim::new("allows", Importance::Decisive, cells, sentence)
}

/// Every reply in this line is forced, and its last move wins.
pub fn forces(line: &[String]) -> Claim {
    let (last, before) = line.split_last().map_or(("", &[][..]), |(last, all)| (last, all));
    let own: Vec<String> = before
        .chunks(2)
        .map(|pair| match pair {
            [mv, reply] => format!("{mv} ({reply})"),
            _ => pair.concat(),
        })
        .collect();
    let sentence = format!(
        "Forces the win: {}, then {last} wins; any reply other than those in brackets loses at once.",
        own.join(", ")
    );
    Claim::new("forces", Importance::Tactical, Vec::new(), sentence)
}

/// The move is the only one that does not lose.
pub fn only() -> Claim {
    Claim::new("only", Importance::Tactical, Vec::new(), "Every other move loses.".to_owned())
}

/// The move is the only one that wins.
pub fn only_win() -> Claim {
    let sentence = "Every other move gives away the win.".to_owned();
    Claim::new("keeps", Importance::Tactical, Vec::new(), sentence)
}

/// The move is the only legal one.
pub fn only_legal() -> Claim {
    Claim::new("only", Importance::Tactical, Vec::new(), "This is the only legal move.".to_owned())
}

/// The move, whose result is a win, a draw or a loss by this `sign`, gives away the better one that
/// `best` keeps; `None` if it does not.
pub fn spoils(sign: i32, best_sign: i32, best: impl Fn() -> String) -> Option<Claim> {
    let sentence = match (sign, best_sign) {
        (0, 1) => format!("Gives away the win: {} keeps it.", best()),
        (-1, 1) => format!("Turns a win into a loss: {} still wins.", best()),
        (-1, 0) => format!("Gives away the draw: {} keeps it.", best()),
        _ => return None,
    };
    Some(Claim::new(SPOILS, Importance::Tactical, Vec::new(), sentence))
}

/// All moves are lost.
pub fn every_move_loses() -> Claim {
    detail("loses", "Every move loses.".to_owned())
}

/// What a proved score says; `None` if it is not proved. Distances are given as limits: a win is
/// proved before it is known to be the shortest.
pub fn value<G: Explain>(game: &G, score: ReportedScore, all_lose: bool) -> Option<Claim> {
    let within = |plies: usize, whose: &str| match game.alternates() {
        true => match plies.div_ceil(2) {
            1 => format!("with {whose} next move"),
            moves => format!("within {whose} next {moves} moves"),
        },
        false => format!("within the next {plies} moves, counting both sides"),
    };
    let lost = |sentence: String| match all_lose {
        true => format!("Every move loses. {sentence}"),
        false => sentence,
    };
    let (kind, sentence) = match score {
        ReportedScore::Points(_) => return None,
        ReportedScore::Win(plies) => ("wins", format!("You can win {}.", within(plies, "your"))),
        ReportedScore::Loss(plies) => {
            ("loses", lost(format!("The opponent can win {}.", within(plies, "their"))))
        }
        ReportedScore::Draw | ReportedScore::Margin(0) => {
            ("draws", "If both sides play their best, the game is a draw.".to_owned())
        }
        ReportedScore::Margin(margin) if margin > 0 => {
            ("wins", format!("If both sides play their best, you win by {margin}."))
        }
        ReportedScore::Margin(margin) => {
            let by = margin.unsigned_abs();
            ("loses", lost(format!("If both sides play their best, you lose by {by}.")))
        }
    };
    Some(detail(kind, sentence))
}

/// How a search ranks a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Preference {
    /// Above all others.
    Best,
    /// Below none, but not above all.
    Shared,
    /// Below this one.
    Below(String),
    /// As high as this one, which it lists first.
    Equal(String),
}

/// What a search of this depth thinks, if it has an opinion, of a move whose result is proved or not.
pub fn judged(opinion: Option<(u32, Preference)>, is_proved: bool) -> Claim {
    let Some((depth, preference)) = opinion else {
        return detail(JUDGED, "The search was too short to judge it.".to_owned());
    };
    let search = match depth {
        0 => "first look".to_owned(),
        1 => "search 1 move deep".to_owned(),
        _ => format!("search {depth} moves deep"),
    };
    let thinks = match preference {
        Preference::Best => "ranks it first".to_owned(),
        Preference::Shared => "rates no move higher".to_owned(),
        Preference::Below(best) => format!("prefers {best}"),
        Preference::Equal(best) => format!("rates {best} just as high"),
    };
    let sentence = match is_proved {
        true => format!("A {search} {thinks}."),
        false => format!("The result is not proved, but a {search} {thinks}."),
    };
    detail(JUDGED, sentence)
}
