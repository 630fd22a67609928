//! The one seam between run-time choice and compile-time code: which geometry
//! and which processor level a piece of work is compiled for.

#[cfg(target_arch = "x86_64")]
use super::cpu::{Avx2, Avx512};
use super::cpu::{Baseline, Cpu};
use super::bitboard::Halves;
use super::geometry::{BoardGeometry, BoardLayout, Fixed, Measured};

/// SolverTask that is written once for every geometry and processor level.
pub trait SolverTask {
    /// What it yields.
    type Output;
    /// Does it.
    fn run<G: BoardGeometry, C: Cpu>(self, geometry: G, cpu: C) -> Self::Output;
}

/// Runs `work` in the form that suits the board and this machine best.
pub fn run<W: SolverTask>(rows: u32, columns: u32, work: W) -> W::Output {
    match (rows, columns) {
        (6, 7) => on_this_cpu(Fixed::<6, 7>, work),
        (5, 8) => on_this_cpu(Fixed::<5, 8>, work),
        (7, 6) => on_this_cpu(Fixed::<7, 6>, work),
        _ if (rows + 1) * columns <= u64::BITS => {
            on_this_cpu(Measured::<u64>(BoardLayout::new(rows, columns, 4)), work)
        }
        _ => on_this_cpu(Measured::<Halves>(BoardLayout::new(rows, columns, 4)), work),
    }
}

fn on_this_cpu<G: BoardGeometry, W: SolverTask>(geometry: G, work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(cpu) = Avx512::detect() {
        return work.run(geometry, cpu);
    }
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
