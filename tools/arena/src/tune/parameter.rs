//! The options that are tuned: their ranges, and how far they are moved.

use anyhow::{Context as _, bail, ensure};
use serde::{Deserialize, Serialize};

/// The gain ratio at the end of a run, unless the user chooses another: that of fishtest.
const DEFAULT_R_END: f64 = 0.002;
/// The last perturbation, unless the user chooses another: this share of the range.
const DEFAULT_C_END: f64 = 1.0 / 20.0;

/// Beyond this, whole numbers are not exact.
const MAX_VALUE: f64 = 1e15;

/// What values an option takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ParameterKind {
    /// Whole numbers.
    #[serde(alias = "int")]
    Integer,
    /// Any numbers.
    #[serde(alias = "float")]
    Real,
}

/// An option that is tuned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameter {
    /// The name of the option.
    pub name: String,
    /// What values it takes.
    pub kind: ParameterKind,
    /// The value at the start.
    pub start: f64,
    /// The smallest value.
    pub min: f64,
    /// The largest value.
    pub max: f64,
    /// The last perturbation.
    pub c_end: f64,
    /// The last gain, in units of the perturbation.
    pub r_end: f64,
}

impl Parameter {
    /// Checks what the types cannot express. NaN fails every comparison and is refused as well.
    pub fn check(&self) -> anyhow::Result<()> {
        let Parameter { kind, start, min, max, c_end, r_end, .. } = *self;
        let place = || format!("parameter {}", self.name);
        let check = || {
            ensure!(
                min < max && -MAX_VALUE <= min && max <= MAX_VALUE,
                "min must be less than max, both within ±10^15 (got {min} and {max})"
            );
            ensure!((min..=max).contains(&start), "start must be {min}..{max} (got {start})");
            let (least, most) = ((max - min) * 1e-9, max - min);
            ensure!(
                (least..=most).contains(&c_end),
                "c_end must be {least}..{most}, within a billionth and all of the range (got {c_end})"
            );
            ensure!(
                r_end > 0.0 && r_end <= 10.0,
                "r_end must be more than 0 and at most 10 (got {r_end})"
            );
            if kind == ParameterKind::Integer {
                ensure!(
                    min.fract() == 0.0 && max.fract() == 0.0,
                    "the range of an integer must be whole numbers (got {min}..{max})"
                );
                ensure!(c_end >= 0.5, "c_end of an integer must be at least 0.5 (got {c_end})");
            }
            Ok(())
        };
        check().with_context(place)
    }

    /// A value as an engine is told it: within the range, and rounded if it is an integer, up if its
    /// fraction and `dither`, from 0 to 1, make 1.
    pub fn told(&self, value: f64, dither: f64) -> f64 {
        let value = match self.kind {
            ParameterKind::Integer => (value + dither).floor(),
            ParameterKind::Real => significant(value),
        };
        value.clamp(self.min, self.max)
    }

    /// The value at the end of a run.
    pub fn rounded(&self, value: f64) -> f64 {
        self.told(value, 0.5)
    }

    /// A value as `setoption` takes it.
    pub fn text(&self, value: f64) -> String {
        match self.kind {
            ParameterKind::Integer => (value as i64).to_string(),
            ParameterKind::Real => value.to_string(),
        }
    }
}

/// A number with six significant digits: more would pretend a precision that games do not give.
fn significant(value: f64) -> f64 {
    format!("{value:.5e}").parse().unwrap_or(value)
}

/// What an engine says about an option that takes numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Announced {
    /// What values it takes; `None` if that is not known.
    pub kind: Option<ParameterKind>,
    /// Its default.
    pub start: Option<f64>,
    /// The smallest value.
    pub min: Option<f64>,
    /// The largest value.
    pub max: Option<f64>,
}

/// A parameter as users describe it. What is missing comes from what the engine announces.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ParameterConfig {
    /// The name of the option.
    pub name: String,
    /// What values it takes.
    pub kind: Option<ParameterKind>,
    /// The value at the start.
    pub start: Option<f64>,
    /// The smallest value.
    pub min: Option<f64>,
    /// The largest value.
    pub max: Option<f64>,
    /// The last perturbation.
    pub c_end: Option<f64>,
    /// The last gain, in units of the perturbation.
    pub r_end: Option<f64>,
}

impl ParameterConfig {
    /// Parses a file: a line for each parameter with its name, `int` or `float`, start, min, max,
    /// `c_end` and `r_end`, separated by commas. OpenBench takes the same lines.
    pub fn parse_list(text: &str) -> anyhow::Result<Vec<ParameterConfig>> {
        let lines = (1..).zip(text.lines().map(str::trim));
        let given = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        given
            .map(|(number, line)| {
                ParameterConfig::parse_line(line).with_context(|| format!("line {number}"))
            })
            .collect()
    }

    fn parse_line(line: &str) -> anyhow::Result<ParameterConfig> {
        let fields: Vec<&str> = line.split(',').map(str::trim).collect();
        let [name, kind, numbers @ ..] = &fields[..] else {
            bail!("expected name, int or float, start, min, max, c_end, r_end");
        };
        let kind = match *kind {
            "int" | "integer" => ParameterKind::Integer,
            "float" | "real" => ParameterKind::Real,
            other => bail!("expected int or float, got '{}'", other),
        };
        let numbers: Vec<f64> = numbers
            .iter()
            .map(|number| number.parse().with_context(|| format!("not a number: '{}'", number)))
            .collect::<anyhow::Result<_>>()?;
        let [start, min, max, c_end, r_end] = numbers[..] else {
            bail!(
                "expected start, min, max, c_end, r_end after the kind, got {} numbers",
                numbers.len()
            );
        };
        Ok(ParameterConfig {
            name: (*name).to_owned(),
            kind: Some(kind),
            start: Some(start),
            min: Some(min),
            max: Some(max),
            c_end: Some(c_end),
            r_end: Some(r_end),
        })
    }

    /// Fills in what is missing from the option that the engine announces, and checks that the range
    /// is within that of the option.
    pub fn resolve(&self, option: &Announced) -> anyhow::Result<Parameter> {
        let place = || format!("parameter {}", self.name);
        let kind = self.kind.or(option.kind).with_context(|| {
            format!("{}: the engine announces a text, so set kind=int or kind=real", place())
        })?;
        ensure!(
            kind != ParameterKind::Real || option.kind != Some(ParameterKind::Integer),
            "{}: the engine takes whole numbers only",
            place()
        );
        let limit = |own: Option<f64>, theirs: Option<f64>, key: &str| {
            own.or(theirs).with_context(|| format!("{}: {key} is missing", place()))
        };
        let min = limit(self.min, option.min, "min")?;
        let max = limit(self.max, option.max, "max")?;
        ensure!(
            option.min.is_none_or(|least| min >= least)
                && option.max.is_none_or(|most| max <= most),
            "{}: {min}..{max} is not within {}..{}, the range that the engine announces",
            place(),
            option.min.unwrap_or(f64::NEG_INFINITY),
            option.max.unwrap_or(f64::INFINITY)
        );
        let least_c = if kind == ParameterKind::Integer { 0.5 } else { 0.0 };
        let parameter = Parameter {
            name: self.name.clone(),
            kind,
            start: limit(self.start, option.start, "start")?,
            min,
            max,
            c_end: self.c_end.unwrap_or(((max - min) * DEFAULT_C_END).max(least_c)),
            r_end: self.r_end.unwrap_or(DEFAULT_R_END),
        };
        parameter.check()?;
        Ok(parameter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPIN: Announced = Announced {
        kind: Some(ParameterKind::Integer),
        start: Some(3.0),
        min: Some(1.0),
        max: Some(10.0),
    };

    fn config(name: &str) -> ParameterConfig {
        ParameterConfig { name: name.into(), ..ParameterConfig::default() }
    }

    #[test]
    fn ranges_come_from_the_engine() {
        let level = config("Level").resolve(&SPIN).unwrap();
        assert_eq!((level.start, level.min, level.max), (3.0, 1.0, 10.0));
        assert_eq!((level.c_end, level.r_end), (0.5, DEFAULT_R_END));
        let narrow = ParameterConfig { max: Some(5.0), c_end: Some(1.0), ..config("Level") };
        assert_eq!(narrow.resolve(&SPIN).unwrap().max, 5.0);
    }

    #[test]
    fn what_cannot_work_is_refused_with_the_reason() {
        let error = |config: ParameterConfig, option: &Announced| {
            format!("{:#}", config.resolve(option).unwrap_err())
        };
        let wide = ParameterConfig { max: Some(11.0), ..config("Level") };
        assert_eq!(
            error(wide, &SPIN),
            "parameter Level: 1..11 is not within 1..10, the range that the engine announces"
        );
        let real = ParameterConfig { kind: Some(ParameterKind::Real), ..config("Level") };
        assert!(error(real.clone(), &SPIN).contains("whole numbers only"));
        assert!(
            error(config("Weight"), &Announced::default()).contains("set kind=int or kind=real")
        );
        assert!(error(real.clone(), &Announced::default()).contains("min is missing"));
        let range = ParameterConfig { min: Some(0.0), max: Some(1.0), ..real };
        assert!(error(range.clone(), &Announced::default()).contains("start is missing"));
        let outside = ParameterConfig { start: Some(2.0), ..range.clone() };
        assert!(error(outside, &Announced::default()).contains("start must be 0..1 (got 2)"));
        let still = ParameterConfig { start: Some(0.5), c_end: Some(0.0), ..range };
        assert!(error(still, &Announced::default()).contains("c_end must be 0.000000001..1"));
        let fine = ParameterConfig { c_end: Some(0.2), ..config("Level") };
        assert!(error(fine, &SPIN).contains("at least 0.5"));
    }

    #[test]
    fn no_engine_is_told_a_value_out_of_range() {
        for kind in [ParameterKind::Integer, ParameterKind::Real] {
            let one = Parameter { kind, ..config("Level").resolve(&SPIN).unwrap() };
            for (value, told) in [(-7.0, 1.0), (0.99, 1.0), (4.0, 4.0), (10.4, 10.0), (1e9, 10.0)] {
                assert_eq!(one.told(value, 0.0), told, "{kind:?} {value}");
            }
        }
    }

    #[test]
    fn lists_of_openbench_are_read() {
        let text = "# comment\nLevel, int, 3.0, 1.0, 10.0, 0.5, 0.002\n\nWeight, float, .5, 0, 1, .1, .01\n";
        let list = ParameterConfig::parse_list(text).unwrap();
        assert_eq!(list.len(), 2);
        assert_eq!((list[1].name.as_str(), list[1].kind), ("Weight", Some(ParameterKind::Real)));
        assert_eq!(list[1].c_end, Some(0.1));
        for bad in
            ["Level", "Level, int", "Level, text, 1, 2, 3, 4, 5", "Level, int, x, 2, 3, 4, 5"]
        {
            let error = format!("{:#}", ParameterConfig::parse_list(bad).unwrap_err());
            assert!(error.starts_with("line 1: "), "{error}");
        }
    }

    #[test]
    fn values_are_texts_that_engines_read() {
        let real = ParameterConfig {
            kind: Some(ParameterKind::Real),
            start: Some(0.5),
            min: Some(0.0),
            max: Some(1.0),
            ..config("Weight")
        };
        let real = real.resolve(&Announced::default()).unwrap();
        assert_eq!(real.text(real.rounded(1.0 / 3.0)), "0.333333");
        let level = config("Level").resolve(&SPIN).unwrap();
        assert_eq!(level.text(level.rounded(6.7)), "7");
        assert_eq!(level.text(level.rounded(99.0)), "10");
    }
}
