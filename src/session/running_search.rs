//! A search under way, as the session sees it.

use std::sync::Arc;
use std::time::Duration;

use super::decision::Activity;
use super::job::Job;
use crate::limits::SearchControl;
use crate::platform::clock::Instant;

/// A search that has written nothing for this long writes how far it has come.
pub const HEARTBEAT: Duration = Duration::from_secs(1);
/// How long an analysis without a limit goes on after the end of the input: nobody can stop it then.
pub const ANALYSIS_PATIENCE: Duration = Duration::from_secs(10);

/// What the session knows while the engine belongs to a task.
pub struct RunningSearch {
    /// What reaches the search.
    pub control: Arc<SearchControl>,
    /// Whether it is an analysis without a limit.
    is_open_analysis: bool,
    last_output: Instant,
    /// When it is stopped, if the input has ended.
    deadline: Option<Instant>,
}

impl RunningSearch {
    /// The search for `job`, which starts now.
    pub fn new(job: &Job, control: Arc<SearchControl>) -> RunningSearch {
        let is_open_analysis = job.is_open_analysis();
        RunningSearch { control, is_open_analysis, last_output: Instant::now(), deadline: None }
    }

    /// Whether something but a signal ends it.
    pub fn activity(&self) -> Activity {
        if self.control.is_endless() { Activity::Endless } else { Activity::Searching }
    }

    /// It has written something.
    pub fn record_output(&mut self) {
        self.last_output = Instant::now();
    }

    /// Whether it should write how far it has come.
    pub fn needs_heartbeat(&self) -> bool {
        self.last_output.elapsed() >= HEARTBEAT
    }

    /// How long to wait at most until something is to be done about it.
    #[cfg(feature = "cli")]
    pub fn longest_wait(&self) -> Duration {
        let to_deadline =
            self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        to_deadline.map_or(HEARTBEAT, |time| time.min(HEARTBEAT))
    }

    /// The input has ended: nobody can stop it any more.
    pub fn end_input(&mut self) {
        if self.is_open_analysis {
            self.deadline = Instant::now().checked_add(ANALYSIS_PATIENCE);
        } else if self.control.is_endless() {
            self.control.stop();
        }
    }

    /// Stops it if its deadline has passed; says so once.
    pub fn meet_deadline(&mut self) -> bool {
        let is_late = self.deadline.take_if(|deadline| *deadline <= Instant::now()).is_some();
        if is_late {
            self.control.stop();
        }
        is_late
    }
}
