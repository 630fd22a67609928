//! The root of the solver: the bounds of each move, closing in; several best moves; the line of
//! play that leads to the value.

use super::super::board::{Board, House};
use super::super::row::Word;
use super::moves::{Node, Step};
use super::search::Searcher;
use crate::limits::{NodeCounter, Stopped};
use crate::search::SearchRequest;
use crate::search::result::{PvLine, ReportedScore, SearchResult};

struct RootMove<W> {
    house: House,
    step: Step<W>,
    /// The mover's share after this move is at least this...
    least: u32,
    /// ...and at most this.
    greatest: u32,
}

/// The position to be solved, with what is known about its moves.
pub struct Root<'a, W: Word> {
    request: &'a SearchRequest<'a, Board<W>>,
    searcher: Searcher<'a, W>,
    seeds: u32,
    /// Those that are settled first, best first; then the others, in the order to try them.
    moves: Vec<RootMove<W>>,
    /// How many are settled.
    settled: usize,
    /// What the best move is expected to bring.
    guess: u32,
}

impl<'a, W: Word> Root<'a, W> {
    /// Nothing is known yet.
    pub fn new(request: &'a SearchRequest<'a, Board<W>>, searcher: Searcher<'a, W>) -> Self {
        let rows = request.game.rows();
        let node = searcher.node(rows, rows.in_play());
        let root_move = |&house: &House| {
            let step = searcher.step(&node, usize::from(house.0));
            let (least, greatest) = match &step {
                Step::End(share) => (*share, *share),
                Step::On(child) => (child.gain, child.gain + child.node.seeds),
            };
            RootMove { house, step, least, greatest }
        };
        let mut moves: Vec<_> = request.moves.iter().map(root_move).collect();
        moves.sort_by_key(|root_move| match &root_move.step {
            Step::End(_) => i32::MIN,
            Step::On(child) => -searcher.rank(child, None),
        });
        Root { request, seeds: node.seeds, searcher, moves, settled: 0, guess: 0 }
    }

    /// The shares of as many best moves as lines are asked for, by tests that begin at `guess`.
    pub fn best_shares(&mut self, mut guess: u32) -> Result<Vec<u32>, Stopped> {
        let mut shares = Vec::new();
        while shares.len() < self.line_count() {
            self.settle(guess)?;
            guess = self.moves[shares.len()].least;
            shares.push(guess);
        }
        Ok(shares)
    }

    fn line_count(&self) -> usize {
        self.request.settings.multi_pv.clamp(1, self.moves.len())
    }

    /// What is left of the limits.
    pub fn into_meter(self) -> NodeCounter<'a> {
        self.searcher.counter
    }

    /// Settles as many moves as lines are asked for, each by tests that begin at a guess of its
    /// own; `None` if it is stopped before.
    pub fn solve(mut self, guesses: &[u32]) -> Option<SearchResult<House>> {
        let count = self.line_count();
        let mut lines = Vec::new();
        for &guess in guesses.iter().take(count) {
            if self.settle(guess).is_err() {
                break;
            }
            lines.push(self.line(lines.len()));
        }
        self.searcher.counter.publish();
        (lines.len() == count).then(|| self.report(lines))
    }

    /// Finds the best of the moves that are not settled and puts it behind those that are.
    fn settle(&mut self, guess: u32) -> Result<(), Stopped> {
        self.guess = guess;
        let mut wanted = guess;
        loop {
            let open = &self.moves[self.settled..];
            let least = open.iter().map(|open| open.least).max().unwrap_or(0);
            let greatest = open.iter().map(|open| open.greatest).max().unwrap_or(0);
            if least == greatest {
                break;
            }
            wanted = wanted.clamp(least + 1, greatest);
            match self.test(wanted)? {
                true => wanted += 1,
                false => wanted -= 1,
            }
        }
        let open = &mut self.moves[self.settled..];
        open.sort_by_key(|open| std::cmp::Reverse(open.least));
        self.settled += 1;
        Ok(())
    }

    /// Whether one of the moves that are not settled brings at least `wanted`. That one comes
    /// first then.
    fn test(&mut self, wanted: u32) -> Result<bool, Stopped> {
        let hopeful = wanted <= self.guess;
        for index in self.settled..self.moves.len() {
            let open = &mut self.moves[index];
            if open.greatest < wanted {
                continue;
            }
            if open.least < wanted
                && let Step::On(child) = &open.step
            {
                let bound = self.searcher.child_bound(child, wanted, hopeful)?;
                if bound >= wanted {
                    open.least = open.least.max(bound);
                } else {
                    open.greatest = open.greatest.min(bound);
                }
            }
            if open.least >= wanted {
                self.moves[self.settled..=index].rotate_right(1);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The final margin for the side to move if its share is `share`.
    fn margin(&self, share: u32) -> i32 {
        2 * share as i32 - self.seeds as i32 + self.request.game.store_lead()
    }

    fn report(&self, lines: Vec<PvLine<House>>) -> SearchResult<House> {
        SearchResult {
            depth: None,
            lines,
            nodes: self.request.control.nodes(),
            leaves: None,
            time: self.request.control.elapsed(),
            hashfull: None,
        }
    }

    /// The settled move of this index with its margin and the play that leads there.
    fn line(&mut self, index: usize) -> PvLine<House> {
        let RootMove { house, step, least, .. } = &self.moves[index];
        let mut moves = vec![*house];
        let score = Some(ReportedScore::Margin(self.margin(*least)));
        let mut next = follow(step, *least);
        while let Some((node, share)) = next {
            // Stopped, or misled by a table that is not true: the line ends here.
            let Ok(Some((house, step))) = self.best_step(&node, share) else {
                break;
            };
            moves.push(house);
            next = follow(&step, share);
        }
        PvLine { score, moves }
    }

    /// A move that brings `share`, the exact share of the node.
    fn best_step(
        &mut self,
        node: &Node<W>,
        share: u32,
    ) -> Result<Option<(House, Step<W>)>, Stopped> {
        let known = self.searcher.known(node);
        let first = known.and_then(|known| known.best).map(usize::from);
        for house in first.into_iter().chain(node.rows.own.occupied()) {
            let step = self.searcher.step(node, house);
            let brings = match &step {
                Step::End(brings) => *brings,
                Step::On(child) => self.searcher.child_bound(child, share, true)?,
            };
            if brings >= share {
                return Ok(Some((House(house as u8), step)));
            }
        }
        Ok(None)
    }
}

/// The position after a move that brings its mover exactly `share`, and the exact share of who
/// moves there.
fn follow<W: Word>(step: &Step<W>, share: u32) -> Option<(Node<W>, u32)> {
    let Step::On(child) = step else {
        return None;
    };
    let rest = share.checked_sub(child.gain)?;
    let there = if child.again { rest } else { child.node.seeds.checked_sub(rest)? };
    Some((child.node, there))
}
