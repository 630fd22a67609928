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

#[cfg(test)]
mod tests {
    use super::super::tests::settings;
    use super::super::{
        AdjudicationRules, Balance, DrawRule, ExactRule, ResignRule, TournamentFormat,
    };
    use super::*;
    use crate::stats::sprt::{EloModel, Sprt};

    /// Changes a match of two engines, and returns why the result is refused.
    fn refusal(change: impl FnOnce(&mut MatchSettings)) -> Option<String> {
        let mut settings = settings(2, TournamentFormat::RoundRobin);
        change(&mut settings);
        settings.check().err().map(|error| format!("{error:#}"))
    }

    fn assert_refused(reason: &str, change: impl FnOnce(&mut MatchSettings)) {
        let found = refusal(change).unwrap_or_else(|| panic!("accepted, but: {reason}"));
        assert!(found.contains(reason), "{found}");
    }

    #[test]
    fn every_number_of_a_match_has_limits_and_they_are_exact() {
        type Set = fn(&mut MatchSettings, u64);
        let ranges: [(&str, u64, u64, Set); 3] = [
            ("margin", 0, MAX_TIME, |settings, value| settings.margin = value),
            ("patience", 0, MAX_TIME, |settings, value| settings.patience = value),
            ("plies must be", 0, u64::from(MAX_PLIES), |settings, value| {
                let plies = u32::try_from(value).unwrap();
                settings.openings = OpeningSource::Random { plies, balance: Balance::Search };
            }),
        ];
        for (name, least, most, set) in ranges {
            for value in [least, most] {
                assert_eq!(refusal(|settings| set(settings, value)), None, "{name} {value}");
            }
            assert_refused(name, |settings| set(settings, most + 1));
        }
        for games in [2, MatchSettings::MAX_GAMES] {
            assert_eq!(refusal(|settings| settings.games = games), None);
        }
        for games in [0, 1, 3, MatchSettings::MAX_GAMES + 2] {
            assert_refused("games must be an even number", |settings| settings.games = games);
        }
        assert_refused("seeds must be at least 1", |settings| settings.seeds = 0);
        for (engines, is_fine) in [(0, false), (1, false), (2, true), (256, true), (257, false)] {
            let found = settings(engines, TournamentFormat::RoundRobin).check();
            assert_eq!(found.is_ok(), is_fine, "{engines} engines: {found:?}");
        }
    }

    #[test]
    fn every_search_limit_has_its_own() {
        type Set = fn(&mut SearchLimits, u64);
        let limits: [(&str, u64, Set); 5] = [
            ("movetime", MAX_TIME, |limits, value| limits.movetime = Some(value)),
            ("time", MAX_TIME, |limits, value| limits.time = Some(value)),
            ("nodes", u64::MAX, |limits, value| limits.nodes = Some(value)),
            ("depth", u64::from(MAX_PLIES), |limits, value| {
                limits.depth = Some(u32::try_from(value).unwrap());
            }),
            ("moves", u64::from(u32::MAX), |limits, value| {
                limits.time = Some(1);
                limits.moves = Some(u32::try_from(value).unwrap());
            }),
        ];
        for (name, most, set) in limits {
            for value in [1, most] {
                let found = refusal(|settings| set(&mut settings.engines[1].limits, value));
                assert_eq!(found, None, "{name} {value}");
            }
            let reason = format!("engine e1: {name} must be ");
            assert_refused(&reason, |settings| set(&mut settings.engines[1].limits, 0));
            if most <= MAX_TIME {
                assert_refused(&reason, |settings| set(&mut settings.engines[1].limits, most + 1));
            }
        }
        let with = |limits: SearchLimits| {
            move |settings: &mut MatchSettings| settings.engines[0].limits = limits
        };
        let clock = SearchLimits { time: Some(1), inc: Some(MAX_TIME), ..SearchLimits::default() };
        assert_eq!(refusal(with(clock)), None);
        assert_eq!(refusal(with(SearchLimits { inc: Some(0), ..clock })), None);
        assert_refused(
            "inc must be at most",
            with(SearchLimits { inc: Some(MAX_TIME + 1), ..clock }),
        );
        let depth = SearchLimits { depth: Some(1), ..SearchLimits::default() };
        assert_refused("inc requires time", with(SearchLimits { inc: Some(1), ..depth }));
        assert_refused("moves requires time", with(SearchLimits { moves: Some(1), ..depth }));
        assert_refused("no search limit", with(SearchLimits::default()));
    }

    #[test]
    fn an_engine_is_described_so_that_its_dialect_can_say_it() {
        let with = |change: fn(&mut EngineSpec)| {
            move |settings: &mut MatchSettings| change(&mut settings.engines[1])
        };
        let option = |engine: &mut EngineSpec, name: &str| {
            engine.options.insert(name.to_owned(), "1".to_owned());
        };
        for name in ["", " "] {
            assert_refused("the name is empty", |settings| settings.engines[1].name = name.into());
        }
        assert_refused("missing cmd", with(|engine| engine.command.clear()));
        assert_refused("duplicate engine name 'e0'", with(|engine| engine.name = "e0".into()));
        for change in [
            with(|engine| engine.name = "a\nb".into()),
            with(|engine| engine.command.push("a\u{7f}".into())),
            with(|engine| drop(engine.options.insert("a\r".into(), String::new()))),
            with(|engine| drop(engine.options.insert("a".into(), "\u{85}".into()))),
        ] {
            assert_refused("control character in ", change);
        }
        assert_eq!(refusal(|settings| option(&mut settings.engines[1], "Hash")), None);
        assert_refused("is given twice (case does not matter)", |settings| {
            option(&mut settings.engines[1], "Hash");
            option(&mut settings.engines[1], "hASH");
        });
        // The line dialect has neither options nor pondering, and needs no limits.
        let line = |engine: &mut EngineSpec| {
            (engine.proto, engine.limits) = (Proto::Line, SearchLimits::default());
        };
        assert_eq!(refusal(|settings| line(&mut settings.engines[1])), None);
        assert_refused("proto=line cannot ponder", |settings| {
            line(&mut settings.engines[1]);
            settings.engines[1].ponder = true;
        });
        assert_refused("proto=line has no options (got 'Hash')", |settings| {
            line(&mut settings.engines[1]);
            option(&mut settings.engines[1], "Hash");
        });
        assert_eq!(refusal(with(|engine| engine.ponder = true)), None);
        assert_refused("proto=uci supports only", |settings| {
            settings.game = "boom".into();
            settings.engines[1].proto = Proto::Uci;
        });
    }

    #[test]
    fn openings_are_playable_and_can_be_said_in_every_dialect() {
        let list = |lines: &[&str]| {
            let lines = lines.iter().map(|&line| line.to_owned()).collect();
            move |settings: &mut MatchSettings| settings.openings = OpeningSource::List(lines)
        };
        let set_up = "fen 7/7/7/7/3p3/2PP3[PPPPPPPPPPPPPPPPPPPpppppppppppppppppppp] b - - 0 2";
        assert_eq!(refusal(list(&["startpos", "moves 4 4", set_up])), None);
        assert_refused("expected at least one position", list(&[]));
        assert_refused("opening 2: move 1", list(&["moves 4", "moves 9"]));
        let over = "moves 1 2 1 2 1 2 1";
        assert_refused("opening 1: the game is already over", list(&[over]));
        for proto in [Proto::Uci, Proto::Line] {
            let with = |lines: &[&str]| {
                let list = list(lines);
                move |settings: &mut MatchSettings| {
                    list(settings);
                    settings.engines[1].proto = proto;
                }
            };
            assert_eq!(refusal(with(&["moves 4 4"])), None);
            assert_refused("opening 2: e1 (proto=", with(&["moves 4", set_up]));
        }
    }

    #[test]
    fn a_test_has_two_engines_and_rules_have_counts() {
        let sprt =
            Sprt { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05, model: EloModel::Normalized };
        assert_eq!(refusal(|settings| settings.sprt = Some(sprt)), None);
        let wrong = Sprt { elo1: 0.0, ..sprt };
        assert_refused("sprt: elo0 must be less", |settings| settings.sprt = Some(wrong));
        let mut three = settings(3, TournamentFormat::RoundRobin);
        three.sprt = Some(sprt);
        assert!(three.check().unwrap_err().to_string().contains("compares two engines (got 3)"));
        let draw = DrawRule { movenumber: 0, movecount: 1, score: 0 };
        let resign = ResignRule { movecount: 1, score: 1, twosided: false };
        let exact = ExactRule { nodes: 1, table: None };
        let least = AdjudicationRules {
            draw: Some(draw),
            resign: Some(resign),
            max_moves: Some(1),
            exact: Some(exact.clone()),
        };
        assert_eq!(refusal(|settings| settings.adjudication = least.clone()), None);
        let none = AdjudicationRules::default;
        for (reason, rules) in [
            (
                "movecount must be",
                AdjudicationRules { draw: Some(DrawRule { movecount: 0, ..draw }), ..none() },
            ),
            (
                "movecount must be",
                AdjudicationRules { resign: Some(ResignRule { movecount: 0, ..resign }), ..none() },
            ),
            (
                "resign: score",
                AdjudicationRules { resign: Some(ResignRule { score: 0, ..resign }), ..none() },
            ),
            ("maxmoves must be", AdjudicationRules { max_moves: Some(0), ..none() }),
            (
                "exact: nodes",
                AdjudicationRules { exact: Some(ExactRule { nodes: 0, ..exact }), ..none() },
            ),
        ] {
            assert_refused(reason, |settings| settings.adjudication = rules);
        }
    }
}
