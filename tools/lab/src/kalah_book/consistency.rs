//! Minimax consistency: a share is that of its move, and no move is known to bring more.

use anyhow::{Result, ensure};
use ratlla::games::kalah::board::House;
use ratlla::games::kalah::book::{ShareBook, by_preference};

use super::lines::{Extent, Lines, Position};
use super::rules;

/// Checks that all positions of a book are on the engine's lines, that none is missing of those with
/// many seeds in play, and that their shares agree with each other wherever those of the moves are
/// known. Returns all positions.
pub fn check(book: &ShareBook, extent: Extent) -> Result<Vec<Position>> {
    let lines = Lines::new(extent);
    let found = lines.follow(|number, position| {
        let entry = book.entry(rules(), position);
        let may_be_missing = position.in_play() < extent.all_seeds.into();
        ensure!(entry.is_some() || may_be_missing, "position {number} is missing");
        Ok(entry)
    })?;
    let count = book.entries().count();
    ensure!(count == found.len(), "{} of {count} positions are on no line", count - found.len());
    for (number, &(position, entry)) in &found {
        let best = u32::from(entry.share);
        for (place, house) in by_preference(&lines.sowing, position).into_iter().enumerate() {
            let Some(share) = move_share(book, &lines, position, house) else { continue };
            let is_its_move = place == usize::from(entry.rank);
            let right = if is_its_move { share == best } else { share <= best };
            ensure!(right, "position {number} is {entry:?}, but {house:?} brings {share}");
        }
    }
    Ok(found.into_values().map(|(position, _)| position).collect())
}

/// The mover's share after a move, if it follows from the book.
fn move_share(
    book: &ShareBook,
    lines: &Lines,
    position: Position,
    House(house): House,
) -> Option<u32> {
    let sown = lines.sowing.sow(position, house.into());
    if sown.rows.is_over() {
        return Some(sown.gain + sown.rows.own.total());
    }
    let rest = sown.rows.in_play();
    Some(
        sown.gain
            + if sown.again {
                share(book, lines, sown.rows)?
            } else {
                rest - share(book, lines, sown.rows.turned())?
            },
    )
}

/// The share of a position that is in the book, or of which all moves lead there.
fn share(book: &ShareBook, lines: &Lines, position: Position) -> Option<u32> {
    if let Some(entry) = book.entry(rules(), position) {
        return Some(entry.share.into());
    }
    let mut best = None;
    for house in position.own.occupied() {
        let sown = lines.sowing.sow(position, house);
        let share = match (sown.rows.is_over(), sown.again) {
            (true, _) => sown.rows.own.total(),
            (false, true) => share(book, lines, sown.rows)?,
            // Only one turn is looked ahead: what follows it must be in the book.
            (false, false) => {
                let entry = book.entry(rules(), sown.rows.turned())?;
                sown.rows.in_play() - u32::from(entry.share)
            }
        };
        best = best.max(Some(sown.gain + share));
    }
    best
}
