//! Random sequences of commands, all sent to one process: the laws of [`ratlla_checks::model`], each with its
//! negative half, in a process that keeps its tables and threads from one sequence to the next.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Error};
use arbitrary::Unstructured;
use clap::Args;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom as _;
use rand::{Rng as _, RngExt as _, SeedableRng as _};
use ratlla_checks::conversation::{MAX_LINES, next_line};
use ratlla_checks::model::{Expected, Model};
use ratlla_checks::script::{Step, ends_job};
use ratlla_client::{Engine, Launch};
use ratlla_common::progress::bar;

use crate::memory::Samples;
use crate::record::{Destination, Kind, Memory, Under, tenths};

/// Arguments of `sequences`.
#[derive(Args)]
pub struct Arguments {
    /// Number of sequences
    #[arg(long, default_value_t = 100_000)]
    count: usize,
    /// Random seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Engine command line, instead of the built-in engine
    #[arg(long, value_name = "COMMAND")]
    engine: Option<String>,
    /// What that engine runs under, for the record
    #[arg(long, requires = "engine")]
    under: Option<Under>,
    #[command(flatten)]
    destination: Destination,
}

/// How long to wait for a reply.
const TIMEOUT: Duration = Duration::from_secs(60);
/// Number of memory samples.
const SAMPLES: usize = 40;

/// Sends all sequences and prints a summary.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let started = Instant::now();
    let mut rng = SmallRng::seed_from_u64(arguments.seed);
    let launch = match &arguments.engine {
        Some(words) => Launch::from_command_line(words).map_err(Error::msg)?,
        None => Launch::built_in()?,
    };
    let mut client = Client::start(&launch)?;
    let mut model = Model::new();
    let mut samples = Samples::default();
    let (mut best_moves, mut jobs) = (0, 0);
    let bar = bar("sequences", arguments.count);
    for number in 0..arguments.count {
        if number.is_multiple_of((arguments.count / SAMPLES).max(1)) {
            // The same state at each sample.
            for line in ["newgame 6 7", "setoption name Hash value 1", "setoption name Clear Hash"]
            {
                model.send(line.as_bytes());
            }
            client.run(model.take_script())?;
            samples.take(client.engine.id())?;
            bar.set_message(format!("{best_moves} best moves, {samples}"));
        }
        model.send(b"setoption name Threads value 2");
        let mut bytes = vec![0; rng.random_range(10..150)];
        rng.fill_bytes(&mut bytes);
        add_random_lines(&mut Unstructured::new(&bytes), &mut model, &mut rng);
        let (steps, expected) = model.take_script();
        best_moves += expected.best_moves.len();
        jobs += expected.jobs;
        client
            .run((steps, expected))
            .with_context(|| format!("sequence {number} of seed {}", arguments.seed))?;
        bar.inc(1);
    }
    samples.take(client.engine.id())?;
    drop(bar);
    let (seconds, counts) = (started.elapsed().as_secs_f64().round(), jobs - best_moves);
    println!(
        "{} sequences in {seconds} s: {best_moves} go commands, each with one legal best move; {counts} perft counts and trees",
        arguments.count,
    );
    println!("memory: {samples}");
    samples.check()?;
    let memory = samples.figures().map(|figures| figures.map(tenths));
    arguments.destination.put(Kind::Sequences {
        under: arguments.under,
        sequences: arguments.count as u64,
        searches: best_moves as u64,
        counts: Some(counts as u64),
        seconds: Some(seconds as u64),
        memory: memory.map(|[first, last, max]| Memory { first, last, max }),
    })
}

/// Adds random lines to a session, leaving out those that are not UTF-8, and between them lines that must be
/// refused and change nothing.
fn add_random_lines(choices: &mut Unstructured<'_>, model: &mut Model, rng: &mut SmallRng) {
    for _ in 0..MAX_LINES {
        if rng.random_ratio(1, 8)
            && let Some(line) = model.refused_lines().choose(rng)
        {
            model.refuse(line);
        }
        if let Some(line) = next_line(choices, model.game())
            && std::str::from_utf8(&line).is_ok()
        {
            model.send(&line);
        }
    }
}

/// The engine and its output.
struct Client {
    engine: Engine,
    output: Vec<String>,
}

impl Client {
    fn start(launch: &Launch) -> anyhow::Result<Client> {
        Ok(Client { engine: Engine::start(launch)?, output: Vec::new() })
    }

    /// Runs a script and checks the output.
    fn run(&mut self, (steps, expected): (Vec<Step>, Expected)) -> anyhow::Result<()> {
        self.output.clear();
        let lines: Vec<String> =
            steps.iter().map(|step| String::from_utf8_lossy(&step.line).into_owned()).collect();
        let result = self.send(&steps, &expected);
        result
            .and_then(|()| expected.check(&self.output).map_err(Error::msg))
            .with_context(|| format!("{lines:#?}\n{:#?}", self.output))
    }

    fn send(&mut self, steps: &[Step], expected: &Expected) -> anyhow::Result<()> {
        for step in steps {
            self.read_until(step.after_jobs, 0)?;
            self.engine.send(&String::from_utf8_lossy(&step.line))?;
        }
        self.read_until(expected.jobs, 0)?;
        self.engine.send("isready")?;
        self.read_until(expected.jobs, expected.ready + 1)?;
        let last = self.output.iter().rposition(|line| line == "readyok");
        self.output.remove(last.context("no readyok")?);
        Ok(())
    }

    /// Reads until the output has this many ends of jobs and `readyok` lines.
    fn read_until(&mut self, jobs: usize, ready: usize) -> anyhow::Result<()> {
        let count =
            |output: &[String], is: fn(&str) -> bool| output.iter().filter(|line| is(line)).count();
        while count(&self.output, ends_job) < jobs
            || count(&self.output, |line| line == "readyok") < ready
        {
            self.output.push(self.engine.next_line(TIMEOUT)?.text);
        }
        Ok(())
    }
}
