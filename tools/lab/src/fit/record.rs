//! A recorded position and its line of text.

use anyhow::{Context, Error, Result, bail, ensure};
use ratlla::any_game::AnyGame;
use ratlla::game::{Outcome, Side};
use ratlla::games::REGISTRY;
use ratlla::search::result::ReportedScore;

use super::dataset::logistic;

/// A position from a game, what the search said about it and how the game ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The words after `newgame`.
    pub title: String,
    /// The words after `position`.
    pub position: String,
    /// The search's score for the side to move.
    pub score: ReportedScore,
    /// What the side to move got in the end: 1 for a win, 0 for a loss.
    pub result: f64,
}

impl Record {
    /// The record of a position where `side` is to move, in a game with this end.
    pub fn new(game: &dyn AnyGame, score: ReportedScore, side: Side, end: Outcome) -> Record {
        let result = match end {
            Outcome::Draw => 0.5,
            Outcome::Win(winner) => f64::from(u8::from(winner == side)),
        };
        Record { title: game.title(), position: game.position_text(), score, result }
    }

    /// One line, its fields separated by tabs.
    pub fn line(&self) -> String {
        let Record { title, position, score, result } = self;
        let score = match score {
            ReportedScore::Points(points) => format!("points {points}"),
            ReportedScore::Win(plies) => format!("win {plies}"),
            ReportedScore::Loss(plies) => format!("loss {plies}"),
            ReportedScore::Draw => "draw 0".to_owned(),
            ReportedScore::Margin(lead) => format!("margin {lead}"),
        };
        format!("{title}\t{position}\t{score}\t{result}")
    }

    /// The inverse of [`Record::line`].
    pub fn parse(line: &str) -> Result<Record> {
        let fields: Vec<&str> = line.split('\t').collect();
        let [title, position, score, result] = fields[..] else {
            bail!("expected 4 fields separated by tabs, got {}", fields.len());
        };
        let (kind, number) = score.split_once(' ').context("expected a score of two words")?;
        let score = match kind {
            "points" => ReportedScore::Points(number.parse()?),
            "win" => ReportedScore::Win(number.parse()?),
            "loss" => ReportedScore::Loss(number.parse()?),
            "draw" => ReportedScore::Draw,
            "margin" => ReportedScore::Margin(number.parse()?),
            _ => bail!("unknown score '{kind}'"),
        };
        let (title, position) = (title.to_owned(), position.to_owned());
        Ok(Record { title, position, score, result: result.parse()? })
    }

    /// The result that an evaluation of the position should expect: the proved one, or else `lambda` of
    /// the game's result and the rest of the search's score, `score_scale` points of which correspond
    /// to odds of e to 1.
    pub fn expected(&self, lambda: f64, score_scale: f64) -> f64 {
        match self.score {
            ReportedScore::Points(points) => {
                let searched = logistic(f64::from(points) / score_scale);
                lambda * self.result + (1.0 - lambda) * searched
            }
            _ => self.exact_result().unwrap_or(self.result),
        }
    }

    /// What the side to move gets with perfect play, if the search proved it.
    pub fn exact_result(&self) -> Option<f64> {
        match self.score {
            ReportedScore::Points(_) => None,
            ReportedScore::Win(_) => Some(1.0),
            ReportedScore::Loss(_) => Some(0.0),
            ReportedScore::Draw => Some(0.5),
            ReportedScore::Margin(lead) => Some(0.5 + 0.5 * f64::from(lead.signum())),
        }
    }
}

/// The start of the game with this title.
pub fn open(title: &str) -> Result<Box<dyn AnyGame>> {
    let words: Vec<&str> = title.split_whitespace().collect();
    REGISTRY.open_from_words(&words).map_err(Error::msg)
}

/// The words after the game's name in a title, which must be one of `game`.
pub fn parameters_of<'a>(title: &'a str, game: &str) -> Result<Vec<&'a str>> {
    let mut words = title.split_whitespace();
    ensure!(words.next() == Some(game), "expected a game of {game}, got '{title}'");
    Ok(words.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_reads_back() {
        let mut game = open("8 8").unwrap();
        game.play("3").unwrap();
        for score in [
            ReportedScore::Points(-7),
            ReportedScore::Win(5),
            ReportedScore::Loss(4),
            ReportedScore::Draw,
            ReportedScore::Margin(-3),
        ] {
            let record = Record::new(&*game, score, Side::P2, Outcome::Win(Side::P1));
            assert_eq!(record.result, 0.0);
            assert_eq!(Record::parse(&record.line()).unwrap(), record);
            let mut again = open(&record.title).unwrap();
            let words: Vec<&str> = record.position.split(' ').collect();
            again.set_position(&words, &[]).unwrap();
            assert_eq!(again.key(), game.key());
        }
        assert!(Record::parse("connect4\tgrid\tpoints 1").is_err());
        assert!(Record::parse("connect4\tgrid\tpints 1\t0").is_err());
    }

    #[test]
    fn what_is_not_proved_is_expected_from_result_and_search() {
        let game = open("boom").unwrap();
        let record = |score| Record::new(&*game, score, Side::P1, Outcome::Win(Side::P1));
        let even = record(ReportedScore::Points(0));
        for (lambda, expected) in [(0.0, 0.5), (0.25, 0.625), (1.0, 1.0)] {
            assert_eq!(even.expected(lambda, 100.0), expected, "{lambda}");
        }
        let ahead = record(ReportedScore::Points(100)).expected(0.0, 100.0);
        assert!((ahead - 0.731).abs() < 0.001, "{ahead}");
        assert_eq!(record(ReportedScore::Loss(8)).expected(1.0, 100.0), 0.0);
    }

    #[test]
    fn proved_scores_are_results() {
        let game = open("boom").unwrap();
        let exact = |score| Record::new(&*game, score, Side::P1, Outcome::Draw).exact_result();
        assert_eq!(exact(ReportedScore::Points(500)), None);
        assert_eq!(exact(ReportedScore::Loss(8)), Some(0.0));
        assert_eq!(exact(ReportedScore::Margin(2)), Some(1.0));
    }
}
