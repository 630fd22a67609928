//! The rules of every game, from `ratlla`. Most of what the arena knows of games goes through here.

use anyhow::{Context as _, ensure};
use ratlla::any_game::AnyGame;
use ratlla::endgames::EndgameStore;
use ratlla::games::REGISTRY;
use ratlla::limits::SearchControl;
use ratlla::protocol::command::{Go, Goal};
use ratlla::registry::GameEntry;
use ratlla::search::result::ReportedScore;
use ratlla::search::transposition_table::{Bound, TranspositionTable};
use ratlla::settings::Settings;

use crate::engine::dialect::Position;
use crate::settings::{Balance, ExactRule};

/// Opens the game named by the words after `newgame`, at its start position.
pub fn open(game: &str) -> anyhow::Result<Box<dyn AnyGame>> {
    let words: Vec<&str> = game.split_whitespace().collect();
    REGISTRY.open_from_words(&words).map_err(anyhow::Error::msg)
}

/// Parses the words after `position`.
pub fn parse_position(words: &str) -> Position {
    let mut words = words.split_whitespace().peekable();
    words.next_if_eq(&"position");
    words.next_if_eq(&"startpos");
    words.next_if_eq(&"fen");
    let mut setup = Vec::new();
    while let Some(word) = words.next_if(|&word| word != "moves") {
        setup.push(word);
    }
    Position { setup: setup.join(" "), moves: words.skip(1).map(str::to_owned).collect() }
}

/// Sets up a position.
pub fn set_up(game: &mut dyn AnyGame, position: &Position) -> anyhow::Result<()> {
    let setup: Vec<&str> = position.setup.split_whitespace().collect();
    let moves: Vec<&str> = position.moves.iter().map(String::as_str).collect();
    game.set_position(&setup, &moves).map_err(anyhow::Error::msg)
}

/// Sets up a position from which a game can be played: fails also if the game is over.
pub fn set_up_opening(game: &mut dyn AnyGame, position: &Position) -> anyhow::Result<()> {
    set_up(game, position)?;
    ensure!(game.outcome().is_none(), "the game is already over in this position");
    Ok(())
}

/// What the game with this title is won by, in one word.
pub fn won_by(title: &str) -> &'static str {
    entry(title).map_or("won", |entry| entry.won_by)
}

/// The entry of the game with this title.
fn entry(title: &str) -> Option<&'static GameEntry> {
    let name = title.split(' ').next().unwrap_or_default();
    REGISTRY.0.iter().find(|entry| entry.name == name)
}

/// Finds results with best play: by the game's solver where it has one, otherwise as far as the
/// playing search proves them. What it finds depends only on the position and on what it has solved
/// since [`ExactSolver::forget`].
pub struct ExactSolver {
    nodes: u64,
    tt: TranspositionTable,
    endgames: EndgameStore,
    has_table: bool,
}

impl ExactSolver {
    /// Memory for tables, in MiB.
    const HASH: usize = 16;

    /// A solver for the game with this title. Fails if the endgame table cannot be used.
    pub fn new(title: &str, rule: &ExactRule) -> anyhow::Result<ExactSolver> {
        let mut endgames = EndgameStore::default();
        if let Some(path) = &rule.table {
            let file = entry(title).and_then(|entry| entry.endgame_file.as_ref());
            let file = file.with_context(|| format!("{title} has no endgame tables in files"))?;
            (file.load)(&mut endgames, &path.to_string_lossy()).map_err(anyhow::Error::msg)?;
        }
        let tt = TranspositionTable::new(ExactSolver::HASH / 4).map_err(anyhow::Error::msg)?;
        Ok(ExactSolver { nodes: rule.nodes, tt, endgames, has_table: rule.table.is_some() })
    }

    /// Forgets all positions, so that the games of a match do not depend on each other.
    pub fn forget(&mut self) {
        self.tt.clear();
        if !self.has_table {
            self.endgames = EndgameStore::default();
        }
    }

    /// The proved score of a position for the side to move, if it is found.
    pub fn solve(&mut self, game: &mut dyn AnyGame) -> Option<ReportedScore> {
        let go = Go { goal: Goal::Solve, nodes: Some(self.nodes), ..Go::default() };
        let settings = Settings { hash: ExactSolver::HASH, ..Settings::default() };
        let control = SearchControl::new(false, false);
        let result =
            game.search(&go, &settings, &control, &self.tt, &mut self.endgames, &mut |_| {});
        let line = result.lines.first()?;
        line.score.filter(|score| score.is_proved() && line.bound == Bound::Exact)
    }
}

/// Judges openings with a short deterministic search, or with the solver. Openings share most of the
/// positions below them, so the transposition table is kept: what the search finds depends on the
/// openings before.
pub struct BalanceCheck {
    tt: TranspositionTable,
    solver: Option<ExactSolver>,
}

impl BalanceCheck {
    /// Deep enough for short tactics, fast on every board.
    const DEPTH: u32 = 8;
    const NODES: u64 = 20_000;
    /// The largest advantage in a balanced position, in centipoints.
    const MAX_ADVANTAGE: i32 = 40;
    /// After so many iterations in a row with at most half of it, deeper ones seldom see more: 2 % of
    /// the openings accepted then would be rejected at full depth, on 6x7 for a third of the nodes.
    const STEADY_ITERATIONS: u32 = 4;
    /// What the solver may spend on an opening: some tenths of a second.
    const SOLVER_NODES: u64 = 2_000_000;

    /// Allocates the tables for the game with this title.
    pub fn new(title: &str, balance: Balance) -> anyhow::Result<BalanceCheck> {
        let rule = ExactRule { nodes: BalanceCheck::SOLVER_NODES, table: None };
        let solver = match balance {
            Balance::Search => None,
            Balance::Exact => Some(ExactSolver::new(title, &rule)?),
        };
        Ok(BalanceCheck { tt: TranspositionTable::new(1).map_err(anyhow::Error::msg)?, solver })
    }

    /// Whether the solver is asked before the search.
    pub fn is_exact(&self) -> bool {
        self.solver.is_some()
    }

    /// Whether the solver finds a draw, or else the search neither side clearly ahead.
    pub fn is_balanced(&mut self, game: &mut dyn AnyGame) -> bool {
        if let Some(solver) = &mut self.solver {
            solver.forget();
            game.clear_memory();
            if let Some(sign) = solver.solve(game).and_then(ReportedScore::proved_sign) {
                return sign == 0;
            }
        }
        let go = Go {
            depth: Some(BalanceCheck::DEPTH),
            nodes: Some(BalanceCheck::NODES),
            ..Go::default()
        };
        let settings = Settings { hash: 1, ..Settings::default() };
        let control = SearchControl::new(false, false);
        let endgames = &mut EndgameStore::default();
        let mut steady = 0;
        let result = game.search(&go, &settings, &control, &self.tt, endgames, &mut |found| {
            let is_even = is_within(BalanceCheck::MAX_ADVANTAGE / 2, found.lines[0].score);
            steady = if is_even { steady + 1 } else { 0 };
            if steady == BalanceCheck::STEADY_ITERATIONS {
                control.stop();
            }
        });
        is_within(BalanceCheck::MAX_ADVANTAGE, result.lines[0].score)
    }
}

/// Whether neither side is ahead by more than `limit`.
fn is_within(limit: i32, score: Option<ReportedScore>) -> bool {
    match score {
        Some(ReportedScore::Points(points)) => points.abs() <= limit,
        Some(ReportedScore::Draw) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_named_as_after_newgame() {
        let title = |words: &str| open(words).map(|game| game.title());
        assert_eq!(title("6 7").unwrap(), "connect4 6 7 4");
        assert_eq!(title("").unwrap(), "connect4 6 7 4");
        assert_eq!(title("kalah 4 3").unwrap(), "kalah 4 3");
        let Err(reason) = REGISTRY.open_from_words(&["chess"]) else { panic!("chess was opened") };
        assert_eq!(title("chess").unwrap_err().to_string(), reason);
        assert!(title("3 7").is_err());
    }

    #[test]
    fn what_wins_a_game_has_a_word() {
        let words =
            ["connect4 6 7 4", "kalah 6 4 empty", "wali 5 6 12", "boom", "chess"].map(won_by);
        assert_eq!(words, ["line", "seeds", "stones", "line", "won"]);
    }

    #[test]
    fn positions_are_written_as_after_position() {
        let position = |setup: &str, moves: &[&str]| Position {
            setup: setup.into(),
            moves: moves.iter().map(|&mv| mv.into()).collect(),
        };
        assert_eq!(parse_position("moves 4 4"), position("", &["4", "4"]));
        assert_eq!(parse_position("position startpos moves 1"), position("", &["1"]));
        assert_eq!(parse_position("grid X../... p2 moves 3"), position("grid X../... p2", &["3"]));
        assert_eq!(parse_position("startpos"), position("", &[]));
        assert_eq!(parse_position("fen 7/7 w - -"), position("7/7 w - -", &[]));
    }

    #[test]
    fn balance_has_a_limit_on_both_sides() {
        for (score, limit, is_even) in [
            (Some(ReportedScore::Points(40)), 40, true),
            (Some(ReportedScore::Points(-40)), 40, true),
            (Some(ReportedScore::Points(41)), 40, false),
            (Some(ReportedScore::Points(-41)), 40, false),
            (Some(ReportedScore::Draw), 0, true),
            (Some(ReportedScore::Win(9)), 40, false),
            (Some(ReportedScore::Loss(9)), 40, false),
            (None, 40, false),
        ] {
            assert_eq!(is_within(limit, score), is_even, "{score:?}");
        }
    }

    /// Ahead without a proof is not balanced either; on a large board nothing is proved so soon.
    #[test]
    fn an_advantage_that_is_not_proved_is_no_balance() {
        let mut check = BalanceCheck::new("", Balance::Search).unwrap();
        for (title, position, is_balanced) in
            [("kalah 6 4", "moves 3 6 1 2 5", false), ("12 12", "startpos", true)]
        {
            let mut game = open(title).unwrap();
            set_up_opening(&mut *game, &parse_position(position)).unwrap();
            assert_eq!(check.is_balanced(&mut *game), is_balanced, "{title}: {position}");
        }
    }

    #[test]
    fn exact_balance_is_a_draw_with_best_play() {
        let mut check = BalanceCheck::new("", Balance::Exact).unwrap();
        for (title, position, is_balanced) in [
            ("4 4", "startpos", true),
            // Lost for the side to move, and won.
            ("6 7", "moves 3 3 4 4 5", false),
            ("6 7", "moves 3 3 4 4 5 1", false),
            ("kalah 3 2", "startpos", false),
        ] {
            let mut game = open(title).unwrap();
            set_up_opening(&mut *game, &parse_position(position)).unwrap();
            assert_eq!(check.is_balanced(&mut *game), is_balanced, "{title}: {position}");
        }
    }

    #[test]
    fn what_is_not_proved_is_not_known() {
        let mut solver = ExactSolver::new("", &ExactRule { nodes: 100, table: None }).unwrap();
        for title in ["8 8", "25 25", "boom", "wali", "kalah 6 6"] {
            assert_eq!(solver.solve(&mut *open(title).unwrap()), None, "{title}");
        }
    }

    /// A solver that has seen the game before would find more: a record would depend on the games that
    /// an arena has played already.
    #[test]
    fn a_solver_that_has_forgotten_finds_what_a_new_one_finds() {
        let rule = ExactRule { nodes: 3000, table: None };
        let mut warm = ExactSolver::new("boom", &rule).unwrap();
        let mut found = [0; 2];
        for column in 1..=7 {
            let position = parse_position(&format!("moves {column} 4 4 4 4 4 4 3 3 3 3 3 3"));
            let solve = |solver: &mut ExactSolver| {
                let mut game = open("boom").unwrap();
                set_up(&mut *game, &position).ok().map(|()| solver.solve(&mut *game))
            };
            // Again and again, so that there is something to forget.
            for _ in 0..5 {
                found[0] += usize::from(solve(&mut warm).flatten().is_some());
            }
            warm.forget();
            let fresh = solve(&mut ExactSolver::new("boom", &rule).unwrap());
            found[1] += usize::from(fresh.flatten().is_some());
            assert_eq!(solve(&mut warm), fresh, "{column}");
            warm.forget();
        }
        println!("found {found:?}");
    }

    #[test]
    fn a_lost_position_is_not_balanced() {
        let mut check = BalanceCheck::new("", Balance::Search).unwrap();
        for entry in REGISTRY.0 {
            let mut game = REGISTRY.open(entry.name, &[]).unwrap();
            // The answer depends on the game; that there is one does not.
            check.is_balanced(&mut *game);
        }
        let mut game = open("6 7").unwrap();
        assert!(check.is_balanced(&mut *game));
        set_up(&mut *game, &parse_position("moves 3 3 4 4 5")).unwrap();
        assert!(!check.is_balanced(&mut *game));
    }
}
