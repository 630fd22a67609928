//! What a certificate claims, and the walk through all games that shows it.

use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;

use anyhow::{Result, ensure};

use super::rules::Position;

/// A position without an entry must meet the claim within this many moves.
const PLIES_TRIED: u16 = 3;
/// The last move of the longest game.
const MOST_MOVES: u16 = 300;

/// What the claimant achieves against every play of the other player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// He wins with this move at the latest.
    WinsBy(u16),
    /// He is not beaten before this move.
    UnbeatenBefore(u16),
}

/// A claim about one player, who follows the certificate: the *claimant*.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The claimant: 1 or 2.
    pub player: u8,
    /// What they achieve.
    pub goal: Goal,
}

impl Claim {
    /// Whether the claim is met, if the position decides that.
    pub fn verdict(&self, position: &Position) -> Option<bool> {
        if let Some(winner) = position.winner() {
            return Some(winner == self.player);
        }
        match self.goal {
            Goal::WinsBy(last) if position.number > last => Some(false),
            Goal::UnbeatenBefore(first) if position.number >= first => Some(true),
            _ => None,
        }
    }

    /// Whether trying everything for a few moves shows that the claimant meets the claim.
    pub fn is_met_soon(&self, position: &Position) -> bool {
        self.is_met_within(PLIES_TRIED, position)
    }

    fn is_met_within(&self, plies: u16, position: &Position) -> bool {
        let after = |mv| self.is_met_within(plies - 1, &position.after(mv));
        let mut moves = position.legal_moves().into_iter();
        match self.verdict(position) {
            Some(verdict) => verdict,
            None if plies == 0 => false,
            None if position.mover() == self.player => moves.any(after),
            None => moves.all(after),
        }
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.goal {
            Goal::WinsBy(last) => write!(f, "p{} wins by {last}", self.player),
            Goal::UnbeatenBefore(first) => write!(f, "p{} unbeaten before {first}", self.player),
        }
    }
}

impl FromStr for Claim {
    type Err = String;

    fn from_str(text: &str) -> Result<Claim, String> {
        let claim = || {
            let [player, verb, preposition, number] = text.split(' ').collect::<Vec<_>>()[..]
            else {
                return None;
            };
            let number = number.parse().ok()?;
            let goal = match (verb, preposition) {
                ("wins", "by") => Goal::WinsBy(number),
                ("unbeaten", "before") => Goal::UnbeatenBefore(number),
                _ => return None,
            };
            let player = ["p1", "p2"].iter().position(|&name| name == player)? as u8 + 1;
            let claim = Claim { player, goal };
            ((1..=MOST_MOVES).contains(&number) && claim.to_string() == text).then_some(claim)
        };
        claim().ok_or_else(|| {
            format!(
                "expected 'p1 wins by N' or 'p1 unbeaten before N', or the same of p2, with N 1..300; \
                 found '{}'",
                text.escape_debug()
            )
        })
    }
}

/// A walk through all games in which the claimant follows a strategy.
pub struct Walk<S> {
    claim: Claim,
    /// The claimant's move; asked once for a position and its mirror image. `None` where trying
    /// everything is enough.
    strategy: S,
    /// Undecided positions met so far, of mirror images one.
    seen: HashSet<Position>,
}

impl<S: FnMut(&Position) -> Result<Option<u8>>> Walk<S> {
    /// Walks from `start`, depth first. Returns the number of distinct undecided positions, or fails
    /// with the first one in which the strategy does not keep the claim.
    pub fn run(claim: Claim, start: &Position, strategy: S) -> Result<usize> {
        let mut walk = Walk { claim, strategy, seen: HashSet::new() };
        walk.visit(start)?;
        Ok(walk.seen.len())
    }

    fn visit(&mut self, position: &Position) -> Result<()> {
        if let Some(is_met) = self.claim.verdict(position) {
            ensure!(is_met, "'{}' does not hold in position {position}", self.claim);
            return Ok(());
        }
        if !self.seen.insert(position.canonical().0) {
            return Ok(());
        }
        let moves = position.legal_moves();
        if position.mover() != self.claim.player {
            return moves.into_iter().try_for_each(|mv| self.visit(&position.after(mv)));
        }
        let Some(mv) = (self.strategy)(position)? else {
            ensure!(self.claim.is_met_soon(position), "no entry for position {position}");
            return Ok(());
        };
        ensure!(moves.contains(&mv), "the entry for position {position} is an illegal move");
        self.visit(&position.after(mv))
    }
}
