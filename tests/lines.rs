//! Every principal variation is legal, wherever the search is interrupted.

mod support;

use ratlla::engine::Engine;
use ratlla::games::REGISTRY;
use ratlla::protocol::command::Go;
use ratlla::settings::Settings;
use support::search::go;

#[test]
fn principal_variations_of_interrupted_searches_are_legal() {
    for entry in REGISTRY.0 {
        let settings = Settings { hash: 1, own_book: false, ..Settings::default() };
        let mut engine = Engine::new(REGISTRY.open(entry.name, &[]).unwrap(), 1).unwrap();
        for round in 0..12 {
            engine.clear_hash();
            engine.game.set_position(&[], &[]).unwrap();
            for ply in 0u64.. {
                let moves = engine.game.moves();
                if moves.is_empty() || ply > 40 {
                    break;
                }
                let nodes = 150 + (ply * 977 + round * 331) % 1500;
                let limits = Go { nodes: Some(nodes), ..Go::default() };
                let results = go(&mut engine, &limits, &settings);
                let game = &mut engine.game;
                for line in results.iter().flat_map(|result| &result.lines) {
                    for mv in &line.moves {
                        game.play(mv).unwrap_or_else(|error| panic!("{}: {error}", entry.name));
                    }
                    line.moves.iter().for_each(|_| game.undo().unwrap());
                }
                let choice = (ply * 31 + round * 17) as usize % moves.len();
                game.play(&moves[choice]).unwrap();
            }
        }
    }
}
