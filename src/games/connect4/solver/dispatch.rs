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

/// Whether code must be small: a page is downloaded. Then only the usual board and line have code
/// of their own.
const IS_SMALL: bool = cfg!(target_family = "wasm");

/// Runs `work` in the form that suits the board and this machine best.
pub fn run<W: SolverTask>(rows: u32, columns: u32, line: u32, work: W) -> W::Output {
    match (rows, columns, line) {
        (6, 7, 4) => on_this_cpu(Fixed::<6, 7>, work),
        (5, 8, 4) if !IS_SMALL => on_this_cpu(Fixed::<5, 8>, work),
        (7, 6, 4) if !IS_SMALL => on_this_cpu(Fixed::<7, 6>, work),
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
        3 | 5 | 6 if IS_SMALL => work.run(Measured::<B, 0>::new(layout), Baseline),
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
    use super::super::geometry::WordOf;
    use super::super::proof::ProofTask;
    use super::super::{Bounds, Position, Proof, ScoreTable, SolverLimits, SolverScore};
    use super::*;
    use crate::platform::memory::Pages;

    fn proof_on<G: BoardGeometry, C: Cpu>(geometry: G, cpu: C, position: &Position) -> Proof {
        let bits = geometry.layout().key_bits();
        let mut table =
            ScoreTable::new::<WordOf<G>>(1 << 20, bits, Pages::Default).expect("there is memory");
        table.reset::<WordOf<G>>(bits);
        let work = ProofTask {
            table: &mut table,
            threads: 1,
            position,
            wanted: Bounds { lower: -SolverScore::MAX, upper: SolverScore::MAX },
            limits: SolverLimits::default(),
            progress: &mut |_| {},
        };
        work.run(geometry, cpu)
    }

    /// Checks that whatever this machine has does the same as what every machine has, node for
    /// node.
    fn check_levels<G: BoardGeometry>(geometry: G, position: &Position) {
        let baseline = proof_on(geometry, Baseline, position);
        assert!(baseline.nodes > 0, "{position:?}");
        #[cfg(target_arch = "x86_64")]
        {
            let avx2 = Avx2::detect().map(|cpu| proof_on(geometry, cpu, position));
            let avx512 = Avx512::detect().map(|cpu| proof_on(geometry, cpu, position));
            assert!(avx2.is_none_or(|proof| proof == baseline));
            assert!(avx512.is_none_or(|proof| proof == baseline));
        }
    }

    /// On 6x7 all forms of the code do the same; only wide boards need several blocks.
    #[test]
    fn all_levels_and_geometries_do_the_same() {
        for moves in [&[3, 3, 3, 3, 3, 1, 0, 0, 5, 5, 1, 1][..], &[1, 3, 0, 5, 5, 0, 4, 4, 4, 1]] {
            let position = Position::from_moves(6, 7, moves.iter().copied()).expect("legal");
            let measured = Measured::<u64, 4>::new(BoardLayout::new(6, 7, 4));
            check_levels(Fixed::<6, 7>, &position);
            check_levels(measured, &position);
            check_levels(Measured::<u64, 0>::new(BoardLayout::new(6, 7, 4)), &position);
            let proof = proof_on(Fixed::<6, 7>, Baseline, &position);
            assert_eq!(proof_on(measured, Baseline, &position), proof);
            let halves = Measured::<Halves, 4>::new(BoardLayout::new(6, 7, 4));
            assert_eq!(proof_on(halves, Baseline, &position).bounds, proof.bounds);
        }
        let moves = [7, 1, 1, 0, 11, 12, 10, 5, 6, 4, 6, 5, 6, 11, 5, 6, 11, 11, 5];
        let position = Position::from_moves(4, 13, moves).expect("legal");
        check_levels(Measured::<Halves, 4>::new(BoardLayout::new(4, 13, 4)), &position);
    }
}
