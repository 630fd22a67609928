//! Repeated measurements of one quantity.

/// Measurements in ascending order. `min`, `max` and `median` need at least one.
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

    /// The number of measurements.
    pub fn count(&self) -> usize {
        self.ascending.len()
    }

    /// The minimum.
    pub fn min(&self) -> f64 {
        self.ascending[0]
    }

    /// The maximum.
    pub fn max(&self) -> f64 {
        self.ascending[self.count() - 1]
    }

    /// The median: unlike the mean, robust against a few disturbed measurements.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(values: &[f64]) -> Sample {
        values.iter().copied().collect()
    }

    #[test]
    fn measurements_come_in_any_order() {
        let sample = sample(&[3.0, 1.0, 2.0, 100.0, 2.0]);
        assert_eq!(sample.count(), 5);
        assert_eq!((sample.min(), sample.median(), sample.max()), (1.0, 2.0, 100.0));
    }

    #[test]
    fn the_median_of_an_even_number_is_the_mean_of_the_middle_two() {
        assert_eq!(sample(&[4.0, 1.0, 2.0, 9.0]).median(), 3.0);
        assert_eq!(sample(&[7.0]).median(), 7.0);
    }
}
