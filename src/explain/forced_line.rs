//! Wins in which every reply is forced.

use super::played;
use crate::game::explain::{legal_moves, winning_turn};
use crate::game::{Game, Outcome, Side};

/// The number of moves of `line` after which the side to move has won by force: each of its
/// moves but the last leaves the opponent one reply, that of the line, because every other one
/// loses to the next move. `None` if the line does not show that, or if the sides do not take
/// turns move by move.
///
/// The rules alone prove it: nothing depends on who found the line.
pub fn won_by_force<G: Game>(game: &G, line: &[G::Move]) -> Option<usize> {
    let side = game.side_to_move();
    let mut game = game.clone();
    let mut length = 0;
    for pair in line.chunks(2) {
        if !legal_moves(&game).contains(&pair[0]) {
            return None;
        }
        game.play(pair[0]);
        length += 1;
        match game.outcome() {
            Some(outcome) => {
                return (outcome == Outcome::Win(side) && length > 1).then_some(length);
            }
            None if game.side_to_move() == side => return None,
            None => {}
        }
        let reply = *pair.get(1)?;
        // Moves that do not lose at once.
        let holds = |&mv: &G::Move| !loses_at_once(&played(&game, mv), side);
        let legal = legal_moves(&game);
        if !legal.contains(&reply) || legal.iter().filter(|&mv| *mv != reply).any(holds) {
            return None;
        }
        game.play(reply);
        length += 1;
        if game.outcome().is_some() || game.side_to_move() != side {
            return None;
        }
    }
    None
}

/// Whether `winner`, to move after the opponent's move, wins with the next one, or has won already.
fn loses_at_once<G: Game>(after: &G, winner: Side) -> bool {
    match after.outcome() {
        Some(outcome) => outcome == Outcome::Win(winner),
        None => after.side_to_move() == winner && winning_turn(after, 1).is_some(),
    }
}
