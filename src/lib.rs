//! A game engine for Connect Four on any board, Conecta-4 BOOM, Wali and Kalah, with exact solvers.
//!
//! Programs usually run `ratlla` as a process and talk to it in its text protocol. As a library:
//!
//! ```
//! use ratlla::engine::Engine;
//! use ratlla::games::REGISTRY;
//! use ratlla::protocol::command::Go;
//! use ratlla::settings::Settings;
//!
//! let mut engine = Engine::new(REGISTRY.open("connect4", &["6", "7"])?, 16)?; // MiB for its tables
//! engine.game.set_position(&[], &["4", "4", "3"])?;
//! let (go, settings) = (Go { depth: Some(8), ..Go::default() }, Settings::default());
//! let control = engine.game.prepare(&go, &settings, &engine.endgames)?; // stops it from other threads
//! let result = engine.search(&go, &settings, &control, &mut |result| println!("{:?}", result.lines));
//! engine.game.play(result.best_move().expect("the game is not over"))?;
//! println!("{}", engine.game.drawing());
//! # Ok::<(), String>(())
//! ```
//!
//! The exact score of a position of Connect Four, without an engine around it:
//!
//! ```
//! use ratlla::games::connect4::solver::{Position, Solver, SolverLimits};
//!
//! let moves = [4, 4, 4, 4, 4, 4, 3, 7, 6, 3, 2, 2, 2, 3].map(|column| column - 1);
//! let position = Position::from_moves(6, 7, moves)?;
//! let proof = Solver::new(16, 1)?.bounds(&position, &SolverLimits::default(), &mut |_| {});
//! assert_eq!((proof.bounds.lower, proof.bounds.upper), (14, 14)); // as Pascal Pons' solver counts
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Modules
//!
//! - [`engine`]: a game with its tables; [`settings`], [`limits`] and [`protocol`]'s `Go` are what a search
//!   is told, [`search::result`] is what it answers.
//! - [`games`]: the games, and [`registry`], the list of them; [`any_game`]: a game whose moves are words.
//! - [`game`]: the traits of a game, [`strategy`] and [`search`]: what plays it. `examples/nim.rs` adds a
//!   game of its own.
//! - [`session`]: the whole protocol, over any input and output.
//!
//! Other modules are hidden: they are for the tools of the same version, and may change at any time.
//!
//! # Features
//!
//! | feature | brings | needs |
//! | --- | --- | --- |
//! | `cli` (default) | the program, and sessions on threads | the files and threads of a process |
//! | `kalah-book` (default) | the opening book of Kalah, 0.9 MB | |
//!
//! A library needs neither: `default-features = false` leaves the games, the search and the solvers, with few
//! dependencies. They reach the operating system only for memory, files of endgame tables, threads and the
//! clock, and also compile where there is none: `cargo build --lib --no-default-features --target
//! wasm32-unknown-unknown`.

pub mod any_game;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod batch;
#[doc(hidden)]
pub mod bound_table;
pub mod endgames;
pub mod engine;
pub mod explain;
pub mod game;
pub mod games;
pub mod limits;
#[doc(hidden)]
pub mod lines;
#[doc(hidden)]
pub mod platform;
#[cfg(feature = "cli")]
mod position_text;
pub mod protocol;
pub mod registry;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod review;
pub mod search;
pub mod session;
pub mod settings;
pub mod strategy;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod subcommand;
pub mod text;
#[cfg(target_family = "wasm")]
mod wasm;
