//! Nim with one heap: take one to three stones; whoever takes the last one wins.
//!
//! A whole game in one file, played through the protocol: `cargo run --example nim`, then
//! `newgame nim 21`, `go depth 30`, `play 1`, `d`. ARCHITECTURE.md explains each part.

use ratlla::any_game::TypedGame;
use ratlla::endgames::EndgameStore;
use ratlla::game::explain::Explain;
use ratlla::game::state::Describe;
use ratlla::game::{Evaluate, Evaluator, Game, Notation, Outcome, Parameter, Side};
use ratlla::registry::{BenchPosition, GameEntry, Opened, Registry};
use ratlla::strategy::{Named, Playable};
use ratlla::text::{expected_position, parse_number};

/// A position: the stones left and the side to move.
#[derive(Clone)]
pub(crate) struct Heap {
    pub(crate) stones: u8,
    pub(crate) side: Side,
}

// 1. The rules.
impl Game for Heap {
    /// How many stones to take.
    type Move = u8;
    type Undo = ();

    fn side_to_move(&self) -> Side {
        self.side
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.stones == 0).then_some(Outcome::Win(!self.side))
    }

    fn legal_moves(&self, moves: &mut Vec<u8>) {
        moves.extend(1..=self.stones.min(3));
    }

    fn play(&mut self, taken: u8) {
        self.stones -= taken;
        self.side = !self.side;
    }

    fn undo(&mut self, taken: u8, (): ()) {
        self.stones += taken;
        self.side = !self.side;
    }

    fn key(&self) -> u64 {
        // An odd factor keeps positions apart and spreads them over the transposition table.
        (2 * u64::from(self.stones) + self.side.index() as u64 + 1)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn key_from_scratch(&self) -> u64 {
        self.key()
    }

    fn code(taken: u8) -> u16 {
        taken.into()
    }
}

// 2. The text of moves and positions. Programs get no more, as there are no cells to describe.
impl Notation for Heap {
    fn move_text(&self, taken: u8) -> String {
        taken.to_string()
    }

    fn parse_move(&self, text: &str) -> Result<u8, String> {
        let most = self.stones.min(3);
        let taken = parse_number(text).filter(|taken| (1..=most).contains(taken));
        taken.ok_or_else(|| format!("expected 1..{most} stones"))
    }

    fn position_text(&self) -> String {
        format!("heap {} {}", self.stones, self.side)
    }

    fn parse_position(&self, words: &[&str]) -> Result<Heap, String> {
        let heap = |stones, side| Some(Heap { stones: parse_number(stones)?, side });
        let found = match *words {
            ["heap", stones, "p1"] => heap(stones, Side::P1),
            ["heap", stones, "p2"] => heap(stones, Side::P2),
            _ => None,
        };
        found.ok_or_else(|| expected_position(words[0], "heap STONES p1|p2"))
    }

    fn drawing(&self) -> String {
        format!("{} ({})", "*".repeat(self.stones.into()), self.stones)
    }
}

impl Describe for Heap {}
impl Explain for Heap {}

// 3. The evaluation: none is needed, because the search sees the end.
#[derive(Clone)]
pub(crate) struct Even;

impl Evaluate<Heap> for Even {
    fn evaluate(&self, _heap: &Heap) -> i32 {
        0
    }
}

impl Evaluator<Heap> for Even {}

// 4. What the strategies need.
impl Playable for Heap {
    type Evaluator = Even;
    type Memory = ();

    fn evaluator(&self, _endgames: &EndgameStore) -> Even {
        Even
    }

    fn evaluations() -> &'static [Named<dyn Evaluate<Heap>>] {
        &[Named { name: "even", make: || Box::new(Even) }]
    }
}

// 5. The registry entry.
fn open(parameters: &[&str]) -> Opened {
    let stones = match parameters {
        [] => Some(21),
        [stones] => parse_number(stones).filter(|&stones| stones > 0),
        _ => None,
    };
    let stones = stones.ok_or("expected a number of stones, 1..255")?;
    Ok(Box::new(TypedGame::new(format!("nim {stones}"), Heap { stones, side: Side::P1 })))
}

pub(crate) static REGISTRY: Registry = Registry(&[GameEntry {
    name: "nim",
    usage: "[stones]",
    limits: "stones from 1 to 255",
    parameters: &[Parameter::Number { name: "stones", default: 21, limits: [1, 255] }],
    won_by: "stones",
    uci_variants: &[],
    open,
    bench: &[BenchPosition::new("21", "", 20)],
    endgame_file: None,
}]);

fn main() -> std::io::Result<()> {
    ratlla::session::run(REGISTRY, std::io::stdin(), std::io::stdout(), None).map(drop)
}
