//! Games of the engine against itself.

use std::path::PathBuf;

use anyhow::{Context, Error, Result, ensure};
use clap::Args;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use ratlla::engine::Engine;
use ratlla::game::{Outcome, Side};
use ratlla::protocol::command::{Go, Goal};
use ratlla::search::result::{ReportedScore, SearchResult};
use ratlla::settings::Settings;
use ratlla_common::progress::bar;

use super::record::{Record, open};
use super::record_file::RecordFile;

/// Tables of the engine, in MiB: enough for short searches, and quickly cleared.
const HASH: usize = 4;
/// A game with more plies ends without a result and is not recorded.
const MAX_PLIES: usize = 1000;

/// Arguments of `fit games`.
#[derive(Args)]
pub struct SelfPlay {
    /// Game, as the words after 'newgame'; repeatable, the games then alternate
    #[arg(long = "game", value_name = "WORDS", required = true)]
    games: Vec<String>,
    /// Number of games, including those already in the file
    #[arg(long = "games", value_name = "N", default_value_t = 1000)]
    count: usize,
    /// Nodes for each move
    #[arg(long, value_name = "N", default_value_t = 2000)]
    nodes: u64,
    /// Nodes of the solver for each recorded position, if the game has a solver; 0 turns it off
    #[arg(long, value_name = "N", default_value_t = 0)]
    solve: u64,
    /// Maximum number of random plies at the start
    #[arg(long, value_name = "N", default_value_t = 10)]
    plies: usize,
    /// Probability of a random move later on, in percent
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(..=100))]
    random: u32,
    /// Random seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// File to create or append to
    #[arg(long)]
    out: PathBuf,
}

impl SelfPlay {
    /// Plays what is missing in the file.
    pub fn run(&self) -> Result<()> {
        let mut file = RecordFile::open(&self.out, &self.header())?;
        let progress = bar("games", self.count);
        let mut engines = Vec::new();
        for words in &self.games {
            engines.push(Engine::new(open(words)?, HASH).map_err(Error::msg)?);
        }
        while file.next < self.count {
            progress.set_position(file.next as u64);
            let number = file.next;
            let engine = &mut engines[number % self.games.len()];
            let mut rng = SmallRng::seed_from_u64(self.seed);
            // Far apart in the seed, so that games of neighbouring seeds differ.
            rng = SmallRng::seed_from_u64(rng.random::<u64>().wrapping_add(number as u64));
            file.append(&self.play_game(engine, &mut rng)?)?;
        }
        Ok(())
    }

    /// Everything that the games depend on, besides the engine.
    fn header(&self) -> String {
        let SelfPlay { nodes, solve, plies, random, seed, .. } = self;
        let games: String = self.games.iter().map(|words| format!("--game '{words}' ")).collect();
        format!(
            "# ratlla-lab fit games {games}--nodes {nodes} --solve {solve} --plies {plies} \
             --random {random} --seed {seed}"
        )
    }

    /// The positions since the last random move: from there on both sides played as well as they
    /// could, so that the result says something about them.
    fn play_game(&self, engine: &mut Engine, rng: &mut SmallRng) -> Result<Vec<Record>> {
        engine.clear_hash();
        engine.game.set_position(&[], &[]).map_err(Error::msg)?;
        let opening = rng.random_range(0..=self.plies);
        let mut recorded = Vec::new();
        for ply in 0..MAX_PLIES {
            if let Some(end) = engine.game.outcome() {
                return self.records(engine, &recorded, end);
            }
            let moves = engine.game.moves();
            let mv = if ply < opening || rng.random_range(0..100) < self.random {
                recorded.clear();
                moves[rng.random_range(0..moves.len())].clone()
            } else {
                let found = search(engine, Goal::Move, self.nodes)?;
                recorded.push(Scored {
                    position: engine.game.position_text(),
                    side: engine.game.side_to_move(),
                    score: found.lines[0].score.context("a search without a score")?,
                });
                found.best_move().context("a search without a move")?.clone()
            };
            engine.game.play(&mv).map_err(Error::msg)?;
        }
        Ok(Vec::new())
    }

    /// The records of a finished game, with exact scores where the solver finds them.
    fn records(
        &self,
        engine: &mut Engine,
        recorded: &[Scored],
        end: Outcome,
    ) -> Result<Vec<Record>> {
        let mut records = Vec::new();
        for &Scored { ref position, side, mut score } in recorded {
            let words: Vec<&str> = position.split_whitespace().collect();
            engine.game.set_position(&words, &[]).map_err(Error::msg)?;
            ensure!(engine.game.side_to_move() == side, "'{position}' changes the side to move");
            if self.solve > 0
                && !score.is_proved()
                && engine.game.has_solver(HASH, &engine.endgames)
            {
                let solved = search(engine, Goal::Solve, self.solve)?.lines[0].score;
                score = solved.filter(|solved| solved.is_proved()).unwrap_or(score);
            }
            records.push(Record::new(&*engine.game, score, side, end));
        }
        Ok(records)
    }
}

/// A position and the search's score for the side to move.
struct Scored {
    position: String,
    side: Side,
    score: ReportedScore,
}

fn search(engine: &mut Engine, goal: Goal, nodes: u64) -> Result<SearchResult<String>> {
    let settings = Settings { own_book: false, hash: HASH, ..Settings::default() };
    let go = Go { goal, nodes: Some(nodes), ..Go::default() };
    let control = engine.game.prepare(&go, &settings, &engine.endgames).map_err(Error::msg)?;
    Ok(engine.search(&go, &settings, &control, &mut |_| {}))
}
