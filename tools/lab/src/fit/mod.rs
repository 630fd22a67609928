//! Fits evaluations to games that the engine plays against itself.
//!
//! `fit games` plays them and writes their positions; `fit weights` fits a game's weights to such
//! files by logistic regression and writes them as Rust source for the engine. What a game has to
//! bring is a [`Model`]. `fit network` does the same for Kalah, with a network instead of a sum.
//! docs/dev/training.md has the commands.

mod boom;
mod connect4;
mod dataset;
mod kalah;
mod model;
mod network;
mod record;
mod record_file;
mod regression;
mod self_play;
mod wali;
mod weights;

use anyhow::Result;
use clap::Subcommand;

/// What to do.
#[derive(Subcommand)]
pub enum Command {
    /// Let the engine play against itself and record the positions
    Games(self_play::SelfPlay),
    /// Fit the weights of a game's evaluation to recorded positions
    ///
    /// The errors and the weights are printed; docs/strategies.md explains the features.
    Weights(weights::FitWeights),
    /// Fit the networks of Kalah's evaluation to recorded positions
    Network(kalah::FitNetwork),
}

impl Command {
    /// Runs the subcommand.
    pub fn run(self) -> Result<()> {
        match self {
            Command::Games(self_play) => self_play.run(),
            Command::Weights(fit) => fit.run(),
            Command::Network(fit) => fit.run(),
        }
    }
}
