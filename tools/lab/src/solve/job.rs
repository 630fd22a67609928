//! The solver at work on one position and its moves, with the totals of what it used.

use std::time::Duration;

use anyhow::{Context, Error, Result, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use ratlla::engine::Engine;
use ratlla::protocol::command::{Go, Goal};
use ratlla::search::result::{PvLine, ReportedScore};
use ratlla::settings::Settings;

/// How often the progress is drawn.
const TICK: Duration = Duration::from_millis(200);

/// What a job has used.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Effort {
    pub nodes: u64,
    pub time: Duration,
}

/// An exact score and a line of best play that leads to it.
#[derive(Clone, Debug, PartialEq)]
pub struct SolvedLine {
    pub score: ReportedScore,
    pub moves: Vec<String>,
}

/// One engine that solves the same position again and again, its tables kept.
pub struct Job {
    engine: Engine,
    settings: Settings,
    effort: Effort,
}

impl Job {
    /// A job on the current position of `engine`.
    pub fn new(engine: Engine, settings: Settings) -> Job {
        Job { engine, settings, effort: Effort::default() }
    }

    /// What was used so far.
    pub fn effort(&self) -> Effort {
        self.effort
    }

    /// The exact score of the best of these moves, or of all legal ones if there are none.
    pub fn solve(&mut self, search_moves: &[String]) -> Result<SolvedLine> {
        let go = Go { goal: Goal::Solve, search_moves: search_moves.to_vec(), ..Go::default() };
        let control = self.engine.game.prepare(&go, &self.settings, &self.engine.endgames);
        let control = control.map_err(Error::msg)?;
        let bar = spinner(search_moves);
        let found = self.engine.search(&go, &self.settings, &control, &mut |_| {});
        drop(bar);
        self.effort.nodes += found.nodes;
        self.effort.time += found.time;
        let PvLine { score, moves, .. } =
            found.lines.into_iter().next().context("the solver found no line")?;
        let score = score.context("the solver found no score")?;
        ensure!(score.is_proved(), "the solver gave up before it had a proof");
        Ok(SolvedLine { score, moves })
    }
}

/// The elapsed time on stderr, if that is a terminal.
fn spinner(search_moves: &[String]) -> ProgressBar {
    let template = "{spinner} {prefix} {elapsed} elapsed";
    let style =
        ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    let label = match search_moves {
        [] => "solving".to_owned(),
        moves => format!("solving {}", moves.join(" ")),
    };
    let bar = ProgressBar::new_spinner().with_style(style).with_prefix(label);
    bar.enable_steady_tick(TICK);
    bar
}
