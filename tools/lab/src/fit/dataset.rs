//! Positions as rows of a sparse matrix, each with what its evaluation should say.

use super::model::Feature;

/// Rows of features, one after the other.
#[derive(Default)]
pub struct Dataset {
    features: Vec<(u32, f32)>,
    rows: Vec<RowEnd>,
}

struct RowEnd {
    /// The number of features up to here.
    end: usize,
    /// The result that the row should give, from 0 to 1.
    expected: f32,
    /// How much it counts.
    weight: f32,
}

impl Dataset {
    /// Adds a row with the result that is expected of it, from 0 to 1, and how much it counts.
    pub fn push(&mut self, features: &[Feature], expected: f64, weight: f64) {
        self.features.extend(features.iter().map(|&(index, value)| (index as u32, value)));
        let (expected, weight) = (expected as f32, weight as f32);
        self.rows.push(RowEnd { end: self.features.len(), expected, weight });
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// The rows.
    pub fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        let mut start = 0;
        self.rows.iter().map(move |&RowEnd { end, expected, weight }| {
            let features = &self.features[start..end];
            start = end;
            Row { features, expected: expected.into(), weight: weight.into() }
        })
    }

    /// The mean cross-entropy, in bits, of what `weights` expect and what they should.
    pub fn error(&self, weights: &[f64]) -> f64 {
        let bits = |row: Row<'_>| {
            let predicted = logistic(row.sum(weights)).clamp(1e-9, 1.0 - 1e-9);
            let lost = (1.0 - row.expected) * (1.0 - predicted).log2();
            row.weight * -(row.expected * predicted.log2() + lost)
        };
        self.rows().map(bits).sum::<f64>() / self.rows().map(|row| row.weight).sum::<f64>()
    }
}

/// One position.
#[derive(Clone, Copy)]
pub struct Row<'a> {
    features: &'a [(u32, f32)],
    /// The result that it should give.
    pub expected: f64,
    /// How much it counts.
    pub weight: f64,
}

impl Row<'_> {
    /// The weighted sum of the features.
    pub fn sum(self, weights: &[f64]) -> f64 {
        self.features().map(|(index, value)| weights[index] * value).sum()
    }

    /// The features and their values.
    pub fn features(self) -> impl Iterator<Item = (usize, f64)> + Clone {
        self.features.iter().map(|&(index, value)| (index as usize, f64::from(value)))
    }
}

/// The expected result that an evaluation of `x` stands for.
pub fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}
