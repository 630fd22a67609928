//! Dialects: one protocol in the forms that different kinds of clients expect.
//!
//! All dialects have the same commands and replies. Everything that differs is here.

use crate::game::MoveNotation;
use crate::search::result::ReportedScore;

/// A form of the protocol.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// The engine's own: the default.
    #[default]
    Native,
    /// The Universal Chess Interface, with games as variants of chess.
    Uci,
    /// The Universal Game Interface, for arenas that have no rules of their own.
    Ugi,
}

impl Dialect {
    /// The notation of moves and positions.
    pub fn notation(self) -> MoveNotation {
        match self {
            Dialect::Native | Dialect::Ugi => MoveNotation::Native,
            Dialect::Uci => MoveNotation::Fairy,
        }
    }

    /// Whether unknown words are skipped, as UCI demands. A person typing wants an error.
    pub fn skips_unknown_words(self) -> bool {
        self != Dialect::Native
    }

    /// The reply to the command that switches to the dialect.
    pub fn greeting(self, options: &str) -> String {
        let closing = match self {
            Dialect::Native => "ok",
            Dialect::Uci => "uciok",
            Dialect::Ugi => "ugiok",
        };
        format!("id name {NAME}\nid author {AUTHOR}\n{options}\n{closing}")
    }

    /// A score for the side to move.
    pub fn score(self, score: ReportedScore) -> String {
        let mate = |plies: usize| match self {
            Dialect::Uci => plies.div_ceil(2),
            Dialect::Native | Dialect::Ugi => plies,
        };
        match (self, score) {
            (_, ReportedScore::Points(points)) => format!("cp {points}"),
            (Dialect::Native, ReportedScore::Win(plies)) => format!("win {plies}"),
            (Dialect::Native, ReportedScore::Loss(plies)) => format!("loss {plies}"),
            (Dialect::Native, ReportedScore::Draw) => "draw".to_owned(),
            (Dialect::Native, ReportedScore::Margin(lead)) => format!("margin {lead}"),
            (_, ReportedScore::Win(plies)) => format!("mate {}", mate(plies)),
            (_, ReportedScore::Loss(0)) => "mate 0".to_owned(),
            (_, ReportedScore::Loss(plies)) => format!("mate -{}", mate(plies)),
            (_, ReportedScore::Draw) => "cp 0".to_owned(),
            (_, ReportedScore::Margin(lead)) => format!("cp {}", lead * POINTS_PER_UNIT),
        }
    }

    /// The reply to `go`. `ponder` is the opponent's expected turn.
    pub fn best_move(self, best: Option<&str>, ponder: &[String]) -> String {
        let best = best.unwrap_or("(none)");
        match (self, ponder) {
            // UGI arenas expect exactly two words, and UCI knows turns of one move only.
            (Dialect::Ugi, _) | (_, []) | (Dialect::Uci, [_, _, ..]) => format!("bestmove {best}"),
            _ => format!("bestmove {best} ponder {}", ponder.join(" ")),
        }
    }

    /// An error.
    pub fn error(self, reason: &str) -> String {
        match self {
            Dialect::Native => format!("error {reason}"),
            Dialect::Uci | Dialect::Ugi => format!("info string error {reason}"),
        }
    }
}

const NAME: &str = concat!("ratlla ", env!("CARGO_PKG_VERSION"));
const AUTHOR: &str = "the ratlla authors";
/// What a margin of one is in `cp`, which counts hundredths.
const POINTS_PER_UNIT: i32 = 100;

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Dialect; 3] = [Dialect::Native, Dialect::Uci, Dialect::Ugi];

    #[test]
    fn each_dialect_has_its_own_form_of_scores() {
        for (score, texts) in [
            (ReportedScore::Points(-14), ["cp -14", "cp -14", "cp -14"]),
            (ReportedScore::Win(1), ["win 1", "mate 1", "mate 1"]),
            (ReportedScore::Win(7), ["win 7", "mate 4", "mate 7"]),
            (ReportedScore::Loss(4), ["loss 4", "mate -2", "mate -4"]),
            (ReportedScore::Loss(3), ["loss 3", "mate -2", "mate -3"]),
            (ReportedScore::Loss(0), ["loss 0", "mate 0", "mate 0"]),
            (ReportedScore::Draw, ["draw", "cp 0", "cp 0"]),
            (ReportedScore::Margin(-8), ["margin -8", "cp -800", "cp -800"]),
        ] {
            assert_eq!(ALL.map(|dialect| dialect.score(score)), texts);
        }
    }

    #[test]
    fn only_the_native_dialect_has_turns_of_several_moves() {
        let turn = ["5".to_owned(), "6".to_owned()];
        let texts = ["bestmove 4 ponder 5", "bestmove 4 ponder 5", "bestmove 4"];
        assert_eq!(ALL.map(|dialect| dialect.best_move(Some("4"), &turn[..1])), texts);
        let texts = ["bestmove 4 ponder 5 6", "bestmove 4", "bestmove 4"];
        assert_eq!(ALL.map(|dialect| dialect.best_move(Some("4"), &turn)), texts);
        assert_eq!(ALL.map(|dialect| dialect.best_move(None, &[])), ["bestmove (none)"; 3]);
    }

    #[test]
    fn errors_are_info_strings_outside_the_native_dialect() {
        let texts = ["error no", "info string error no", "info string error no"];
        assert_eq!(ALL.map(|dialect| dialect.error("no")), texts);
    }
}
