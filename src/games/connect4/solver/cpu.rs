//! The jump into code compiled for newer processors.
//!
//! The search is ordinary code. Each level below compiles it once more with
//! more instructions allowed; the level is chosen at run time.
#![allow(unsafe_code)]

use super::geometry::Geometry;
use super::node::Node;
use super::score::Score;
use super::search::Searcher;
use crate::limits::Stopped;

/// A level of processor features.
pub trait Cpu: Copy + Send + Sync + Sized {
    /// [`Searcher::visit`], compiled for this level.
    fn visit<G: Geometry>(
        searcher: &mut Searcher<'_, G, Self>,
        node: &Node<G::Word>,
        alpha: Score,
    ) -> Result<Score, Stopped>;
}

/// What the compilation target guarantees.
#[derive(Clone, Copy, Debug)]
pub struct Baseline;

impl Cpu for Baseline {
    #[inline(never)]
    fn visit<G: Geometry>(
        searcher: &mut Searcher<'_, G, Self>,
        node: &Node<G::Word>,
        alpha: Score,
    ) -> Result<Score, Stopped> {
        searcher.visit(node, alpha)
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
fn visit_avx2<G: Geometry>(
    searcher: &mut Searcher<'_, G, Avx2>,
    node: &Node<G::Word>,
    alpha: Score,
) -> Result<Score, Stopped> {
    searcher.visit(node, alpha)
}

#[cfg(target_arch = "x86_64")]
impl Cpu for Avx2 {
    #[inline(always)]
    fn visit<G: Geometry>(
        searcher: &mut Searcher<'_, G, Self>,
        node: &Node<G::Word>,
        alpha: Score,
    ) -> Result<Score, Stopped> {
        // SAFETY: a searcher of this level holds a value of `Avx2`, and
        // `detect` makes one only where the processor has the features.
        unsafe { visit_avx2(searcher, node, alpha) }
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
fn visit_avx512<G: Geometry>(
    searcher: &mut Searcher<'_, G, Avx512>,
    node: &Node<G::Word>,
    alpha: Score,
) -> Result<Score, Stopped> {
    searcher.visit(node, alpha)
}

#[cfg(target_arch = "x86_64")]
impl Cpu for Avx512 {
    #[inline(always)]
    fn visit<G: Geometry>(
        searcher: &mut Searcher<'_, G, Self>,
        node: &Node<G::Word>,
        alpha: Score,
    ) -> Result<Score, Stopped> {
        // SAFETY: a searcher of this level holds a value of `Avx512`, and
        // `detect` makes one only where the processor has the features.
        unsafe { visit_avx512(searcher, node, alpha) }
    }
}
