//! Retrograde analysis: from the ends of games backwards, ply by ply.
//!
//! A position is won in `n` plies if some move leads to one lost in `n - 1`, and lost in `n` if
//! every move leads to a won one, the longest win in `n - 1`. Captures lead to classes with fewer
//! stones, which are complete; quiet moves stay within a class and its mirror (the same numbers of
//! stones, the other side to move).
//!
//! First every position is expanded: its captures are looked up, its quiet moves counted. Then level
//! follows level: each position decided at level `n` updates its predecessors. The analysis needs two
//! bytes for each position and no lists, and can be interrupted between any two positions.

use std::ops::Range;

use super::exact_value;
use super::index::{Class, IDENTITY, NumberedPosition, PositionIndex};
use crate::game::ExactValue;
use crate::games::wali::bits::{self, Shape, Threes};
use crate::platform::memory::prefetch;

/// The longest way to the end that a byte of the table can hold.
const LONGEST: u8 = u8::MAX;
/// In `open_moves`: some move does not lose, so the position is not lost.
const NOT_LOST: u8 = u8::MAX;

/// How far an analysis has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stage {
    /// The plies from the end that are being propagated; 0 while positions are expanded.
    pub level: u8,
    /// How many positions of this level are done.
    pub done: u64,
    /// The highest level at which a position is known to be decided.
    pub highest: u8,
    /// How many positions have been decided and propagated.
    pub decided: u64,
}

/// A game takes more plies than a byte can hold.
#[derive(Debug, PartialEq, Eq)]
pub struct TooLong;

/// The analysis of a class and its mirror.
pub struct Analysis<'a> {
    index: &'a PositionIndex,
    /// The values of all classes up to this one. Of an undecided position: 0, or the level of the
    /// loss that its captures lead to. Of one that is not lost: the shortest win known so far.
    values: &'a mut [u8],
    /// The numbers of the positions being solved.
    numbers: Range<u64>,
    /// For each of them: quiet moves not known to lose, 0 if it is lost, or [`NOT_LOST`].
    open_moves: &'a mut [u8],
    /// Positions to update, on their way from memory.
    pending: Vec<u64>,
    stage: Stage,
}

/// The numbers of a class and its mirror together.
pub fn numbers(index: &PositionIndex, (own, enemy): Class) -> Option<Range<u64>> {
    let (one, other) = (index.range((own, enemy))?, index.range((enemy, own))?);
    Some(one.start.min(other.start)..one.end.max(other.end))
}

impl<'a> Analysis<'a> {
    /// Begins the analysis of these [`numbers`], or continues it at `stage`, with what `values` and
    /// `open_moves` were then. The classes with fewer stones must be complete.
    pub fn new(
        index: &'a PositionIndex,
        numbers: Range<u64>,
        values: &'a mut [u8],
        open_moves: &'a mut [u8],
        stage: Stage,
    ) -> Analysis<'a> {
        debug_assert_eq!(open_moves.len() as u64, numbers.end - numbers.start);
        Analysis { index, values, numbers, open_moves, pending: Vec::new(), stage }
    }

    /// How far the analysis has come.
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// The values of all classes, and the moves still open in the positions being solved: what the
    /// analysis continues from.
    pub fn state(&self) -> (&[u8], &[u8]) {
        (self.values, self.open_moves)
    }

    /// Works through up to `count` more positions of this level. Returns whether the analysis is
    /// complete.
    pub fn advance(&mut self, count: u64) -> Result<bool, TooLong> {
        let size = self.numbers.end - self.numbers.start;
        let end = (self.stage.done + count).min(size);
        if self.stage.level == 0 {
            (self.stage.done..end).for_each(|at| self.expand(self.numbers.start + at));
        } else {
            self.propagate(self.stage.done..end)?;
        }
        self.stage.done = end;
        if end < size {
            return Ok(false);
        }
        if self.stage.level < self.stage.highest {
            self.stage.level += 1;
            self.stage.done = 0;
            return Ok(false);
        }
        self.draw_the_rest();
        Ok(true)
    }

    fn expand(&mut self, number: u64) {
        let NumberedPosition { own, enemy, .. } = self.index.position(number);
        let mut quiet = 0;
        let mut has_draw = false;
        let mut longest_loss = 0;
        let mut shortest_win = LONGEST;
        each_step(self.index, (own, enemy), |moved, is_capture| {
            if !is_capture {
                quiet += 1;
                return;
            }
            for cell in bits::each(enemy) {
                match self.after_capture(enemy & !(1 << cell), moved) {
                    ExactValue::Draw => has_draw = true,
                    ExactValue::Win(plies) => longest_loss = longest_loss.max(plies as u8 + 1),
                    ExactValue::Loss(plies) => shortest_win = shortest_win.min(plies as u8 + 1),
                }
            }
        });
        let (open, value) = if shortest_win < LONGEST {
            (NOT_LOST, shortest_win)
        } else if has_draw {
            (NOT_LOST, 0)
        } else if quiet == 0 && longest_loss == 0 {
            // The only move is to pass.
            (1, 0)
        } else {
            (quiet, longest_loss)
        };
        if open == NOT_LOST || open == 0 {
            self.stage.highest = self.stage.highest.max(value);
        }
        self.values[number as usize] = value;
        self.open_moves[self.at(number)] = open;
    }

    /// The value for the side to move, `own`, which has just lost a stone.
    fn after_capture(&self, own: u32, enemy: u32) -> ExactValue {
        if own == 0 {
            return ExactValue::Loss(0);
        }
        // Positions outside the table have fewer than three stones on both sides.
        let number = self.index.number(own, enemy);
        number.map_or(ExactValue::Draw, |number| exact_value(self.values[number as usize]))
    }

    fn at(&self, number: u64) -> usize {
        (number - self.numbers.start) as usize
    }

    /// Updates the predecessors of the positions decided at this level, of some of the positions
    /// being solved.
    fn propagate(&mut self, part: Range<u64>) -> Result<(), TooLong> {
        const BLOCK: usize = 64;
        /// Updates do not change which positions this level decides, so they can wait until memory
        /// has delivered them.
        const PENDING: usize = 256;
        let level = self.stage.level;
        if level == LONGEST {
            return Err(TooLong);
        }
        let (start, end) = (self.numbers.start + part.start, self.numbers.start + part.end);
        for block in (start..end).step_by(BLOCK) {
            let block_end = (block + BLOCK as u64).min(end);
            let values = &self.values[block as usize..block_end as usize];
            // Most blocks have no position of this level. This loop compiles to vector code.
            if !values.iter().fold(false, |any, &value| any | (value == level)) {
                continue;
            }
            for number in block..block_end {
                let open = self.open_moves[self.at(number)];
                if self.values[number as usize] == level && (open == 0 || open == NOT_LOST) {
                    self.update_predecessors(number);
                    self.stage.decided += 1;
                }
            }
            if self.pending.len() >= PENDING {
                self.update_pending();
            }
        }
        self.update_pending();
        Ok(())
    }

    /// Each position of the board that leads to one of this number's is updated once, if it has a
    /// number itself.
    fn update_predecessors(&mut self, number: u64) {
        let index = self.index;
        let NumberedPosition { place, own, enemy, stabilizer } = index.position(number);
        let before = index.mirror(place);
        if stabilizer == IDENTITY {
            each_predecessor(index, (own, enemy), |(own, enemy)| {
                index.each_number(before, own, enemy, |number| self.expect_update(number));
            });
            return;
        }
        // Of the numbers of one position, the lowest stands for all.
        let mut lowest = number;
        index.each_number(place, own, enemy, |other| lowest = lowest.min(other));
        if lowest < number {
            return;
        }
        for image in index.images((own, enemy)) {
            each_predecessor(index, image, |(own, enemy)| {
                if index.is_representative(own) {
                    self.expect_update(index.number_in(before, own, enemy));
                }
            });
        }
    }

    /// Has a position updated soon.
    fn expect_update(&mut self, number: u64) {
        prefetch(&self.values[number as usize]);
        prefetch(&self.open_moves[self.at(number)]);
        self.pending.push(number);
    }

    fn update_pending(&mut self) {
        let mut pending = std::mem::take(&mut self.pending);
        pending.drain(..).for_each(|number| self.update(number));
        self.pending = pending;
    }

    /// One more move of this position leads to one decided at this level.
    fn update(&mut self, number: u64) {
        let at = self.at(number);
        let (value, open) = (&mut self.values[number as usize], &mut self.open_moves[at]);
        let next = self.stage.level + 1;
        let is_lost = self.stage.level.is_multiple_of(2);
        if is_lost {
            if *open != NOT_LOST || *value == 0 || *value > next {
                *open = NOT_LOST;
                *value = next;
                self.stage.highest = self.stage.highest.max(next);
            }
        } else if *open != NOT_LOST {
            *open -= 1;
            if *open == 0 {
                *value = next.max(*value);
                self.stage.highest = self.stage.highest.max(*value);
            }
        }
    }

    /// What is not decided by now never will be.
    fn draw_the_rest(&mut self) {
        let start = self.numbers.start as usize;
        for (value, &open) in self.values[start..].iter_mut().zip(&*self.open_moves) {
            if open != 0 && open != NOT_LOST {
                *value = 0;
            }
        }
    }
}

/// The stones of the side to move and of the other side.
type Position = (u32, u32);

/// Calls `found` with the own stones after each step, and whether the step captures.
fn each_step(index: &PositionIndex, (own, enemy): Position, mut found: impl FnMut(u32, bool)) {
    let shape = index.shape();
    let empty = shape.board() & !(own | enemy);
    let threes = Threes::of(shape, own).arrivals;
    for (direction, cells) in shape.arrivals(own).into_iter().enumerate() {
        for to in bits::each(cells & empty) {
            let from = to as i8 - shape.steps()[direction];
            found(own & !(1 << from) | 1 << to, threes[direction] >> to & 1 == 1);
        }
    }
}

/// Calls `found` with each position from which a move without a capture leads to this one.
fn each_predecessor(
    index: &PositionIndex,
    (own, enemy): Position,
    mut found: impl FnMut(Position),
) {
    let shape = index.shape();
    let empty = shape.board() & !(own | enemy);
    // A stone in a three captured when it moved there.
    for to in bits::each(enemy & !shape.in_threes(enemy)) {
        for from in bits::each(shape.around(1 << to) & empty) {
            found((enemy & !(1 << to) | 1 << from, own));
        }
    }
    if shape.around(enemy) & empty == 0 {
        found((enemy, own));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::wali::bits::AnyShape;

    #[test]
    fn predecessors_reverse_quiet_steps() {
        let index = PositionIndex::new(AnyShape::new(5, 6, 12).unwrap(), 3);
        for number in (0..index.total()).step_by(997) {
            let NumberedPosition { own, enemy, .. } = index.position(number);
            each_step(&index, (own, enemy), |moved, is_capture| {
                let mut is_reversed = false;
                each_predecessor(&index, (enemy, moved), |before| {
                    is_reversed |= before == (own, enemy);
                });
                assert_eq!(is_reversed, !is_capture);
            });
        }
    }

    #[test]
    fn an_interrupted_analysis_finds_the_same() {
        let index = PositionIndex::new(AnyShape::new(4, 4, 3).unwrap(), 3);
        let solved = |step: u64| {
            let mut values = vec![0; index.total() as usize];
            for &class in index.classes().iter().filter(|(own, enemy)| own >= enemy) {
                let numbers = numbers(&index, class).unwrap();
                let mut open = vec![0; (numbers.end - numbers.start) as usize];
                let mut stage = Stage::default();
                loop {
                    let mut analysis =
                        Analysis::new(&index, numbers.clone(), &mut values, &mut open, stage);
                    if analysis.advance(step).unwrap() {
                        break;
                    }
                    stage = analysis.stage();
                }
            }
            values
        };
        let whole = solved(u64::MAX / 2);
        assert_eq!(solved(1000), whole);
        assert!(whole.contains(&0) && whole.iter().max() > Some(&10));
    }
}
