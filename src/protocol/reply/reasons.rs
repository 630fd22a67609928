//! The text of what is said about moves.

use super::listed;
use crate::explain::{Reason, Refutation};
use crate::protocol::dialect::Dialect;
use crate::search::result::ReportedScore;

/// A score, or the word for none.
fn score_text(score: Option<ReportedScore>, dialect: Dialect) -> String {
    score.map_or("none".to_owned(), |score| dialect.score(score))
}

/// The reply to `why not`.
pub fn refutation_text(refutation: &Refutation, dialect: Dialect) -> String {
    let Refutation { mv, score, best, best_score, line, sentence } = refutation;
    let [score, best_score] = [*score, *best_score].map(|score| score_text(score, dialect));
    let line = listed("line", line);
    format!("refutation {mv} {score} best {best} {best_score} {line} {sentence}")
}

/// A line of the reply to `explain`.
pub fn reason_text(
    Reason { mv, score, kind, cells, sentence }: &Reason,
    dialect: Dialect,
) -> String {
    let score = score_text(*score, dialect);
    let cells =
        if cells.is_empty() { String::new() } else { format!(" {}", listed("cells", cells)) };
    format!("reason {mv} {score} {kind}{cells} {sentence}")
}
