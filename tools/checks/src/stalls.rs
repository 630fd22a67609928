//! Detects stalls of the machine: times in which runnable threads were not scheduled.
//!
//! A virtual machine may be descheduled, and so may a process on a busy machine. No engine can move
//! in time then. As a control, a thread on each CPU repeatedly sleeps for a millisecond and looks at
//! the clock: what it oversleeps is a stall.

use std::num::NonZero;
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

/// How long a monitoring thread sleeps.
const SLEEP: Duration = Duration::from_millis(1);
/// Time slices take a few milliseconds: only more than that is a stall.
const MIN_STALL: Duration = Duration::from_millis(8);
/// How long stalls are kept.
const RETENTION: Duration = Duration::from_secs(10);

/// Monitoring threads, one for each CPU, that run until the program ends.
pub struct StallMonitor {
    cpus: Vec<Arc<Mutex<Cpu>>>,
}

/// The stalls of one CPU.
#[derive(Default)]
struct Cpu {
    /// When recent stalls ended, and their lengths.
    recent: Vec<(Instant, Duration)>,
    longest: Duration,
}

impl StallMonitor {
    /// Starts the threads.
    pub fn start() -> std::io::Result<StallMonitor> {
        let count = thread::available_parallelism().map_or(1, NonZero::get);
        let mut cpus = Vec::new();
        for number in 0..count {
            let cpu = Arc::new(Mutex::new(Cpu::default()));
            cpus.push(cpu.clone());
            thread::Builder::new().spawn(move || monitor(number, &cpu))?;
        }
        Ok(StallMonitor { cpus })
    }

    /// The total length of stalls since `moment`, at most a few seconds ago, on the worst CPU.
    pub fn since(&self, moment: Instant) -> Duration {
        let stalled = |cpu: &Arc<Mutex<Cpu>>| -> Duration {
            let recent = &lock(cpu).recent;
            recent.iter().filter(|(end, _)| *end >= moment).map(|(_, length)| length).sum()
        };
        self.cpus.iter().map(stalled).max().unwrap_or_default()
    }

    /// The longest stall.
    pub fn longest(&self) -> Duration {
        self.cpus.iter().map(|cpu| lock(cpu).longest).max().unwrap_or_default()
    }
}

fn monitor(number: usize, cpu: &Mutex<Cpu>) {
    bind_to_cpu(number);
    let mut last = Instant::now();
    loop {
        thread::sleep(SLEEP);
        let (now, length) = (Instant::now(), last.elapsed());
        last = now;
        if length >= MIN_STALL {
            lock(cpu).add(now, length);
        }
    }
}

/// Binds this thread to a CPU. Without permission to choose it, any will do.
#[cfg(target_os = "linux")]
fn bind_to_cpu(number: usize) {
    use nix::sched::{CpuSet, sched_setaffinity};
    let mut affinity = CpuSet::new();
    if affinity.set(number).is_ok() {
        let _ = sched_setaffinity(nix::unistd::Pid::from_raw(0), &affinity);
    }
}

/// Elsewhere the system distributes the threads.
#[cfg(not(target_os = "linux"))]
fn bind_to_cpu(_number: usize) {}

impl Cpu {
    fn add(&mut self, end: Instant, length: Duration) {
        self.recent.retain(|(earlier, _)| end - *earlier < RETENTION);
        self.recent.push((end, length));
        self.longest = self.longest.max(length);
    }
}

fn lock(cpu: &Mutex<Cpu>) -> MutexGuard<'_, Cpu> {
    cpu.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stalls_since_a_moment_are_those_of_the_worst_cpu() {
        let begin = Instant::now();
        let at = |milliseconds| begin + Duration::from_millis(milliseconds);
        let length = Duration::from_millis;
        let monitor = StallMonitor { cpus: vec![Arc::default(), Arc::default()] };
        lock(&monitor.cpus[0]).add(at(100), length(50));
        lock(&monitor.cpus[0]).add(at(200), length(20));
        lock(&monitor.cpus[0]).add(at(300), length(30));
        lock(&monitor.cpus[1]).add(at(250), length(40));
        assert_eq!(monitor.since(at(150)), length(50));
        assert_eq!(monitor.since(at(210)), length(40));
        assert_eq!(monitor.since(at(301)), Duration::ZERO);
        assert_eq!(monitor.longest(), length(50));
        lock(&monitor.cpus[0]).add(at(20_000), length(10));
        assert_eq!(monitor.since(at(0)), length(40), "older stalls are dropped");
        assert_eq!(monitor.longest(), length(50));
    }
}
