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

#[cfg(test)]
mod tests {
    use super::super::parameter::ParameterKind;
    use super::*;
    use crate::settings::TournamentFormat;
    use crate::settings::tests::settings;

    fn parameter(name: &str) -> Parameter {
        let kind = ParameterKind::Integer;
        let name = name.to_owned();
        Parameter { name, kind, start: 30.0, min: 0.0, max: 100.0, c_end: 5.0, r_end: 0.02 }
    }

    /// A run of five game pairs, in iterations of two.
    fn run() -> TuneSettings {
        TuneSettings {
            games: MatchSettings { games: 10, ..settings(2, TournamentFormat::RoundRobin) },
            parameters: vec![parameter("A"), parameter("B")],
            batch: 2,
            schedule: Schedule::default(),
        }
    }

    #[test]
    fn a_run_is_checked_in_every_part() {
        assert!(run().check().is_ok());
        let refused = |change: fn(&mut TuneSettings), reason: &str| {
            let mut settings = run();
            change(&mut settings);
            let error = format!("{:#}", settings.check().unwrap_err());
            assert!(error.contains(reason), "{error}");
        };
        refused(|run| run.games.games = 3, "games must be an even number");
        refused(|run| run.games = settings(3, TournamentFormat::RoundRobin), "got 3 engines");
        refused(
            |run| run.games.sprt = serde_json::from_str(r#"{"elo0":0.0,"elo1":5.0}"#).unwrap(),
            "no SPRT",
        );
        refused(|run| run.parameters.clear(), "expected 1..1000 parameters (got 0)");
        refused(
            |run| run.parameters = (0..1001).map(|n| parameter(&n.to_string())).collect(),
            "(got 1001)",
        );
        refused(|run| run.parameters[1].name = "A".into(), "duplicate parameter 'A'");
        for name in ["", "a\nb"] {
            let mut settings = run();
            settings.parameters[0].name = name.into();
            assert!(settings.check().unwrap_err().to_string().starts_with("bad name"));
        }
        refused(|run| run.parameters[0].start = 101.0, "start must be 0..100");
        refused(|run| run.parameters[0].r_end = 0.0, "r_end must be");
        refused(|run| run.parameters[0].r_end = 10.1, "r_end must be");
        refused(|run| run.parameters[0].max = 100.5, "must be whole numbers");
        refused(|run| run.parameters[0].c_end = 0.4, "at least 0.5");
        refused(|run| run.schedule.alpha = 1.1, "alpha must be 0..1 (got 1.1)");
        refused(|run| run.schedule.gamma = -0.1, "gamma must be");
        refused(|run| run.schedule.a = 10.1, "A must be 0..10");
        refused(|run| run.batch = 0, "batch must be 1..100000 (got 0)");
        refused(|run| run.batch = 100_001, "(got 100001)");
        assert!(TuneSettings { batch: 100_000, ..run() }.check().is_ok());
    }

    /// The lines of the record of a whole run in which the first version wins all games.
    fn lines(settings: &TuneSettings) -> Vec<Iteration> {
        let mut spsa = settings.optimiser();
        let mut iterations = Vec::new();
        while spsa.pairs() < settings.pairs() {
            let proposal = spsa.propose();
            let pairs = settings.batch.min(settings.pairs() - spsa.pairs());
            let mut iteration = Iteration {
                pairs: spsa.pairs(),
                plus: settings.texts(&proposal.plus),
                minus: settings.texts(&proposal.minus),
                wins: 2 * pairs,
                draws: 0,
                losses: 0,
                forfeits: 0,
                values: Vec::new(),
            };
            iteration.apply(&mut spsa, &proposal);
            iteration.values = spsa.values().to_vec();
            iterations.push(iteration);
        }
        iterations
    }

    fn read_lines_of(
        settings: &TuneSettings,
        iterations: &[Iteration],
    ) -> anyhow::Result<Vec<Iteration>> {
        let mut text = json_line(&TuneLine::Tune(Box::new(settings.clone())))?;
        for iteration in iterations {
            text.extend(json_line(&TuneLine::Iteration(iteration.clone()))?);
        }
        read_from(&text[..]).map(|(_, iterations)| iterations)
    }

    /// The winner is what values move towards.
    #[test]
    fn values_move_towards_the_version_that_won() {
        let settings = run();
        let iterations = lines(&settings);
        assert_eq!(iterations.len(), 3);
        let mut before = vec![30.0; 2];
        for iteration in &iterations {
            for index in 0..2 {
                let [plus, minus] = [&iteration.plus, &iteration.minus]
                    .map(|texts| texts[index].parse::<f64>().unwrap());
                let moved = iteration.values[index] - before[index];
                assert_eq!(moved > 0.0, plus > minus, "{iteration:?}");
            }
            before.clone_from(&iteration.values);
        }
    }

    #[test]
    fn a_record_is_read_only_if_each_line_follows_from_those_before() {
        let settings = run();
        let good = lines(&settings);
        assert_eq!(read_lines_of(&settings, &good).unwrap(), good);
        // What people may have changed for themselves is computed again.
        let mut told = good.clone();
        told[1].values = vec![0.0; 2];
        assert_eq!(read_lines_of(&settings, &told).unwrap(), good);
        let refused = |change: &dyn Fn(&mut Vec<Iteration>), reason: &str| {
            let mut iterations = good.clone();
            change(&mut iterations);
            let error = format!("{:#}", read_lines_of(&settings, &iterations).unwrap_err());
            assert!(error.contains(reason), "{error}");
        };
        refused(&|all| drop(all.remove(0)), "line 2: expected 2 game pairs after 0 others");
        refused(&|all| all.swap(1, 2), "line 3: expected 2 game pairs after 2 others");
        refused(&|all| all[1].pairs = 3, "line 3: expected 2 game pairs after 2 others");
        refused(&|all| all[0].wins -= 1, "line 2: expected 2 game pairs");
        refused(&|all| all[0].losses += 1, "line 2: expected 2 game pairs");
        refused(&|all| all[0].draws = u64::MAX, "line 2: expected 2 game pairs");
        // The last iteration is shorter, and none follows.
        refused(&|all| all[2].wins = 4, "line 4: expected 1 game pairs after 4 others");
        let end = Iteration { pairs: 5, wins: 0, ..good[2].clone() };
        refused(&|all| all.push(end.clone()), "line 5: expected 0 game pairs after 5 others");
        refused(&|all| all[1].plus[0].push('0'), "line 3: these values do not follow");
        refused(&|all| all[1].minus.swap(0, 1), "line 3: these values do not follow");
        // Another result before makes other values after.
        refused(
            &|all| (all[0].wins, all[0].losses) = (0, 4),
            "line 3: these values do not follow from the lines before",
        );
        let other = TuneSettings { batch: 1, ..settings.clone() };
        assert!(read_lines_of(&other, &good).is_err());
    }
}
