//! The networks of Kalah's evaluation, one for each number of houses.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::PathBuf;

use anyhow::{Context, Error, Result, ensure};
use clap::Args;
use ratlla::game::Notation;
use ratlla::games::kalah::board::Board;
use ratlla::games::kalah::house_network::{
    HIDDEN, ONE, house_vector, network_start, rules_vector, vector_count,
};
use ratlla::games::kalah::row::Word;
use ratlla::games::kalah::rules;
use ratlla::games::kalah::sowing::{HOUSES, Rules};
use ratlla::platform::files;
use ratlla_common::progress::bar;
use ratlla_common::table::{Align, Table};

use super::network::{Example, Network};
use super::record::{Record, parameters_of};
use super::record_file;
use super::weights::or_dash;

/// Every so many games one is held out of the fit, to measure its error.
const HELD_OUT: usize = 20;
/// Points for a seed in a store.
const STORED: f32 = 100.0;

/// Arguments of `fit network`.
#[derive(Args)]
pub struct FitNetwork {
    /// Files written by 'fit games', with games of Kalah; networks for numbers of houses without games
    /// are kept
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// Weight of the game's result, from 0 to 1, in the target of a position that is not proved; the rest
    /// is the search's score
    #[arg(long, value_name = "WEIGHT", default_value_t = 0.3)]
    lambda: f64,
    /// Points of the search's score that correspond to odds of e to 1
    #[arg(long, value_name = "POINTS", default_value_t = 500.0)]
    score_scale: f64,
    /// Number of passes over the positions
    #[arg(long, value_name = "N", default_value_t = 20)]
    epochs: usize,
    /// Random seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// File of networks to create or to replace parts of
    #[arg(long)]
    out: PathBuf,
}

/// The positions with one number of houses.
#[derive(Default)]
struct Examples {
    training: Vec<Example>,
    held_out: Vec<Example>,
}

impl FitNetwork {
    /// Fits the networks, prints their errors and writes each when it is done.
    pub fn run(&self) -> Result<()> {
        let examples = self.read()?;
        let size = network_start(*HOUSES.end() + 1);
        let mut file = match files::open_plain(&self.out) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(vec![0; size]),
            file => file.and_then(|file| file.read_bounded(size as u64)),
        }
        .with_context(|| format!("cannot read {}", self.out.display()))?;
        ensure!(file.len() == size, "{}: not a file of networks", self.out.display());
        let progress = bar("fitting", self.epochs * examples.len());
        let columns =
            ["houses", "positions", "error", "held out", "error there", "points per e:1 odds"];
        let columns = columns.map(|name| (name, Align::Right));
        let mut table = Table::new(&columns).with_title("Mean squared error of the result");
        for (houses, Examples { training, held_out }) in examples {
            let vectors = vector_count(houses);
            let network = Network::fit(&training, vectors, self.epochs, self.seed, &progress);
            let unit = STORED / network.lead_weight();
            table.row([
                houses.to_string(),
                training.len().to_string(),
                format!("{:.5}", network.error(&training)),
                held_out.len().to_string(),
                or_dash(held_out.len(), format!("{:.5}", network.error(&held_out))),
                format!("{unit:.0}"),
            ]);
            let numbers = quantized(&network, vectors, unit);
            let bytes: Vec<u8> = numbers.into_iter().flat_map(i16::to_le_bytes).collect();
            file[network_start(houses)..network_start(houses + 1)].copy_from_slice(&bytes);
            files::replace(&self.out, &[&file])
                .with_context(|| format!("cannot write {}", self.out.display()))?;
        }
        progress.finish_and_clear();
        print!("{table}");
        Ok(())
    }

    /// The examples by number of houses.
    fn read(&self) -> Result<BTreeMap<usize, Examples>> {
        let mut examples: BTreeMap<usize, Examples> = BTreeMap::new();
        let progress = bar("files", self.games.len());
        for path in &self.games {
            let mut games = 0;
            record_file::read(path, &mut |records| {
                let held_out = games % HELD_OUT == 0;
                games += 1;
                for record in records {
                    let rules = rules_of(&record.title)?;
                    let Some(example) = self.example(rules, record)? else {
                        continue;
                    };
                    let examples = examples.entry(rules.houses()).or_default();
                    let set =
                        if held_out { &mut examples.held_out } else { &mut examples.training };
                    set.push(example);
                }
                Ok(())
            })?;
            progress.inc(1);
        }
        Ok(examples)
    }

    /// `None` if one side already has more than half of the seeds, which the evaluation sees without
    /// the network.
    fn example(&self, rules: Rules, record: &Record) -> Result<Option<Example>> {
        let (vectors, lead) = if rules.houses() <= u64::HOUSES {
            inputs::<u64>(rules, &record.position)?
        } else {
            inputs::<u128>(rules, &record.position)?
        };
        let expected = record.expected(self.lambda, self.score_scale);
        let example = |lead| Example { vectors, lead, expected: expected as f32 };
        Ok(lead.map(example))
    }
}

fn rules_of(title: &str) -> Result<Rules> {
    rules(&parameters_of(title, "kalah")?).map_err(Error::msg)
}

/// The vectors of a position and the lead of the side to move, unless that decides the game.
fn inputs<W: Word>(rules: Rules, position: &str) -> Result<(Vec<u16>, Option<f32>)> {
    let words: Vec<&str> = position.split_whitespace().collect();
    let board = Board::<W>::new(rules).parse_position(&words).map_err(Error::msg)?;
    let rows = board.rows();
    let mut vectors = vec![rules_vector(rules) as u16];
    for house in 0..rules.houses() {
        for (own, row) in [(true, rows.own), (false, rows.other)] {
            let seeds = row.get(house) as usize;
            vectors.push(house_vector(rules.houses(), own, house, seeds) as u16);
        }
    }
    let (lead, seeds) = (board.store_lead(), rules.total() as i32);
    let stored = seeds - rows.in_play() as i32;
    Ok((vectors, (stored + lead.abs() <= seeds).then_some(lead as f32)))
}

/// The numbers of the file, for an evaluation in which `unit` points correspond to odds of e to 1.
fn quantized(network: &Network, vectors: usize, unit: f32) -> Vec<i16> {
    // Sums of so few vectors do not overflow.
    let most = f32::from(i16::MAX) / (2 * *HOUSES.end() + 1) as f32;
    let component = |x: &f32| (x * f32::from(ONE)).round().clamp(-most, most) as i16;
    let mut numbers = Vec::with_capacity((vectors + 1) * HIDDEN + 1);
    for place in 0..vectors {
        numbers.extend(network.vector(place).iter().map(component));
    }
    numbers.extend(network.weights().iter().map(|weight| (weight * unit).round() as i16));
    numbers.push((network.constant() * unit).round() as i16);
    numbers
}
