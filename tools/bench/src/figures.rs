//! Figures as text.

use indicatif::HumanCount;

/// A number of millions.
pub fn millions(value: f64) -> String {
    format!("{:.2} M", value / 1e6)
}

/// A time in seconds, with three significant digits.
pub fn duration(seconds: f64) -> String {
    let (value, unit) = match seconds.abs() {
        small if small < 1e-3 => (seconds * 1e6, "µs"),
        middle if middle < 1.0 => (seconds * 1e3, "ms"),
        _ => (seconds, "s"),
    };
    let decimals = match value.abs() {
        small if small < 9.995 => 2,
        middle if middle < 99.95 => 1,
        _ => 0,
    };
    format!("{value:.decimals$} {unit}")
}

/// A mean count.
pub fn mean(value: f64) -> String {
    if value < 1000.0 { format!("{value:.1}") } else { count(value.round() as u64) }
}

/// A count, with its digits in groups of three.
pub fn count(value: u64) -> String {
    HumanCount(value).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_significant_decimals() {
        assert_eq!(millions(8_316_000.0), "8.32 M");
        for (seconds, text) in [
            (1.42e-6, "1.42 µs"),
            (77e-6, "77.0 µs"),
            (570e-6, "570 µs"),
            (2.89e-3, "2.89 ms"),
            (-3.456e-3, "-3.46 ms"),
            (43.5, "43.5 s"),
        ] {
            assert_eq!(duration(seconds), text);
        }
        assert_eq!(mean(8.06), "8.1");
        assert_eq!(mean(208_123.4), "208,123");
    }
}
