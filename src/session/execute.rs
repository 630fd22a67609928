//! What each command does while the engine is at hand.

use std::path::Path;

use super::job::Job;
use super::log_file::LogFile;
use super::options::{Effect, Options};
use crate::any_game::AnyGame;
use crate::engine::Engine;
use crate::game::Side;
use crate::limits::SearchControl;
use crate::platform::files;
use crate::protocol::command::{Command, Go, Query};
use crate::protocol::dialect::Dialect;
use crate::protocol::reply::{OutputStyle, Reply};
use crate::protocol::state_reply::StateReply;
use crate::registry::Registry;

/// What a command leads to.
pub(super) enum Answer {
    /// Nothing more.
    Nothing,
    /// Something to write.
    Reply(Reply),
    /// Work for the worker.
    Start(Job, SearchControl),
}

impl Answer {
    /// Starts a job that ends by itself.
    fn finite(job: Job) -> Answer {
        Answer::Start(job, SearchControl::new(false, false))
    }
}

/// What a session knows whether or not a search is running.
pub(super) struct Context {
    pub registry: Registry,
    dialect: Dialect,
    options: Options,
    log: Option<LogFile>,
}

impl Context {
    /// The context and the engine of a new session: the default game, default options.
    pub fn new(registry: Registry) -> Result<(Context, Engine), String> {
        let mut options = Options::new();
        let engine = Engine::new(registry.open_from_words(&[])?, options.settings.hash)?;
        options.adapt(&*engine.game);
        let context = Context { registry, dialect: Dialect::default(), options, log: None };
        Ok((context, engine))
    }

    /// The dialect of the session.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// How replies are written.
    pub fn output_style(&self) -> OutputStyle {
        OutputStyle { dialect: self.dialect, shows_wdl: self.options.shows_wdl }
    }

    /// Copies a line to the log file, if there is one: `>` marks input, `<` output. A full disk
    /// does not stop the game.
    pub fn log(&mut self, direction: &str, line: &str) {
        if let Some(log) = &mut self.log
            && let Err(error) = log.write(&format!("{direction} {}", line.trim_end()))
        {
            log::warn!("closing the log file: {error}");
            self.log = None;
        }
    }

    /// The reply to `help`.
    pub fn help(&self) -> Reply {
        Reply::Help(self.registry.0.iter().map(|entry| entry.help()).collect())
    }

    /// Carries out a command and returns what it leads to, or why it is refused.
    pub fn execute(&mut self, command: Command, engine: &mut Engine) -> Result<Answer, String> {
        let game = &mut engine.game;
        let reply = match command {
            Command::SetDialect(dialect) => {
                self.dialect = dialect;
                game.set_notation(dialect.notation());
                Reply::Greeting(self.options.list(self.registry, &**game))
            }
            Command::NewGame(words) => {
                return self.new_game(engine, &borrowed(&words));
            }
            Command::RestartGame => {
                let title = game.title();
                return self.new_game(engine, &words_of(&title));
            }
            Command::Position { setup, moves } => {
                let result = game.set_position(&borrowed(&setup), &borrowed(&moves));
                result.map_err(|reason| format!("position: {reason}"))?;
                return Ok(Answer::Nothing);
            }
            Command::Go(go) => return self.go(go, engine),
            Command::Perft(depth) => return Ok(Answer::finite(Job::Perft(depth))),
            Command::Tree(request) => {
                let control = game.prepare_tree(&request);
                let control = control.map_err(|reason| format!("tree: {reason}"))?;
                let job = Job::Tree(Box::new((request, self.options.in_force())));
                return Ok(Answer::Start(job, control));
            }
            Command::Bench => return Ok(Answer::finite(Job::Bench(self.registry))),
            Command::SetOption { name, value } => {
                let result = self.set_option(engine, &name, value.as_deref());
                return result.map_err(|reason| format!("setoption: {reason}"));
            }
            Command::Play(mv) => {
                game.play(&mv).map_err(|reason| format!("play {reason}"))?;
                return Ok(Answer::Nothing);
            }
            Command::Undo => {
                game.undo().map_err(|reason| format!("undo: {reason}"))?;
                return Ok(Answer::Nothing);
            }
            Command::Stop | Command::PonderHit | Command::Quit | Command::Ignored => {
                return Ok(Answer::Nothing);
            }
            Command::IsReady => Reply::ReadyOk,
            Command::Options => Reply::Options(self.options.list(self.registry, &**game)),
            Command::GetOption(name) => {
                let values = self.options.values(self.registry, name.as_deref());
                Reply::Values(values.map_err(|reason| format!("getoption: {reason}"))?)
            }
            Command::Version => Reply::Version,
            Command::Games => {
                let games = self.registry.0.iter();
                Reply::Games(games.map(|entry| (entry.name, entry.parameters)).collect())
            }
            Command::Moves => Reply::Moves(game.moves()),
            Command::Result => Reply::Result(game.outcome()),
            Command::Query(Query::FirstPlayersTurn) => {
                Reply::Truth(game.side_to_move() == Side::P1)
            }
            Command::Query(Query::GameOver) => Reply::Truth(game.outcome().is_some()),
            Command::Query(Query::Result) => Reply::QueryResult(game.outcome()),
            Command::Display => Reply::Display {
                drawing: game.drawing(),
                game: game.title(),
                position: game.position_text(),
                side: game.side_to_move(),
                key: game.key(),
                outcome: game.outcome(),
            },
            Command::State => self.state(engine)?,
            Command::Eval(name) => self.eval(engine, name.as_deref())?,
            Command::Help => self.help(),
        };
        Ok(Answer::Reply(reply))
    }

    /// The position for programs.
    fn state(&self, engine: &Engine) -> Result<Reply, String> {
        let title = engine.game.title();
        let (entry, parameters) = self
            .registry
            .parameters_of(&title)
            .ok_or_else(|| format!("state: the title '{title}' lacks parameters"))?;
        let state = engine.game.state(&self.options.in_force(), &engine.endgames);
        Ok(Reply::State(Box::new(StateReply { game: title, name: entry.name, parameters, state })))
    }

    /// The terms of an evaluation for the side to move.
    fn eval(&self, engine: &Engine, name: Option<&str>) -> Result<Reply, String> {
        let Engine { game, endgames, .. } = engine;
        let terms = game.eval_terms(name, &self.options.settings, endgames);
        let terms = terms.map_err(|reason| format!("eval: {reason}"))?;
        let side = game.side_to_move();
        Ok(Reply::Eval(terms.into_iter().map(|(name, points)| (name, side.view(points))).collect()))
    }

    /// Begins the game that these words after `newgame` name.
    fn new_game(&mut self, engine: &mut Engine, words: &[&str]) -> Result<Answer, String> {
        let game = self.registry.open_from_words(words);
        let game = game.map_err(|reason| format!("newgame: {reason}"))?;
        let old = engine.game.title();
        let begun = self.begin(engine, game);
        begun.map_err(|reason| format!("newgame: {reason}; keeping {old}"))
    }

    fn begin(&mut self, engine: &mut Engine, mut game: Box<dyn AnyGame>) -> Result<Answer, String> {
        game.set_notation(self.dialect.notation());
        engine.new_game(game, self.options.settings.hash)?;
        match self.options.adapt(&*engine.game) {
            Some(note) => Ok(Answer::Reply(Reply::Note(note))),
            None => Ok(Answer::Nothing),
        }
    }

    fn go(&self, go: Go, engine: &Engine) -> Result<Answer, String> {
        let settings = self.options.in_force();
        let control = engine.game.prepare(&go, &settings, &engine.endgames)?;
        Ok(Answer::Start(Job::Search(Box::new((go, settings))), control))
    }

    /// Sets an option: everything it takes, or nothing.
    fn set_option(
        &mut self,
        engine: &mut Engine,
        name: &str,
        value: Option<&str>,
    ) -> Result<Answer, String> {
        let mut changed = self.options.clone();
        let change = changed.set(self.registry, name, value, &*engine.game)?;
        let kept = |reason: String| format!("{}: {reason}; keeping {}", change.name, change.old);
        match change.effect {
            Effect::None => {}
            Effect::ClearHash => engine.clear_hash(),
            Effect::ResizeHash => engine.resize_hash(changed.settings.hash).map_err(kept)?,
            Effect::LoadEndgames(file) => {
                (file.load)(&mut engine.endgames, changed.endgame_path(file)).map_err(kept)?;
            }
            Effect::NewGame => {
                let game = self.registry.open_from_words(&words_of(&changed.game));
                return game.and_then(|game| self.begin(engine, game)).map_err(kept);
            }
            Effect::OpenLog => self.log = open_log(&changed.debug_log_file).map_err(kept)?,
        }
        self.options = changed;
        Ok(Answer::Nothing)
    }
}

fn words_of(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

fn borrowed(words: &[String]) -> Vec<&str> {
    words.iter().map(String::as_str).collect()
}

fn open_log(path: &str) -> Result<Option<LogFile>, String> {
    if path.is_empty() {
        return Ok(None);
    }
    let path = Path::new(path);
    let log = LogFile::open(path).map(Some);
    log.map_err(|error| format!("cannot open '{}': {error}", files::printable(path)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::REGISTRY;

    #[test]
    fn a_game_without_memory_leaves_the_old_one_and_says_so() {
        let (mut context, mut engine) = Context::new(REGISTRY).unwrap();
        engine.game.play("4").unwrap();
        let before = engine.game.position_text();
        // More than any system allocates, as if others had taken it since the option was set.
        context.options.settings.hash = usize::MAX >> 22;
        let size = context.options.settings.hash;
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let game = |name: &str| Some(name.to_owned());
        for (command, begin) in [
            (Command::NewGame(words("wali")), "newgame"),
            (
                Command::SetOption { name: "Game".to_owned(), value: game("wali") },
                "setoption: Game",
            ),
        ] {
            let error = context.execute(command, &mut engine).err().unwrap();
            let expected = format!("{begin}: cannot allocate {size} MiB; keeping connect4 6 7 4");
            assert_eq!(error, expected);
            assert_eq!(engine.game.position_text(), before);
            assert_eq!(context.options.game, "connect4 6 7 4");
        }
    }
}
