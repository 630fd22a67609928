//! The one seam between run-time choice and compile-time code: which geometry
//! and which processor level a piece of work is compiled for.

#[cfg(target_arch = "x86_64")]
use super::cpu::Avx2;
use super::cpu::{Baseline, Cpu};
use super::geometry::{Fixed, Geometry, Measured};

/// Work that is written once for every geometry and processor level.
pub trait Work {
    /// What it yields.
    type Output;
    /// Does it.
    fn run<G: Geometry, C: Cpu>(self, geometry: G, cpu: C) -> Self::Output;
}

/// Runs `work` in the form that suits the board and this machine best.
pub fn run<W: Work>(rows: u32, columns: u32, work: W) -> W::Output {
    match (rows, columns) {
        (6, 7) => on_this_cpu(Fixed::<6, 7>, work),
        (5, 8) => on_this_cpu(Fixed::<5, 8>, work),
        (7, 6) => on_this_cpu(Fixed::<7, 6>, work),
        _ if (rows + 1) * columns <= u64::BITS => {
            on_this_cpu(Measured::<u64>::new(rows, columns), work)
        }
        _ => on_this_cpu(Measured::<u128>::new(rows, columns), work),
    }
}

fn on_this_cpu<G: Geometry, W: Work>(geometry: G, work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(cpu) = Avx2::detect() {
        return work.run(geometry, cpu);
    }
    work.run(geometry, Baseline)
}
