//! Dialects: one protocol, in the words that different kinds of clients expect.
//!
//! All dialects have the same commands and the same replies. What differs is gathered here, so
//! that nobody else has to ask which one is spoken.

use crate::any_game::Choice;
use crate::game::MoveNotation;
use crate::strategy::ReportedScore;

/// What a client calls the language it speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// The engine's own, until a client asks for another.
    #[default]
    Native,
    /// The Universal Chess Interface, with games as variants of chess.
    Uci,
    /// The Universal Game Interface, for arenas that know no rules themselves.
    Ugi,
}

impl Dialect {
    /// In whose words moves and positions are told.
    pub fn notation(self) -> MoveNotation {
        match self {
            Dialect::Native | Dialect::Ugi => MoveNotation::Native,
            Dialect::Uci => MoveNotation::Fairy,
        }
    }

    /// Whether words that mean nothing are passed over. Programs of other times send what this
    /// one does not know, and nobody reads its complaints; a person wants to be told.
    pub fn passes_over_unknown_words(self) -> bool {
        self != Dialect::Native
    }

    /// The answer to the command that begins the dialect: who this is, the options, and its
    /// closing word.
    pub fn greeting(self, options: &str) -> String {
        let closing = match self {
            Dialect::Native => "ok",
            Dialect::Uci => "uciok",
            Dialect::Ugi => "ugiok",
        };
        format!("id name {NAME}\nid author {AUTHOR}\n{options}\n{closing}")
    }

    /// What a position is worth to the side to move.
    pub fn score(self, standing: ReportedScore) -> String {
        let mate = |plies: usize| match self {
            Dialect::Uci => plies.div_ceil(2),
            Dialect::Native | Dialect::Ugi => plies,
        };
        match (self, standing) {
            (_, ReportedScore::Points(points)) => format!("cp {points}"),
            (Dialect::Native, ReportedScore::Win(plies)) => format!("win {plies}"),
            (Dialect::Native, ReportedScore::Loss(plies)) => format!("loss {plies}"),
            (Dialect::Native, ReportedScore::Draw) => "draw".to_owned(),
            (Dialect::Native, ReportedScore::Margin(lead)) => format!("margin {lead}"),
            (_, ReportedScore::Win(plies)) => format!("mate {}", mate(plies)),
            (_, ReportedScore::Loss(0)) => "mate 0".to_owned(),
            (_, ReportedScore::Loss(plies)) => format!("mate -{}", mate(plies)),
            (_, ReportedScore::Draw) => "cp 0".to_owned(),
            (_, ReportedScore::Margin(lead)) => format!("cp {}", lead * POINTS_OF_A_SEED),
        }
    }

    /// The answer to `go`.
    pub fn best_move(self, choice: &Choice) -> String {
        let best = choice.best.as_deref().unwrap_or("(none)");
        match (self, &choice.ponder) {
            // Arenas of this kind wait for a line of two words.
            (Dialect::Ugi, _) | (_, None) => format!("bestmove {best}"),
            (_, Some(ponder)) => format!("bestmove {best} ponder {ponder}"),
        }
    }

    /// What was wrong.
    pub fn error(self, reason: &str) -> String {
        match self {
            Dialect::Native => format!("error {reason}"),
            Dialect::Uci | Dialect::Ugi => format!("info string error {reason}"),
        }
    }
}

const NAME: &str = concat!("ratlla ", env!("CARGO_PKG_VERSION"));
const AUTHOR: &str = "the ratlla authors";
/// A lead of one, in the hundredths that chess programs count in.
const POINTS_OF_A_SEED: i32 = 100;

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Dialect; 3] = [Dialect::Native, Dialect::Uci, Dialect::Ugi];

    #[test]
    fn scores_read_as_each_dialect_means_them() {
        for (standing, texts) in [
            (ReportedScore::Points(-14), ["cp -14", "cp -14", "cp -14"]),
            (ReportedScore::Win(1), ["win 1", "mate 1", "mate 1"]),
            (ReportedScore::Win(7), ["win 7", "mate 4", "mate 7"]),
            (ReportedScore::Loss(4), ["loss 4", "mate -2", "mate -4"]),
            (ReportedScore::Loss(3), ["loss 3", "mate -2", "mate -3"]),
            (ReportedScore::Loss(0), ["loss 0", "mate 0", "mate 0"]),
            (ReportedScore::Draw, ["draw", "cp 0", "cp 0"]),
            (ReportedScore::Margin(-8), ["margin -8", "cp -800", "cp -800"]),
        ] {
            assert_eq!(ALL.map(|dialect| dialect.score(standing)), texts);
        }
    }

    #[test]
    fn best_moves_have_as_many_words_as_their_readers_want() {
        let both = Choice { best: Some("4".into()), ponder: Some("5".into()) };
        let texts = ["bestmove 4 ponder 5", "bestmove 4 ponder 5", "bestmove 4"];
        assert_eq!(ALL.map(|dialect| dialect.best_move(&both)), texts);
        let none = Choice::default();
        assert_eq!(ALL.map(|dialect| dialect.best_move(&none)), ["bestmove (none)"; 3]);
    }

    #[test]
    fn errors_are_told_where_they_are_looked_for() {
        let texts = ["error no", "info string error no", "info string error no"];
        assert_eq!(ALL.map(|dialect| dialect.error("no")), texts);
    }
}
