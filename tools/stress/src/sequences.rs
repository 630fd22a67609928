//! Random conversations, one after the other, with one process.

use std::time::{Duration, Instant};

use anyhow::{Context as _, anyhow};
use arbitrary::Unstructured;
use clap::Args;
use rand::rngs::SmallRng;
use rand::{Rng as _, RngExt as _, SeedableRng as _};
use ratlla_client::{Engine, Launch};
use ratlla_fuzzing::conversation::{MOST_LINES, next_line};
use ratlla_fuzzing::model::{Expected, Model};
use ratlla_fuzzing::script::{Step, ends_job};

use crate::memory::Samples;
use crate::progress_bar;

#[derive(Args)]
pub struct Arguments {
    /// How many conversations.
    #[arg(long, default_value_t = 100_000)]
    count: u64,
    /// What all chance depends on.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The program to talk to, and its arguments, instead of the engine that is built in.
    #[arg(long, value_name = "COMMAND")]
    engine: Option<String>,
}

/// A reply that takes longer never comes.
const PATIENCE: Duration = Duration::from_secs(60);
/// How often the memory is looked at.
const SAMPLES: u64 = 40;

/// Holds all conversations and prints what was seen.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let begin = Instant::now();
    let mut rng = SmallRng::seed_from_u64(arguments.seed);
    let launch = match &arguments.engine {
        Some(words) => Launch::from_command_line(words).map_err(anyhow::Error::msg)?,
        None => Launch::built_in()?,
    };
    let mut partner = Partner::start(&launch)?;
    let mut model = Model::new();
    let mut samples = Samples::default();
    let (mut best_moves, mut jobs) = (0, 0);
    let bar = progress_bar(arguments.count, "sequences");
    for number in 0..arguments.count {
        if number.is_multiple_of((arguments.count / SAMPLES).max(1)) {
            // Whatever went before, what is set up is the same at each look.
            for line in ["newgame 6 7", "setoption name Hash value 1", "setoption name Clear Hash"]
            {
                model.take(line.as_bytes());
            }
            partner.hold(model.chapter())?;
            samples.take(partner.engine.id())?;
            bar.set_message(format!("{best_moves} best moves, {samples}"));
        }
        model.take(b"setoption name Threads value 2");
        let mut bytes = vec![0; rng.random_range(10..150)];
        rng.fill_bytes(&mut bytes);
        write(&mut Unstructured::new(&bytes), &mut model);
        let (steps, expected) = model.chapter();
        best_moves += expected.best_moves.len();
        jobs += expected.jobs;
        partner
            .hold((steps, expected))
            .with_context(|| format!("sequence {number} of seed {}", arguments.seed))?;
        bar.inc(1);
    }
    samples.take(partner.engine.id())?;
    bar.finish_and_clear();
    println!(
        "{} sequences in {:.0} s: {best_moves} of {best_moves} best moves came and were legal, {} counts",
        arguments.count,
        begin.elapsed().as_secs_f64(),
        jobs - best_moves,
    );
    println!("memory: {samples}");
    samples.check()
}

/// Adds lines to a session, those that are text: the engine is sent nothing else here.
fn write(choices: &mut Unstructured<'_>, model: &mut Model) {
    for _ in 0..MOST_LINES {
        if let Some(line) = next_line(choices, model.table())
            && std::str::from_utf8(&line).is_ok()
        {
            model.take(&line);
        }
    }
}

/// The engine, and what it says.
struct Partner {
    engine: Engine,
    said: Vec<String>,
}

impl Partner {
    fn start(launch: &Launch) -> anyhow::Result<Partner> {
        Ok(Partner { engine: Engine::start(launch)?, said: Vec::new() })
    }

    /// Takes the steps and checks what is said to them.
    fn hold(&mut self, (steps, expected): (Vec<Step>, Expected)) -> anyhow::Result<()> {
        self.said.clear();
        let lines: Vec<String> =
            steps.iter().map(|step| String::from_utf8_lossy(&step.line).into_owned()).collect();
        let story = |said: &[String]| format!("{lines:#?}\n{said:#?}");
        let result = self.take(&steps, &expected);
        result.with_context(|| story(&self.said))?;
        expected.check(&self.said).map_err(|reason| anyhow!("{reason}\n{}", story(&self.said)))
    }

    fn take(&mut self, steps: &[Step], expected: &Expected) -> anyhow::Result<()> {
        for step in steps {
            self.hear_until(step.after_jobs, 0)?;
            self.engine.send(&String::from_utf8_lossy(&step.line))?;
        }
        self.hear_until(expected.jobs, 0)?;
        self.engine.send("isready")?;
        self.hear_until(expected.jobs, expected.ready + 1)?;
        let last = self.said.iter().rposition(|line| line == "readyok");
        self.said.remove(last.context("it was just heard")?);
        Ok(())
    }

    /// Listens until so many jobs have ended and so many `readyok` were said.
    fn hear_until(&mut self, jobs: usize, ready: usize) -> anyhow::Result<()> {
        let count =
            |said: &[String], is: fn(&str) -> bool| said.iter().filter(|line| is(line)).count();
        while count(&self.said, ends_job) < jobs
            || count(&self.said, |line| line == "readyok") < ready
        {
            self.said.push(self.engine.next_line(PATIENCE)?.text);
        }
        Ok(())
    }
}
