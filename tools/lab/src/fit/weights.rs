//! From files of records to a file of weights.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use ratlla::platform::files;
use ratlla::search::result::ReportedScore;
use ratlla_common::progress::bar;
use ratlla_common::table::{Align, Table};

use super::boom::BoomModel;
use super::connect4::Connect4Model;
use super::dataset::Dataset;
use super::model::Model;
use super::record::Record;
use super::record_file;
use super::regression::{self, ITERATIONS};
use super::wali::WaliModel;

/// One of so many games of each board is held out of the fit, to measure its error.
const HELD_OUT: usize = 10;
/// The positions of a longer game count less, so that together they count as this many: they share
/// one result.
const POSITIONS_PER_GAME: f64 = 20.0;

/// The evaluations that can be fitted.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum ModelName {
    Connect4,
    Wali,
    Boom,
}

impl ModelName {
    fn model(self) -> Box<dyn Model> {
        match self {
            ModelName::Connect4 => Box::new(Connect4Model::default()),
            ModelName::Wali => Box::new(WaliModel),
            ModelName::Boom => Box::new(BoomModel),
        }
    }
}

/// Arguments of `fit weights`.
#[derive(Args)]
pub struct FitWeights {
    /// Evaluation to fit
    model: ModelName,
    /// Files written by 'fit games'
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// Weight of the game's result, from 0 to 1, in the target of a position without an exact score; the
    /// rest is the search's score
    #[arg(long, value_name = "WEIGHT", default_value_t = 1.0)]
    lambda: f64,
    /// Points of the search's score that correspond to odds of e to 1
    #[arg(long, value_name = "POINTS", default_value_t = 100.0)]
    score_scale: f64,
    /// Points of the new weights that correspond to odds of e to 1
    #[arg(long, value_name = "POINTS", default_value_t = 100.0)]
    scale: f64,
    /// Leave out positions that are decided within fewer plies: the search sees that itself
    #[arg(long, value_name = "PLIES", default_value_t = 8)]
    decided: usize,
    /// Penalty on large weights
    #[arg(long, default_value_t = 10.0)]
    ridge: f64,
    /// Rust source to write; without it, only the errors and the weights are printed
    #[arg(long)]
    out: Option<PathBuf>,
}

impl FitWeights {
    /// Fits, prints the errors and writes the weights.
    pub fn run(&self) -> Result<()> {
        let mut model = self.model.model();
        let (training, held_out, sources) = self.read(&mut *model)?;
        let names = model.names();
        if training.len() == 0 {
            bail!("no positions to fit to");
        }
        let progress = bar("fitting", ITERATIONS);
        let weights = regression::fit(&training, names.len(), self.ridge, &progress)?;
        progress.finish_and_clear();
        let points: Vec<i32> =
            weights.iter().map(|weight| (weight * self.scale).round() as i32).collect();
        let rounded: Vec<f64> =
            points.iter().map(|&points| f64::from(points) / self.scale).collect();
        print!("{}", error_table(&training, &held_out, &weights, &rounded));
        println!("\n{}", weight_table(&names, &points));
        if let Some(path) = &self.out {
            let source = model.source(&points, &self.comment(&sources, training.len()));
            files::replace(path, &[source.as_bytes()])
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(())
    }

    /// The rows to fit to, those held out by game, and how the files were made.
    fn read(&self, model: &mut dyn Model) -> Result<(Dataset, HeldOut, Vec<String>)> {
        let (mut training, mut held_out) = (Dataset::default(), HeldOut::new());
        let mut sources = Vec::new();
        let mut features = Vec::new();
        let mut games_of = BTreeMap::<String, usize>::new();
        let progress = bar("files", self.games.len());
        for path in &self.games {
            let source = record_file::read(path, &mut |game| {
                let Some(first) = game.first() else {
                    return Ok(());
                };
                let number = games_of.entry(first.title.clone()).or_default();
                let data = if number.is_multiple_of(HELD_OUT) {
                    held_out.entry(first.title.clone()).or_default()
                } else {
                    &mut training
                };
                *number += 1;
                let weight = (POSITIONS_PER_GAME / game.len() as f64).min(1.0);
                for record in game.iter().filter(|record| !self.is_near_end(record)) {
                    features.clear();
                    model.features(record, &mut features)?;
                    if !features.is_empty() {
                        let expected = record.expected(self.lambda, self.score_scale);
                        data.push(&features, expected, weight);
                    }
                }
                Ok(())
            });
            sources.push(source?);
            progress.inc(1);
        }
        Ok((training, held_out, sources))
    }

    fn is_near_end(&self, record: &Record) -> bool {
        match record.score {
            ReportedScore::Win(plies) | ReportedScore::Loss(plies) => plies < self.decided,
            _ => false,
        }
    }

    /// How the weights were made, as a comment of Rust source.
    fn comment(&self, sources: &[String], positions: usize) -> String {
        let FitWeights { lambda, score_scale, scale, decided, ridge, .. } = self;
        let mut text = format!(
            "//! Made by `ratlla-lab fit weights` from {positions} positions, with --lambda {lambda}\n\
             //! --score-scale {score_scale} --scale {scale} --decided {decided} --ridge {ridge}, and games by\n//!\n"
        );
        for source in sources {
            text += &format!("//! `{}`\n", source.trim_start_matches("# "));
        }
        text
    }
}

/// Rows held out of the fit, by game.
type HeldOut = BTreeMap<String, Dataset>;

fn error_table(training: &Dataset, held_out: &HeldOut, weights: &[f64], rounded: &[f64]) -> Table {
    let nothing = vec![0.0; weights.len()];
    let columns = ["games", "positions", "no evaluation", "fitted", "rounded"];
    let columns = columns.map(|name| (name, Align::Right));
    let mut table = Table::new(&columns).with_title("Cross-entropy in bits");
    let all = held_out.iter().map(|(title, data)| (format!("held out, {title}"), data));
    for (title, data) in std::iter::once(("fitted to".to_owned(), training)).chain(all) {
        let error = |weights| or_dash(data.len(), format!("{:.4}", data.error(weights)));
        let errors = [&nothing[..], weights, rounded].map(error);
        let [none, fitted, integer] = errors;
        table.row([title, data.len().to_string(), none, fitted, integer]);
    }
    table
}

/// A mean over this many positions as text, or a dash if there are none.
pub fn or_dash(positions: usize, mean: String) -> String {
    if positions == 0 { "-".to_owned() } else { mean }
}

fn weight_table(names: &[String], points: &[i32]) -> Table {
    let mut table = Table::new(&[("feature", Align::Left), ("points", Align::Right)]);
    for (name, points) in names.iter().zip(points) {
        table.row([name.clone(), points.to_string()]);
    }
    table
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[test]
    fn a_game_without_held_out_positions_has_no_error() {
        let mut training = Dataset::default();
        training.push(&[(0, 1.0)], 0.5, 1.0);
        let held_out = HeldOut::from([("boom".to_owned(), Dataset::default())]);
        let text = error_table(&training, &held_out, &[0.0], &[0.0]).to_string();
        let line = text.lines().find(|line| line.contains("held out, boom")).expect("a row");
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        assert_eq!(cells[2..6], ["0", "-", "-", "-"], "{text}");
        assert!(text.contains("1.0000"), "{text}");
    }

    #[derive(Parser)]
    struct Cli {
        #[command(flatten)]
        fit: FitWeights,
    }

    #[test]
    fn positions_that_the_search_decides_itself_are_left_out() {
        let fit = Cli::parse_from(["fit", "boom", "games", "--decided", "8"]).fit;
        let is_left_out = |score| {
            let record =
                Record { title: String::new(), position: String::new(), score, result: 1.0 };
            fit.is_near_end(&record)
        };
        for plies in 0..20 {
            assert_eq!(is_left_out(ReportedScore::Win(plies)), plies < 8, "{plies}");
            assert_eq!(is_left_out(ReportedScore::Loss(plies)), plies < 8, "{plies}");
        }
        for score in [ReportedScore::Draw, ReportedScore::Points(0), ReportedScore::Margin(1)] {
            assert!(!is_left_out(score), "{score:?}");
        }
    }
}
