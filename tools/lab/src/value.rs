//! Exact values as the record has them: `win 41`, `loss 40`, `draw` or `margin 8`.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The exact value of a position for the side that moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// It wins with this ply.
    Win(u32),
    /// It loses with this ply.
    Loss(u32),
    /// Neither side can win.
    Draw,
    /// It ends with this lead, in games that count more than winning.
    Margin(i32),
}

/// Who has the better end of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Winner {
    /// The player who moves first.
    First,
    /// The other one.
    Second,
    /// Neither.
    Nobody,
}

impl Value {
    /// Who wins.
    pub fn winner(self) -> Winner {
        match self {
            Value::Win(_) => Winner::First,
            Value::Loss(_) => Winner::Second,
            Value::Draw => Winner::Nobody,
            Value::Margin(margin) => match margin.cmp(&0) {
                Ordering::Greater => Winner::First,
                Ordering::Less => Winner::Second,
                Ordering::Equal => Winner::Nobody,
            },
        }
    }

    /// A number that is greater for better values: a fast win is the best, a slow loss the best
    /// of the losses.
    pub fn rank(self) -> i64 {
        const DECIDED: i64 = 1 << 40;
        match self {
            Value::Win(plies) => DECIDED - i64::from(plies),
            Value::Loss(plies) => i64::from(plies) - DECIDED,
            Value::Draw => 0,
            Value::Margin(margin) => i64::from(margin),
        }
    }

    /// The value in as few characters as possible: `+41` is a win with ply 41, `-40` a loss with
    /// ply 40; a margin is itself.
    pub fn short(self) -> String {
        match self {
            Value::Win(plies) => format!("+{plies}"),
            Value::Loss(plies) => format!("-{plies}"),
            Value::Draw => "=".to_owned(),
            Value::Margin(0) => "0".to_owned(),
            Value::Margin(margin) => format!("{margin:+}"),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Win(plies) => write!(f, "win {plies}"),
            Value::Loss(plies) => write!(f, "loss {plies}"),
            Value::Draw => write!(f, "draw"),
            Value::Margin(margin) => write!(f, "margin {margin}"),
        }
    }
}

impl FromStr for Value {
    type Err = String;

    fn from_str(text: &str) -> Result<Value, String> {
        let value = match text.split(' ').collect::<Vec<_>>()[..] {
            ["draw"] => Some(Value::Draw),
            ["win", plies] => plies.parse().ok().map(Value::Win),
            ["loss", plies] => plies.parse().ok().map(Value::Loss),
            ["margin", margin] => margin.parse().ok().map(Value::Margin),
            _ => None,
        };
        value.ok_or_else(|| {
            format!("'{text}' is not a value: expected 'win N', 'loss N', 'draw' or 'margin N'")
        })
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_read_back_and_anything_else_is_refused() {
        for text in ["win 41", "loss 40", "draw", "margin 8", "margin -14", "margin 0"] {
            assert_eq!(text.parse::<Value>().map(|value| value.to_string()), Ok(text.to_owned()));
        }
        for text in ["", "win", "win x", "draw 3", "cp 12", "win  41", "loss -1", "margin 1 2"] {
            assert!(text.parse::<Value>().is_err(), "{text}");
        }
    }

    #[test]
    fn better_values_rank_higher() {
        let ordered = [Value::Loss(2), Value::Loss(40), Value::Draw, Value::Win(41), Value::Win(7)];
        assert!(ordered.is_sorted_by_key(|value| value.rank()));
        assert!(Value::Margin(-2).rank() < Value::Margin(4).rank());
    }
}
