//! What pruning, move order and the full search save, over a whole game.

use anyhow::{Context as _, Result, anyhow};
use ratlla::any_game::AnyGame as Game;
use ratlla::limits::Limits;
use ratlla::strategy::{MoveOrder, Settings};

use super::{Context, Section};
use crate::searching::{open_connect4, search};
use crate::tables::{Align, Table, grouped};

/// The section.
pub const SECTION: Section = Section {
    name: "leaves",
    purpose: "positions visited over a whole game on 8x8, from plain minimax to the full search",
    run,
};

const BOARD: &str = "8 8";
/// Both players search so many nodes for a move: enough for a sensible game, and the same game
/// each time.
const NODES_FOR_A_MOVE: u64 = 20_000;
const HASH: usize = 16;

/// One way to search to a fixed depth, and what it visited over the game.
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
            evaluation: "lines".to_owned(),
            pruning,
            order,
            ..Settings::default()
        };
        [
            Contender::new("minimax", plain(false, MoveOrder::Left)),
            Contender::new("pruning, left to right", plain(true, MoveOrder::Left)),
            Contender::new("pruning, right to left", plain(true, MoveOrder::Right)),
            Contender::new("pruning, centre first", plain(true, MoveOrder::Centre)),
            Contender::new("full search", Settings::default()),
        ]
    }

    fn visit(&mut self, game: &dyn Game, depth: u32) -> Result<()> {
        let limits = Limits { depth: Some(depth), ..Limits::default() };
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
    let progress = context.progress("leaves", moves.len() * depths.len());
    let mut table = Table::new(
        format!("Positions visited over a whole game of {} moves on 8x8", moves.len()),
        &[
            ("depth", Align::Right),
            ("search", Align::Left),
            ("leaves", Align::Right),
            ("nodes", Align::Right),
            ("of minimax", Align::Right),
        ],
    );
    for &depth in depths {
        let mut contenders = Contender::all();
        let mut game = open_connect4(BOARD)?;
        for mv in &moves {
            contenders.iter_mut().try_for_each(|contender| contender.visit(&*game, depth))?;
            game.play(mv).map_err(|reason| anyhow!(reason))?;
            progress.inc(1);
        }
        let all_nodes = contenders[0].nodes;
        for contender in contenders {
            table.row([
                depth.to_string(),
                contender.name.to_owned(),
                contender.leaves.map_or_else(|| "-".to_owned(), grouped),
                grouped(contender.nodes),
                format!("{:.2} %", 100.0 * contender.nodes as f64 / all_nodes as f64),
            ]);
        }
    }
    progress.finish_and_clear();
    table.note(
        "Each position of the game is searched anew. The full search deepens step by step, \
         looks further at forced moves and less far at late ones; all its steps are counted.",
    );
    Ok(vec![table])
}

/// The game that the full search plays against itself.
fn whole_game() -> Result<Vec<String>> {
    let limits = Limits { nodes: Some(NODES_FOR_A_MOVE), ..Limits::default() };
    let mut game = open_connect4(BOARD)?;
    let mut moves = Vec::new();
    while game.outcome().is_none() {
        let choice = search(&*game, &Settings::default(), &limits, HASH)?.choice;
        let best = choice.best.context("no move in a game that goes on")?;
        game.play(&best).map_err(|reason| anyhow!(reason))?;
        moves.push(best);
    }
    Ok(moves)
}
