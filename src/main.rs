use ratlla::game::*;
use ratlla::games::connect4::{board::*, judge::*};
use ratlla::search::{limits::*, transpositions::*, *};
fn main() {
    for (r, c) in [(6, 7), (8, 8), (10, 12), (25, 25)] {
        let size = Size::new(r, c, 4).unwrap();
        let board = Board::new(size);
        let judge = LineJudge::new(size);
        let table = Transpositions::new(64).unwrap();
        let mut moves = vec![];
        board.legal_moves(&mut moves);
        let signals = Signals::new(false);
        let ms = std::env::args().nth(1).map_or(1000, |a| a.parse().unwrap());
        let limits = Limits {
            movetime: Some(std::time::Duration::from_millis(ms)),
            ..Default::default()
        };
        let task = Task {
            game: &board,
            moves: &moves,
            limits: &limits,
            signals: &signals,
            table: &table,
            multi_pv: 1,
            threads: 1,
            tuning: Tuning::FULL,
        };
        let last = think(&task, &judge, &mut |r| {
            println!(
                "{} {} {:?} {:?} {} {:?}",
                r.depth,
                r.selective_depth,
                r.lines[0].value,
                r.lines[0].moves.iter().map(|c| c.0 + 1).collect::<Vec<_>>(),
                r.nodes,
                r.time
            )
        });
        println!(
            "{r}x{c} depth {} nodes {} nps {}",
            last.depth,
            last.nodes,
            last.nodes as f64 / last.time.as_secs_f64()
        );
    }
}
