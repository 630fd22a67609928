//! Positions as rows of a sparse matrix, each with what its evaluation should say.

use super::model::Feature;

/// Rows of features, one after the other.
#[derive(Default)]
pub struct Dataset {
    features: Vec<(u32, f32)>,
    /// Where each row ends, and the expected result that it should give.
    rows: Vec<(usize, f32)>,
}

impl Dataset {
    /// Adds a row with the result that is expected of it, from 0 to 1.
    pub fn push(&mut self, features: &[Feature], expected: f64) {
        self.features.extend(features.iter().map(|&(index, value)| (index as u32, value)));
        self.rows.push((self.features.len(), expected as f32));
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// The rows with their expected results.
    pub fn rows(&self) -> impl Iterator<Item = (Row<'_>, f64)> {
        let mut start = 0;
        self.rows.iter().map(move |&(end, expected)| {
            let row = Row(&self.features[start..end]);
            start = end;
            (row, f64::from(expected))
        })
    }

    /// The mean cross-entropy, in bits, of what `weights` expect and what they should.
    pub fn error(&self, weights: &[f64]) -> f64 {
        let bits = |(row, expected): (Row<'_>, f64)| {
            let predicted = logistic(row.sum(weights)).clamp(1e-9, 1.0 - 1e-9);
            -expected * predicted.log2() - (1.0 - expected) * (1.0 - predicted).log2()
        };
        self.rows().map(bits).sum::<f64>() / self.len().max(1) as f64
    }
}

/// The features of one position.
#[derive(Clone, Copy)]
pub struct Row<'a>(&'a [(u32, f32)]);

impl Row<'_> {
    /// The weighted sum of the features.
    pub fn sum(self, weights: &[f64]) -> f64 {
        self.features().map(|(index, value)| weights[index] * value).sum()
    }

    /// The features and their values.
    pub fn features(self) -> impl Iterator<Item = (usize, f64)> + Clone {
        self.0.iter().map(|&(index, value)| (index as usize, f64::from(value)))
    }
}

/// The expected result that an evaluation of `x` stands for.
pub fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}
