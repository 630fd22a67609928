//! What pruning, move ordering and the full search save over a whole game.

use anyhow::{Context as _, Error, Result};
use ratlla::any_game::AnyGame;
use ratlla::protocol::command::Go;
use ratlla::settings::{MoveOrder, Settings};
use ratlla_common::progress::bar;
use ratlla_common::table::Align::{Left, Right};
use ratlla_common::table::Table;

use super::{Context, Section};
use crate::figures::count;
use crate::searching::{open_connect4, search};

/// The section.
pub const SECTION: Section = Section {
    name: "leaves",
    purpose: "nodes over a whole game on 8x8, from plain minimax to the full search",
    run,
};

const BOARD: &str = "8 8";
/// Node limit per move of both players: enough for a sensible game, and deterministic.
const NODES_PER_MOVE: u64 = 20_000;
const HASH: usize = 16;

/// One way to search to a fixed depth, and its counts over the game.
struct Contender {
    name: &'static str,
    settings: Settings,
    leaves: Option<u64>,
    nodes: u64,
}

impl Contender {
    fn new(name: &'static str, settings: Settings) -> Contender {
        Contender { name, settings, leaves: None, nodes: 0 }
    }

    fn all() -> [Contender; 5] {
        let plain = |pruning, order| Settings {
            strategy: "minimax".to_owned(),
            evaluation: Some("lines".to_owned()),
            pruning,
            order,
            ..Settings::default()
        };
        [
            Contender::new("minimax", plain(false, MoveOrder::Left)),
            Contender::new("alphabeta, left to right", plain(true, MoveOrder::Left)),
            Contender::new("alphabeta, right to left", plain(true, MoveOrder::Right)),
            Contender::new("alphabeta, centre first", plain(true, MoveOrder::Centre)),
            Contender::new("full", Settings::default()),
        ]
    }

    fn visit(&mut self, game: &mut dyn AnyGame, depth: u32) -> Result<()> {
        let limits = Go { depth: Some(depth), ..Go::default() };
        let found = search(game, &self.settings, &limits, HASH)?;
        self.nodes += found.nodes;
        if let Some(leaves) = found.leaves() {
            *self.leaves.get_or_insert(0) += leaves;
        }
        Ok(())
    }
}

fn run(context: &Context) -> Result<Vec<Table>> {
    let depths: &[u32] = context.amount(&[4, 6], &[4]);
    let moves = whole_game()?;
    let progress = bar("leaves", moves.len() * depths.len());
    let mut table = Table::new(&[
        ("depth", Right),
        ("search", Left),
        ("leaves", Right),
        ("nodes", Right),
        ("of minimax", Right),
    ])
    .with_title(format!("Nodes over a whole game of {} moves on 8x8", moves.len()));
    for &depth in depths {
        let mut contenders = Contender::all();
        let mut game = open_connect4(BOARD)?;
        for mv in &moves {
            contenders.iter_mut().try_for_each(|contender| contender.visit(&mut *game, depth))?;
            game.play(mv).map_err(Error::msg)?;
            progress.inc(1);
        }
        let all_nodes = contenders[0].nodes;
        for contender in contenders {
            table.row([
                depth.to_string(),
                contender.name.to_owned(),
                contender.leaves.map_or_else(|| "-".to_owned(), count),
                count(contender.nodes),
                format!("{:.2} %", 100.0 * contender.nodes as f64 / all_nodes as f64),
            ]);
        }
    }
    table.note(
        "Each position is searched with an empty table. The nodes of full include all its iterations, \
         extensions and reductions.",
    );
    Ok(vec![table])
}

/// A game of the full search against itself.
fn whole_game() -> Result<Vec<String>> {
    let limits = Go { nodes: Some(NODES_PER_MOVE), ..Go::default() };
    let mut game = open_connect4(BOARD)?;
    let mut moves = Vec::new();
    while game.outcome().is_none() {
        let found = search(&mut *game, &Settings::default(), &limits, HASH)?;
        let best = found.best_move().context("no move in an unfinished game")?.clone();
        game.play(&best).map_err(Error::msg)?;
        moves.push(best);
    }
    Ok(moves)
}
