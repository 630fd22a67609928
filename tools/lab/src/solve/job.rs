//! The solver at work on one position and its moves, with a checkpoint from time to time.
//!
//! To save, the search is stopped and started again: what it had proved is in the table, so it is
//! soon where it was. Nothing is read while threads write, and an uninterrupted job and a resumed
//! one go the same way.

use std::fmt;
use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Error, Result, ensure};
use indicatif::{HumanCount, ProgressBar};
use ratlla::bound_table::TableUsage;
use ratlla::engine::Engine;
use ratlla::limits::SearchControl;
use ratlla::protocol::command::{Go, Goal};
use ratlla::protocol::dialect::Dialect;
use ratlla::search::result::{PvLine, SearchResult};
use ratlla::settings::Settings;
use ratlla_common::progress::bar;
use serde::{Deserialize, Serialize};

use super::checkpoint::Checkpoint;
use crate::value::Value;

/// How often the progress is drawn.
const TICK: Duration = Duration::from_millis(200);

/// Nodes searched and seconds spent. What was lost when a process was killed is not among them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Effort {
    pub nodes: u64,
    pub seconds: f64,
}

/// An exact value and a line of best play that leads to it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SolvedLine {
    pub score: Value,
    pub moves: Vec<String>,
}

/// What a job has to find, and has found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Progress {
    /// The words after `newgame`.
    pub game: String,
    /// The moves to the position.
    pub after: Vec<String>,
    /// Everything spent so far.
    pub effort: Effort,
    /// The position's score and line, and what they took.
    pub value: Option<(SolvedLine, Effort)>,
    /// The legal moves that are solved, with their scores.
    pub moves: Vec<(String, Value)>,
}

impl Progress {
    /// A job that has not begun.
    pub fn new(game: String, after: Vec<String>) -> Progress {
        Progress { game, after, effort: Effort::default(), value: None, moves: Vec::new() }
    }

    /// Whether both are about the same position of the same game.
    pub fn is_of_same_job(&self, other: &Progress) -> bool {
        (&self.game, &self.after) == (&other.game, &other.after)
    }
}

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.after[..] {
            [] => f.write_str(&self.game),
            moves => write!(f, "{} after {}", self.game, moves.join(" ")),
        }
    }
}

/// Where and how often a job is saved.
struct Saving {
    checkpoint: Checkpoint,
    every: Duration,
}

/// One engine that solves the same position and its moves, its tables kept.
pub struct Job {
    engine: Engine,
    settings: Settings,
    saving: Option<Saving>,
    progress: Progress,
}

impl Job {
    /// A job on the current position of `engine`. Fails if there is no memory for the solver.
    pub fn new(mut engine: Engine, settings: Settings, progress: Progress) -> Result<Job> {
        engine.game.solver_table(&settings).map_err(Error::msg)?;
        Ok(Job { engine, settings, saving: None, progress })
    }

    /// The same job, resumed from the checkpoint at `path` if there is one, and saved there.
    pub fn with_checkpoint(mut self, path: &Path, every: Duration) -> Result<Job> {
        let table = self.engine.game.solver_table(&self.settings).map_err(Error::msg)?;
        let table = table.context("--checkpoint: this game's solver has nothing to save")?;
        let checkpoint = Checkpoint::at(path)?;
        if let Some(saved) = checkpoint.load(&self.progress, table)? {
            let Effort { nodes, seconds } = saved.effort;
            eprintln!("resuming after {nodes} nodes and {seconds:.0} s");
            self.progress = saved;
        }
        Ok(Job { saving: Some(Saving { checkpoint, every }), ..self })
    }

    /// Solves the position, and each of its legal moves if `all_moves`.
    ///
    /// The progress bar counts these proofs. Its time left takes them for equally long, which is
    /// rough: the first usually takes longest, and while it is under way nothing tells how far it is.
    pub fn run(&mut self, all_moves: bool) -> Result<()> {
        let choices = if all_moves { self.engine.game.moves() } else { Vec::new() };
        let bar = bar("proofs", 1 + choices.len());
        if self.progress.value.is_none() {
            let line = self.solve(&[], &bar)?;
            self.progress.value = Some((line, self.progress.effort));
        }
        bar.inc(1);
        for choice in choices {
            if self.progress.moves.iter().all(|(solved, _)| *solved != choice) {
                let line = self.solve(std::slice::from_ref(&choice), &bar)?;
                self.progress.moves.push((choice, line.score));
            }
            bar.inc(1);
        }
        Ok(())
    }

    /// What was found, how full the table is, and the files of the job, to be removed once the rest
    /// is told.
    pub fn finish(mut self) -> (Progress, Option<TableUsage>, Option<Checkpoint>) {
        let table = self.engine.game.solver_table(&self.settings).ok().flatten();
        let usage = table.map(|table| table.usage());
        (self.progress, usage, self.saving.map(|saving| saving.checkpoint))
    }

    /// The exact score of the best of these moves, or of all legal ones if there are none.
    fn solve(&mut self, search_moves: &[String], bar: &ProgressBar) -> Result<SolvedLine> {
        let search_moves = search_moves.to_vec();
        let go = Go { goal: Goal::Solve, search_moves, proof_only: true, ..Go::default() };
        let mut time = self.saving.as_ref().map(|saving| saving.every);
        loop {
            let started = Instant::now();
            let control = self.engine.game.prepare(&go, &self.settings, &self.engine.endgames);
            let control = control.map_err(Error::msg)?;
            let before = self.usage()?;
            let found = self.search(&go, &control, time, bar);
            self.progress.effort.nodes += found.nodes;
            self.progress.effort.seconds += started.elapsed().as_secs_f64();
            if !control.is_stopped() {
                return solved_line(found);
            }
            let after = self.usage()?;
            // A search that was stopped before it had stored anything would never get further.
            if before == after && after.is_some_and(|usage| usage.entries < usage.capacity / 2) {
                time = time.map(|time| 2 * time);
            }
            self.save()?;
        }
    }

    /// A search that is stopped after `time`; `bar` shows its nodes.
    fn search(
        &mut self,
        go: &Go,
        control: &SearchControl,
        time: Option<Duration>,
        bar: &ProgressBar,
    ) -> SearchResult<String> {
        let (done, is_done) = channel::<()>();
        let nodes_before = self.progress.effort.nodes;
        let started = Instant::now();
        thread::scope(|scope| {
            scope.spawn(move || {
                loop {
                    let left = time.map(|time| time.saturating_sub(started.elapsed()));
                    let pause = left.map_or(TICK, |left| left.min(TICK));
                    if is_done.recv_timeout(pause) != Err(RecvTimeoutError::Timeout) {
                        return;
                    }
                    if left.is_some_and(|left| left <= TICK) {
                        return control.stop();
                    }
                    let nodes = HumanCount(nodes_before + control.nodes());
                    bar.set_message(format!("{nodes} nodes"));
                }
            });
            let found = self.engine.search(go, &self.settings, control, &mut |_| {});
            drop(done);
            found
        })
    }

    fn usage(&mut self) -> Result<Option<TableUsage>> {
        let table = self.engine.game.solver_table(&self.settings).map_err(Error::msg)?;
        Ok(table.map(|table| table.usage()))
    }

    /// Saves the job. If that is impossible now, the last checkpoint stays and the work goes on.
    fn save(&mut self) -> Result<()> {
        let started = Instant::now();
        let table = self.engine.game.solver_table(&self.settings).map_err(Error::msg)?;
        if let (Some(saving), Some(table)) = (&self.saving, table)
            && let Err(error) = saving.checkpoint.save(&self.progress, table)
        {
            eprintln!("ratlla-lab: the last checkpoint stays: {error:#}");
        }
        self.progress.effort.seconds += started.elapsed().as_secs_f64();
        Ok(())
    }
}

/// The best line of a search that was not stopped.
fn solved_line(found: SearchResult<String>) -> Result<SolvedLine> {
    let line = found.lines.into_iter().next().context("the solver found no line")?;
    let PvLine { score, moves, .. } = line;
    let score = score.context("the solver found no score")?;
    ensure!(score.is_proved(), "the solver gave up before it had a proof");
    let score = Dialect::Native.score(score).parse().map_err(Error::msg)?;
    Ok(SolvedLine { score, moves })
}
