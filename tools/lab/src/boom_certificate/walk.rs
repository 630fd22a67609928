//! What a certificate claims, and the walk through all games that shows it.

use std::collections::HashSet;

use anyhow::{Result, ensure};

use super::rules::Position;

/// What the claimant achieves whatever the other player does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Wins with this move at the latest.
    WinsBy(u16),
    /// Is not beaten before this move.
    UnbeatenBefore(u16),
}

/// A claim about one player, who follows the certificate: the *claimant*.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    pub player: u8,
    pub goal: Goal,
}

impl Claim {
    /// Whether the claim is met, if the position decides it.
    fn verdict(&self, position: &Position) -> Option<bool> {
        let winner = position.winner();
        match self.goal {
            _ if winner.is_some() => Some(winner == Some(self.player)),
            Goal::WinsBy(last) if position.number > last => Some(false),
            Goal::UnbeatenBefore(first) if position.number >= first => Some(true),
            _ => None,
        }
    }

    /// Whether the claimant meets the claim within `plies` moves, by trying everything.
    fn is_met_within(&self, plies: u16, position: &Position) -> bool {
        let after = |mv| self.is_met_within(plies - 1, &position.after(mv));
        let moves = || position.legal_moves().into_iter();
        match self.verdict(position) {
            Some(verdict) => verdict,
            None if plies == 0 => false,
            None if position.mover() == self.player => moves().any(after),
            None => moves().all(after),
        }
    }
}

/// Walks through all games in which the claimant follows a strategy.
pub struct Walk<S> {
    pub claim: Claim,
    /// In positions where trying everything for this many moves is enough, the strategy is not
    /// asked.
    pub plies: u16,
    /// The claimant's move in the next position, asked once for each.
    pub strategy: S,
    /// Undecided positions met so far, of a pair of mirror images the lesser.
    pub seen: HashSet<Position>,
}

impl<S: FnMut(&Position) -> Result<u8>> Walk<S> {
    /// Fails unless the claim is met in every game from here on: depth first, the other player's
    /// moves in ascending order, no position twice.
    pub fn run(&mut self, position: &Position) -> Result<()> {
        if let Some(verdict) = self.claim.verdict(position) {
            ensure!(verdict, "the claim fails: {position}");
            return Ok(());
        }
        if !self.seen.insert(position.canonical()) {
            return Ok(());
        }
        if position.mover() != self.claim.player {
            return position.legal_moves().into_iter().try_for_each(|mv| self.run(&position.after(mv)));
        }
        if self.claim.is_met_within(self.plies, position) {
            return Ok(());
        }
        let mv = (self.strategy)(position)?;
        ensure!(position.legal_moves().contains(&mv), "move {mv} is illegal: {position}");
        self.run(&position.after(mv))
    }
}
