//! What is known about a score.

/// Everything known about one score: `lower <= score <= upper`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The score is at least this.
    pub lower: i32,
    /// The score is at most this.
    pub upper: i32,
}

impl Bounds {
    /// A known score.
    pub const fn exact(score: i32) -> Self {
        Self { lower: score, upper: score }
    }

    /// The score, once both bounds meet.
    pub fn score(self) -> Option<i32> {
        (self.lower == self.upper).then_some(self.lower)
    }

    /// The same bounds, seen from the other side.
    pub const fn reversed(self) -> Self {
        Self { lower: -self.upper, upper: -self.lower }
    }

    /// The same bounds, seen from the same side or from the other.
    #[inline(always)]
    pub const fn seen_by(self, same_side: bool) -> Self {
        if same_side { self } else { self.reversed() }
    }
}

/// What the table knows about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoundEntry {
    /// Bounds of its score.
    pub bounds: Bounds,
    /// The move stored with the last bound.
    pub best_move: Option<u8>,
}
