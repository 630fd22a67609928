//! Builds tables, from nothing or from a smaller one.

use super::super::row::Word;
use super::super::sowing::{Rules, SEEDS};
use super::index::Index;
use super::layers::Layers;
use super::{Endgames, Kind, Shares};
use crate::platform::memory::{Pages, zeroed_bytes};

/// Shares are bytes, and laps are known for as many seeds as the largest game has.
const MOST_SEEDS: usize = 255;

/// Why there is no table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// Progress was answered with "no".
    Stopped,
    /// It cannot be done.
    Impossible(String),
}

/// Builds the table for up to `seeds` in play, from a smaller one if there is one.
///
/// `progress` is told every so often how many positions have been worked out, those of `smaller`
/// included, and whether that completes a layer; with it come all shares so far. It answers
/// whether to go on.
pub fn build(
    kind: Kind,
    seeds: usize,
    smaller: Option<&Endgames>,
    progress: &mut dyn FnMut(Progress<'_>) -> bool,
) -> Result<Endgames, Failure> {
    build_in(Pages::Large, kind, seeds, smaller, progress)
}

/// The same, in memory of such pages.
pub fn build_in(
    pages: Pages,
    kind: Kind,
    seeds: usize,
    smaller: Option<&Endgames>,
    progress: &mut dyn FnMut(Progress<'_>) -> bool,
) -> Result<Endgames, Failure> {
    if kind.houses <= u64::HOUSES {
        build_on::<u64>(pages, kind, seeds, smaller, progress)
    } else {
        build_on::<u128>(pages, kind, seeds, smaller, progress)
    }
}

/// How far a table has been built.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// Positions worked out.
    pub positions: u64,
    /// The seeds of a layer that was just completed, and all shares up to it.
    pub completed: Option<(usize, &'a [u8])>,
}

fn build_on<W: Word>(
    pages: Pages,
    kind: Kind,
    seeds: usize,
    smaller: Option<&Endgames>,
    progress: &mut dyn FnMut(Progress<'_>) -> bool,
) -> Result<Endgames, Failure> {
    let impossible = |reason: String| Failure::Impossible(reason);
    let rules = Rules::new(kind.houses, *SEEDS.end(), kind.empty_capture).map_err(impossible)?;
    if seeds > MOST_SEEDS.min(rules.total()) {
        return Err(impossible(format!("no game of this kind has {seeds} seeds to build for")));
    }
    let index = Index::new(kind.houses, seeds)
        .ok_or_else(|| impossible(format!("too many positions with {seeds} seeds")))?;
    let bytes = index.size(seeds);
    let mut memory = usize::try_from(bytes)
        .ok()
        .and_then(|bytes| zeroed_bytes(bytes.max(1), pages))
        .ok_or_else(|| impossible(format!("{bytes} bytes of memory cannot be had")))?;
    let smaller = smaller.filter(|table| table.kind() == kind && table.seeds() <= seeds);
    let done = smaller.map_or(0, Endgames::seeds);
    let known = index.size(done) as usize;
    if let Some(smaller) = smaller {
        memory[..known].copy_from_slice(&smaller.shares()[..known]);
    }
    let mut layers = Layers::<W>::new(rules, index, &mut memory, known as u64, progress)?;
    for layer in done + 1..=seeds {
        layers.fill(layer)?;
    }
    Ok(Endgames { kind, seeds, shares: Shares::Built(memory) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(houses: usize) -> Kind {
        Kind { houses, empty_capture: false }
    }

    #[test]
    fn a_table_grown_from_a_smaller_one_is_the_same() {
        let mut layers = Vec::new();
        let whole = build(kind(3), 8, None, &mut |progress| {
            layers.extend(progress.completed.map(|(seeds, shares)| (seeds, shares.len())));
            true
        })
        .unwrap();
        assert_eq!(layers.len(), 8);
        let half = build(kind(3), 5, None, &mut |_| true).unwrap();
        assert_eq!(layers[4], (5, half.shares().len()));
        let grown = build(kind(3), 8, Some(&half), &mut |progress| {
            assert!(progress.positions >= half.shares().len() as u64);
            true
        })
        .unwrap();
        assert_eq!(grown.shares(), whole.shares());
    }

    #[test]
    fn building_can_be_stopped() {
        let stopped = build(kind(6), 20, None, &mut |progress| progress.positions < 1000);
        assert_eq!(stopped.err(), Some(Failure::Stopped));
    }

    #[test]
    fn what_cannot_be_built_is_refused() {
        for (houses, seeds) in [(6, 145), (12, 256), (12, 200), (0, 4), (13, 4)] {
            let result = build(kind(houses), seeds, None, &mut |_| true);
            assert!(matches!(result.err(), Some(Failure::Impossible(_))), "{houses} {seeds}");
        }
    }
}
