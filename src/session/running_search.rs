//! A search under way, as the session sees it.

use std::sync::Arc;
use std::time::Duration;

use super::decision::Activity;
use super::job::Job;
use crate::limits::SearchControl;
use crate::platform::clock::Instant;
use crate::protocol::reply::Reply;

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
    /// Nodes and time of the last heartbeat.
    progress: (u64, Duration),
    /// When it is stopped, if the input has ended.
    deadline: Option<Instant>,
}

impl RunningSearch {
    /// The search for `job`, which starts now.
    pub fn new(job: &Job, control: Arc<SearchControl>) -> RunningSearch {
        RunningSearch {
            control,
            is_open_analysis: job.is_open_analysis(),
            last_output: Instant::now(),
            progress: (0, Duration::ZERO),
            deadline: None,
        }
    }

    /// Whether something but a signal ends it.
    pub fn activity(&self) -> Activity {
        if self.control.is_endless() { Activity::Endless } else { Activity::Searching }
    }

    /// It writes `reply`. A report may have been made before the last heartbeat and arrive after it:
    /// nodes and time never go back.
    pub fn record_output(&mut self, reply: &mut Reply) {
        self.last_output = Instant::now();
        if let Reply::Info(result) = reply {
            let (nodes, time) = self.progress;
            result.nodes = result.nodes.max(nodes);
            result.time = result.time.max(time);
        }
    }

    /// How far it has come, if it has written nothing for a while. `is_report_due` says whether one of its
    /// reports is on the way. It is asked last: so the node counts of one thread, which has to repeat
    /// them, are in order by themselves.
    pub fn heartbeat(&mut self, is_report_due: impl FnOnce() -> bool) -> Option<Reply> {
        if self.last_output.elapsed() < HEARTBEAT {
            return None;
        }
        let (nodes, time) = (self.control.nodes(), self.control.elapsed());
        if is_report_due() {
            return None;
        }
        self.last_output = Instant::now();
        self.progress = (nodes, time);
        Some(Reply::Progress { nodes, time })
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::result::{SearchEnd, SearchResult};

    #[test]
    fn a_report_made_before_a_heartbeat_does_not_go_back() {
        let control = Arc::new(SearchControl::new(false, false));
        let mut search = RunningSearch::new(&Job::Perft(1), control);
        assert!(search.heartbeat(|| false).is_none(), "it has just started");
        search.progress = (2000, Duration::from_millis(1829));
        for (made, shown) in [((1999, 1827), (2000, 1829)), ((2001, 1830), (2001, 1830))] {
            let mut reply = Reply::Info(SearchResult {
                depth: None,
                lines: vec![],
                nodes: made.0,
                tree: None,
                time: Duration::from_millis(made.1),
                hashfull: None,
                end: SearchEnd::Interrupted,
            });
            search.record_output(&mut reply);
            let Reply::Info(result) = reply else { unreachable!() };
            assert_eq!((result.nodes, result.time), (shown.0, Duration::from_millis(shown.1)));
        }
    }
}
