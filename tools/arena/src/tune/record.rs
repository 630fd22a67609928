//! The record of a tuning run: a file of JSON lines. The first line has all settings; every other one
//! is an iteration. The results alone determine the values: a resumed run computes them again.

use std::collections::HashSet;
use std::io::BufRead;
use std::path::Path;

use anyhow::{Context as _, bail, ensure};
use serde::{Deserialize, Serialize};

use super::parameter::Parameter;
use super::spsa::{Proposal, Schedule, Spsa};
use crate::jsonl::{LineFile, json_line, read_lines};
use crate::settings::MatchSettings;
use crate::stats::Wdl;

/// Everything a run depends on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TuneSettings {
    /// The games: the engine twice, with all options that are not tuned.
    #[serde(rename = "match")]
    pub games: MatchSettings,
    /// What is tuned.
    pub parameters: Vec<Parameter>,
    /// Game pairs per iteration.
    pub batch: u64,
    /// How gains and perturbations shrink.
    pub schedule: Schedule,
}

impl TuneSettings {
    const MAX_PARAMETERS: usize = 1000;
    const MAX_BATCH: u64 = 100_000;

    /// Checks what the types cannot express.
    pub fn check(&self) -> anyhow::Result<()> {
        self.games.check()?;
        let (engines, count) = (self.games.engines.len(), self.parameters.len());
        ensure!(engines == 2, "an engine is tuned against itself (got {engines} engines)");
        ensure!(self.games.sprt.is_none(), "a tuning run has no SPRT: test its result with one");
        let max = TuneSettings::MAX_PARAMETERS;
        ensure!((1..=max).contains(&count), "expected 1..{max} parameters (got {count})");
        let max = TuneSettings::MAX_BATCH;
        ensure!((1..=max).contains(&self.batch), "batch must be 1..{max} (got {})", self.batch);
        let mut names = HashSet::new();
        for parameter in &self.parameters {
            parameter.check()?;
            let name = &parameter.name;
            ensure!(!name.is_empty() && !name.contains(char::is_control), "bad name {name:?}");
            ensure!(names.insert(name), "duplicate parameter '{name}'");
        }
        self.schedule.check()
    }

    /// The number of game pairs in the whole run.
    pub fn pairs(&self) -> u64 {
        self.games.games / 2
    }

    /// The optimiser at the start.
    pub fn optimiser(&self) -> Spsa<'_> {
        Spsa::new(&self.parameters, self.schedule, self.games.seed, self.pairs())
    }

    /// The values of a version, as engines are told them.
    pub fn texts(&self, values: &[f64]) -> Vec<String> {
        let parameters = self.parameters.iter().zip(values);
        parameters.map(|(parameter, &value)| parameter.text(value)).collect()
    }
}

/// A finished iteration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Iteration {
    /// Game pairs before it.
    pub pairs: u64,
    /// The values of the first version.
    pub plus: Vec<String>,
    /// The values of the second version.
    pub minus: Vec<String>,
    /// Games that the first version won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games that it lost.
    pub losses: u64,
    /// Games of these that ended by a forfeit.
    #[serde(default)]
    pub forfeits: u64,
    /// The values after it, for people and plots.
    pub values: Vec<f64>,
}

impl Iteration {
    /// The games.
    pub fn wdl(&self) -> Wdl {
        Wdl { wins: self.wins, draws: self.draws, losses: self.losses }
    }

    /// Moves the values of an optimiser that made this proposal.
    pub fn apply(&self, spsa: &mut Spsa<'_>, proposal: &Proposal) {
        spsa.update(proposal, self.wins as f64 - self.losses as f64, self.wdl().games() / 2);
    }
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum TuneLine {
    Tune(Box<TuneSettings>),
    Iteration(Iteration),
}

/// The file of a run, to which iterations are appended.
pub struct TuneRecord {
    file: LineFile,
}

impl TuneRecord {
    /// Creates a record. Never overwrites a file.
    pub fn create(path: &Path, settings: &TuneSettings) -> anyhow::Result<TuneRecord> {
        let header = json_line(&TuneLine::Tune(Box::new(settings.clone())))?;
        Ok(TuneRecord { file: LineFile::create(path, &header)? })
    }

    /// Opens a record to continue it.
    pub fn resume(path: &Path) -> anyhow::Result<(TuneRecord, TuneSettings, Vec<Iteration>)> {
        let (file, (settings, iterations)) = LineFile::resume(path, |source| read(source))?;
        Ok((TuneRecord { file }, settings, iterations))
    }

    /// Appends an iteration. When this returns, it is on disk.
    pub fn add(&mut self, iteration: &Iteration) -> anyhow::Result<()> {
        self.file.append(&json_line(&TuneLine::Iteration(iteration.clone()))?)
    }
}

/// Reads the settings and the iterations.
pub fn read_from(source: impl BufRead) -> anyhow::Result<(TuneSettings, Vec<Iteration>)> {
    read(source).map(|(contents, _)| contents)
}

/// Settings and iterations, and the length of all complete lines. Every iteration is played through
/// the optimiser, so that a record which does not fit its settings is refused.
fn read(source: impl BufRead) -> anyhow::Result<((TuneSettings, Vec<Iteration>), u64)> {
    let mut settings: Option<TuneSettings> = None;
    let mut iterations: Vec<Iteration> = Vec::new();
    let complete_bytes = read_lines(source, |number, line| {
        let place = || format!("line {number}");
        let entry = serde_json::from_slice(line)
            .with_context(|| format!("{}: not a line of a tuning record", place()))?;
        match (entry, &settings) {
            (TuneLine::Tune(found), None) => {
                found.check().with_context(place)?;
                settings = Some(*found);
            }
            (TuneLine::Iteration(iteration), Some(_)) => iterations.push(iteration),
            (TuneLine::Tune(_), Some(_)) => bail!("{}: second header", place()),
            (TuneLine::Iteration(_), None) => bail!("{}: iteration before header", place()),
        }
        Ok(())
    })?;
    let settings = settings.context("not a tuning record: the first line is not its header")?;
    replay(&settings, &mut iterations)?;
    Ok(((settings, iterations), complete_bytes))
}

/// Checks that these iterations follow from each other, and computes their values again.
fn replay(settings: &TuneSettings, iterations: &mut [Iteration]) -> anyhow::Result<()> {
    let mut spsa = settings.optimiser();
    for (number, iteration) in (2..).zip(iterations) {
        let place = || format!("line {number}");
        let proposal = spsa.propose();
        let due = settings.batch.min(settings.pairs() - spsa.pairs());
        let games = iteration.wdl();
        let played =
            games.wins.checked_add(games.draws).and_then(|sum| sum.checked_add(games.losses));
        ensure!(
            iteration.pairs == spsa.pairs() && played == Some(2 * due) && due > 0,
            "{}: expected {due} game pairs after {} others",
            place(),
            spsa.pairs()
        );
        let expected = [&proposal.plus, &proposal.minus].map(|values| settings.texts(values));
        ensure!(
            [&iteration.plus, &iteration.minus] == [&expected[0], &expected[1]],
            "{}: these values do not follow from the lines before: {:?} and {:?}",
            place(),
            iteration.plus,
            iteration.minus
        );
        iteration.apply(&mut spsa, &proposal);
        iteration.values = spsa.values().to_vec();
    }
    Ok(())
}

/// The optimiser after these iterations, which belong to these settings.
pub fn optimiser_after<'a>(settings: &'a TuneSettings, iterations: &[Iteration]) -> Spsa<'a> {
    let mut spsa = settings.optimiser();
    for iteration in iterations {
        let proposal = spsa.propose();
        iteration.apply(&mut spsa, &proposal);
    }
    spsa
}
