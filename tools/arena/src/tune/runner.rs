//! Plays the iterations of a tuning run. Knows nothing of files or of how values follow from results.

use std::ops::ControlFlow;

use super::record::{Iteration, TuneRecord, TuneSettings, optimiser_after};
use super::spsa::Proposal;
use crate::engine::EngineContext;
use crate::openings::OpeningSuite;
use crate::pool::Pool;
use crate::processors::Schedule;
use crate::settings::Pairing;
use crate::stats::Wdl;

/// A tuning run ready to be played.
pub struct TuneRunner<'a> {
    settings: &'a TuneSettings,
    context: &'a EngineContext,
    openings: OpeningSuite,
    schedule: &'a Schedule,
}

/// The games of an iteration, for the first version.
struct Games {
    wdl: Wdl,
    forfeits: u64,
}

impl<'a> TuneRunner<'a> {
    /// Fails if the settings allow no opening.
    pub fn new(
        settings: &'a TuneSettings,
        context: &'a EngineContext,
        schedule: &'a Schedule,
    ) -> anyhow::Result<TuneRunner<'a>> {
        let openings = OpeningSuite::of(&settings.games)?;
        Ok(TuneRunner { settings, context, openings, schedule })
    }

    /// Plays the iterations missing from `iterations` until the run is complete or cancelled, and
    /// calls `show` after each.
    pub fn run(
        &self,
        iterations: &mut Vec<Iteration>,
        record: &mut TuneRecord,
        show: impl Fn(&Iteration),
    ) -> anyhow::Result<()> {
        let mut spsa = optimiser_after(self.settings, iterations);
        while spsa.pairs() < self.settings.pairs() {
            let proposal = spsa.propose();
            let due = self.settings.batch.min(self.settings.pairs() - spsa.pairs());
            let Some(Games { wdl, forfeits }) = self.play(&proposal, spsa.pairs(), due)? else {
                return Ok(());
            };
            let mut iteration = Iteration {
                pairs: spsa.pairs(),
                plus: self.settings.texts(&proposal.plus),
                minus: self.settings.texts(&proposal.minus),
                wins: wdl.wins,
                draws: wdl.draws,
                losses: wdl.losses,
                forfeits,
                values: Vec::new(),
            };
            iteration.apply(&mut spsa, &proposal);
            iteration.values = spsa.values().to_vec();
            record.add(&iteration)?;
            show(&iteration);
            iterations.push(iteration);
        }
        Ok(())
    }

    /// Plays `pairs` game pairs between both versions, the openings from round `first` on; `None` if
    /// cancelled.
    fn play(&self, proposal: &Proposal, first: u64, pairs: u64) -> anyhow::Result<Option<Games>> {
        let mut settings = self.settings.games.clone();
        for (engine, values) in settings.engines.iter_mut().zip([&proposal.plus, &proposal.minus]) {
            for (parameter, text) in
                self.settings.parameters.iter().zip(self.settings.texts(values))
            {
                engine.options.insert(parameter.name.clone(), text);
            }
        }
        let pairing = |number: u64| Pairing {
            number,
            round: first + number / 2,
            engines: if number.is_multiple_of(2) { [0, 1] } else { [1, 0] },
        };
        let (context, openings, schedule) = (self.context, &self.openings, self.schedule);
        let pool = Pool { settings: &settings, context, openings, schedule };
        let mut games = Games { wdl: Wdl::default(), forfeits: 0 };
        pool.play((0..2 * pairs).map(pairing), |game| {
            games.wdl.add(game.result.half_points()[(game.number % 2) as usize]);
            games.forfeits += u64::from(game.forfeit.is_some());
            Ok(ControlFlow::Continue(()))
        })?;
        Ok((games.wdl.games() == 2 * pairs).then_some(games))
    }
}
