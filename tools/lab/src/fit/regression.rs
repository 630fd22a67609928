//! Logistic regression by Newton's method: no step size to choose, and the same result every time.

use anyhow::{Result, bail};
use indicatif::ProgressBar;

use super::dataset::{Dataset, logistic};

/// Iterations, unless the weights stop changing sooner; from good starts six are usual.
pub const ITERATIONS: usize = 20;
/// The weights have settled when none changes by more than this.
const TOLERANCE: f64 = 1e-6;

/// The weights that minimise the cross-entropy over `data` plus `ridge` / 2 for each squared weight.
pub fn fit(
    data: &Dataset,
    features: usize,
    ridge: f64,
    progress: &ProgressBar,
) -> Result<Vec<f64>> {
    let mut weights = vec![0.0; features];
    for _ in 0..ITERATIONS {
        let (mut matrix, mut gradient) = (Matrix::diagonal(features, ridge), vec![0.0; features]);
        for (weight, gradient) in weights.iter().zip(&mut gradient) {
            *gradient = -ridge * weight;
        }
        for row in data.rows() {
            let predicted = logistic(row.sum(&weights));
            let curvature = row.weight * predicted * (1.0 - predicted);
            let slope = row.weight * (row.expected - predicted);
            for (index, value) in row.features() {
                gradient[index] += slope * value;
                let others = row.features().filter(|&(other, _)| other <= index);
                others.for_each(|(other, factor)| {
                    matrix.row(index)[other] += curvature * value * factor;
                });
            }
        }
        let step = matrix.solve(gradient)?;
        weights.iter_mut().zip(&step).for_each(|(weight, step)| *weight += step);
        progress.inc(1);
        if step.iter().all(|step| step.abs() < TOLERANCE) {
            break;
        }
    }
    Ok(weights)
}

/// The lower half of a symmetric matrix.
struct Matrix {
    size: usize,
    entries: Vec<f64>,
}

impl Matrix {
    fn diagonal(size: usize, value: f64) -> Matrix {
        let mut matrix = Matrix { size, entries: vec![0.0; size * size] };
        (0..size).for_each(|index| matrix.row(index)[index] = value);
        matrix
    }

    fn row(&mut self, row: usize) -> &mut [f64] {
        &mut self.entries[row * self.size..(row + 1) * self.size]
    }

    /// The `x` for which this matrix times `x` is `right`, by Cholesky's method.
    fn solve(mut self, mut right: Vec<f64>) -> Result<Vec<f64>> {
        let size = self.size;
        for row in 0..size {
            for column in 0..=row {
                let (above, below) = self.entries.split_at_mut(row * size);
                let current = &mut below[..size];
                let other = if column == row { &*current } else { &above[column * size..] };
                let dot: f64 =
                    current[..column].iter().zip(&other[..column]).map(|(a, b)| a * b).sum();
                let rest = current[column] - dot;
                if column < row {
                    current[column] = rest / above[column * size + column];
                } else if rest > 0.0 {
                    current[column] = rest.sqrt();
                } else {
                    bail!("feature {row} depends on others: a larger ridge is needed");
                }
            }
        }
        for row in 0..size {
            let known: f64 = (0..row).map(|column| self.row(row)[column] * right[column]).sum();
            right[row] = (right[row] - known) / self.row(row)[row];
        }
        for row in (0..size).rev() {
            let known: f64 = (row + 1..size).map(|below| self.row(below)[row] * right[below]).sum();
            right[row] = (right[row] - known) / self.row(row)[row];
        }
        Ok(right)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_of_equations_is_solved() {
        let mut matrix = Matrix::diagonal(3, 4.0);
        matrix.row(1)[0] = 1.0;
        matrix.row(2)[0] = -2.0;
        matrix.row(2)[1] = 1.0;
        // 4x + y - 2z = 0, x + 4y + z = 12, -2x + y + 4z = 12
        let solution = matrix.solve(vec![0.0, 12.0, 12.0]).unwrap();
        for (found, expected) in solution.iter().zip([1.0, 2.0, 3.0]) {
            assert!((found - expected).abs() < 1e-9, "{solution:?}");
        }
    }

    #[test]
    fn the_weights_that_made_the_data_are_found() {
        let truth = [0.7, -1.3, 0.0];
        let mut data = Dataset::default();
        for n in 0..300 {
            let values = [n % 7, n % 5, n % 3].map(|value| value as f32 - 2.0);
            let features: Vec<_> = values.into_iter().enumerate().collect();
            let sum: f64 = features.iter().map(|&(index, x)| truth[index] * f64::from(x)).sum();
            data.push(&features, logistic(sum), 1.0);
        }
        let weights = fit(&data, 3, 1e-6, &ProgressBar::hidden()).unwrap();
        for (found, expected) in weights.iter().zip(truth) {
            assert!((found - expected).abs() < 1e-3, "{weights:?}");
        }
        let heavy = fit(&data, 3, 1e6, &ProgressBar::hidden()).unwrap();
        assert!(heavy.iter().all(|weight| weight.abs() < 0.01), "{heavy:?}");
    }

    #[test]
    fn a_feature_that_never_occurs_needs_a_ridge() {
        let mut data = Dataset::default();
        data.push(&[(0, 1.0)], 0.7, 1.0);
        assert!(fit(&data, 2, 0.0, &ProgressBar::hidden()).is_err());
        assert_eq!(fit(&data, 2, 0.1, &ProgressBar::hidden()).unwrap()[1], 0.0);
    }
}
