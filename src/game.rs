//! What a game is, seen from the search: small traits with one concern each.
//!
//! [`Game`] is the rules, [`Notation`] their text, [`Evaluate`] and [`Evaluator`] the static
//! evaluation. Rules know nothing of evaluation, and neither knows anything of search, clocks or
//! commands.

pub mod explain;
pub mod state;

use std::fmt;
use std::ops::Not;

/// One of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The player who moves first in the start position.
    P1,
    /// The other one.
    P2,
}

impl Side {
    /// 0 for [`Side::P1`], 1 for [`Side::P2`]: an index into per-side arrays.
    pub fn index(self) -> usize {
        self as usize
    }

    /// `value` seen by this side if player 1 sees `value`.
    pub fn view(self, value: i32) -> i32 {
        match self {
            Side::P1 => value,
            Side::P2 => -value,
        }
    }
}

impl Not for Side {
    type Output = Side;

    fn not(self) -> Side {
        match self {
            Side::P1 => Side::P2,
            Side::P2 => Side::P1,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Side::P1 => "p1",
            Side::P2 => "p2",
        })
    }
}

/// How a finished game ended, written as `p1win`, `p2win` or `draw`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// This side has won.
    Win(Side),
    /// Neither side has.
    Draw,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Outcome::Win(Side::P1) => "p1win",
            Outcome::Win(Side::P2) => "p2win",
            Outcome::Draw => "draw",
        })
    }
}

/// One parameter of `newgame`, for programs that let people choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// A whole number. Numbers come first, in this order, all or none of them.
    Number {
        /// What it counts.
        name: &'static str,
        /// The default.
        default: usize,
        /// The smallest and the largest value.
        limits: [usize; 2],
    },
    /// An optional word after the numbers.
    Word(&'static str),
}

/// The value of a [`Parameter`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(untagged)]
pub enum ParameterValue {
    /// Of a number.
    Number(usize),
    /// Whether the word was given.
    Word(bool),
}

/// The rules of a two-player game of perfect information, as a position that can be played on.
///
/// The side to move need not alternate: a game may let one side move twice. Everything that
/// decides whose turn it is, now or later, belongs in [`Game::key`].
pub trait Game: Clone + Send + Sync + 'static {
    /// A move, meaningful in the position it was generated for.
    type Move: Copy + Eq + fmt::Debug + Send + Sync + 'static;
    /// What [`Game::undo`] needs besides the move itself.
    type Undo: Send + 'static;

    /// Who moves next. Any side once the game is over.
    fn side_to_move(&self) -> Side;

    /// `None` while the game goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// Appends every legal move in the game's natural order: at least one while the game goes
    /// on, none once it is over.
    fn legal_moves(&self, moves: &mut Vec<Self::Move>);

    /// Plays a legal move.
    fn play(&mut self, mv: Self::Move) -> Self::Undo;

    /// Takes back `mv`, the last move played; `undo` is what playing it returned.
    fn undo(&mut self, mv: Self::Move, undo: Self::Undo);

    /// The position's hash, kept up to date move by move. Equal keys mean (up to the chance of
    /// a collision) equal positions with the same side to move.
    fn key(&self) -> u64;

    /// The key after `mv`, if it can be computed cheaply before playing it.
    fn key_after(&self, _mv: Self::Move) -> Option<u64> {
        None
    }

    /// The same hash computed from the position alone: the check on [`Game::key`].
    fn key_from_scratch(&self) -> u64;

    /// A number for a move, different for any two legal moves of one position.
    fn code(mv: Self::Move) -> u16;

    /// True when the game was ended by how the position was reached (repetition, move counters)
    /// and not by what [`Game::key`] covers. Such an end proves nothing about the position.
    fn depends_on_history(&self) -> bool {
        false
    }

    /// Within this many plies no history can spoil a win: a side that can force one from what
    /// [`Game::key`] covers still can, however the position was reached.
    ///
    /// History may only turn wins into draws, never make one.
    fn history_free_plies(&self) -> usize {
        usize::MAX
    }

    /// How many plies ago this position last occurred, if it did. A side that wanted to deviate
    /// could have done so then, so a search may score a repetition on its own path as a draw.
    fn last_seen(&self) -> Option<usize> {
        None
    }
}

/// The notation in which moves and positions are written. All are always read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MoveNotation {
    /// The game's own.
    #[default]
    Native,
    /// That of chess programs that play the game as a variant, where there is one.
    Fairy,
}

/// A game's text: moves, positions and drawings. Every text is unique and reads back.
pub trait Notation: Game {
    /// The text of a legal move of this position.
    fn move_text(&self, mv: Self::Move) -> String;

    /// The same in [`MoveNotation::Fairy`].
    fn fairy_move_text(&self, mv: Self::Move) -> String {
        self.move_text(mv)
    }

    /// The same in this notation.
    fn text_of(&self, mv: Self::Move, notation: MoveNotation) -> String {
        match notation {
            MoveNotation::Native => self.move_text(mv),
            MoveNotation::Fairy => self.fairy_move_text(mv),
        }
    }

    /// The legal move that `text` names, in any notation, or why it names none. The game is not
    /// over.
    fn parse_move(&self, text: &str) -> Result<Self::Move, String>;

    /// The position in one line, as the words after `position`: `self.parse_position` reads it.
    fn position_text(&self) -> String;

    /// The same in [`MoveNotation::Fairy`], where it is what chess calls a FEN.
    fn fairy_position_text(&self) -> String {
        self.position_text()
    }

    /// A position of the same game and parameters as `self` from the words of a `position`
    /// command (without `fen` and `moves`), in any notation, or what is wrong with them.
    fn parse_position(&self, words: &[&str]) -> Result<Self, String>;

    /// The board for a person to look at, one or more lines.
    fn drawing(&self) -> String;

    /// The exact score of this position, whose exact value is `value`; `None` if the score says more
    /// than that.
    fn exact_score(&self, value: ExactValue) -> Option<ExactScore> {
        Some(ExactScore::Distance(value))
    }
}

/// The least [`Candidate::score`] of a noisy move: a capture, another turn. Noisy moves are better
/// judged by what they gain than by what caused cutoffs elsewhere.
pub const NOISY: i32 = 1000;

/// A move worth searching.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<M> {
    /// The move.
    pub mv: M,
    /// The static move score: higher is searched first. From [`NOISY`] on, before killer moves.
    pub score: i32,
    /// Its entry in the history table, below [`Evaluator::history_len`]. Moves that do the same
    /// in different positions share one.
    pub history_index: u16,
}

/// The exact value of a position for its side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExactValue {
    /// A win in that many plies and no fewer.
    Win(usize),
    /// A loss in that many plies and no more.
    Loss(usize),
    /// Neither side can win.
    Draw,
}

/// An exact score as a game's analysts write it, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExactScore {
    /// A number of the game's own: 0 for a draw, the greater the better.
    Number(i32),
    /// The result and the plies to the end, in games without such numbers.
    Distance(ExactValue),
}

impl fmt::Display for ExactScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExactScore::Number(score) => write!(f, "{score}"),
            ExactScore::Distance(ExactValue::Win(plies)) => write!(f, "win:{plies}"),
            ExactScore::Distance(ExactValue::Loss(plies)) => write!(f, "loss:{plies}"),
            ExactScore::Distance(ExactValue::Draw) => f.write_str("draw"),
        }
    }
}

/// A number, or the text of a distance.
impl serde::Serialize for ExactScore {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            ExactScore::Number(score) => serializer.serialize_i32(*score),
            ExactScore::Distance(_) => serializer.collect_str(self),
        }
    }
}

/// A static evaluation.
pub trait Evaluate<G: Game>: Send + Sync {
    /// How good the position is for the side to move, in hundredths of the evaluation's unit.
    /// The game is not over.
    fn evaluate(&self, game: &G) -> i32;

    /// The terms of the evaluation, as `(name, points for player 1)`. The game is not over.
    fn terms(&self, game: &G) -> Vec<(&'static str, i32)> {
        vec![("static", game.side_to_move().view(self.evaluate(game)))]
    }
}

/// Which weights an evaluator uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WeightSet {
    /// Those fitted to games.
    #[default]
    Fitted,
    /// Those made by hand before there were any: they never change.
    Classic,
}

/// The evaluator of the playing search: updated move by move, and the source of its moves.
///
/// Both `play` and `undo` are called with the position *before* the move. The defaults suit an
/// evaluation that is computed from scratch and a game without useless moves.
pub trait Evaluator<G: Game>: Evaluate<G> + Clone + 'static {
    /// Starts from `game`.
    fn reset(&mut self, _game: &G) {}

    /// `mv` is about to be played in `before`.
    fn play(&mut self, _before: &G, _mv: G::Move) {}

    /// `mv` has been taken back, which led to `before`.
    fn undo(&mut self, _before: &G, _mv: G::Move) {}

    /// Appends the moves worth searching: at least one while the game goes on.
    ///
    /// Contract: the best value over these moves, distance to the end included, is the best
    /// value over all legal moves. A single candidate is a forced move.
    fn candidates(&self, game: &G, list: &mut Vec<Candidate<G::Move>>) {
        let mut moves = Vec::new();
        game.legal_moves(&mut moves);
        let candidate = |mv| Candidate { mv, score: 0, history_index: G::code(mv) };
        list.extend(moves.into_iter().map(candidate));
    }

    /// Refines the scores of candidates of the same position where a good order pays.
    fn score_moves(&self, _game: &G, _candidates: &mut [Candidate<G::Move>]) {}

    /// The candidate if there is just one, where that is cheap to find out: the search extends
    /// it. `None` is always correct.
    fn forced(&self, _game: &G) -> Option<G::Move> {
        None
    }

    /// Whether a move after which the same side moves again costs no depth.
    fn extends_extra_moves(&self) -> bool {
        false
    }

    /// The least depth at which the transposition table is used: where evaluating is cheap, a
    /// memory access costs more than searching shallower nodes.
    fn tt_min_depth(&self) -> i32 {
        2
    }

    /// The margin of reverse futility pruning for each ply of depth left; `None` where a single
    /// move may change everything.
    fn futility_margin(&self) -> Option<i32> {
        None
    }

    /// The exact value of a position that is not over, if an endgame table has it and it holds
    /// for the game's history.
    fn probe_endgame(&self, _game: &G) -> Option<ExactValue> {
        None
    }

    /// [`Evaluate::evaluate`] after `mv`, a candidate, for the side that makes it, if it can be
    /// computed without making the move and the position after it is quiet. `None` is always
    /// correct.
    fn eval_after(&self, _game: &G, _mv: G::Move) -> Option<i32> {
        None
    }

    /// The length of the history table that [`Candidate::history_index`] points into.
    fn history_len(&self) -> usize {
        usize::from(u16::MAX) + 1
    }
}
