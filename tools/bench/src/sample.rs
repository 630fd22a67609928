//! Repeated measurements of one thing, and whether they reach a target.

use crate::tables::{millions, milliseconds};

/// Repeated measurements of one thing: at least one when it is asked about.
#[derive(Clone, Debug, Default)]
pub struct Sample {
    ascending: Vec<f64>,
}

impl Sample {
    /// Adds a measurement.
    pub fn add(&mut self, value: f64) {
        let place = self.ascending.partition_point(|&other| other <= value);
        self.ascending.insert(place, value);
    }

    /// How many measurements there are.
    pub fn count(&self) -> usize {
        self.ascending.len()
    }

    /// The least.
    pub fn min(&self) -> f64 {
        self.ascending[0]
    }

    /// The greatest.
    pub fn max(&self) -> f64 {
        self.ascending[self.count() - 1]
    }

    /// The one in the middle, or the mean of the two in the middle. Unlike the mean of all, it
    /// does not mind a few that were disturbed.
    pub fn median(&self) -> f64 {
        let middle = self.count() / 2;
        if self.count() % 2 == 1 {
            self.ascending[middle]
        } else {
            (self.ascending[middle - 1] + self.ascending[middle]) / 2.0
        }
    }
}

impl FromIterator<f64> for Sample {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Sample {
        let mut sample = Sample::default();
        values.into_iter().for_each(|value| sample.add(value));
        sample
    }
}

/// What a figure should be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Target {
    /// At least so many nodes per second.
    NodesPerSecond(f64),
    /// At most so many milliseconds.
    WithinMilliseconds(f64),
    /// Less than so many milliseconds.
    BelowMilliseconds(f64),
    /// Anything: the figure is only shown.
    Open,
}

impl Target {
    /// The target and whether `figure` meets it, as two cells of a table.
    pub fn cells(self, figure: f64) -> [String; 2] {
        let (text, met) = match self {
            Target::NodesPerSecond(least) => (format!(">= {}", millions(least)), figure >= least),
            Target::WithinMilliseconds(most) => {
                (format!("<= {}", milliseconds(most)), figure <= most)
            }
            Target::BelowMilliseconds(bound) => {
                (format!("< {}", milliseconds(bound)), figure < bound)
            }
            Target::Open => return [String::new(), String::new()],
        };
        [text, if met { "✓ met" } else { "✗ missed" }.to_owned()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(values: &[f64]) -> Sample {
        values.iter().copied().collect()
    }

    #[test]
    fn order_does_not_matter() {
        let sample = sample(&[3.0, 1.0, 2.0, 100.0, 2.0]);
        assert_eq!(sample.count(), 5);
        assert_eq!((sample.min(), sample.median(), sample.max()), (1.0, 2.0, 100.0));
    }

    #[test]
    fn the_median_of_an_even_number_lies_between() {
        assert_eq!(sample(&[4.0, 1.0, 2.0, 9.0]).median(), 3.0);
        assert_eq!(sample(&[7.0]).median(), 7.0);
    }

    #[test]
    fn targets_are_met_or_missed() {
        let met = |target: Target, figure| target.cells(figure)[1] == "✓ met";
        assert!(met(Target::NodesPerSecond(8e6), 8e6) && !met(Target::NodesPerSecond(8e6), 7.9e6));
        assert!(met(Target::WithinMilliseconds(10.0), 10.0));
        assert!(!met(Target::BelowMilliseconds(50.0), 50.0));
        assert_eq!(Target::Open.cells(1.0), ["", ""]);
        assert_eq!(Target::NodesPerSecond(8e6).cells(9e6), [">= 8.00 M", "✓ met"]);
    }
}
