//! Proving scores: by the solver of Connect Four itself, or in any game by the engine.
//!
//! Knows the solver, the engine and their limits; knows nothing of lines and their text.

use std::time::{Duration, Instant};

use super::Question;
use super::options::{SolveOptions, connect4_board};
use super::solved::{Known, Scores, Solved};
use crate::any_game::{AnyGame, TypedGame};
use crate::engine::Engine;
use crate::game::ExactScore;
use crate::games::REGISTRY;
use crate::games::connect4::board::Board;
use crate::games::connect4::solver::{Position, Solver, SolverLimits};
use crate::games::connect4::{self, solver_position};
use crate::limits::SearchControl;
use crate::platform::threads::useful_threads;
use crate::protocol::command::{Go, Goal};
use crate::search::result::{PvLine, ReportedScore, SearchEnd, SearchResult};
use crate::search::transposition_table::Bound;
use crate::settings::Settings;

/// Proves scores of positions, one after the other. Its tables keep their entries unless answers are
/// to depend on their own line alone; scores never depend on earlier positions.
pub struct Prover {
    options: SolveOptions,
    /// The title of the game that is open.
    game: String,
    backend: Backend,
}

/// What proves, with the game it is about.
enum Backend {
    /// Connect Four on a board with a solver. Asked directly it does nothing but solve.
    Solver(Box<TypedGame<Board>>, Solver),
    /// Any game.
    Engine(Engine),
}

impl Prover {
    /// A prover for the game of the options, or why there is not enough memory for one.
    pub fn new(options: &SolveOptions) -> Result<Prover, String> {
        let game = options.game.clone();
        let backend = Backend::open(options, &game)?;
        Ok(Prover { options: options.clone(), game, backend })
    }

    /// The answer, or what is wrong with the question.
    pub fn solve(&mut self, question: &Question) -> Result<Solved, String> {
        if question.game != self.game {
            self.backend.reopen(&self.options, &question.game)?;
            self.game.clone_from(&question.game);
        }
        let fresh = self.options.json;
        match &mut self.backend {
            Backend::Solver(game, solver) => {
                question.position.set_up(&mut **game)?;
                let Some(position) = solver_position(game.current()) else {
                    return Err(format!("no solver for {}", self.game));
                };
                if fresh {
                    solver.clear();
                }
                Ok(SolverRun::new(&self.options, solver).solve(&position))
            }
            Backend::Engine(engine) => {
                question.position.set_up(&mut *engine.game)?;
                if fresh {
                    engine.clear_hash();
                }
                solve_with_engine(&self.options, engine)
            }
        }
    }
}

impl Backend {
    fn open(options: &SolveOptions, title: &str) -> Result<Backend, String> {
        let backend = match connect4_game(title) {
            Some(game) => Solver::new(options.hash, useful_threads(options.threads))
                .map(|solver| Backend::Solver(game, solver))
                .map_err(|error| error.to_string()),
            None => Engine::new(open(title)?, options.hash).map(Backend::Engine),
        };
        backend.map_err(|error| format!("--hash {}: {error}", options.hash))
    }

    /// Opens another game; the tables are kept where they can be.
    fn reopen(&mut self, options: &SolveOptions, title: &str) -> Result<(), String> {
        match (connect4_game(title), &mut *self) {
            (Some(game), Backend::Solver(current, _)) => *current = game,
            (None, Backend::Engine(engine)) => engine.new_game(open(title)?, options.hash)?,
            _ => *self = Backend::open(options, title)?,
        }
        Ok(())
    }
}

fn open(title: &str) -> Result<Box<dyn AnyGame>, String> {
    REGISTRY.open_from_words(&title.split_whitespace().collect::<Vec<_>>())
}

/// The game with this title if it is Connect Four on a board with a solver.
fn connect4_game(title: &str) -> Option<Box<TypedGame<Board>>> {
    let parameters = connect4_board(title)?.map(|number| number.to_string());
    let start = connect4::start(&parameters.each_ref().map(String::as_str)).ok()?;
    solver_position(&start)?;
    Some(Box::new(TypedGame::new(title.to_owned(), start)))
}

/// The solver's work on one position of Connect Four.
struct SolverRun<'a> {
    options: &'a SolveOptions,
    solver: &'a mut Solver,
    control: SearchControl,
    nodes: u64,
}

impl<'a> SolverRun<'a> {
    fn new(options: &'a SolveOptions, solver: &'a mut Solver) -> SolverRun<'a> {
        SolverRun { options, solver, control: SearchControl::new(false, false), nodes: 0 }
    }

    fn solve(mut self, position: &Position) -> Solved {
        let (scores, best) = match self.options.every_move {
            true => self.columns(position),
            false => {
                let limits = limits_of(self.options, &self.control);
                let proof = self.solver.bounds(position, &limits, &mut |_| {});
                self.nodes += proof.nodes;
                let score = proof.bounds.score();
                (Scores::Position(score.map(ExactScore::Number)), score)
            }
        };
        let line = best.and_then(|score| self.line(position, score));
        let microseconds = self.control.elapsed().as_micros();
        Solved { scores, nodes: self.nodes, microseconds, line }
    }

    /// The score of each column, and that of the best one if all of them are known.
    fn columns(&mut self, position: &Position) -> (Scores, Option<i32>) {
        let limits = limits_of(self.options, &self.control);
        let (columns, nodes) = self.solver.analyze(position, &limits);
        self.nodes += nodes;
        let scores: Vec<Option<Option<i32>>> =
            columns.into_iter().map(|column| column.map(|bounds| bounds.score())).collect();
        let best = match scores.iter().flatten().copied().collect::<Option<Vec<i32>>>() {
            // The game is over: its score is of no use to anybody who asks for moves.
            Some(known) if known.is_empty() => Some(0),
            Some(known) => known.into_iter().max(),
            None => None,
        };
        let known = |score: Option<Option<i32>>| score.map(|score| score.map(ExactScore::Number));
        (Scores::Columns(scores.into_iter().map(known).collect()), best)
    }

    /// The best move from a position with this score, with what follows if that is asked for.
    fn line(&mut self, position: &Position, score: i32) -> Option<Vec<String>> {
        let extras = self.options.extras;
        if position.legal_columns().next().is_none() {
            return Some(Vec::new());
        }
        let limits = limits_of(self.options, &self.control).after(self.nodes);
        let (columns, nodes) = match (extras.pv, extras.best) {
            (true, _) => self.solver.principal_variation(position, score, &limits),
            (false, true) => {
                let (column, nodes) = self.solver.proved_move(position, score, &limits);
                (column.into_iter().collect(), nodes)
            }
            (false, false) => return None,
        };
        self.nodes += nodes;
        let moves: Vec<String> = columns.iter().map(|column| (column + 1).to_string()).collect();
        (!moves.is_empty()).then_some(moves)
    }
}

/// The limits of the options; without any, none at all, so that nothing need be checked.
fn limits_of<'a>(options: &SolveOptions, control: &'a SearchControl) -> SolverLimits<'a> {
    let control = options.movetime.map(|_| control);
    SolverLimits { nodes: options.nodes, control, time: options.movetime }
}

/// The answer about the position that is set up in the engine.
fn solve_with_engine(options: &SolveOptions, engine: &mut Engine) -> Result<Solved, String> {
    let SolveOptions { nodes, movetime, threads, hash, every_move, .. } = *options;
    let started = Instant::now();
    let is_limited = nodes.is_some() || movetime.is_some();
    let solver = match engine.game.outcome() {
        Some(_) => Ok(()),
        None => engine.game.check_solver(hash, &engine.endgames),
    };
    let goal = match solver {
        Err(reason) if !is_limited => {
            return Err(format!(
                "{reason} (with --movetime or --nodes a search tries to prove it)"
            ));
        }
        Ok(()) => Goal::Solve,
        Err(_) => Goal::Move,
    };
    let go = Go { goal, nodes, movetime, proof_only: true, ..Go::default() };
    let move_overhead = Duration::ZERO;
    let multi_pv = if every_move { usize::MAX } else { 1 };
    let settings = Settings { threads, hash, move_overhead, multi_pv, ..Settings::default() };
    let control = engine.game.prepare(&go, &settings, &engine.endgames)?;
    let found = engine.search(&go, &settings, &control, &mut |_| {});
    let has_distances = found.end == SearchEnd::Exact;
    let known = |line: &PvLine<String>| exact_score(&*engine.game, line, has_distances);
    let best = found.lines.first();
    let moves = move_scores(&engine.game.moves(), &found, known);
    let score = best.and_then(known);
    let proved = match every_move {
        true => moves.iter().all(|(_, score)| score.is_some()),
        false => score.is_some(),
    };
    let scores = match (every_move, connect4_board(&engine.game.title())) {
        (false, _) => Scores::Position(score),
        (true, Some([_, columns, _])) => Scores::Columns(by_column(&moves, columns)),
        (true, None) => Scores::Moves(moves),
    };
    let line = best.filter(|_| proved).map(|line| line.moves.clone());
    let microseconds = started.elapsed().as_micros();
    Ok(Solved { scores, nodes: found.nodes, microseconds, line })
}

/// The score of each of the `moves` that a search has found.
fn move_scores(
    moves: &[String],
    found: &SearchResult<String>,
    known: impl Fn(&PvLine<String>) -> Known,
) -> Vec<(String, Known)> {
    let score = |mv: &String| {
        let line = found.lines.iter().find(|line| line.moves.first() == Some(mv));
        (mv.clone(), line.and_then(&known))
    };
    moves.iter().map(score).collect()
}

/// The scores of the moves in a game whose moves are columns.
fn by_column(moves: &[(String, Known)], columns: u32) -> Vec<Option<Known>> {
    let score = |column: u32| {
        let found = moves.iter().find(|(mv, _)| *mv == column.to_string());
        found.map(|(_, score)| *score)
    };
    (1..=columns).map(score).collect()
}

/// The score of a line if it is exact. A search that was interrupted may have proved who wins without
/// having found the shortest way.
fn exact_score(game: &dyn AnyGame, line: &PvLine<String>, has_distances: bool) -> Known {
    let score = line.score.filter(|_| line.bound == Bound::Exact)?;
    match score {
        ReportedScore::Win(_) | ReportedScore::Loss(_) if !has_distances => None,
        _ => game.exact_score(score),
    }
}
