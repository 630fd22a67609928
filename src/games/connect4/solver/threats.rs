//! Lines of four: which sets of cells hold one, and which cells would finish one.

use super::bitboard::Bitboard;
use super::geometry::BoardLayout;

/// Not empty if and only if `cells` holds four in a line: one end of each.
#[inline(always)]
pub fn line_ends<W: Bitboard>(layout: &BoardLayout<W>, cells: W) -> W {
    let mut found = W::ZERO;
    for step in layout.directions() {
        let pairs = cells & (cells >> step);
        found |= pairs & (pairs >> (2 * step));
    }
    found
}

/// True if `cells` holds four in a line.
#[inline(always)]
pub fn has_line<W: Bitboard>(layout: &BoardLayout<W>, cells: W) -> bool {
    !line_ends(layout, cells).is_empty()
}

/// Cells, occupied or not, sentinels included, that would complete four in a
/// line with three members of `stones`.
#[inline(always)]
pub fn completions<W: Bitboard>(layout: &BoardLayout<W>, stones: W) -> W {
    let below = stones << 1;
    let mut found = below & (stones << 2) & (stones << 3);
    let [_, falling, across, rising] = layout.directions();
    for step in [falling, across, rising] {
        let left = stones << step;
        let right = stones >> step;
        let pair_left = left & (stones << (2 * step));
        let pair_right = right & (stones >> (2 * step));
        found |= pair_left & ((stones << (2 * step) << step) | right);
        found |= pair_right & ((stones >> (2 * step) >> step) | left);
    }
    found
}
