//! Every line that a search tells can be played, wherever it is interrupted.

use ratlla::any_game::{AnyGame, Info, Request};
use ratlla::games::{REGISTRY, open};
use ratlla::limits::{Limits, SearchControl};
use ratlla::search::transposition_table::TranspositionTable;
use ratlla::strategy::Settings;

/// All that is told in a search of so many nodes.
fn told(table: &dyn AnyGame, nodes: u64, tt: &TranspositionTable) -> Vec<Info> {
    let mut infos = Vec::new();
    let request = Request {
        limits: &Limits { nodes: Some(nodes), ..Limits::default() },
        search_moves: &[],
        settings: &Settings { hash: 1, own_book: false, ..Settings::default() },
        solve: false,
        control: &SearchControl::new(false, false),
        tt,
    };
    table.think(&request, &mut |info| infos.push(info));
    infos
}

#[test]
fn interrupted_searches_tell_lines_that_can_be_played() {
    for entry in REGISTRY {
        let mut table = open(entry.name, &[]).unwrap();
        for game in 0..12 {
            let tt = TranspositionTable::new(1).unwrap();
            table.set_position(&[], &[]).unwrap();
            for ply in 0u64.. {
                let moves = table.moves();
                if moves.is_empty() || ply > 40 {
                    break;
                }
                let nodes = 150 + (ply * 977 + game * 331) % 1500;
                for info in told(&*table, nodes, &tt) {
                    for mv in &info.line {
                        table.play(mv).unwrap_or_else(|error| panic!("{}: {error}", entry.name));
                    }
                    info.line.iter().for_each(|_| table.undo().unwrap());
                }
                let choice = (ply * 31 + game * 17) as usize % moves.len();
                table.play(&moves[choice]).unwrap();
            }
        }
    }
}
