//! The move to ponder on is the opponent's whole turn, also where players move several times in a row.

mod support;

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use ratlla::any_game::AnyGame;
use ratlla::games::REGISTRY;
use support::engine::Engine;

const GAMES: [&str; 5] = ["connect4 5 5 4", "boom", "wali 3 4 5", "kalah 4 3", "kalah 6 4 empty"];

fn open(title: &str) -> Box<dyn AnyGame> {
    REGISTRY.open_from_words(&title.split(' ').collect::<Vec<_>>()).unwrap()
}

/// Plays up to `count` random moves and returns them.
fn random_moves(game: &mut dyn AnyGame, count: usize, rng: &mut SmallRng) -> Vec<String> {
    let mut played = Vec::new();
    while played.len() < count && game.outcome().is_none() {
        let moves = game.moves();
        let mv = moves[rng.random_range(0..moves.len())].clone();
        game.play(&mv).unwrap();
        played.push(mv);
    }
    played
}

/// Checks that `turn` is what the opponent plays between `first` and the mover's next move; leaves the
/// game after it.
fn check_turn(game: &mut dyn AnyGame, first: &str, turn: &[String]) {
    let mover = game.side_to_move();
    game.play(first).unwrap();
    for mv in turn {
        assert_ne!(game.side_to_move(), mover, "{first} {turn:?}");
        game.play(mv).unwrap();
    }
    let is_back = turn.is_empty() || game.side_to_move() == mover || game.outcome().is_some();
    assert!(is_back, "{first} {turn:?}");
}

#[test]
fn the_expected_turn_is_all_of_the_opponents_moves() {
    let mut rng = SmallRng::seed_from_u64(1);
    for title in GAMES {
        let mut found = 0;
        for round in 0..200 {
            let mut game = open(title);
            random_moves(&mut *game, round % 30, &mut rng);
            if game.outcome().is_some() {
                continue;
            }
            let mover = game.side_to_move();
            let line = random_moves(&mut *game, 8, &mut rng);
            line.iter().for_each(|_| game.undo().unwrap());
            let turn = game.expected_turn(&line).to_vec();
            assert_eq!(turn, line[1..=turn.len()]);
            found += usize::from(!turn.is_empty());
            let left_out = turn.is_empty() && line.len() > 1;
            check_turn(&mut *game, &line[0], &turn);
            if left_out && title != "kalah 6 4 empty" && title != "kalah 4 3" {
                // Two moves are the longest turn: only moving again leaves it out.
                assert!(game.side_to_move() == mover || line.len() < 3, "{title} {line:?}");
            }
        }
        assert!(found > 50, "{title}: {found}");
        assert!(open(title).expected_turn(&[]).is_empty());
    }
}

#[test]
fn a_client_can_ponder_on_it_in_every_game() {
    let mut rng = SmallRng::seed_from_u64(2);
    let mut engine = Engine::start();
    for title in GAMES {
        engine.command(&format!("newgame {title}"));
        let (mut pondered, mut longest) = (0, 0);
        for round in 0..12 {
            let mut game = open(title);
            let mut moves = random_moves(&mut *game, 2 * round, &mut rng);
            if game.outcome().is_some() {
                continue;
            }
            let mover = game.side_to_move();
            engine.command(&format!("position moves {}", moves.join(" ")));
            engine.send("go depth 6");
            let lines = engine.wait_for("bestmove");
            let words: Vec<String> = lines[lines.len() - 1].split(' ').map(str::to_owned).collect();
            let turn = words.get(3..).unwrap_or_default();
            check_turn(&mut *game, &words[1], turn);
            if turn.is_empty() || game.outcome().is_some() {
                continue;
            }
            assert_eq!(game.side_to_move(), mover);
            moves.push(words[1].clone());
            moves.extend(turn.iter().cloned());
            engine.command(&format!("position moves {}", moves.join(" ")));
            engine.send_all(&["go ponder depth 3", "isready"]);
            engine.wait_for("readyok");
            engine.send("ponderhit");
            let (best, _) = engine.wait_for_best_move();
            assert!(game.moves().contains(&best), "{best} in {}", game.position_text());
            pondered += 1;
            longest = longest.max(turn.len());
        }
        assert!(pondered > 1, "{title}: {pondered}");
        assert!(title != "boom" || longest == 2, "{longest}");
    }
    engine.quit();
}
