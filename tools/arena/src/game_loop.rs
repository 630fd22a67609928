//! One game between two running engines: turns, clocks and termination. Knows nothing of other
//! games, of files or of how engines are started.

use std::time::Duration;

use ratlla::any_game::AnyGame;
use ratlla::game::{Outcome, Side};

use crate::adjudication::{Adjudication, Adjudicator};
use crate::engine::dialect::{Clock, GoParams, Position};
use crate::engine::forfeit::{EngineError, Forfeit, ForfeitKind};
use crate::engine::{Engine, EngineMove};
use crate::settings::SearchLimits;
use crate::text::quoted;

/// Everything a game needs beside the engines.
pub struct GameSetup<'a> {
    /// The game, set up at the opening.
    pub game: &'a mut dyn AnyGame,
    /// The same opening as engines are told it.
    pub opening: &'a Position,
    /// The limits of player 1 and player 2.
    pub limits: [SearchLimits; 2],
    /// Whether player 1 and player 2 ponder.
    pub ponder: [bool; 2],
    /// Time overrun that is tolerated.
    pub margin: Duration,
    /// Ends the game early.
    pub adjudicator: Option<Adjudicator<'a>>,
}

impl<'a> GameSetup<'a> {
    /// A game without pondering and adjudication.
    pub fn new(
        game: &'a mut dyn AnyGame,
        opening: &'a Position,
        limits: [SearchLimits; 2],
        margin: Duration,
    ) -> GameSetup<'a> {
        GameSetup { game, opening, limits, ponder: [false; 2], margin, adjudicator: None }
    }
}

/// A move of a game.
#[derive(Clone, Debug)]
pub struct PlayedMove {
    /// What the engine answered.
    pub answer: EngineMove,
    /// What its clock shows afterwards.
    pub clock: Option<Duration>,
}

/// The moves of a finished game and how it ended.
#[derive(Debug)]
pub struct GameOutcome {
    /// The moves after the opening, all of them legal.
    pub moves: Vec<PlayedMove>,
    /// How the game ended.
    pub termination: Termination,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Termination {
    /// By the rules of the game.
    Normal(Outcome),
    /// By the rules of the arena.
    Adjudicated(Adjudication),
    /// This side forfeited.
    Forfeit(Side, Forfeit),
}

/// Plays a game to its end. Both engines must have been told of the new game. `None` if cancelled.
pub fn play(setup: GameSetup<'_>, mut engines: [&mut Engine; 2]) -> Option<GameOutcome> {
    let clocks = setup.limits.map(|limits| limits.clock());
    let position = setup.opening.clone();
    let mut game = RunningGame { setup, clocks, position, moves: Vec::new() };
    let termination = loop {
        if let Some(outcome) = game.setup.game.outcome() {
            break Termination::Normal(outcome);
        }
        let side = game.setup.game.side_to_move();
        match game.turn(side, &mut engines) {
            Ok(None) => {}
            Ok(Some(adjudication)) => break Termination::Adjudicated(adjudication),
            Err(EngineError::Forfeit(forfeit)) => break Termination::Forfeit(side, forfeit),
            Err(EngineError::Cancelled) => return None,
        }
    };
    for engine in engines {
        // An engine that has failed meanwhile is found out before its next game.
        let _ = engine.stop_pondering();
    }
    Some(GameOutcome { moves: game.moves, termination })
}

struct RunningGame<'a> {
    setup: GameSetup<'a>,
    clocks: [Option<Clock>; 2],
    position: Position,
    moves: Vec<PlayedMove>,
}

impl RunningGame<'_> {
    /// Asks `side` for a move and plays it. Any error is that side's fault.
    fn turn(
        &mut self,
        side: Side,
        engines: &mut [&mut Engine; 2],
    ) -> Result<Option<Adjudication>, EngineError> {
        let mover = side.index();
        let limits = self.setup.limits[mover];
        let budget = time_budget(&limits, self.clocks[mover]);
        let answer = engines[mover].best_move(&self.position, &self.go(mover), budget)?;
        check_time(answer.time, budget, self.setup.margin)?;
        play_if_legal(self.setup.game, &answer.mv)?;
        if let Some(clock) = &mut self.clocks[mover] {
            clock.stop(answer.time, &limits);
        }
        self.position.moves.push(answer.mv.clone());
        let adjudication = self.setup.adjudicator.as_mut().and_then(|adjudicator| {
            let (score, plies) = (answer.info.score.as_deref(), self.position.moves.len());
            adjudicator.add(side, score, plies, self.setup.game)
        });
        let ponders = adjudication.is_none() && self.setup.ponder[mover];
        let expected = match ponders {
            true => self.expected_position(side, &answer.expected),
            false => None,
        };
        let clock = self.clocks[mover].map(|clock| clock.remaining);
        self.moves.push(PlayedMove { answer, clock });
        if let Some(position) = expected {
            engines[mover].ponder(position, &self.go(mover))?;
        }
        Ok(adjudication)
    }

    /// The `go` parameters of a player.
    fn go(&self, player: usize) -> GoParams {
        let limits = &self.setup.limits[player];
        let clock = self.clocks[player];
        // A player without a clock does not see the opponent's either.
        let clocks = if clock.is_some() { self.clocks } else { [None, None] };
        let moves_to_go = clock.and_then(|clock| clock.moves_to_go);
        GoParams { moves_to_go, ..limits.go(clocks) }
    }

    /// The position after the turn that `side` expects of its opponent; `None` unless these moves
    /// are legal and lead back to `side` in a game that goes on.
    fn expected_position(&mut self, side: Side, expected: &[String]) -> Option<Position> {
        let game = &mut *self.setup.game;
        if expected.is_empty() || game.side_to_move() == side {
            return None;
        }
        let played = expected.iter().take_while(|mv| game.play(mv).is_ok()).count();
        let is_turn = game.outcome().is_none() && game.side_to_move() == side;
        let is_complete = played == expected.len() && is_turn;
        for _ in 0..played {
            game.undo().ok()?;
        }
        let mut position = self.position.clone();
        position.moves.extend_from_slice(expected);
        is_complete.then_some(position)
    }
}

impl Clock {
    /// Ends a move that took `time`.
    fn stop(&mut self, time: Duration, limits: &SearchLimits) {
        self.remaining = self.remaining.saturating_sub(time) + self.increment;
        self.moves_to_go = self.moves_to_go.map(|moves| moves.saturating_sub(1));
        if self.moves_to_go == Some(0) {
            self.remaining += Duration::from_millis(limits.time.unwrap_or(0));
            self.moves_to_go = limits.moves;
        }
    }
}

/// The time a move may take: the tighter of `movetime` and the clock.
fn time_budget(limits: &SearchLimits, clock: Option<Clock>) -> Option<Duration> {
    let movetime = limits.movetime.map(Duration::from_millis);
    let remaining = clock.map(|clock| clock.remaining);
    movetime.into_iter().chain(remaining).min()
}

fn check_time(taken: Duration, budget: Option<Duration>, margin: Duration) -> Result<(), Forfeit> {
    match budget {
        Some(budget) if taken > budget + margin => Err(Forfeit::late(taken - budget, budget)),
        _ => Ok(()),
    }
}

/// Plays the move if it is legal and in canonical notation.
pub fn play_if_legal(game: &mut dyn AnyGame, mv: &str) -> Result<(), Forfeit> {
    let is_canonical = game.moves().iter().any(|word| word == mv);
    let before = if is_canonical { String::new() } else { game.position_text() };
    let reason = match game.play(mv) {
        Ok(()) if is_canonical => return Ok(()),
        Ok(()) => format!("'{}' is not in canonical notation", quoted(mv)),
        Err(reason) => reason,
    };
    Err(Forfeit::new(ForfeitKind::IllegalMove, format!("{reason}, in {before}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules;

    fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn a_move_may_take_its_time_and_the_margin_and_no_more() {
        const INSTANT: Duration = Duration::from_nanos(1);
        let check = |taken, margin| check_time(taken, Some(ms(100)), margin);
        assert_eq!(check(ms(100), Duration::ZERO), Ok(()));
        assert_eq!(check(ms(150), ms(50)), Ok(()));
        for (margin, overshoot) in
            [(Duration::ZERO, INSTANT), (ms(50), ms(50) + INSTANT), (ms(50), ms(900))]
        {
            let late = check(ms(100) + overshoot, margin).unwrap_err();
            // It counts from the limit: within the margin a move is late, but costs nothing.
            assert_eq!((late.kind, late.overshoot), (ForfeitKind::TimeForfeit, Some(overshoot)));
        }
        // A clock that has run out leaves the margin; without limits there is no hurry.
        assert!(check_time(ms(50), Some(Duration::ZERO), ms(50)).is_ok());
        assert!(check_time(ms(51), Some(Duration::ZERO), ms(50)).is_err());
        assert_eq!(check_time(ms(1 << 40), None, Duration::ZERO), Ok(()));
    }

    #[test]
    fn the_budget_is_the_tighter_of_two_limits() {
        let budget = |movetime: Option<u64>, time: Option<u64>| {
            let limits = SearchLimits { movetime, time, ..SearchLimits::default() };
            time_budget(&limits, limits.clock())
        };
        assert_eq!(budget(Some(70), Some(100)), Some(ms(70)));
        assert_eq!(budget(Some(100), Some(70)), Some(ms(70)));
        assert_eq!(budget(Some(100), None), Some(ms(100)));
        assert_eq!(budget(None, Some(70)), Some(ms(70)));
        assert_eq!(budget(None, None), None);
    }

    /// Calls `with` in the middle of a game after these moves.
    fn after<T>(
        title: &str,
        moves: &str,
        limits: [SearchLimits; 2],
        with: impl FnOnce(&mut RunningGame<'_>) -> T,
    ) -> T {
        let mut game = rules::open(title).unwrap();
        let opening = Position::default();
        let position = rules::parse_position(&format!("moves {moves}"));
        rules::set_up(&mut *game, &position).unwrap();
        let setup = GameSetup::new(&mut *game, &opening, limits, Duration::ZERO);
        let clocks = limits.map(|limits| limits.clock());
        with(&mut RunningGame { setup, clocks, position, moves: Vec::new() })
    }

    #[test]
    fn only_a_player_with_a_clock_sees_the_clocks() {
        let clock = SearchLimits { time: Some(9000), moves: Some(3), ..SearchLimits::default() };
        let depth = SearchLimits { depth: Some(2), ..SearchLimits::default() };
        let go =
            |limits: [SearchLimits; 2]| after("6 7", "", limits, |game| [game.go(0), game.go(1)]);
        let clocks = [clock.clock(), None];
        let [first, second] = go([clock, depth]);
        assert_eq!((first.clocks, first.moves_to_go, first.depth), (clocks, Some(3), None));
        assert_eq!((second.clocks, second.moves_to_go, second.depth), ([None; 2], None, Some(2)));
        let [first, second] = go([clock, clock]);
        assert_eq!((first.clocks, second.clocks), ([clock.clock(); 2], [clock.clock(); 2]));
    }

    /// An engine ponders only on a turn of its opponent that is legal, complete and not the last; and
    /// asking changes nothing.
    #[test]
    fn only_a_whole_turn_that_leads_back_is_pondered_on() {
        let found = |title: &str, moves: &str, mover: Side, expected: &str| {
            let expected: Vec<String> = expected.split(' ').map(str::to_owned).collect();
            after(title, moves, [SearchLimits::default(); 2], |game| {
                let before = game.setup.game.position_text();
                let position = game.expected_position(mover, &expected);
                assert_eq!(game.setup.game.position_text(), before, "{moves}: {expected:?}");
                let moves = position.map(|position| position.moves.join(" "));
                assert!(moves.as_ref().is_none_or(|all| all.ends_with(&expected.join(" "))));
                moves
            })
        };
        assert_eq!(found("6 7", "4", Side::P1, "3").as_deref(), Some("4 3"));
        for not_a_turn in ["9", "3 9", "3 4", ""] {
            assert_eq!(found("6 7", "4", Side::P1, not_a_turn), None, "{not_a_turn}");
        }
        // The opponent would win.
        assert_eq!(found("6 7", "1 2 1 2 1 2 7", Side::P1, "2"), None);
        // In Kalah the third house moves again on the first turn: its mover expects nothing yet.
        for too_soon in ["4", "4 1"] {
            assert_eq!(found("kalah 6 4", "3", Side::P1, too_soon), None);
        }
        assert_eq!(found("kalah 6 4", "3 4", Side::P1, "3 4").as_deref(), Some("3 4 3 4"));
        assert_eq!(found("kalah 6 4", "3 4", Side::P1, "3"), None);
    }

    #[test]
    fn a_move_is_played_only_in_canonical_notation() {
        let mut game = rules::open("6 7").unwrap();
        let start = game.position_text();
        let refused = |game: &mut dyn AnyGame, mv: &str| {
            let forfeit = play_if_legal(game, mv).unwrap_err();
            assert_eq!(forfeit.kind, ForfeitKind::IllegalMove);
            forfeit.detail
        };
        assert!(refused(&mut *game, "9").ends_with(&format!(", in {start}")));
        assert_eq!(game.position_text(), start);
        // The same move in another notation.
        let detail = refused(&mut *game, "P@d1");
        assert_eq!(detail, format!("'P@d1' is not in canonical notation, in {start}"));
        let mut game = rules::open("6 7").unwrap();
        assert_eq!(play_if_legal(&mut *game, "4"), Ok(()));
    }

    #[test]
    fn a_clock_gets_its_increment_and_at_the_time_control_its_base_time() {
        let limits = SearchLimits {
            time: Some(1000),
            inc: Some(10),
            moves: Some(2),
            ..SearchLimits::default()
        };
        let mut clock = limits.clock().unwrap();
        let mut after = |ms| {
            clock.stop(Duration::from_millis(ms), &limits);
            (clock.remaining.as_millis(), clock.moves_to_go)
        };
        assert_eq!(after(300), (710, Some(1)));
        assert_eq!(after(700), (1020, Some(2)));
        // Within the margin a move may take more than is left.
        assert_eq!(after(1030), (10, Some(1)));
        let sudden_death = SearchLimits { moves: None, ..limits };
        let mut clock = sudden_death.clock().unwrap();
        clock.stop(Duration::ZERO, &sudden_death);
        assert_eq!((clock.remaining.as_millis(), clock.moves_to_go), (1010, None));
    }
}
