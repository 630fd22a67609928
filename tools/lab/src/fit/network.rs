//! A network with one hidden layer, fitted by stochastic gradient descent (Adam).
//!
//! A position is a list of vectors, which are added, and a lead, which counts as it is. See
//! `ratlla::games::kalah::house_network` for what the network computes from them.

use indicatif::ProgressBar;
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use ratlla::games::kalah::house_network::HIDDEN;

use super::dataset::logistic;

/// Examples from which one step is computed.
const BATCH: usize = 1024;
/// The first step size; it falls to 0 as a cosine.
const STEP_SIZE: f32 = 0.005;
/// How much a vector shrinks in each step, in step sizes: what is rare stays small.
const DECAY: f32 = 1e-4;
/// What is left of the gradient of a clipped component, so that it does not stay clipped for ever.
const LEAK: f32 = 0.01;
/// The averages of Adam: how much of the last one is kept for the gradient and for its square.
const MOMENTUM: [f32; 2] = [0.9, 0.999];

/// A position and the result that is expected of it, from 0 to 1.
pub struct Example {
    /// The places of its vectors.
    pub vectors: Vec<u16>,
    /// What its evaluation begins with, in units of the caller.
    pub lead: f32,
    /// From 0 for a loss to 1 for a win.
    pub expected: f32,
}

/// The parameters: all vectors, the weights of the components, a constant and the weight of the lead.
/// Their weighted sum is the logarithm of the odds to win.
pub struct Network {
    parameters: Vec<f32>,
    vectors: usize,
}

impl Network {
    /// Fits a network with this many vectors to `examples`, seeing each of them `epochs` times.
    pub fn fit(
        examples: &[Example],
        vectors: usize,
        epochs: usize,
        seed: u64,
        progress: &ProgressBar,
    ) -> Network {
        let mut rng = SmallRng::seed_from_u64(seed);
        let mut network = Network::random(vectors, &mut rng);
        let mut order: Vec<usize> = (0..examples.len()).collect();
        let steps = epochs * examples.len().div_ceil(BATCH);
        let mut adam = Adam::new(network.parameters.len());
        for _ in 0..epochs {
            order.shuffle(&mut rng);
            for batch in order.chunks(BATCH) {
                let mut gradient = vec![0.0; network.parameters.len()];
                for &index in batch {
                    network.add_gradient(&examples[index], 1.0 / batch.len() as f32, &mut gradient);
                }
                let done = adam.steps as f32 / steps as f32;
                let size = STEP_SIZE * (0.5 + 0.5 * (std::f32::consts::PI * done).cos());
                adam.step(&mut network.parameters, &gradient, size);
                let shrink = 1.0 - size * DECAY;
                network.parameters[..vectors * HIDDEN].iter_mut().for_each(|x| *x *= shrink);
            }
            progress.inc(1);
        }
        network
    }

    fn random(vectors: usize, rng: &mut SmallRng) -> Network {
        let mut around_0 = |width: f32| (rng.random::<f32>() - 0.5) * width;
        let mut parameters: Vec<f32> = (0..vectors * HIDDEN).map(|_| around_0(0.2)).collect();
        parameters.extend((0..HIDDEN).map(|_| around_0(2.0)));
        parameters.extend([0.0, 0.1]);
        Network { parameters, vectors }
    }

    /// A vector.
    pub fn vector(&self, place: usize) -> &[f32; HIDDEN] {
        self.parameters[place * HIDDEN..].first_chunk().expect("a vector")
    }

    /// The weights of the components.
    pub fn weights(&self) -> &[f32; HIDDEN] {
        self.vector(self.vectors)
    }

    /// What is always added.
    pub fn constant(&self) -> f32 {
        self.parameters[(self.vectors + 1) * HIDDEN]
    }

    /// The weight of the lead.
    pub fn lead_weight(&self) -> f32 {
        self.parameters[(self.vectors + 1) * HIDDEN + 1]
    }

    fn hidden(&self, example: &Example) -> [f32; HIDDEN] {
        let mut sum = [0.0; HIDDEN];
        for &place in &example.vectors {
            sum.iter_mut().zip(self.vector(place.into())).for_each(|(sum, x)| *sum += x);
        }
        sum
    }

    /// The expected result where the sum of the vectors is `hidden`.
    fn output(&self, example: &Example, hidden: &[f32; HIDDEN]) -> f32 {
        let weighted = hidden.iter().zip(self.weights()).map(|(x, w)| x.clamp(0.0, 1.0) * w);
        let lead = self.lead_weight() * example.lead;
        logistic(f64::from(weighted.sum::<f32>() + self.constant() + lead)) as f32
    }

    /// The mean squared error.
    pub fn error(&self, examples: &[Example]) -> f64 {
        let square = |example: &Example| {
            let expected = self.output(example, &self.hidden(example));
            f64::from(expected - example.expected).powi(2)
        };
        examples.iter().map(square).sum::<f64>() / examples.len().max(1) as f64
    }

    /// Adds `share` of the gradient of the cross-entropy.
    fn add_gradient(&self, example: &Example, share: f32, gradient: &mut [f32]) {
        let hidden = self.hidden(example);
        let error = (self.output(example, &hidden) - example.expected) * share;
        let after_vectors = self.vectors * HIDDEN;
        let mut back = [0.0; HIDDEN];
        for (unit, &component) in hidden.iter().enumerate() {
            gradient[after_vectors + unit] += error * component.clamp(0.0, 1.0);
            let slope = if (0.0..1.0).contains(&component) { 1.0 } else { LEAK };
            back[unit] = error * self.weights()[unit] * slope;
        }
        gradient[after_vectors + HIDDEN] += error;
        gradient[after_vectors + HIDDEN + 1] += error * example.lead;
        for &place in &example.vectors {
            let place = usize::from(place) * HIDDEN;
            gradient[place..place + HIDDEN].iter_mut().zip(&back).for_each(|(g, b)| *g += b);
        }
    }
}

/// The state of Adam: averages of the gradient and of its square.
struct Adam {
    steps: i32,
    mean: Vec<f32>,
    square: Vec<f32>,
}

impl Adam {
    fn new(parameters: usize) -> Adam {
        Adam { steps: 0, mean: vec![0.0; parameters], square: vec![0.0; parameters] }
    }

    fn step(&mut self, parameters: &mut [f32], gradient: &[f32], size: f32) {
        const TINY: f32 = 1e-8;
        self.steps += 1;
        let [keep, keep_square] = MOMENTUM;
        let [begun, begun_square] = MOMENTUM.map(|keep| 1.0 - keep.powi(self.steps));
        let averages = self.mean.iter_mut().zip(&mut self.square);
        for ((parameter, gradient), (mean, square)) in
            parameters.iter_mut().zip(gradient).zip(averages)
        {
            *mean = keep * *mean + (1.0 - keep) * gradient;
            *square = keep_square * *square + (1.0 - keep_square) * gradient * gradient;
            *parameter -= size * (*mean / begun) / ((*square / begun_square).sqrt() + TINY);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Won if just one of two switches is on, which no sum over switches can say; the lead counts
    /// besides.
    fn examples() -> Vec<Example> {
        let cases = (0..4u16).flat_map(|n| [-1.0, 0.0, 1.0].map(|lead| (n / 2, n % 2, lead)));
        let example = |(first, second, lead): (u16, u16, f32)| {
            let logit = if first == second { -2.0 } else { 2.0 } + lead;
            let expected = logistic(f64::from(logit)) as f32;
            Example { vectors: vec![first, 2 + second], lead, expected }
        };
        cases.map(example).cycle().take(3000).collect()
    }

    #[test]
    fn combinations_are_learnt() {
        let network = Network::fit(&examples(), 4, 1000, 1, &ProgressBar::hidden());
        let error = network.error(&examples());
        assert!(error < 0.002, "{error}");
        assert!((network.lead_weight() - 1.0).abs() < 0.1, "{}", network.lead_weight());
    }

    #[test]
    fn vectors_that_no_example_has_decay() {
        let size = |network: &Network| network.vector(4).iter().map(|x| x.abs()).sum::<f32>();
        let before = size(&Network::random(5, &mut SmallRng::seed_from_u64(7)));
        let after = size(&Network::fit(&examples(), 5, 20, 7, &ProgressBar::hidden()));
        assert!(0.0 < after && after < before, "{before} to {after}");
    }

    #[test]
    fn the_error_is_a_mean() {
        let network = Network::fit(&examples(), 4, 2, 7, &ProgressBar::hidden());
        let examples = &examples()[..3];
        let sum: f64 = examples.iter().map(|it| network.error(std::slice::from_ref(it))).sum();
        assert!(sum > 0.01 && (network.error(examples) - sum / 3.0).abs() < 1e-9, "{sum}");
        assert_eq!(network.error(&[]), 0.0);
    }

    #[test]
    fn a_seed_gives_the_same_network() {
        let fit = |seed| Network::fit(&examples(), 4, 2, seed, &ProgressBar::hidden()).parameters;
        assert_eq!(fit(7), fit(7));
        assert_ne!(fit(7), fit(8));
    }
}
