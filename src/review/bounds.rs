//! What is proved about a move of a game holds for its neighbours too: a win within 9 plies before a
//! move that keeps it is one within 8 after it, whatever a limited search finds there.

use crate::explain::rank;
use crate::game::Side;
use crate::search::result::{PvLine, ReportedScore, SearchResult};
use crate::search::transposition_table::Bound;

/// A move of the game and what was found in the position before it.
pub struct SearchedMove {
    /// Who moved.
    pub side: Side,
    /// The move.
    pub played: String,
    /// What was found: a line for each legal move, the best first.
    pub found: SearchResult<String>,
    /// The plies within which the side to move is known to win, perhaps with none of the lines found.
    win: Option<usize>,
}

impl SearchedMove {
    /// A move about which nothing else is known.
    pub fn new(side: Side, played: &str, found: SearchResult<String>) -> SearchedMove {
        SearchedMove { side, played: played.to_owned(), found, win: None }
    }

    /// Whether the side to move was known to win, and a move with this score does not.
    pub fn gives_away_win(&self, score: Option<ReportedScore>) -> bool {
        self.win.is_some() && !may_win(score)
    }

    /// What was known about the position before it was searched, if the side to move was known to win.
    pub fn known_win(&self) -> Option<ReportedScore> {
        self.win.map(ReportedScore::Win)
    }

    /// The proved win or loss of the position, if there is one.
    fn value(&self) -> Option<ReportedScore> {
        let scores: Vec<_> = self.found.lines.iter().map(PvLine::known_score).collect();
        let best = scores.iter().flatten().copied().max_by_key(|&score| rank(score));
        match best.into_iter().chain(self.known_win()).max_by_key(|&score| rank(score))? {
            win @ ReportedScore::Win(_) => Some(win),
            // A move about which nothing is known may not be lost.
            loss @ ReportedScore::Loss(_) if scores.iter().all(Option::is_some) => Some(loss),
            _ => None,
        }
    }

    /// The proved win or loss of the move that was played, if there is one.
    fn value_of_played(&self) -> Option<ReportedScore> {
        let is_played = |line: &&PvLine<String>| line.moves.first() == Some(&self.played);
        let score = self.found.lines.iter().find(is_played)?.known_score();
        score.filter(|score| matches!(score, ReportedScore::Win(_) | ReportedScore::Loss(_)))
    }

    /// Takes in that the move played has this value.
    fn learn_of_played(&mut self, value: ReportedScore) {
        let lines = &self.found.lines;
        if let Some(index) = lines.iter().position(|line| line.moves.first() == Some(&self.played))
        {
            self.learn_of_line(index, value);
        }
    }

    /// Takes in that the move of a line has this value, and puts it in its place.
    fn learn_of_line(&mut self, index: usize, value: ReportedScore) {
        let lines = &mut self.found.lines;
        if !learn(&mut lines[index], value) {
            return;
        }
        let is_worse =
            |line: &PvLine<String>| line.score.is_none_or(|score| rank(score) < rank(value));
        let line = lines.remove(index);
        let place = lines.iter().position(is_worse).unwrap_or(lines.len());
        lines.insert(place, line);
    }

    /// Takes in that the position has this value. All moves of a lost position lose; which one of a
    /// won position wins is known only if all others are proved not to.
    fn learn_of_position(&mut self, value: ReportedScore) {
        match value {
            ReportedScore::Win(plies) => {
                self.win = Some(self.win.map_or(plies, |known| known.min(plies)));
                let is_candidate = |&index: &usize| may_win(self.found.lines[index].known_score());
                let mut candidates = (0..self.found.lines.len()).filter(is_candidate);
                if let (Some(only), None) = (candidates.next(), candidates.next()) {
                    self.learn_of_line(only, value);
                }
            }
            _ => {
                for line in &mut self.found.lines {
                    learn(line, value);
                }
            }
        }
    }
}

/// Whether a move with this score is not proved to draw or to lose.
fn may_win(score: Option<ReportedScore>) -> bool {
    score.and_then(ReportedScore::proved_sign).is_none_or(|sign| sign > 0)
}

/// Takes in a proved win or loss of a move, and returns whether that says more than was known.
fn learn(line: &mut PvLine<String>, value: ReportedScore) -> bool {
    let is_news = match (line.known_score(), value) {
        (Some(ReportedScore::Win(known)), ReportedScore::Win(plies))
        | (Some(ReportedScore::Loss(known)), ReportedScore::Loss(plies)) => plies < known,
        (known, _) => known.is_none_or(|known| !known.is_proved()),
    };
    if is_news {
        line.score = Some(value);
        line.bound = Bound::Exact;
    }
    is_news
}

/// The value one ply later or earlier, for the side that moves then.
fn shifted(value: ReportedScore, by: isize, same_side: bool) -> Option<ReportedScore> {
    let plies = |plies: usize| plies.checked_add_signed(by);
    match (value, same_side) {
        (ReportedScore::Win(n), true) | (ReportedScore::Loss(n), false) => {
            plies(n).map(ReportedScore::Win)
        }
        (ReportedScore::Loss(n), true) | (ReportedScore::Win(n), false) => {
            plies(n).map(ReportedScore::Loss)
        }
        _ => None,
    }
}

/// Carries what is proved about each of these moves, which follow each other, to the ones before it
/// and after it.
pub fn carry(moves: &mut [SearchedMove]) {
    for index in (1..moves.len()).rev() {
        let same_side = moves[index - 1].side == moves[index].side;
        let value = moves[index].value().and_then(|value| shifted(value, 1, same_side));
        if let Some(value) = value {
            moves[index - 1].learn_of_played(value);
        }
    }
    for index in 1..moves.len() {
        let same_side = moves[index - 1].side == moves[index].side;
        let value = moves[index - 1].value_of_played();
        if let Some(value) = value.and_then(|value| shifted(value, -1, same_side)) {
            moves[index].learn_of_position(value);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::search::result::SearchEnd;
    use ReportedScore::{Draw, Loss, Margin, Points, Win};

    /// A move after a search that found these scores of all moves, the best first.
    fn searched(side: Side, played: &str, scores: &[(&str, ReportedScore)]) -> SearchedMove {
        let line =
            |&(mv, score): &(&str, ReportedScore)| PvLine::new(Some(score), vec![mv.to_owned()]);
        let found = SearchResult {
            depth: None,
            lines: scores.iter().map(line).collect(),
            nodes: 0,
            tree: None,
            time: Duration::ZERO,
            hashfull: None,
            end: SearchEnd::Interrupted,
        };
        SearchedMove::new(side, played, found)
    }

    fn scores(mv: &SearchedMove) -> Vec<(&str, ReportedScore)> {
        let line = |line: &PvLine<String>| line.score.expect("a score");
        mv.found.lines.iter().map(|it| (it.moves[0].as_str(), line(it))).collect::<Vec<_>>()
    }

    #[test]
    fn a_loss_is_proved_only_if_something_is_known_of_every_move() {
        let mut lost = searched(Side::P1, "a", &[("a", Loss(20)), ("b", Loss(4))]);
        assert_eq!(lost.value(), Some(Loss(20)));
        lost.found.lines.push(PvLine::new(None, vec!["c".to_owned()]));
        assert_eq!(lost.value(), None);
        // A win needs no other move.
        let mut won = searched(Side::P1, "a", &[("a", Win(9))]);
        won.found.lines.push(PvLine::new(None, vec!["c".to_owned()]));
        assert_eq!(won.value(), Some(Win(9)));
    }

    #[test]
    fn a_win_is_kept_by_the_moves_that_keep_it() {
        let mut moves = [
            searched(Side::P1, "a", &[("b", Win(9)), ("a", Win(15))]),
            // A second move of the same turn.
            searched(Side::P1, "c", &[("c", Win(10)), ("d", Draw)]),
            searched(Side::P2, "f", &[("f", Points(0)), ("e", Loss(20)), ("g", Loss(4))]),
            searched(Side::P1, "h", &[("k", Win(14)), ("h", Draw)]),
        ];
        carry(&mut moves);
        assert_eq!(scores(&moves[0]), [("b", Win(9)), ("a", Win(11))]);
        assert_eq!(scores(&moves[1]), [("c", Win(10)), ("d", Draw)]);
        // All moves lose within the win that they follow. The one played was found to lose sooner than e
        // before that was known, so it comes after e.
        assert_eq!(scores(&moves[2]), [("e", Loss(9)), ("f", Loss(9)), ("g", Loss(4))]);
        assert_eq!(moves[3].known_win(), Some(Win(8)));
        assert_eq!(scores(&moves[3]), [("k", Win(8)), ("h", Draw)]);
    }

    #[test]
    fn the_only_move_that_may_win_does() {
        let before = || searched(Side::P1, "a", &[("a", Loss(12))]);
        for (found, expected, is_spoiled) in [
            ([("b", Points(3)), ("c", Points(1)), ("d", Loss(2))], "bcd", true),
            ([("b", Points(3)), ("c", Draw), ("d", Loss(2))], "b!cd", true),
            ([("d", Points(-9)), ("c", Draw), ("b", Loss(2))], "d!cb", false),
        ] {
            let mut moves = [before(), searched(Side::P2, "d", &found)];
            carry(&mut moves);
            let scores = scores(&moves[1]);
            let told = scores.iter().map(|&(mv, score)| match score {
                Win(11) => format!("{mv}!"),
                _ => mv.to_owned(),
            });
            assert_eq!(told.collect::<String>(), expected);
            let played = scores.iter().find(|(mv, _)| *mv == "d").map(|it| it.1);
            assert_eq!(moves[1].gives_away_win(played), is_spoiled);
        }
    }

    #[test]
    fn what_a_move_leads_to_is_known_of_the_move() {
        let mut moves = [
            searched(Side::P1, "a", &[("b", Points(5)), ("a", Points(3))]),
            searched(Side::P2, "c", &[("c", Loss(6)), ("d", Loss(2))]),
        ];
        carry(&mut moves);
        assert_eq!(scores(&moves[0]), [("a", Win(7)), ("b", Points(5))]);
        // Unless one of the replies may hold, or margins are known, which say more.
        for reply in [Points(-9), Draw, Margin(-3)] {
            let mut moves = [
                searched(Side::P1, "a", &[("b", Points(5)), ("a", Points(3))]),
                searched(Side::P2, "c", &[("d", reply), ("c", Loss(6))]),
            ];
            carry(&mut moves);
            assert_eq!(scores(&moves[0]), [("b", Points(5)), ("a", Points(3))]);
        }
    }
}
