//! Builds tables, from nothing or from a smaller one.

use super::super::row::Word;
use super::super::sowing::{Rules, SEEDS};
use super::index::Index;
use super::layers::Layers;
use super::{Endgames, Variant};
use crate::platform::memory::{Pages, zeroed_bytes};
use crate::platform::threads::processors;

/// Shares are bytes.
const MOST_SEEDS: usize = 255;

/// Why a table was not built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BuildError {
    /// The progress callback said to stop.
    Stopped,
    /// No such table can be built; the reason.
    Impossible(String),
}

/// Builds the table for up to `seeds` in play by retrograde analysis, from a smaller one if given,
/// with all processors.
///
/// `progress` is called with the number of positions solved so far, those of `smaller` included,
/// and after each layer with all shares up to it. It returns whether to go on.
pub fn build(
    variant: Variant,
    seeds: usize,
    smaller: Option<&Endgames>,
    progress: &mut dyn FnMut(BuildProgress<'_>) -> bool,
) -> Result<Endgames, BuildError> {
    build_in(Means { pages: Pages::Huge, threads: processors() }, variant, seeds, smaller, progress)
}

/// What to build with.
#[derive(Clone, Copy, Debug)]
pub struct Means {
    /// The pages of the table's memory.
    pub pages: Pages,
    /// The number of threads.
    pub threads: usize,
}

/// [`build`] with given means.
pub fn build_in(
    means: Means,
    variant: Variant,
    seeds: usize,
    smaller: Option<&Endgames>,
    progress: &mut dyn FnMut(BuildProgress<'_>) -> bool,
) -> Result<Endgames, BuildError> {
    if variant.houses <= u64::HOUSES {
        build_on::<u64>(means, variant, seeds, smaller, progress)
    } else {
        build_on::<u128>(means, variant, seeds, smaller, progress)
    }
}

/// How far a table has been built.
#[derive(Clone, Copy, Debug)]
pub struct BuildProgress<'a> {
    /// Positions solved.
    pub positions: u64,
    /// The seeds of a layer just completed, and all shares up to it.
    pub completed: Option<(usize, &'a [u8])>,
}

fn build_on<W: Word>(
    means: Means,
    variant: Variant,
    seeds: usize,
    smaller: Option<&Endgames>,
    progress: &mut dyn FnMut(BuildProgress<'_>) -> bool,
) -> Result<Endgames, BuildError> {
    let impossible = |reason: String| BuildError::Impossible(reason);
    let rules =
        Rules::new(variant.houses, *SEEDS.end(), variant.empty_capture).map_err(impossible)?;
    if seeds > MOST_SEEDS.min(rules.total()) {
        return Err(impossible(format!(
            "expected at most {} seeds in play, got {seeds}",
            MOST_SEEDS.min(rules.total())
        )));
    }
    let index = Index::new(variant.houses, seeds)
        .ok_or_else(|| impossible(format!("too many positions with {seeds} seeds")))?;
    let bytes = index.size(seeds);
    let mut memory = usize::try_from(bytes)
        .ok()
        .and_then(|bytes| zeroed_bytes(bytes.max(1), means.pages))
        .ok_or_else(|| impossible(format!("cannot allocate {} MiB", bytes.div_ceil(1 << 20))))?;
    let smaller = smaller.filter(|table| table.variant() == variant && table.seeds() <= seeds);
    let done = smaller.map_or(0, Endgames::seeds);
    let known = index.size(done) as usize;
    if let Some(smaller) = smaller {
        memory[..known].copy_from_slice(&smaller.shares()[..known]);
    }
    let mut layers =
        Layers::<W>::new(rules, index, &mut memory, known as u64, means.threads, progress)?;
    for layer in done + 1..=seeds {
        layers.fill(layer)?;
    }
    Ok(Endgames { variant, seeds, memory: Some((memory, 0)) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variant(houses: usize) -> Variant {
        Variant { houses, empty_capture: false }
    }

    #[test]
    fn a_table_grown_from_a_smaller_one_is_the_same() {
        let mut layers = Vec::new();
        let whole = build(variant(3), 8, None, &mut |progress| {
            layers.extend(progress.completed.map(|(seeds, shares)| (seeds, shares.len())));
            true
        })
        .unwrap();
        assert_eq!(layers.len(), 8);
        let half = build(variant(3), 5, None, &mut |_| true).unwrap();
        assert_eq!(layers[4], (5, half.shares().len()));
        let grown = build(variant(3), 8, Some(&half), &mut |progress| {
            assert!(progress.positions >= half.shares().len() as u64);
            true
        })
        .unwrap();
        assert_eq!(grown.shares(), whole.shares());
    }

    /// Nor from a larger one, whose positions it has not all.
    #[test]
    fn a_table_of_another_variant_is_no_beginning() {
        let own = variant(3);
        let whole = build(own, 6, None, &mut |_| true).unwrap();
        for other in [Variant { empty_capture: true, ..own }, variant(2), variant(4)] {
            let smaller = build(other, 5, None, &mut |_| true).unwrap();
            let grown = build(own, 6, Some(&smaller), &mut |_| true).unwrap();
            assert_eq!(grown.shares(), whole.shares(), "{other}");
        }
        let larger = build(own, 7, None, &mut |_| true).unwrap();
        let again = build(own, 6, Some(&larger), &mut |_| true).unwrap();
        assert_eq!((again.seeds(), again.shares()), (6, whole.shares()));
    }

    #[test]
    fn building_can_be_stopped() {
        let stopped = build(variant(6), 20, None, &mut |progress| progress.positions < 1000);
        assert_eq!(stopped.err(), Some(BuildError::Stopped));
    }

    #[test]
    fn what_cannot_be_built_is_refused() {
        for (houses, seeds) in [(6, 145), (12, 256), (12, 200), (0, 4), (13, 4)] {
            let result = build(variant(houses), seeds, None, &mut |_| true);
            assert!(matches!(result.err(), Some(BuildError::Impossible(_))), "{houses} {seeds}");
        }
    }
}
