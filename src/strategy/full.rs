//! The playing search, at full strength or weakened to a level.

use rand::RngExt;

use super::{Playable, Prove, Resources, Strategy, rng};
use crate::limits::Limits;
use crate::search::result::{ReportedScore, SearchResult};
use crate::search::score::Score;
use crate::search::{Pruning, SearchRequest, search};
use crate::settings::Settings;

/// Iterative-deepening alpha-beta.
pub struct Full;

impl<G: Playable> Strategy<G> for Full {
    fn choose(
        &self,
        request: &SearchRequest<'_, G>,
        resources: &mut Resources<'_, G>,
        report: &mut dyn FnMut(&SearchResult<G::Move>),
    ) -> SearchResult<G::Move> {
        let SearchRequest { game, settings, .. } = request;
        match Handicap::of_level(settings.level) {
            None => Prove.choose(request, resources, report),
            Some(handicap) => handicap.choose(request, &game.classic_evaluator(resources.endgames)),
        }
    }
}

/// How a level below full strength is weakened: it looks less far and misjudges what it sees.
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

    /// Searches all moves to the level's depth and brings the line to the front that scores best
    /// once every score is off by some random error.
    fn choose<G: Playable>(
        &self,
        request: &SearchRequest<'_, G>,
        evaluator: &G::Evaluator,
    ) -> SearchResult<G::Move> {
        let depth = request.limits.depth.map_or(self.depth, |depth| depth.min(self.depth));
        let limits = Limits { depth: Some(depth), ..request.limits.clone() };
        let settings = Settings { multi_pv: request.moves.len(), ..request.settings.clone() };
        let every_move = SearchRequest { limits: &limits, settings: &settings, ..*request };
        let mut found = search(&every_move, evaluator, Pruning::FULL, &mut |_| {});
        let mut rng = rng(request);
        let mut noisy = |score: Option<ReportedScore>| {
            points(score) + rng.random_range(-self.error..=self.error)
        };
        let noisy: Vec<i32> = found.lines.iter().map(|line| noisy(line.score)).collect();
        let best = (0..noisy.len()).max_by_key(|&index| noisy[index]).unwrap_or(0);
        found.lines[..=best].rotate_right(1);
        found.lines.truncate(request.settings.multi_pv.max(1));
        found
    }
}

/// The score of a searched line as one number.
fn points(score: Option<ReportedScore>) -> i32 {
    match score {
        Some(ReportedScore::Points(points)) => points,
        Some(ReportedScore::Win(plies)) => Score::win_in(plies).points(),
        Some(ReportedScore::Loss(plies)) => Score::loss_in(plies).points(),
        Some(ReportedScore::Draw | ReportedScore::Margin(_)) | None => 0,
    }
}
