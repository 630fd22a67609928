//! Search limits as users write them, in milliseconds or in the words of other tools.

use std::str::FromStr;

use anyhow::{Context as _, ensure};
use serde::Deserialize;

use crate::settings::SearchLimits;

/// A time control in the notation of cutechess-cli: `[moves/][minutes:]seconds[+increment]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct TimeControl {
    moves: Option<u32>,
    /// In milliseconds.
    time: u64,
    /// In milliseconds.
    inc: Option<u64>,
}

impl FromStr for TimeControl {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<TimeControl> {
        let parse = || {
            let (moves, rest) = match text.split_once('/') {
                Some((moves, rest)) => (Some(moves.parse().ok()?), rest),
                None => (None, text),
            };
            let (time, inc) = match rest.split_once('+') {
                Some((time, inc)) => (time, Some(milliseconds(inc)?)),
                None => (rest, None),
            };
            let (minutes, seconds) = match time.split_once(':') {
                Some((minutes, seconds)) => (minutes.parse::<u32>().ok()?, seconds),
                None => (0, time),
            };
            let time = u64::from(minutes) * 60_000 + milliseconds(seconds)?;
            Some(TimeControl { moves, time, inc })
        };
        parse().with_context(|| {
            format!(
                "expected a time control [moves/][minutes:]seconds[+increment] such as 40/60+0.6, \
                 got '{text}'"
            )
        })
    }
}

impl TryFrom<String> for TimeControl {
    type Error = anyhow::Error;

    fn try_from(text: String) -> anyhow::Result<TimeControl> {
        text.parse()
    }
}

/// A number of seconds, such as `0.1`, in milliseconds.
fn milliseconds(text: &str) -> Option<u64> {
    let is_plain =
        !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let seconds: f64 = if is_plain { text.parse().ok()? } else { return None };
    Some((seconds * 1000.0).round() as u64)
}

/// The limits of an engine, or of all of them.
#[derive(Clone, Copy, Debug, Default)]
pub struct LimitConfig {
    /// Everything but the two below.
    pub plain: SearchLimits,
    /// A time control.
    pub tc: Option<TimeControl>,
    /// Seconds per move.
    pub st: Option<f64>,
}

impl LimitConfig {
    /// The limits; none if nothing is set.
    pub fn limits(&self) -> anyhow::Result<SearchLimits> {
        let LimitConfig { plain: mut limits, tc, st } = *self;
        if let Some(TimeControl { moves, time, inc }) = tc {
            ensure!(limits.time.is_none() && limits.inc.is_none(), "tc excludes time and inc");
            limits = SearchLimits { moves, time: Some(time), inc, ..limits };
        }
        if let Some(seconds) = st {
            ensure!(limits.movetime.is_none(), "st excludes movetime");
            ensure!(
                seconds.is_finite() && seconds >= 0.0,
                "st must not be negative (got {seconds})"
            );
            limits.movetime = Some((seconds * 1000.0).round() as u64);
        }
        Ok(limits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_are_written_as_for_cutechess() {
        let control = |text: &str| {
            let TimeControl { moves, time, inc } = text.parse().ok()?;
            Some((moves, time, inc))
        };
        assert_eq!(control("10"), Some((None, 10_000, None)));
        assert_eq!(control("10+0.1"), Some((None, 10_000, Some(100))));
        assert_eq!(control("40/60+0.6"), Some((Some(40), 60_000, Some(600))));
        assert_eq!(control("40/1:30.5"), Some((Some(40), 90_500, None)));
        assert_eq!(control("0.25"), Some((None, 250, None)));
        for wrong in ["", "x", "40/", "/10", "10+", "-1", "1e9", "inf", "1:2:3", "10+0.1+1", "."] {
            assert_eq!(control(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn two_words_for_one_limit_exclude_each_other() {
        let config = LimitConfig { tc: "1+1".parse().ok(), st: Some(0.05), ..Default::default() };
        let limits = config.limits().unwrap();
        assert_eq!((limits.time, limits.inc, limits.movetime), (Some(1000), Some(1000), Some(50)));
        for plain in [
            SearchLimits { time: Some(1), ..SearchLimits::default() },
            SearchLimits { movetime: Some(1), ..SearchLimits::default() },
        ] {
            assert!(LimitConfig { plain, ..config }.limits().is_err());
        }
    }
}
