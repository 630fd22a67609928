//! The search, compiled for newer processors.
//!
//! The search is ordinary code. Each level below compiles it once more with
//! more instructions allowed; the level is chosen at run time.
#![allow(unsafe_code)]

use super::geometry::BoardGeometry;
use super::node::Node;
use super::score::SolverScore;
use super::search::NullWindowSearch;
use crate::limits::Stopped;

/// A level of processor features.
pub trait Cpu: Copy + Send + Sync + Sized {
    /// [`NullWindowSearch::search_quiet`], compiled for this level.
    fn search_quiet<G: BoardGeometry>(
        search: &mut NullWindowSearch<'_, G, Self>,
        node: &Node<G::Bits>,
        alpha: SolverScore,
    ) -> Result<SolverScore, Stopped>;
}

/// What the compilation target guarantees.
#[derive(Clone, Copy, Debug)]
pub struct Baseline;

impl Cpu for Baseline {
    #[inline(never)]
    fn search_quiet<G: BoardGeometry>(
        search: &mut NullWindowSearch<'_, G, Self>,
        node: &Node<G::Bits>,
        alpha: SolverScore,
    ) -> Result<SolverScore, Stopped> {
        search.search_quiet(node, alpha)
    }
}

/// 256-bit integer vectors and the bit instructions that came with them.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub struct Avx2(());

#[cfg(target_arch = "x86_64")]
impl Avx2 {
    /// The level, if this processor has it.
    pub fn detect() -> Option<Self> {
        let present = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        present.then_some(Self(()))
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn search_avx2<G: BoardGeometry>(
    search: &mut NullWindowSearch<'_, G, Avx2>,
    node: &Node<G::Bits>,
    alpha: SolverScore,
) -> Result<SolverScore, Stopped> {
    search.search_quiet(node, alpha)
}

#[cfg(target_arch = "x86_64")]
impl Cpu for Avx2 {
    #[inline(always)]
    fn search_quiet<G: BoardGeometry>(
        search: &mut NullWindowSearch<'_, G, Self>,
        node: &Node<G::Bits>,
        alpha: SolverScore,
    ) -> Result<SolverScore, Stopped> {
        // SAFETY: a search of this level holds a value of `Avx2`, and
        // `detect` makes one only where the processor has the features.
        unsafe { search_avx2(search, node, alpha) }
    }
}

/// 512-bit vectors: all lanes of a fixed board at once, in half the code.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub struct Avx512(());

#[cfg(target_arch = "x86_64")]
impl Avx512 {
    /// The level, if this processor has it.
    pub fn detect() -> Option<Self> {
        let present = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq");
        (present && Avx2::detect().is_some()).then_some(Self(()))
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512vl,avx512bw,avx512dq")]
fn search_avx512<G: BoardGeometry>(
    search: &mut NullWindowSearch<'_, G, Avx512>,
    node: &Node<G::Bits>,
    alpha: SolverScore,
) -> Result<SolverScore, Stopped> {
    search.search_quiet(node, alpha)
}

#[cfg(target_arch = "x86_64")]
impl Cpu for Avx512 {
    #[inline(always)]
    fn search_quiet<G: BoardGeometry>(
        search: &mut NullWindowSearch<'_, G, Self>,
        node: &Node<G::Bits>,
        alpha: SolverScore,
    ) -> Result<SolverScore, Stopped> {
        // SAFETY: a search of this level holds a value of `Avx512`, and
        // `detect` makes one only where the processor has the features.
        unsafe { search_avx512(search, node, alpha) }
    }
}
