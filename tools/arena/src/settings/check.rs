//! What must hold for settings wherever they come from: flags, a file, a record or a plan.

use std::collections::HashSet;

use anyhow::{Context as _, bail, ensure};

use super::{EngineSpec, MatchSettings, OpeningSource, SearchLimits};
use crate::engine::dialect::Proto;
use crate::rules;

/// The largest time anywhere in milliseconds: eleven days. Keeps times far from overflow.
const MAX_TIME: u64 = 1_000_000_000;
/// The largest depth or number of moves.
const MAX_PLIES: u32 = 1_000_000;

impl MatchSettings {
    /// Bounds the cost of the rating computation.
    const MAX_ENGINES: usize = 256;
    /// Keeps game numbers far from overflow.
    const MAX_GAMES: u64 = 1_000_000_000;

    /// Checks what the types cannot express.
    pub fn check(&self) -> anyhow::Result<()> {
        let (games, engines) = (self.games, self.engines.len());
        let (max_games, max_engines) = (MatchSettings::MAX_GAMES, MatchSettings::MAX_ENGINES);
        ensure!(
            (1..=max_games).contains(&games) && games.is_multiple_of(2),
            "games must be an even number in 2..{max_games} (got {games}): every opening is \
             played with both sides"
        );
        ensure!(
            (2..=max_engines).contains(&engines),
            "a match needs 2..{max_engines} engines (got {engines}); add --engine cmd=PROGRAM"
        );
        ensure!(self.seeds >= 1, "seeds must be at least 1 (got 0)");
        let mut names = HashSet::new();
        if let Some(engine) = self.engines.iter().find(|engine| !names.insert(&engine.name)) {
            bail!("duplicate engine name '{}': set name=NAME", engine.name);
        }
        if let Some(sprt) = &self.sprt {
            sprt.check().context("sprt")?;
            ensure!(engines == 2, "sprt: a test compares two engines (got {engines})");
        }
        check_time("margin", self.margin)?;
        check_time("patience", self.patience)?;
        self.adjudication.check()?;
        let title = rules::open(&self.game).context("game")?.title();
        for engine in &self.engines {
            let place = || format!("engine {}", engine.name);
            engine.check(&title).with_context(place)?;
        }
        self.check_openings(&title)
    }

    fn check_openings(&self, title: &str) -> anyhow::Result<()> {
        let lines = match &self.openings {
            OpeningSource::List(lines) => lines,
            OpeningSource::Random { plies, .. } => {
                ensure!(*plies <= MAX_PLIES, "plies must be 0..{MAX_PLIES} (got {plies})");
                return Ok(());
            }
        };
        ensure!(!lines.is_empty(), "openings: expected at least one position");
        let mut game = rules::open(title)?;
        let moves_only =
            self.engines.iter().find(|engine| !engine.proto.dialect().supports_setup());
        for (number, line) in (1..).zip(lines) {
            let place = || format!("opening {number}");
            let position = rules::parse_position(line);
            rules::set_up_opening(&mut *game, &position).with_context(place)?;
            if let (Some(EngineSpec { name, proto, .. }), false) =
                (moves_only, position.setup.is_empty())
            {
                bail!("{}: {name} (proto={proto}) cannot set up positions, only moves", place());
            }
        }
        Ok(())
    }
}

impl EngineSpec {
    /// Checks what the types cannot express, for the game with this title.
    pub fn check(&self, title: &str) -> anyhow::Result<()> {
        ensure!(!self.name.trim().is_empty(), "the name is empty");
        ensure!(!self.command.is_empty(), "missing cmd=PROGRAM");
        let texts = std::iter::once(&self.name)
            .chain(&self.command)
            .chain(self.options.iter().flat_map(|(name, value)| [name, value]));
        for text in texts {
            // A line break in an option would be another command.
            ensure!(!text.contains(char::is_control), "control character in '{}'", text);
        }
        let mut options = HashSet::new();
        if let Some(name) =
            self.options.keys().find(|name| !options.insert(name.to_ascii_lowercase()))
        {
            bail!("option '{name}' is given twice (case does not matter)");
        }
        let dialect = self.proto.dialect();
        dialect.supports(title).map_err(anyhow::Error::msg)?;
        ensure!(!self.ponder || self.proto != Proto::Line, "proto=line cannot ponder");
        if let (Proto::Line, Some(name)) = (self.proto, self.options.keys().next()) {
            bail!("proto=line has no options (got '{name}')");
        }
        self.limits.check()?;
        ensure!(
            self.limits.is_some() || self.proto == Proto::Line,
            "no search limit: set movetime, tc, depth or nodes, for this engine or for all"
        );
        Ok(())
    }
}

impl SearchLimits {
    fn check(&self) -> anyhow::Result<()> {
        let SearchLimits { movetime, depth, nodes, time, inc, moves } = *self;
        for (name, time) in [("movetime", movetime), ("time", time), ("inc", inc)] {
            check_time(name, time.unwrap_or(0))?;
        }
        ensure!(time.is_some() || inc.is_none(), "inc requires time");
        ensure!(time.is_some() || moves.is_none(), "moves requires time");
        ensure!(
            depth.is_none_or(|depth| (1..=MAX_PLIES).contains(&depth)),
            "depth must be 1..{MAX_PLIES} (got {})",
            depth.unwrap_or_default()
        );
        ensure!(movetime != Some(0), "movetime must be at least 1 ms (got 0)");
        ensure!(time != Some(0), "time must be at least 1 ms (got 0)");
        ensure!(nodes != Some(0), "nodes must be at least 1 (got 0)");
        ensure!(moves != Some(0), "moves must be at least 1 (got 0)");
        Ok(())
    }
}

fn check_time(name: &str, milliseconds: u64) -> anyhow::Result<()> {
    ensure!(milliseconds <= MAX_TIME, "{name} must be at most {MAX_TIME} ms (got {milliseconds})");
    Ok(())
}
