//! Kalah's endgame tables as files: the shares, by position number.

use std::path::Path;

use super::super::sowing::HOUSES;
use super::index::Index;
use super::{Endgames, Variant};
use crate::games::endgame_file::{self, HEADER, Parameters, TableGame};

const MOST_SEEDS: u32 = 255;

/// Writes a table so that `path` holds either all of it or what it held before.
pub fn publish(path: &Path, variant: Variant, seeds: usize, shares: &[u8]) -> Result<(), String> {
    endgame_file::publish(path, TableGame::Kalah, parameters(variant, seeds), shares)
}

fn parameters(variant: Variant, seeds: usize) -> Parameters {
    [variant.houses as u32, seeds as u32, variant.empty_capture.into()]
}

/// Maps the table at `path`, or says what is wrong with it.
pub fn open(path: &Path) -> Result<Endgames, String> {
    let (memory, (variant, seeds)) =
        endgame_file::open(path, TableGame::Kalah, payload_length, check)?;
    Ok(Endgames { variant, seeds, memory: Some((memory, HEADER)) })
}

/// The variant and the seeds of the table in `bytes`, any of which may be anything.
pub fn check(bytes: &[u8]) -> Result<(Variant, usize), String> {
    let ([houses, seeds, capture], shares) =
        endgame_file::check(bytes, TableGame::Kalah, payload_length)?;
    let (index, seeds) = index_for([houses, seeds, capture])?;
    for layer in 1..=seeds {
        let places = index.size(layer - 1) as usize..index.size(layer) as usize;
        if shares[places].iter().any(|&share| usize::from(share) > layer) {
            return Err(format!("a share exceeds the {layer} seeds in play"));
        }
    }
    Ok((Variant { houses: houses as usize, empty_capture: capture == 1 }, seeds))
}

/// The number of positions of a table with these parameters.
fn payload_length(parameters: Parameters) -> Result<u64, String> {
    let (index, seeds) = index_for(parameters)?;
    Ok(index.size(seeds))
}

/// The index of a table with these parameters, and its seeds.
fn index_for([houses, seeds, capture]: Parameters) -> Result<(Index, usize), String> {
    if !HOUSES.contains(&(houses as usize)) || seeds > MOST_SEEDS || capture > 1 {
        let (least, most) = (HOUSES.start(), HOUSES.end());
        return Err(format!(
            "expected {least}..{most} houses and at most {MOST_SEEDS} seeds, got {houses} and {seeds}"
        ));
    }
    let index = Index::new(houses as usize, seeds as usize);
    let index =
        index.ok_or_else(|| format!("too many positions: {houses} houses, {seeds} seeds"))?;
    Ok((index, seeds as usize))
}

#[cfg(test)]
mod tests {
    use super::super::build::build;
    use super::*;

    fn table() -> Endgames {
        let variant = Variant { houses: 3, empty_capture: true };
        build(variant, 5, None, &mut |_| true).unwrap()
    }

    #[test]
    fn what_is_published_can_be_opened() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table");
        let table = table();
        publish(&path, table.variant(), table.seeds(), table.shares()).unwrap();
        let read = open(&path).unwrap();
        assert_eq!((read.variant(), read.seeds()), (table.variant(), 5));
        assert_eq!(read.shares(), table.shares());
    }

    #[test]
    fn lies_with_right_checksums_are_refused() {
        let table = table();
        let check_with = |parameters, shares: &[u8]| {
            let header = endgame_file::header(TableGame::Kalah, parameters, shares);
            check(&[&header, shares].concat())
        };
        let shares = table.shares();
        assert_eq!(check_with([3, 5, 1], shares), Ok((table.variant(), 5)));
        for (parameters, part) in [
            ([0, 5, 1], "expected 1..12 houses"),
            ([13, 5, 1], "expected 1..12 houses"),
            ([3, 261, 1], "at most 255 seeds"),
            ([3, 5, 2], "expected 1..12 houses"),
            ([3, 255, 1], "wrong size"),
            ([3, 4, 1], "wrong size"),
            ([12, 255, 1], "too many positions"),
        ] {
            let error = check_with(parameters, shares).unwrap_err();
            assert!(error.contains(part), "{parameters:?}: {error}");
        }
        let mut greedy = shares.to_vec();
        greedy[0] = 3;
        let error = check_with([3, 5, 1], &greedy).unwrap_err();
        assert!(error.contains("exceeds the 2 seeds"), "{error}");
    }
}
