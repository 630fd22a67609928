//! scratch
use ratlla::game::Game;
use ratlla::games::kalah::{board::Board, rules};
use ratlla::search::limits::{Limits, Signals};
use ratlla::search::transpositions::Transpositions;
use ratlla::search::{Task, Tuning, think};
use ratlla::strategy::Playable;
fn go<G: Playable>(name: &str, game: G, nodes: u64) {
    let mut moves = vec![];
    game.legal_moves(&mut moves);
    let t = Transpositions::new(64).unwrap();
    let signals = Signals::new(false, false);
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let task = Task {
        game: &game,
        moves: &moves,
        limits: &limits,
        signals: &signals,
        table: &t,
        multi_pv: 1,
        threads: 1,
        tuning: Tuning::FULL,
    };
    let start = std::time::Instant::now();
    let f = think(&task, &game.judge(), &mut |_| {});
    println!(
        "{name}: depth {} {:.2} M/s",
        f.depth,
        signals.nodes() as f64 / start.elapsed().as_secs_f64() / 1e6
    );
}
fn main() {
    let n: u64 = std::env::args().nth(1).and_then(|s| s.parse().ok()).unwrap_or(10_000_000);
    std::thread::Builder::new()
        .stack_size(ratlla::search::THREAD_STACK)
        .spawn(move || {
            go("kalah 6 4", Board::<u64>::new(rules(&["6", "4"]).unwrap()), n);
            go("kalah 6 6", Board::<u64>::new(rules(&["6", "6"]).unwrap()), n);
            go("kalah 12 12", Board::<u128>::new(rules(&["12", "12"]).unwrap()), n);
            go("boom", ratlla::games::boom::start(&[]).unwrap(), n);
            let w = ratlla::games::wali::start(&[]).unwrap();
            go("wali", w.clone(), n);
            let mut g = w.clone();
            let mut rng = 12345u64;
            let mut plies = 0;
            while g.outcome().is_none() && plies < 30 {
                let mut m = vec![];
                g.legal_moves(&mut m);
                rng = rng.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                g.play(m[(rng >> 33) as usize % m.len()]);
                plies += 1;
            }
            go("wali move phase", g, n);
        })
        .unwrap()
        .join()
        .unwrap();
}
