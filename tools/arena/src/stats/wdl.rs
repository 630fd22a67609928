//! Wins, draws and losses.

use std::fmt;

/// Wins, draws and losses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wdl {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Wdl {
    /// Counts a game in which these half points were made.
    pub fn add(&mut self, half_points: u64) {
        match half_points {
            2 => self.wins += 1,
            1 => self.draws += 1,
            _ => self.losses += 1,
        }
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points; a draw is half a point.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Points per game; `None` without games.
    pub fn score(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.points() / self.games() as f64)
    }
}

impl fmt::Display for Wdl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "+{} ={} -{}", self.wins, self.draws, self.losses)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draw_is_half_a_point() {
        let mut wdl = Wdl::default();
        assert_eq!(wdl.score(), None);
        for half_points in [2, 2, 2, 1, 1, 0] {
            wdl.add(half_points);
        }
        assert_eq!(wdl, Wdl { wins: 3, draws: 2, losses: 1 });
        assert_eq!((wdl.games(), wdl.points(), wdl.score()), (6, 4.0, Some(4.0 / 6.0)));
        assert_eq!(wdl.to_string(), "+3 =2 -1");
    }
}
