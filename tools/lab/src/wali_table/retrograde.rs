//! Retrograde analysis: from the ends of games backwards, ply by ply.
//!
//! A position is won in `n` plies if some move leads to one lost in `n - 1`, and lost in `n` if
//! every move leads to a won one, the longest win in `n - 1`. Captures lead to classes with fewer
//! stones, which are complete; quiet moves stay within a class and its mirror (the same numbers of
//! stones, the other side to move). Levels are processed in order: each position decided at level
//! `n` updates its predecessors.

use anyhow::{Result, bail};
use ratlla::game::ExactValue;
use ratlla::games::wali::bits;
use ratlla::games::wali::endgame::exact_value;
use ratlla::games::wali::endgame::index::{self, Class};

/// The longest way to the end that a byte of the table can hold.
const LONGEST: usize = 255;
/// In `moves_left`: some move does not lose, so the position is not lost.
const NOT_LOST: u8 = u8::MAX;

/// Progress within a class.
pub enum Progress {
    /// This many more positions have been expanded.
    Expanded(u64),
    /// Plies from the end up to which all positions are decided, and their number.
    Decided(usize, u64),
}

/// Solves `class` and its mirror. The classes with fewer stones must be complete.
pub fn solve(values: &mut [u8], class: Class, report: &mut dyn FnMut(Progress)) -> Result<()> {
    let mut analysis = Analysis::new(values, class);
    analysis.expand_all(report);
    analysis.propagate(report)
}

/// The stones of the side to move and of the other side.
type Position = (u32, u32);

struct Analysis<'a> {
    values: &'a mut [u8],
    /// The numbers of the positions being solved.
    numbers: std::ops::Range<usize>,
    /// For each of them: quiet moves not yet known to lose.
    moves_left: Vec<u8>,
    /// For each of them: the longest loss that a capture leads to.
    capture_loss: Vec<u8>,
    /// By plies to the end: positions decided there unless they were before.
    levels: Vec<Vec<u32>>,
}

impl<'a> Analysis<'a> {
    fn new(values: &'a mut [u8], (own, enemy): Class) -> Analysis<'a> {
        let ranges = [(own, enemy), (enemy, own)].map(|class| index::range(class).unwrap_or(0..0));
        let start = ranges[0].start.min(ranges[1].start);
        let end = ranges[0].end.max(ranges[1].end);
        values[start..end].fill(0);
        Analysis {
            values,
            moves_left: vec![0; end - start],
            capture_loss: vec![0; end - start],
            levels: vec![Vec::new(); LONGEST + 2],
            numbers: start..end,
        }
    }

    fn expand_all(&mut self, report: &mut dyn FnMut(Progress)) {
        const BATCH: usize = 1 << 16;
        let mut next = self.numbers.start;
        while next < self.numbers.end {
            let end = (next + BATCH).min(self.numbers.end);
            (next..end).for_each(|number| self.expand(number));
            report(Progress::Expanded((end - next) as u64));
            next = end;
        }
    }

    /// Counts the quiet moves of a position and evaluates its captures.
    fn expand(&mut self, number: usize) {
        let position = index::position(number);
        let mut quiet = 0;
        let mut has_draw = false;
        let mut longest_loss = 0;
        let mut shortest_win = None;
        each_step(position, |moved, is_capture| {
            if !is_capture {
                quiet += 1;
                return;
            }
            for cell in bits::each(position.1) {
                match self.after_capture(position.1 & !(1 << cell), moved) {
                    ExactValue::Draw => has_draw = true,
                    ExactValue::Win(plies) => longest_loss = longest_loss.max(plies),
                    ExactValue::Loss(plies) => {
                        let plies = plies + 1;
                        shortest_win =
                            Some(shortest_win.map_or(plies, |least: usize| least.min(plies)));
                    }
                }
            }
        });
        let has_moves = quiet > 0 || has_draw || longest_loss > 0 || shortest_win.is_some();
        let at = number - self.numbers.start;
        self.capture_loss[at] = longest_loss as u8;
        self.moves_left[at] = match (shortest_win, has_moves) {
            (Some(_), _) => NOT_LOST,
            _ if has_draw => NOT_LOST,
            // The only move is to pass.
            (None, false) => 1,
            (None, true) => quiet,
        };
        if let Some(plies) = shortest_win {
            self.levels[plies.min(LONGEST + 1)].push(number as u32);
        } else if has_moves && quiet == 0 && !has_draw {
            self.levels[(longest_loss + 1).min(LONGEST + 1)].push(number as u32);
        }
    }

    /// The value for the side to move, `own`, which has just lost a stone.
    fn after_capture(&self, own: u32, enemy: u32) -> ExactValue {
        if own == 0 {
            return ExactValue::Loss(0);
        }
        // Positions outside the table have fewer than three stones on both sides.
        index::number(own, enemy)
            .map_or(ExactValue::Draw, |number| exact_value(self.values[number]))
    }

    fn propagate(&mut self, report: &mut dyn FnMut(Progress)) -> Result<()> {
        let mut decided = 0;
        for plies in 1..=LONGEST {
            for number in std::mem::take(&mut self.levels[plies]) {
                let number = number as usize;
                if self.values[number] == 0 {
                    self.values[number] = plies as u8;
                    decided += 1;
                    self.update_predecessors(number, plies);
                }
            }
            report(Progress::Decided(plies, decided));
            if self.levels[plies + 1..].iter().all(Vec::is_empty) {
                return Ok(());
            }
        }
        bail!("a game takes more than {LONGEST} plies to end")
    }

    fn update_predecessors(&mut self, number: usize, plies: usize) {
        let position = index::position(number);
        let is_lost = plies.is_multiple_of(2);
        each_predecessor(position, |(own, enemy)| {
            let Some(number) = index::number(own, enemy) else {
                return;
            };
            let at = number - self.numbers.start;
            if self.values[number] != 0 {
                return;
            }
            if is_lost {
                self.levels[plies + 1].push(number as u32);
            } else if self.moves_left[at] != NOT_LOST {
                self.moves_left[at] -= 1;
                if self.moves_left[at] == 0 {
                    let longest = plies.max(usize::from(self.capture_loss[at]));
                    self.levels[longest + 1].push(number as u32);
                }
            }
        });
    }
}

/// Calls `found` with the own stones after each step, and whether the step captures.
fn each_step((own, enemy): Position, mut found: impl FnMut(u32, bool)) {
    let empty = bits::BOARD & !(own | enemy);
    let threes = bits::Threes::of(own).arrivals;
    for (direction, cells) in bits::arrivals(own).into_iter().enumerate() {
        for to in bits::each(cells & empty) {
            let from = to as i8 - bits::STEPS[direction];
            found(own & !(1 << from) | 1 << to, threes[direction] >> to & 1 == 1);
        }
    }
}

/// Calls `found` with each position from which a move without a capture leads to this one.
fn each_predecessor((own, enemy): Position, mut found: impl FnMut(Position)) {
    let empty = bits::BOARD & !(own | enemy);
    // A stone in a three captured when it moved there.
    for to in bits::each(enemy & !bits::in_threes(enemy)) {
        for from in bits::each(bits::around(1 << to) & empty) {
            found((enemy & !(1 << to) | 1 << from, own));
        }
    }
    if bits::around(enemy) & empty == 0 {
        found((enemy, own));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn predecessors_reverse_quiet_steps() {
        for number in (0..index::TOTAL).step_by(9973) {
            let position = index::position(number);
            each_step(position, |moved, is_capture| {
                let mut is_reversed = false;
                each_predecessor((position.1, moved), |before| is_reversed |= before == position);
                assert_eq!(is_reversed, !is_capture);
            });
        }
    }
}
