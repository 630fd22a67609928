//! The table at which a game is played: the one seam between games of any kind and the session.
//!
//! Above it everything is words and numbers, one virtual call for each command. Below it
//! everything is generic code compiled for one game.

use std::mem::{replace, take};
use std::sync::Mutex;

use crate::text::escaped;

use crate::game::{Evaluator, Game, MoveNotation, Notation, Outcome, Side};
use crate::limits::{Limits, NodeCounter, SearchControl, Stopped};
use crate::search::transposition_table::TranspositionTable;
use crate::strategy::{
    self, Playable, ReportedScore, SearchRequest, SearchResult, Settings, Strategy,
};

/// What to think about, and how.
pub struct Request<'a> {
    /// What may be used.
    pub limits: &'a Limits,
    /// The moves to choose from; all legal ones if empty. Checked by [`AnyGame::check_moves`].
    pub search_moves: &'a [String],
    /// What the user chose.
    pub settings: &'a Settings,
    /// Nothing less than the exact truth will do. Only if [`AnyGame::has_solver`].
    pub solve: bool,
    /// How it can be stopped.
    pub control: &'a SearchControl,
    /// What earlier searches learnt.
    pub tt: &'a TranspositionTable,
}

/// [`SearchResult`] with moves as words, one for each line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// How deep the search looked, and the greatest ply reached.
    pub depth: Option<(u32, u32)>,
    /// Which of the best lines this is, from 1.
    pub multi_pv: Option<usize>,
    /// What it is worth.
    pub standing: Option<ReportedScore>,
    /// Positions visited.
    pub nodes: u64,
    /// Positions judged or over, for the strategies of fixed depth.
    pub leaves: Option<u64>,
    /// Milliseconds since the start.
    pub time: std::time::Duration,
    /// How full the transposition table is.
    pub hashfull: Option<usize>,
    /// The moves.
    pub line: Vec<String>,
}

/// The move to play, and the reply that is expected.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// `None` if the game is over.
    pub best: Option<String>,
    /// The expected reply.
    pub ponder: Option<String>,
}

/// A game in progress, whatever the game.
pub trait AnyGame: Send {
    /// The words after `newgame` that make this game.
    fn title(&self) -> String;

    /// From now on moves and positions are told in this notation.
    fn set_notation(&mut self, notation: MoveNotation);

    /// Sets up a position: the start, or one in the game's own words or as a FEN, then moves.
    /// All or nothing.
    fn set_position(&mut self, setup: &[&str], moves: &[&str]) -> Result<(), String>;

    /// The legal moves; none if the game is over.
    fn moves(&self) -> Vec<String>;

    /// Plays a move.
    fn play(&mut self, mv: &str) -> Result<(), String>;

    /// Takes the last move back.
    fn undo(&mut self) -> Result<(), String>;

    /// How the game ended, or `None`.
    fn outcome(&self) -> Option<Outcome>;

    /// Who moves next.
    fn side_to_move(&self) -> Side;

    /// The current position in the words of a `position` command.
    fn position_text(&self) -> String;

    /// The board for a person to look at.
    fn drawing(&self) -> String;

    /// The hash of the position.
    fn key(&self) -> u64;

    /// The parts of the evaluation for player 1, or `None` if the game is over.
    fn evaluation(&self) -> Option<Vec<(&'static str, i32)>>;

    /// The strategies that play this game.
    fn strategies(&self) -> Vec<&'static str>;

    /// The evaluations of its plain strategies, the default first.
    fn evaluations(&self) -> Vec<&'static str>;

    /// Whether all of `moves` are legal here.
    fn check_moves(&self, moves: &[String]) -> Result<(), String>;

    /// Whether the exact value of this position can be found, given time.
    fn has_solver(&self) -> bool;

    /// How many of `mebibytes` the transposition table gets.
    fn table_share(&self, mebibytes: usize) -> usize;

    /// Forgets what earlier searches learnt, apart from the transposition table.
    fn forget(&mut self);

    /// What each legal move is worth, in their natural order, and the best one.
    fn analyze(
        &self,
        request: &Request<'_>,
        info: &mut dyn FnMut(Info),
    ) -> (Vec<(String, ReportedScore)>, Choice);

    /// Chooses a move. The last thing it tells, `info` included, is about that move.
    fn think(&self, request: &Request<'_>, info: &mut dyn FnMut(Info)) -> Choice;

    /// Counts the move sequences of exactly `depth` moves that begin with each legal move.
    /// `None` if it was stopped.
    fn perft(
        &self,
        depth: u32,
        control: &SearchControl,
        count: &mut dyn FnMut(String, u64),
    ) -> Option<u64>;
}

/// The table for a game of one kind.
pub struct TypedGame<G: Playable> {
    title: String,
    notation: MoveNotation,
    start: G,
    game: G,
    /// The moves since the position was set up.
    played: Vec<(G::Move, G::Undo)>,
    /// What the game's own strategies remember.
    memory: Mutex<G::Memory>,
}

impl<G: Notation + Playable> TypedGame<G> {
    /// A table with `start` on it. `title` is what comes after `newgame` for it.
    pub fn new(title: String, start: G) -> TypedGame<G> {
        TypedGame {
            title,
            notation: MoveNotation::default(),
            game: start.clone(),
            start,
            played: Vec::new(),
            memory: Mutex::default(),
        }
    }

    fn legal_moves(&self) -> Vec<G::Move> {
        let mut moves = Vec::new();
        self.game.legal_moves(&mut moves);
        moves
    }

    fn parse_move(&self, text: &str) -> Result<G::Move, String> {
        match self.game.outcome() {
            Some(outcome) => Err(format!("the game is over: {}", outcome_text(Some(outcome)))),
            None => self.game.parse_move(text).map_err(|reason| self.with_example(reason)),
        }
    }

    /// A reason why a text is no move, with a word that is one if the game's own reasons speak of
    /// other words.
    fn with_example(&self, reason: String) -> String {
        match (self.notation, self.legal_moves().first()) {
            (MoveNotation::Fairy, Some(&mv)) => {
                format!("{reason} ({} would be legal)", self.word(&self.game, mv))
            }
            _ => reason,
        }
    }

    /// The word for a legal move of `game`.
    fn word(&self, game: &G, mv: G::Move) -> String {
        match self.notation {
            MoveNotation::Native => game.move_text(mv),
            MoveNotation::Fairy => game.fairy_move_text(mv),
        }
    }

    fn infos(&self, report: &SearchResult<G::Move>) -> Vec<Info> {
        let several = report.lines.len() > 1 || report.depth.is_some();
        let lines = report.lines.iter().enumerate();
        lines
            .map(|(index, line)| Info {
                depth: report.depth,
                multi_pv: several.then_some(index + 1),
                standing: line.standing,
                nodes: report.nodes,
                leaves: report.leaves,
                time: report.time,
                hashfull: report.hashfull,
                line: self.line_text(&line.moves),
            })
            .collect()
    }

    fn line_text(&self, moves: &[G::Move]) -> Vec<String> {
        let mut game = self.game.clone();
        let word = |&mv: &G::Move| {
            let text = self.word(&game, mv);
            game.play(mv);
            text
        };
        moves.iter().map(word).collect()
    }

    /// Asks `strategy`, and returns its last report once the answer may be given; `None` if the
    /// game is over.
    fn consult(
        &self,
        strategy: &dyn Strategy<G>,
        request: &Request<'_>,
        info: &mut dyn FnMut(Info),
    ) -> Option<SearchResult<G::Move>> {
        if let Some(outcome) = self.game.outcome() {
            request.control.wait_for_release();
            info(self.final_info(outcome));
            return None;
        }
        let mut moves = self.legal_moves();
        if !request.search_moves.is_empty() {
            let asked: Vec<_> = request.search_moves.iter().map(|mv| self.parse_move(mv)).collect();
            moves.retain(|&mv| asked.contains(&Ok(mv)));
        }
        let request = SearchRequest {
            game: &self.game,
            moves: &moves,
            limits: request.limits,
            control: request.control,
            tt: request.tt,
            memory: &self.memory,
            settings: request.settings,
        };
        let mut told = None;
        let last = strategy.choose(&request, &mut |report| {
            self.infos(report).into_iter().for_each(&mut *info);
            told = Some((report.depth, report.lines.clone()));
        });
        if told.is_none_or(|told| told != (last.depth, last.lines.clone())) {
            self.infos(&last).into_iter().for_each(info);
        }
        request.control.wait_for_release();
        Some(last)
    }

    fn choice(&self, report: &SearchResult<G::Move>) -> Choice {
        let mut words = self.line_text(&report.lines[0].moves).into_iter();
        Choice { best: words.next(), ponder: words.next() }
    }

    /// What is to be said when there is nothing to think about.
    fn final_info(&self, outcome: Outcome) -> Info {
        let standing = match outcome {
            Outcome::Draw => ReportedScore::Draw,
            Outcome::Win(side) if side == self.game.side_to_move() => ReportedScore::Win(0),
            Outcome::Win(_) => ReportedScore::Loss(0),
        };
        Info { depth: Some((0, 0)), standing: Some(standing), ..Info::default() }
    }
}

impl<G: Notation + Playable> AnyGame for TypedGame<G> {
    fn title(&self) -> String {
        self.title.clone()
    }

    fn set_notation(&mut self, notation: MoveNotation) {
        self.notation = notation;
    }

    fn set_position(&mut self, setup: &[&str], moves: &[&str]) -> Result<(), String> {
        let game = match setup {
            [] => self.start.clone(),
            ["fen"] => return Err("'fen' wants a position after it".to_owned()),
            ["fen", words @ ..] | words => self.start.parse_position(words)?,
        };
        let before = (replace(&mut self.game, game), take(&mut self.played));
        for (index, mv) in moves.iter().enumerate() {
            if let Err(reason) = self.play(mv) {
                (self.game, self.played) = before;
                return Err(format!("move {}, {reason}", index + 1));
            }
        }
        Ok(())
    }

    fn moves(&self) -> Vec<String> {
        self.legal_moves().into_iter().map(|mv| self.word(&self.game, mv)).collect()
    }

    fn play(&mut self, text: &str) -> Result<(), String> {
        let mv =
            self.parse_move(text).map_err(|reason| format!("'{}': {reason}", escaped(text)))?;
        let undo = self.game.play(mv);
        self.played.push((mv, undo));
        Ok(())
    }

    fn undo(&mut self) -> Result<(), String> {
        let (mv, undo) = self.played.pop().ok_or("there is no move to take back")?;
        self.game.undo(mv, undo);
        Ok(())
    }

    fn outcome(&self) -> Option<Outcome> {
        self.game.outcome()
    }

    fn side_to_move(&self) -> Side {
        self.game.side_to_move()
    }

    fn position_text(&self) -> String {
        match self.notation {
            MoveNotation::Native => self.game.position_text(),
            MoveNotation::Fairy => self.game.fairy_position_text(),
        }
    }

    fn drawing(&self) -> String {
        self.game.drawing()
    }

    fn key(&self) -> u64 {
        self.game.key()
    }

    fn evaluation(&self) -> Option<Vec<(&'static str, i32)>> {
        self.game.outcome().is_none().then(|| {
            let mut evaluator = self.game.evaluator();
            evaluator.reset(&self.game);
            evaluator.terms(&self.game)
        })
    }

    fn strategies(&self) -> Vec<&'static str> {
        strategy::names::<G>()
    }

    fn evaluations(&self) -> Vec<&'static str> {
        G::evaluations().iter().map(|evaluation| evaluation.name).collect()
    }

    fn check_moves(&self, moves: &[String]) -> Result<(), String> {
        moves.iter().try_for_each(|text| {
            let result = self.parse_move(text).map(drop);
            result.map_err(|reason| format!("'{}': {reason}", escaped(text)))
        })
    }

    fn has_solver(&self) -> bool {
        self.game.solver().is_some()
    }

    fn table_share(&self, mebibytes: usize) -> usize {
        self.start.table_share(mebibytes)
    }

    fn forget(&mut self) {
        self.memory = Mutex::default();
    }

    fn analyze(
        &self,
        request: &Request<'_>,
        info: &mut dyn FnMut(Info),
    ) -> (Vec<(String, ReportedScore)>, Choice) {
        let strategy = self.game.solver().unwrap_or_else(G::full);
        let settings = Settings { multi_pv: usize::MAX, ..request.settings.clone() };
        let request = Request { settings: &settings, ..*request };
        let Some(report) = self.consult(&*strategy, &request, info) else {
            return (Vec::new(), Choice::default());
        };
        let standing = |mv: &G::Move| {
            let line = report.lines.iter().find(|line| line.moves[0] == *mv)?;
            Some((self.word(&self.game, *mv), line.standing?))
        };
        let standings = self.legal_moves().iter().filter_map(standing).collect();
        (standings, self.choice(&report))
    }

    fn think(&self, request: &Request<'_>, info: &mut dyn FnMut(Info)) -> Choice {
        let solver = if request.solve { self.game.solver() } else { None };
        let strategy = solver.unwrap_or_else(|| strategy::by_name::<G>(request.settings));
        let report = self.consult(&*strategy, request, info);
        report.map_or_else(Choice::default, |report| self.choice(&report))
    }

    fn perft(
        &self,
        depth: u32,
        control: &SearchControl,
        count: &mut dyn FnMut(String, u64),
    ) -> Option<u64> {
        let mut counter = NodeCounter::new(control, &Limits::default(), None);
        if depth == 0 {
            return Some(1);
        }
        let mut game = self.game.clone();
        let mut total = 0;
        for mv in self.legal_moves() {
            let text = self.word(&game, mv);
            let undo = game.play(mv);
            let leaves = sequences(&mut game, depth - 1, &mut counter, &mut Vec::new()).ok()?;
            game.undo(mv, undo);
            count(text, leaves);
            total += leaves;
        }
        Some(total)
    }
}

/// The number of sequences of exactly `depth` moves from here.
fn sequences<G: Game>(
    game: &mut G,
    depth: u32,
    counter: &mut NodeCounter<'_>,
    moves: &mut Vec<G::Move>,
) -> Result<u64, Stopped> {
    counter.tick()?;
    if depth == 0 {
        return Ok(1);
    }
    let first = moves.len();
    game.legal_moves(moves);
    let last = moves.len();
    if depth == 1 {
        moves.truncate(first);
        return Ok((last - first) as u64);
    }
    let mut total = 0;
    for index in first..last {
        let mv = moves[index];
        let undo = game.play(mv);
        total += sequences(game, depth - 1, counter, moves)?;
        game.undo(mv, undo);
    }
    moves.truncate(first);
    Ok(total)
}

/// `none`, `p1win`, `p2win` or `draw`.
pub fn outcome_text(outcome: Option<Outcome>) -> &'static str {
    match outcome {
        None => "none",
        Some(Outcome::Win(Side::P1)) => "p1win",
        Some(Outcome::Win(Side::P2)) => "p2win",
        Some(Outcome::Draw) => "draw",
    }
}
