//! The review of a game: each move with a mark, and what was better.

use ratlla::review::marks::mark;

use crate::explanation::Reason;
use crate::game_loop::GameLoop;
use crate::setup::GameSetup;
use crate::state::State;
use crate::terminal::Stop;

/// The nodes that are searched for each move.
const NODES: u64 = 1_000_000;
/// The marks that are counted.
const COUNTED: [&str; 2] = ["?", "?!"];
const LEGEND: &str = "? gives away a win or a draw, ?! is worse than the best move, ! is the only good move, ~ is not proved.";

/// A move in a review.
struct ReviewedMove {
    side: usize,
    mark: &'static str,
    best: String,
    sentence: String,
}

impl GameLoop {
    /// Goes through the game and marks its mistakes. Ctrl-C ends it.
    pub fn review(&mut self) -> Result<(), Stop> {
        let moves = self.setup.record.moves.clone();
        if moves.is_empty() {
            return self.terminal.say("No moves were made yet.");
        }
        let current = self.state()?;
        let mut counts = [[0; COUNTED.len()]; 2];
        for (index, mv) in moves.iter().enumerate() {
            let setup = GameSetup { record: self.setup.record.up_to(index), ..self.setup.clone() };
            let reviewed = match self.review_move(&setup, mv)? {
                Ok(reviewed) => reviewed,
                Err(reason) => return self.terminal.refuse(&reason),
            };
            if self.engine.was_interrupted() {
                return self.terminal.say("Stopped.");
            }
            let ReviewedMove { side, mark, best, sentence } = reviewed;
            for (count, counted) in counts[side].iter_mut().zip(COUNTED) {
                *count += usize::from(mark == counted);
            }
            let name = self.name(side, &current);
            let better = better_move(mark, &best, &sentence);
            let sentence = self.spoken(side, &sentence, &current);
            let text = format!("{:>3}. {name} {mv}{mark}  {sentence}{better}", index + 1);
            self.say_reason(&text, 5, &current)?;
        }
        for (side, counts) in counts.iter().enumerate() {
            let parts: Vec<String> =
                counts.iter().zip(COUNTED).map(|(count, mark)| format!("{count} {mark}")).collect();
            self.terminal.say(format!("{}: {}", self.name(side, &current), parts.join(", ")))?;
        }
        self.terminal.say(LEGEND)
    }

    /// Reviews a move in the position before it.
    fn review_move(
        &mut self,
        setup: &GameSetup,
        mv: &str,
    ) -> Result<Result<ReviewedMove, String>, Stop> {
        let questions = ["state".to_owned(), format!("explain nodes {NODES}")];
        let replies = match self.ask_why(setup, &questions)? {
            Ok(replies) => replies,
            Err(reason) => return Ok(Err(reason)),
        };
        let state = State::find(&replies).map_err(|error| Stop::Engine(error.into_reason()))?;
        let reasons = Reason::find_all(&replies);
        let (Some(best), Some(chosen)) =
            (reasons.first(), reasons.iter().position(|reason| reason.mv == mv))
        else {
            return Ok(Err(format!("the engine does not explain {mv}")));
        };
        // Distances are exact only where the solver has finished.
        let is_solved = state.solver && nodes(&replies) < NODES;
        let scores: Vec<_> = reasons.iter().map(|reason| reason.score).collect();
        Ok(Ok(ReviewedMove {
            side: state.side(),
            mark: mark(&scores, chosen, is_solved),
            best: best.mv.clone(),
            sentence: reasons[chosen].sentence.clone(),
        }))
    }
}

/// What to add about the best move: nothing if the move was good, or if its reason names that one.
fn better_move(mark: &str, best: &str, reason: &str) -> String {
    match mark.starts_with('?') && !reason.contains(&format!(": {best} ")) {
        true => format!(" {best} was better."),
        false => String::new(),
    }
}

/// The nodes of a search, from its last `info` line.
fn nodes(replies: &[String]) -> u64 {
    let info = |line: &String| -> Option<u64> {
        let mut words = line.strip_prefix("info ")?.split(' ').skip_while(|&word| word != "nodes");
        words.nth(1)?.parse().ok()
    };
    replies.iter().rev().find_map(info).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_better_move_is_named_once() {
        assert_eq!(
            better_move("?!", "4", "You can win within your next 4 moves."),
            " 4 was better."
        );
        assert_eq!(better_move("?", "4", "Turns a win into a loss: 4 still wins."), "");
        assert_eq!(better_move("!", "4", "Every other move loses."), "");
    }

    #[test]
    fn the_nodes_are_those_of_the_last_line() {
        let replies = ["info nodes 5", "info depth 3 nodes 70 nps 1", "bestmove 4"];
        assert_eq!(nodes(&replies.map(str::to_owned)), 70);
        assert_eq!(nodes(&[]), u64::MAX);
    }
}
