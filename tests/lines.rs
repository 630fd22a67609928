//! Every principal variation is legal, wherever the search is interrupted.

use ratlla::any_game::{AnyGame, Info, Request};
use ratlla::games::{REGISTRY, open};
use ratlla::limits::{Limits, SearchControl};
use ratlla::search::transposition_table::TranspositionTable;
use ratlla::strategy::Settings;

/// The reports of a search with this node limit.
fn search(game: &dyn AnyGame, nodes: u64, tt: &TranspositionTable) -> Vec<Info> {
    let mut infos = Vec::new();
    let request = Request {
        limits: &Limits { nodes: Some(nodes), ..Limits::default() },
        search_moves: &[],
        settings: &Settings { hash: 1, own_book: false, ..Settings::default() },
        solve: false,
        control: &SearchControl::new(false, false),
        tt,
    };
    game.think(&request, &mut |info| infos.push(info));
    infos
}

#[test]
fn principal_variations_of_interrupted_searches_are_legal() {
    for entry in REGISTRY {
        let mut game = open(entry.name, &[]).unwrap();
        for round in 0..12 {
            let tt = TranspositionTable::new(1).unwrap();
            game.set_position(&[], &[]).unwrap();
            for ply in 0u64.. {
                let moves = game.moves();
                if moves.is_empty() || ply > 40 {
                    break;
                }
                let nodes = 150 + (ply * 977 + round * 331) % 1500;
                for info in search(&*game, nodes, &tt) {
                    for mv in &info.line {
                        game.play(mv).unwrap_or_else(|error| panic!("{}: {error}", entry.name));
                    }
                    info.line.iter().for_each(|_| game.undo().unwrap());
                }
                let choice = (ply * 31 + round * 17) as usize % moves.len();
                game.play(&moves[choice]).unwrap();
            }
        }
    }
}
