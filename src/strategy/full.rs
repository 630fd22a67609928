//! The full search, at full strength or held back to a level.

use rand::RngExt;

use super::{Line, Playable, SearchRequest, SearchResult, Settings, Strategy};
use crate::limits::Limits;
use crate::search::{self, think};

/// Iterative-deepening alpha-beta on all that the machine gives.
pub struct Full;

impl<G: Playable> Strategy<G> for Full {
    fn choose(
        &self,
        request: &SearchRequest<'_, G>,
        report: &mut dyn FnMut(&SearchResult<G::Move>),
    ) -> SearchResult<G::Move> {
        let handicap = Handicap::of_level(request.settings.level);
        let limits = match &handicap {
            Some(handicap) => handicap.limits(request.limits),
            None => request.limits.clone(),
        };
        let all = request.moves.len();
        let multi_pv = if handicap.is_some() { all } else { request.settings.multi_pv };
        let task = request.task(&limits, multi_pv);
        let evaluator = request.game.evaluator();
        match handicap {
            None => (&think(&task, &evaluator, &mut |found| report(&found.into()))).into(),
            Some(handicap) => {
                let found = think(&task, &evaluator, &mut |_| {});
                (&handicap.spoil(request, found)).into()
            }
        }
    }
}

impl<M: Copy> From<&search::Report<M>> for SearchResult<M> {
    fn from(found: &search::Report<M>) -> SearchResult<M> {
        let line = |line: &search::Line<M>| Line {
            standing: Some(line.value.into()),
            moves: line.moves.clone(),
        };
        SearchResult {
            depth: Some((found.depth, found.selective_depth)),
            lines: found.lines.iter().map(line).collect(),
            nodes: found.nodes,
            leaves: None,
            time: found.time,
            hashfull: Some(found.hashfull),
        }
    }
}

/// What keeps a level below full strength: it looks less far and misjudges what it sees.
struct Handicap {
    depth: u32,
    /// The greatest error in points.
    error: i32,
}

impl Handicap {
    const BY_LEVEL: [Handicap; Settings::FULL_LEVEL as usize - 1] = [
        Handicap { depth: 1, error: 120 },
        Handicap { depth: 1, error: 40 },
        Handicap { depth: 2, error: 40 },
        Handicap { depth: 3, error: 30 },
        Handicap { depth: 4, error: 25 },
        Handicap { depth: 6, error: 20 },
        Handicap { depth: 8, error: 15 },
        Handicap { depth: 10, error: 10 },
        Handicap { depth: 13, error: 5 },
    ];

    fn of_level(level: u8) -> Option<&'static Handicap> {
        Handicap::BY_LEVEL.get(usize::from(level.max(1)) - 1)
    }

    fn limits(&self, asked: &Limits) -> Limits {
        let depth = asked.depth.map_or(self.depth, |depth| depth.min(self.depth));
        Limits { depth: Some(depth), ..asked.clone() }
    }

    /// Brings the line to the front that looks best once every value is off by some random
    /// error.
    fn spoil<G: Playable>(
        &self,
        request: &SearchRequest<'_, G>,
        mut found: search::Report<G::Move>,
    ) -> search::Report<G::Move> {
        let mut rng = request.rng();
        let mut looks = |line: &search::Line<G::Move>| {
            line.value.score.points() + rng.random_range(-self.error..=self.error)
        };
        let noisy: Vec<i32> = found.lines.iter().map(&mut looks).collect();
        let best = (0..noisy.len()).max_by_key(|&index| noisy[index]).unwrap_or(0);
        found.lines[..=best].rotate_right(1);
        found.lines.truncate(request.settings.multi_pv.max(1));
        found
    }
}
