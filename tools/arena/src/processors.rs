//! The processors of this machine: how many games they can play at the same time without disturbing
//! each other's clocks, and which engines run on which. Knows nothing of how games are played.

use std::num::NonZeroUsize;
use std::str::FromStr;

use anyhow::{Context as _, ensure};
use serde::Deserialize;

use crate::affinity;
use crate::settings::MatchSettings;

/// Processor numbers are below this.
const MAX_PROCESSORS: usize = 1024;

/// Processors by number, as in `0,2-5`; an empty list stands for all that this process may use.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct CpuList(Vec<usize>);

impl FromStr for CpuList {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<CpuList> {
        let mut list = Vec::new();
        for part in text.split(',').filter(|_| !text.is_empty()) {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let bounds = (first.trim().parse::<usize>().ok()).zip(last.trim().parse().ok());
            let bounds = bounds.filter(|&(first, last)| first <= last && last < MAX_PROCESSORS);
            let (first, last) = bounds.with_context(|| {
                format!("expected processors such as 0,2-5 below {MAX_PROCESSORS}, got '{text}'")
            })?;
            list.extend(first..=last);
        }
        list.sort_unstable();
        list.dedup();
        Ok(CpuList(list))
    }
}

impl TryFrom<String> for CpuList {
    type Error = anyhow::Error;

    fn try_from(text: String) -> anyhow::Result<CpuList> {
        text.parse()
    }
}

/// How many processors a game of the match keeps busy: one for each thread of the engine that
/// thinks, and of the other one if it ponders.
pub fn per_game(settings: &MatchSettings) -> usize {
    let threads = |options: &std::collections::BTreeMap<String, String>| {
        let value = options.iter().find(|(name, _)| name.eq_ignore_ascii_case("Threads"));
        value.and_then(|(_, value)| value.parse().ok()).unwrap_or(1).max(1)
    };
    let mut threads: Vec<usize> =
        settings.engines.iter().map(|engine| threads(&engine.options)).collect();
    threads.sort_unstable_by(|a, b| b.cmp(a));
    let thinking = if settings.engines.iter().any(|engine| engine.ponder) { 2 } else { 1 };
    threads.iter().take(thinking).sum()
}

/// How the games of a match share the processors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// Games at the same time.
    pub concurrency: NonZeroUsize,
    /// The processors of each of them, if they are bound.
    pub bound: Option<Vec<Vec<usize>>>,
    /// What the user should know before trusting the clocks.
    pub warning: Option<String>,
}

impl Schedule {
    /// Shares `processors` among `wanted` games that keep `per_game` of them busy each. Unless
    /// `forced`, no more games are played at the same time than that allows.
    pub fn new(
        wanted: NonZeroUsize,
        per_game: usize,
        processors: &[usize],
        forced: bool,
        affinity: Option<&CpuList>,
    ) -> anyhow::Result<Schedule> {
        let count = processors.len();
        let most = NonZeroUsize::new(count / per_game).unwrap_or(NonZeroUsize::MIN);
        let needed = wanted.get().saturating_mul(per_game);
        let busy = if per_game == 1 {
            String::new()
        } else {
            format!(" that keep {per_game} processors busy each")
        };
        let mut warning = None;
        let mut concurrency = wanted;
        if needed > count && forced {
            warning = Some(format!(
                "{wanted} concurrent games{busy} on {count} processors: engines will slow each \
                 other down"
            ));
        } else if wanted > most {
            concurrency = most;
            warning = Some(format!(
                "playing {most} instead of {wanted} concurrent games{busy}: there are {count} \
                 processors (--force-concurrency overrides this)"
            ));
        } else if needed > count {
            warning =
                Some(format!("a game keeps {per_game} processors busy, and there are {count}"));
        }
        let bound = affinity
            .map(|CpuList(list)| {
                ensure!(affinity::IS_SUPPORTED, "affinity is available on Linux only");
                let list = if list.is_empty() { processors } else { list };
                let missing = list.iter().find(|cpu| !processors.contains(cpu));
                ensure!(missing.is_none(), "processor {} is not available", missing.unwrap_or(&0));
                let needed = concurrency.get() * per_game;
                ensure!(
                    needed <= list.len(),
                    "affinity: {concurrency} concurrent games{busy} need {needed} processors (got {})",
                    list.len()
                );
                Ok(list.chunks_exact(per_game).take(concurrency.get()).map(<[_]>::to_vec).collect())
            })
            .transpose()?;
        Ok(Schedule { concurrency, bound, warning })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::TournamentFormat;
    use crate::settings::tests::settings;

    fn schedule(wanted: usize, per_game: usize, forced: bool, affinity: Option<&str>) -> Schedule {
        let affinity = affinity.map(|text| text.parse().unwrap());
        let wanted = NonZeroUsize::new(wanted).unwrap();
        Schedule::new(wanted, per_game, &[0, 1, 2, 3], forced, affinity.as_ref()).unwrap()
    }

    #[test]
    fn games_are_limited_by_the_processors_unless_forced() {
        let games = |wanted, per_game, forced| {
            let schedule = schedule(wanted, per_game, forced, None);
            (schedule.concurrency.get(), schedule.warning.is_some())
        };
        assert_eq!(games(4, 1, false), (4, false));
        assert_eq!(games(5, 1, false), (4, true));
        assert_eq!(games(5, 1, true), (5, true));
        assert_eq!(games(2, 2, false), (2, false));
        assert_eq!(games(3, 2, false), (2, true));
        // A single game is always played.
        assert_eq!(games(1, 9, false), (1, true));
    }

    #[test]
    fn each_game_has_processors_of_its_own() {
        assert_eq!(schedule(2, 2, false, Some("")).bound, Some(vec![vec![0, 1], vec![2, 3]]));
        assert_eq!(schedule(2, 1, false, Some("3,1")).bound, Some(vec![vec![1], vec![3]]));
        let wanted = NonZeroUsize::new(2).unwrap();
        for list in ["1", "7-8"] {
            let list = list.parse().ok();
            assert!(Schedule::new(wanted, 1, &[0, 1, 2, 3], false, list.as_ref()).is_err());
        }
        let list = |text: &str| text.parse::<CpuList>().map(|CpuList(list)| list).ok();
        assert_eq!(list("5-5, 1-2,2"), Some(vec![1, 2, 5]));
        assert_eq!(list("1022-1023"), Some(vec![1022, 1023]));
        for wrong in ["x", "3-1", "1,,2", "0-99999999", "1024", "1023-1024"] {
            assert!(wrong.parse::<CpuList>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn threads_and_pondering_keep_more_processors_busy() {
        let mut settings = settings(3, TournamentFormat::RoundRobin);
        assert_eq!(per_game(&settings), 1);
        settings.engines[1].options.insert("threads".into(), "4".into());
        assert_eq!(per_game(&settings), 4);
        settings.engines[0].ponder = true;
        assert_eq!(per_game(&settings), 5);
    }
}
