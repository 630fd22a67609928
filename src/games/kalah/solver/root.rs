//! The root of the solver: null-window tests that narrow the bounds of each move until the best
//! ones are exact, and the principal variation.

use super::super::board::{Board, House};
use super::super::row::Word;
use super::moves::{KalahNode, Successor};
use super::search::ShareSearch;
use crate::limits::Stopped;
use crate::search::SearchRequest;
use crate::search::result::{PvLine, ReportedScore, SearchEnd, SearchResult};

struct RootHouse<W> {
    house: House,
    successor: Successor<W>,
    /// The mover's share after this move is at least this...
    lower: u32,
    /// ...and at most this.
    upper: u32,
}

/// The position to be solved, with what is known about its moves.
pub struct SolverRoot<'a, W: Word> {
    request: &'a SearchRequest<'a, Board<W>>,
    search: ShareSearch<'a, W>,
    seeds: u32,
    /// The resolved moves, best first; then the others, in search order.
    moves: Vec<RootHouse<W>>,
    /// The number of resolved moves, whose shares are exact.
    resolved: usize,
    /// The expected share of the best move.
    guess: u32,
}

impl<'a, W: Word> SolverRoot<'a, W> {
    /// A root with trivial bounds for all moves.
    pub fn new(request: &'a SearchRequest<'a, Board<W>>, search: ShareSearch<'a, W>) -> Self {
        let rows = request.game.rows();
        let node = search.node(rows, rows.in_play());
        let root_move = |&house: &House| {
            let successor = search.successor(&node, usize::from(house.0));
            let (lower, upper) = match &successor {
                Successor::GameOver(share) => (*share, *share),
                Successor::Child(child) => (child.gain, child.gain + child.node.seeds),
            };
            RootHouse { house, successor, lower, upper }
        };
        let mut moves: Vec<_> = request.moves.iter().map(root_move).collect();
        moves.sort_by_key(|root_move| match &root_move.successor {
            Successor::GameOver(_) => i32::MIN,
            Successor::Child(child) => -search.move_score(child, None),
        });
        SolverRoot { request, seeds: node.seeds, search, moves, resolved: 0, guess: 0 }
    }

    /// The shares of the best moves, one per requested line, by tests that start at `guess`.
    pub fn best_shares(&mut self, mut guess: u32) -> Result<Vec<u32>, Stopped> {
        let mut shares = Vec::new();
        while shares.len() < self.line_count() {
            self.resolve_next(guess)?;
            guess = self.moves[shares.len()].lower;
            shares.push(guess);
        }
        Ok(shares)
    }

    fn line_count(&self) -> usize {
        self.request.settings.multi_pv.clamp(1, self.moves.len())
    }

    /// Adds the nodes searched to the shared count, and returns them.
    pub fn publish(&mut self) -> u64 {
        self.search.counter.publish();
        self.search.counter.nodes()
    }

    /// Resolves a move per requested line, each by tests that start at its own guess; `None` if
    /// stopped before the last one.
    pub fn solve(&mut self, guesses: &[u32]) -> Option<SearchResult<House>> {
        let count = self.line_count();
        let mut lines = Vec::new();
        for &guess in guesses.iter().take(count) {
            if self.resolve_next(guess).is_err() {
                break;
            }
            lines.push(self.line(lines.len()));
        }
        self.publish();
        (lines.len() == count).then(|| self.result(lines))
    }

    /// Resolves the best of the unresolved moves by null-window tests (MTD(f)) and puts it after the
    /// resolved ones.
    fn resolve_next(&mut self, guess: u32) -> Result<(), Stopped> {
        self.guess = guess;
        let mut beta = guess;
        loop {
            let open = &self.moves[self.resolved..];
            let lower = open.iter().map(|open| open.lower).max().unwrap_or(0);
            let upper = open.iter().map(|open| open.upper).max().unwrap_or(0);
            if lower == upper {
                break;
            }
            beta = beta.clamp(lower + 1, upper);
            match self.test(beta)? {
                true => beta += 1,
                false => beta -= 1,
            }
        }
        let open = &mut self.moves[self.resolved..];
        open.sort_by_key(|open| std::cmp::Reverse(open.lower));
        self.resolved += 1;
        Ok(())
    }

    /// Whether an unresolved move brings at least `beta`. If so, it is moved to the front of them.
    fn test(&mut self, beta: u32) -> Result<bool, Stopped> {
        let cut_node = beta <= self.guess;
        for index in self.resolved..self.moves.len() {
            let open = &mut self.moves[index];
            if open.upper < beta {
                continue;
            }
            if open.lower < beta
                && let Successor::Child(child) = &open.successor
            {
                let bound = self.search.search_child(child, beta, cut_node)?;
                if bound >= beta {
                    open.lower = open.lower.max(bound);
                } else {
                    open.upper = open.upper.min(bound);
                }
            }
            if open.lower >= beta {
                self.moves[self.resolved..=index].rotate_right(1);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The final margin for the side to move if its share is `share`.
    fn margin(&self, share: u32) -> i32 {
        2 * share as i32 - self.seeds as i32 + self.request.game.store_lead()
    }

    fn result(&self, lines: Vec<PvLine<House>>) -> SearchResult<House> {
        SearchResult {
            depth: None,
            lines,
            nodes: self.request.control.nodes(),
            tree: None,
            time: self.request.control.elapsed(),
            hashfull: None,
            end: SearchEnd::Exact,
        }
    }

    /// The resolved move of this index with its margin and principal variation.
    fn line(&mut self, index: usize) -> PvLine<House> {
        let RootHouse { house, successor, lower, .. } = &self.moves[index];
        let mut moves = vec![*house];
        let score = Some(ReportedScore::Margin(self.margin(*lower)));
        let mut next = follow(successor, *lower);
        while let Some((node, share)) = next {
            // The line ends early if stopped, or if an endgame table is wrong.
            let Ok(Some((house, successor))) = self.best_move(&node, share) else {
                break;
            };
            moves.push(house);
            next = follow(&successor, share);
        }
        PvLine::new(score, moves)
    }

    /// A move that brings `share`, the exact share of the node.
    fn best_move(
        &mut self,
        node: &KalahNode<W>,
        share: u32,
    ) -> Result<Option<(House, Successor<W>)>, Stopped> {
        let first = self.search.known(node).best.map(usize::from);
        for house in first.into_iter().chain(node.rows.own.occupied()) {
            let successor = self.search.successor(node, house);
            let bound = match &successor {
                Successor::GameOver(share) => *share,
                Successor::Child(child) => self.search.search_child(child, share, true)?,
            };
            if bound >= share {
                return Ok(Some((House(house as u8), successor)));
            }
        }
        Ok(None)
    }
}

/// The position after a move that brings its mover exactly `share`, and the exact share of its
/// side to move.
fn follow<W: Word>(successor: &Successor<W>, share: u32) -> Option<(KalahNode<W>, u32)> {
    let Successor::Child(child) = successor else {
        return None;
    };
    let rest = share.checked_sub(child.gain)?;
    let there = if child.again { rest } else { child.node.seeds.checked_sub(rest)? };
    Some((child.node, there))
}
