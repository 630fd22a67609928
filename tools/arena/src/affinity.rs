//! What the system says about processors, and binding threads to them.

#[cfg(not(target_os = "linux"))]
pub use anywhere::{IS_SUPPORTED, available, bind};
#[cfg(target_os = "linux")]
pub use linux::{IS_SUPPORTED, available, bind};

#[cfg(target_os = "linux")]
mod linux {
    use anyhow::Context as _;
    use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
    use nix::unistd::Pid;

    /// Whether threads can be bound to processors.
    pub const IS_SUPPORTED: bool = true;

    /// The processors that this process may use.
    pub fn available() -> anyhow::Result<Vec<usize>> {
        let set = sched_getaffinity(Pid::from_raw(0)).context("cannot list the processors")?;
        Ok((0..CpuSet::count()).filter(|&cpu| set.is_set(cpu).unwrap_or(false)).collect())
    }

    /// Binds the calling thread, and all processes that it starts, to these processors.
    pub fn bind(cpus: &[usize]) -> anyhow::Result<()> {
        let mut set = CpuSet::new();
        for &cpu in cpus {
            set.set(cpu)?;
        }
        let place = || format!("cannot bind to the processors {cpus:?}");
        sched_setaffinity(Pid::from_raw(0), &set).with_context(place)
    }
}

#[cfg(not(target_os = "linux"))]
mod anywhere {
    use anyhow::Context as _;

    /// Whether threads can be bound to processors.
    pub const IS_SUPPORTED: bool = false;

    /// The processors that this process may use.
    pub fn available() -> anyhow::Result<Vec<usize>> {
        let count = std::thread::available_parallelism().context("cannot count the processors")?;
        Ok((0..count.get()).collect())
    }

    /// Binds the calling thread, and all processes that it starts, to these processors.
    pub fn bind(_cpus: &[usize]) -> anyhow::Result<()> {
        anyhow::bail!("threads can be bound to processors on Linux only")
    }
}
