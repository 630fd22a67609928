//! The one seam between run-time choice and compile-time code: which geometry
//! and which processor level a piece of work is compiled for.

use super::bitboard::{Bitboard, Halves};
#[cfg(target_arch = "x86_64")]
use super::cpu::{Avx2, Avx512};
use super::cpu::{Baseline, Cpu};
use super::geometry::{BoardGeometry, BoardLayout, Fixed, Measured};

/// SolverTask that is written once for every geometry and processor level.
pub trait SolverTask {
    /// What it yields.
    type Output;
    /// Does it.
    fn run<G: BoardGeometry, C: Cpu>(self, geometry: G, cpu: C) -> Self::Output;
}

/// Runs `work` in the form that suits the board and this machine best.
pub fn run<W: SolverTask>(rows: u32, columns: u32, line: u32, work: W) -> W::Output {
    match (rows, columns, line) {
        (6, 7, 4) => on_this_cpu(Fixed::<6, 7>, work),
        (5, 8, 4) => on_this_cpu(Fixed::<5, 8>, work),
        (7, 6, 4) => on_this_cpu(Fixed::<7, 6>, work),
        _ if (rows + 1) * columns <= u64::BITS => {
            with_line(BoardLayout::<u64>::new(rows, columns, line), work)
        }
        _ => with_line(BoardLayout::<Halves>::new(rows, columns, line), work),
    }
}

/// The usual lengths of a line are known at compile time: without loops over a line, the loops
/// over lanes become vector code. The rarer the length, the fewer processor levels its code is
/// compiled for.
fn with_line<B: Bitboard, W: SolverTask>(layout: BoardLayout<B>, work: W) -> W::Output {
    match layout.line {
        3 => on_common_cpu(Measured::<B, 3>::new(layout), work),
        4 => on_this_cpu(Measured::<B, 4>::new(layout), work),
        5 => on_common_cpu(Measured::<B, 5>::new(layout), work),
        6 => on_common_cpu(Measured::<B, 6>::new(layout), work),
        _ => work.run(Measured::<B, 0>::new(layout), Baseline),
    }
}

/// On the highest level that this processor has.
fn on_this_cpu<G: BoardGeometry, W: SolverTask>(geometry: G, work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(cpu) = Avx512::detect() {
        return work.run(geometry, cpu);
    }
    on_common_cpu(geometry, work)
}

/// On the highest level that most processors have, if this one has it.
fn on_common_cpu<G: BoardGeometry, W: SolverTask>(geometry: G, work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(cpu) = Avx2::detect() {
        return work.run(geometry, cpu);
    }
    work.run(geometry, Baseline)
}

#[cfg(test)]
mod tests {
    use super::super::proof::ProofTask;
    use super::super::{Bounds, Position, Proof, ScoreTable, SolverLimits, SolverScore};
    use super::*;
    use crate::platform::memory::Pages;

    fn proof_on<C: Cpu>(cpu: C, position: &Position) -> Proof {
        let mut table =
            ScoreTable::new::<u64>(1 << 20, 49, Pages::Default).expect("there is memory");
        table.reset::<u64>(49);
        let work = ProofTask {
            table: &mut table,
            threads: 1,
            position,
            wanted: Bounds { lower: -SolverScore::MAX, upper: SolverScore::MAX },
            limits: SolverLimits::default(),
            progress: &mut |_| {},
        };
        work.run(Fixed::<6, 7>, cpu)
    }

    /// Whatever this machine has does the same as what every machine has, node for node.
    #[test]
    fn all_levels_do_the_same() {
        for moves in [&[3, 3, 3, 3, 3, 1, 0, 0, 5, 5, 1, 1][..], &[1, 3, 0, 5, 5, 0, 4, 4, 4, 1]] {
            let position = Position::from_moves(6, 7, moves.iter().copied()).expect("legal");
            let baseline = proof_on(Baseline, &position);
            assert!(baseline.nodes > 0, "{position:?}");
            #[cfg(target_arch = "x86_64")]
            {
                let avx2 = Avx2::detect().map(|cpu| proof_on(cpu, &position));
                let avx512 = Avx512::detect().map(|cpu| proof_on(cpu, &position));
                assert!(avx2.is_none_or(|proof| proof == baseline));
                assert!(avx512.is_none_or(|proof| proof == baseline));
            }
        }
    }
}
