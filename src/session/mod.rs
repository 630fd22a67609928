//! The session: one conversation with one client.
//!
//! One loop owns all state and is the only writer of the output. While a search runs, the game
//! and the transposition table belong to the thread that thinks, so nothing can change under
//! it: the session is either [`State::Idle`], with the engine at hand, or [`State::Busy`], with
//! nothing but the signals that reach the search.

pub(crate) mod input;
mod options;
pub mod output;
mod strength;
mod worker;

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read, Write as _};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded, never, select};

use crate::game::Side;
use crate::games::{self, kalah, wali};
use crate::protocol::command::{Command, Go, Query};
use crate::protocol::dialect::Dialect;
use crate::protocol::parse::{COMMANDS, parse_line};
use crate::protocol::reply::{Manner, Reply};
use crate::search::limits::{Clock, Limits, Signals};
use crate::search::transpositions::Transpositions;
use crate::strategy::{self, Settings};
use crate::table::{Table, outcome_text, shown};
use input::{Input, read_lines};
use options::{Effect, Options};
use output::{Destination, Output};
use worker::{Aim, Engine, Event, Job, Thought};

/// How a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// As it should.
    Good,
    /// The one command it was started for was refused.
    Refused,
}

/// A search says how far it has come when it was silent for so long.
const HEARTBEAT: Duration = Duration::from_secs(1);
/// After `quit`, a reader who takes nothing for so long is not waited for.
const QUIT_PATIENCE: Duration = Duration::from_secs(2);
/// After the end of the input neither, but people may pause before they read on.
const END_PATIENCE: Duration = Duration::from_secs(600);
/// Lines that wait for the end of a search take at most so much memory; then reading pauses.
const WAITING_BYTES: usize = 64 << 20;

/// Obeys the commands in `input` until it ends or says `quit`.
///
/// With `only` given, obeys that command and ends; `input` is then only heard while it runs.
/// A reader that goes away ends the session, quietly. One that takes nothing is waited for, but
/// after `quit` or the end of the input not without end.
pub fn run(
    input: impl Read + Send + 'static,
    output: impl Destination,
    only: Option<String>,
) -> io::Result<Ending> {
    let mut session = Session::new(Output::new(output)?).map_err(io::Error::other)?;
    let result = session.serve(&read_lines(input)?, only);
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Ending::Good),
        result => result,
    }
}

enum State {
    Idle(Box<Engine>),
    Busy {
        signals: Arc<Signals>,
        /// Whether only a signal can end the search.
        endless: bool,
        /// When the search last said something.
        heard: Instant,
    },
    /// Between the two, while a command is carried out.
    Moving,
}

/// What a line says, nothing, or what is wrong with it.
type Parsed = Result<Option<Command>, String>;

/// A line that waits for the end of a search.
struct Waiting {
    line: Vec<u8>,
    /// Whether a `stop` came after it: what it starts is stopped at once.
    stopped: bool,
}

struct Session<D> {
    output: Output<D>,
    log: Option<File>,
    dialect: Dialect,
    options: Options,
    state: State,
    events: (Sender<Event>, Receiver<Event>),
    waiting: VecDeque<Waiting>,
    waiting_bytes: usize,
    input_ended: bool,
    quitting: bool,
    refused: bool,
}

impl<D: Destination> Session<D> {
    fn new(output: Output<D>) -> Result<Session<D>, String> {
        let mut options = Options::default();
        let table = games::open_told(&[])?;
        options.adapt(&*table);
        let transpositions = Transpositions::new(table.table_share(options.settings.hash))?;
        Ok(Session {
            output,
            log: None,
            dialect: Dialect::default(),
            options,
            state: State::Idle(Box::new(Engine { table, transpositions })),
            events: bounded(64),
            waiting: VecDeque::new(),
            waiting_bytes: 0,
            input_ended: false,
            quitting: false,
            refused: false,
        })
    }

    fn serve(&mut self, lines: &Receiver<Input>, only: Option<String>) -> io::Result<Ending> {
        let once = only.is_some();
        if let Some(command) = only {
            self.take_line(command.into_bytes());
        }
        while !self.is_given_up() {
            let idle = matches!(self.state, State::Idle(_));
            if idle && (self.quitting || once) {
                break;
            }
            // Behind an endless search nothing waits: it is refused, as if it came only now.
            let endless = matches!(self.state, State::Busy { endless: true, .. });
            if (idle || endless)
                && self.output.has_room()
                && let Some(Waiting { line, stopped }) = self.waiting.pop_front()
            {
                self.waiting_bytes -= line.len();
                let command = parse_line(&line, self.dialect);
                self.dispatch(line, command);
                if stopped {
                    self.stop();
                }
                continue;
            }
            if idle && self.input_ended && self.waiting.is_empty() {
                break;
            }
            self.wait(lines)?;
        }
        match self.output.drain(self.patience()) {
            // Whoever says `quit` need not read to the end.
            Err(error) if self.quitting && error.kind() == io::ErrorKind::TimedOut => {}
            drained => drained?,
        }
        Ok(if once && self.refused { Ending::Refused } else { Ending::Good })
    }

    /// How long a reader who takes nothing is waited for.
    fn patience(&self) -> Duration {
        if self.quitting { QUIT_PATIENCE } else { END_PATIENCE }
    }

    /// Whether there will be no more commands, and nobody reads what is said.
    fn is_given_up(&self) -> bool {
        (self.quitting || self.input_ended) && self.output.stalled() >= self.patience()
    }

    /// Waits for whatever comes first: a line, something from the worker, a reader who has taken
    /// something, or a long silence. A worker who says more than is read has to wait.
    fn wait(&mut self, lines: &Receiver<Input>) -> io::Result<()> {
        let no_lines = never();
        let may_read = !self.input_ended && self.waiting_bytes < WAITING_BYTES;
        let lines = if may_read { lines } else { &no_lines };
        let has_room = self.output.has_room();
        let events = if has_room { self.events.1.clone() } else { never() };
        let taken = self.output.taken().clone();
        select! {
            recv(taken) -> taken => self.output.note(taken.ok())?,
            recv(events) -> event => if let Ok(event) = event { self.take_event(event) },
            recv(lines) -> input => match input {
                Ok(Input::Line(line)) => self.take_line(line),
                Ok(Input::TooLong(length)) => {
                    let most = input::LONGEST_LINE;
                    self.refuse(format!(
                        "a line of {length} bytes is too long, {most} is the most: skipped"
                    ));
                }
                Ok(Input::End) | Err(_) => self.end_input(),
            },
            default(HEARTBEAT) => {}
        }
        self.beat();
        Ok(())
    }

    /// The input has ended: what has an end is still done, what has none ends now.
    fn end_input(&mut self) {
        self.input_ended = true;
        if matches!(self.state, State::Busy { endless: true, .. }) {
            self.stop();
        }
    }

    /// Says how far the search has come if nothing else was said for a while. This also notices
    /// a reader that has gone away.
    fn beat(&mut self) {
        let State::Busy { signals, heard, .. } = &mut self.state else {
            return;
        };
        if heard.elapsed() < HEARTBEAT || !self.output.has_room() {
            return;
        }
        *heard = Instant::now();
        let (nodes, time) = (signals.nodes(), signals.elapsed());
        self.say(Reply::Progress { nodes, time });
    }

    fn take_event(&mut self, event: Event) {
        match event {
            Event::Reply(reply) => {
                if let State::Busy { heard, .. } = &mut self.state {
                    *heard = Instant::now();
                }
                self.say(reply);
            }
            Event::Done(engine, closing) => {
                self.state = State::Idle(engine);
                self.say(closing);
            }
        }
    }

    fn take_line(&mut self, line: Vec<u8>) {
        self.note(">", &String::from_utf8_lossy(&line));
        let command = parse_line(&line, self.dialect);
        // A signal is also for searches that were asked for before it and are still waiting.
        if !self.waiting.is_empty() {
            match &command {
                Ok(Some(Command::Stop)) => {
                    self.waiting.iter_mut().for_each(|waiting| waiting.stopped = true);
                }
                Ok(Some(Command::PonderHit)) => self.keep(line.clone()),
                _ => {}
            }
        }
        self.dispatch(line, command);
    }

    /// Keeps a line until the search is done.
    fn keep(&mut self, line: Vec<u8>) {
        self.waiting_bytes += line.len();
        self.waiting.push_back(Waiting { line, stopped: false });
    }

    /// Obeys the command of a line at once, or keeps the line until the search is done, or refuses it because the
    /// search will not be done by itself.
    ///
    /// While nobody reads, what would be answered is kept.
    fn dispatch(&mut self, line: Vec<u8>, command: Parsed) {
        let has_room = self.output.has_room();
        let endless = match self.state {
            State::Busy { endless, .. } => endless,
            _ if has_room => return self.obey_parsed(command),
            _ => false,
        };
        match command {
            Ok(Some(Command::Stop)) => self.stop(),
            Ok(Some(Command::PonderHit)) => self.ponder_hit(),
            Ok(Some(Command::Quit)) => self.quit(),
            Ok(None | Some(Command::Courtesy)) => {}
            _ if !has_room => self.keep(line),
            Ok(Some(Command::IsReady)) => self.say(Reply::ReadyOk),
            _ if !endless => self.keep(line),
            Ok(Some(Command::Help)) => self.say(Reply::Text(help())),
            Ok(Some(_)) => {
                self.refuse("a search is running until 'stop': send that first".to_owned());
            }
            Err(reason) => self.refuse(reason),
        }
    }

    fn ponder_hit(&mut self) {
        if let State::Busy { signals, endless, .. } = &mut self.state
            && signals.is_pondering()
        {
            signals.ponder_hit();
            *endless = signals.is_endless() && !signals.is_stopped();
        }
    }

    fn quit(&mut self) {
        self.quitting = true;
        self.waiting.clear();
        self.waiting_bytes = 0;
        self.stop();
    }

    /// Asks a running search for its answer. From now on it has an end, so others may wait for
    /// it.
    fn stop(&mut self) {
        if let State::Busy { signals, endless, .. } = &mut self.state {
            signals.stop();
            *endless = false;
        }
    }

    fn obey_parsed(&mut self, command: Parsed) {
        match command {
            Ok(None) => {}
            Ok(Some(command)) => self.obey(command),
            Err(reason) => self.refuse(reason),
        }
    }

    /// Carries out a command. The engine is at hand.
    fn obey(&mut self, command: Command) {
        let State::Idle(mut engine) = std::mem::replace(&mut self.state, State::Moving) else {
            return;
        };
        if let Command::Go(go) | Command::Analyze(go) = &command
            && !go.unknown.is_empty()
        {
            let words = shown(&go.unknown.join(" "));
            self.say(Reply::Remark(format!("go: passed over '{words}'")));
        }
        let job = match self.answer(command, &mut engine) {
            Ok(Answer::Nothing) => None,
            Ok(Answer::Reply(reply)) => {
                self.say(reply);
                None
            }
            Ok(Answer::Start(job, signals)) => Some((job, signals)),
            Err(reason) => {
                self.refuse(reason);
                None
            }
        };
        match job {
            None => self.state = State::Idle(engine),
            Some((job, signals)) => self.start(engine, job, signals),
        }
    }

    fn start(&mut self, engine: Box<Engine>, job: Job, signals: Signals) {
        let signals = Arc::new(signals);
        let mut endless = signals.is_endless() || signals.is_pondering();
        if endless && self.input_ended {
            signals.stop();
            endless = false;
        }
        match worker::start(engine, job, signals.clone(), self.events.0.clone()) {
            Ok(()) => self.state = State::Busy { signals, endless, heard: Instant::now() },
            Err((engine, reason)) => {
                self.state = State::Idle(engine);
                self.refuse(reason);
            }
        }
    }

    fn say(&mut self, reply: Reply) {
        let manner = Manner { dialect: self.dialect, shows_chances: self.options.shows_chances };
        let text = reply.text(manner);
        for line in text.lines() {
            self.note("<", line);
        }
        self.output.say(text);
    }

    fn refuse(&mut self, reason: String) {
        self.refused = true;
        self.say(Reply::Error(reason));
    }

    /// Copies a line to the log file, if there is one: `>` before what came in, `<` before what
    /// went out. A full disk is no reason to stop playing.
    fn note(&mut self, direction: &str, line: &str) {
        if let Some(log) = &mut self.log
            && let Err(error) = writeln!(log, "{direction} {}", line.trim_end())
        {
            log::warn!("no more is written to the log file: {error}");
            self.log = None;
        }
    }

    fn answer(&mut self, command: Command, engine: &mut Engine) -> Result<Answer, String> {
        let table = &mut engine.table;
        let reply = match command {
            Command::Speak(dialect) => {
                self.dialect = dialect;
                table.speak(dialect.wording());
                Reply::Greeting(self.options.list(&**table))
            }
            Command::NewGame(words) => {
                let answer = self.new_game(engine, &borrowed(&words));
                return answer.map_err(|reason| format!("newgame: {reason}"));
            }
            Command::SameGame => {
                let title = table.title();
                return self.new_game(engine, &words_of(&title));
            }
            Command::Position { setup, moves } => {
                let result = table.set_position(&borrowed(&setup), &borrowed(&moves));
                result.map_err(|reason| format!("position: {reason}"))?;
                return Ok(Answer::Nothing);
            }
            Command::Go(go) => {
                let aim = if go.solve { Aim::Solution } else { Aim::Move };
                return self.go(&go, aim, &**table);
            }
            Command::Analyze(go) => return self.go(&go, Aim::Analysis, &**table),
            Command::Perft(depth) => return Ok(Answer::finite(Job::Perft(depth))),
            Command::Bench => return Ok(Answer::finite(Job::Bench)),
            Command::SetOption { name, value } => {
                return self.set_option(engine, &name, value.as_deref());
            }
            Command::Play(mv) => {
                table.play(&mv).map_err(|reason| format!("play {reason}"))?;
                return Ok(Answer::Nothing);
            }
            Command::Undo => {
                table.undo().map_err(|reason| format!("undo: {reason}"))?;
                return Ok(Answer::Nothing);
            }
            Command::Stop | Command::PonderHit | Command::Courtesy => return Ok(Answer::Nothing),
            Command::Quit => {
                self.quit();
                return Ok(Answer::Nothing);
            }
            Command::IsReady => Reply::ReadyOk,
            Command::Options => Reply::Text(self.options.list(&**table)),
            Command::Games => Reply::Text(game_list()),
            Command::Moves => Reply::Moves(table.moves()),
            Command::Result => Reply::Result(table.outcome()),
            Command::Query(query) => Reply::Response(response(query, &**table)),
            Command::Display => Reply::Text(display(&**table)),
            Command::Eval => evaluation(&**table)?,
            Command::Help => Reply::Text(help()),
        };
        Ok(Answer::Reply(reply))
    }

    /// Begins the game that these words after `newgame` tell.
    fn new_game(&mut self, engine: &mut Engine, words: &[&str]) -> Result<Answer, String> {
        let mut table = games::open_told(words)?;
        let share = table.table_share(self.options.settings.hash);
        engine.transpositions.resize(share)?;
        table.speak(self.dialect.wording());
        engine.table = table;
        match self.options.adapt(&*engine.table) {
            Some(remark) => Ok(Answer::Reply(Reply::Remark(remark))),
            None => Ok(Answer::Nothing),
        }
    }

    fn go(&self, go: &Go, aim: Aim, table: &dyn Table) -> Result<Answer, String> {
        let moves = table.check_moves(&go.search_moves);
        moves.map_err(|reason| format!("go searchmoves {reason}"))?;
        let limits = limits(go, table.side_to_move(), self.options.move_overhead);
        let over = table.outcome().is_some();
        let solver = over || table.has_solver();
        if aim == Aim::Solution && !solver {
            return Err(format!("go solve: there is no solver for {}", table.title()));
        }
        // Without a limit the full search would go on for ever. A solver, a plain strategy or a
        // lower level answers when it has its move, and when the game is over there is nothing
        // to do.
        let settings = self.options.in_force();
        let answers = match aim {
            Aim::Move => {
                settings.strategy != strategy::FULL || settings.level < Settings::FULL_LEVEL
            }
            Aim::Solution | Aim::Analysis => solver,
        };
        let has_end = limits.is_limited() || answers || over;
        let signals = Signals::new(limits.ponder, limits.infinite || !has_end);
        let search_moves = go.search_moves.clone();
        let thought = Thought { aim, limits, search_moves, settings };
        Ok(Answer::Start(Job::Think(Box::new(thought)), signals))
    }

    fn set_option(
        &mut self,
        engine: &mut Engine,
        name: &str,
        value: Option<&str>,
    ) -> Result<Answer, String> {
        let fail = |reason: String| format!("setoption: {reason}");
        let mut changed = self.options.clone();
        match changed.set(name, value, &*engine.table).map_err(fail)? {
            Effect::None => {}
            Effect::ClearHash => {
                engine.transpositions.clear();
                engine.table.forget();
            }
            Effect::ResizeHash => {
                // All of it must be there, though the solver takes its part only when needed.
                let hash = changed.settings.hash;
                let old = self.options.settings.hash.to_string();
                engine.transpositions.resize(hash).map_err(kept("Hash", &old))?;
                engine.transpositions.resize(engine.table.table_share(hash)).map_err(fail)?;
                engine.table.forget();
            }
            Effect::LoadKalahTable => {
                let kept = kept("KalahTable", &self.options.kalah_table);
                kalah::load_table(&changed.kalah_table).map_err(kept)?;
            }
            Effect::LoadWaliTable => {
                let kept = kept("WaliTable", &self.options.wali_table);
                wali::load_table(&changed.wali_table).map_err(kept)?;
            }
            Effect::NewGame(title) => {
                let answer = self.new_game(engine, &words_of(&title));
                return answer.map_err(|reason| format!("setoption: Game: {reason}"));
            }
            Effect::OpenLog => {
                let kept = kept("Debug Log File", &self.options.debug_log_file);
                self.log = open_log(&changed.debug_log_file).map_err(kept)?;
            }
        }
        self.options = changed;
        Ok(Answer::Nothing)
    }
}

/// What a command leads to.
enum Answer {
    Nothing,
    Reply(Reply),
    Start(Job, Signals),
}

impl Answer {
    /// Starts a job that ends by itself.
    fn finite(job: Job) -> Answer {
        Answer::Start(job, Signals::new(false, false))
    }
}

fn words_of(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

fn borrowed(words: &[String]) -> Vec<&str> {
    words.iter().map(String::as_str).collect()
}

fn limits(go: &Go, side: Side, overhead: Duration) -> Limits {
    // A client that tells only the other side's clock still plays with clocks.
    let remaining = go.time[side.index()].or(go.time[(!side).index()]);
    let clock = remaining.map(|remaining| Clock {
        remaining,
        increment: go.increment[side.index()],
        moves_to_go: go.moves_to_go,
        overhead,
    });
    Limits {
        depth: go.depth,
        nodes: go.nodes,
        // The client's watch decides: what the move loses on its way is taken off, but not all.
        movetime: go.movetime.map(|time| time - overhead.min(time / 2)),
        clock,
        infinite: go.infinite,
        ponder: go.ponder,
    }
}

/// Says why an option with the value `old` was not changed.
fn kept(name: &str, old: &str) -> impl FnOnce(String) -> String {
    let stays = if old.is_empty() { "<empty>" } else { old };
    move |reason| format!("setoption: {name}: {reason}, it stays {stays}")
}

fn open_log(path: &str) -> Result<Option<File>, String> {
    if path.is_empty() {
        return Ok(None);
    }
    let file = File::options().create(true).append(true).open(path);
    file.map(Some).map_err(|error| format!("cannot open '{}': {error}", shown(path)))
}

fn evaluation(table: &dyn Table) -> Result<Reply, String> {
    let parts = table
        .evaluation()
        .ok_or_else(|| format!("eval: the game is over: {}", outcome_text(table.outcome())))?;
    let side = table.side_to_move();
    let parts: Vec<_> = parts.into_iter().map(|(name, points)| (name, side.view(points))).collect();
    Ok(Reply::Eval { total: parts.iter().map(|(_, points)| points).sum(), parts })
}

fn response(query: Query, table: &dyn Table) -> &'static str {
    let truth = |is_true| if is_true { "true" } else { "false" };
    match query {
        Query::FirstPlayersTurn => truth(table.side_to_move() == Side::P1),
        Query::GameOver => truth(table.outcome().is_some()),
        Query::Result => outcome_text(table.outcome()),
    }
}

fn display(table: &dyn Table) -> String {
    format!(
        "{}\ngame {}\nposition {}\nside {}\nkey {:016x}\nresult {}",
        table.drawing(),
        table.title(),
        table.position_text(),
        table.side_to_move(),
        table.key(),
        outcome_text(table.outcome())
    )
}

/// The games and their parameters, in the form of the options.
fn game_list() -> String {
    let parameter = |parameter: &games::Parameter| match parameter {
        games::Parameter::Number { name, default, limits: [least, most] } => {
            format!(" parameter {name} type spin default {default} min {least} max {most}")
        }
        games::Parameter::Word(name) => format!(" parameter {name} type check default false"),
    };
    let game = |entry: &games::Entry| {
        let parameters: String = entry.choices.iter().map(parameter).collect();
        format!("game {}{parameters}", entry.name)
    };
    games::REGISTRY.iter().map(game).collect::<Vec<_>>().join("\n")
}

fn help() -> String {
    let line = |&(name, parameters, purpose): &(&str, &str, &str)| {
        format!("{}\n    {purpose}", format!("{name} {parameters}").trim_end())
    };
    let commands: Vec<String> = COMMANDS.iter().map(line).collect();
    let game = |entry: &games::Entry| format!("game {}", entry.usage());
    let games: Vec<String> = games::REGISTRY.iter().map(game).collect();
    format!("{}\n{}", commands.join("\n"), games.join("\n"))
}
