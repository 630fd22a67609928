//! What each command leads to while the engine is at hand.

use std::fs::File;
use std::time::Duration;

use super::Session;
use super::options::Effect;
use super::output::Destination;
use super::texts::{display, evaluation, game_list, help, response};
use super::worker::{Aim, Engine, Job, Thought};
use crate::any_game::AnyGame;
use crate::game::Side;
use crate::games;
use crate::limits::{Clock, Limits, SearchControl};
use crate::protocol::command::{Command, Go};
use crate::protocol::reply::Reply;
use crate::strategy::{self, Settings};
use crate::text::escaped;

/// What a command leads to.
pub(super) enum Answer {
    /// Nothing more.
    Nothing,
    /// Something to say.
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

impl<D: Destination> Session<D> {
    /// What a command leads to, or why it is refused.
    pub(super) fn answer(
        &mut self,
        command: Command,
        engine: &mut Engine,
    ) -> Result<Answer, String> {
        let table = &mut engine.table;
        let reply = match command {
            Command::SetDialect(dialect) => {
                self.dialect = dialect;
                table.set_notation(dialect.notation());
                Reply::Greeting(self.options.list(&**table))
            }
            Command::NewGame(words) => {
                let answer = self.new_game(engine, &borrowed(&words));
                return answer.map_err(|reason| format!("newgame: {reason}"));
            }
            Command::RestartGame => {
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
            Command::Stop | Command::PonderHit | Command::Ignored => return Ok(Answer::Nothing),
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
        let mut table = games::open_from_words(words)?;
        let share = table.table_share(self.options.settings.hash);
        engine.tt.resize(share)?;
        table.set_notation(self.dialect.notation());
        engine.table = table;
        match self.options.adapt(&*engine.table) {
            Some(remark) => Ok(Answer::Reply(Reply::Remark(remark))),
            None => Ok(Answer::Nothing),
        }
    }

    fn go(&self, go: &Go, aim: Aim, table: &dyn AnyGame) -> Result<Answer, String> {
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
        let control = SearchControl::new(limits.ponder, limits.infinite || !has_end);
        let search_moves = go.search_moves.clone();
        let thought = Thought { aim, limits, search_moves, settings };
        Ok(Answer::Start(Job::Think(Box::new(thought)), control))
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
                engine.tt.clear();
                engine.table.forget();
            }
            Effect::ResizeHash => {
                // All of it must be there, though the solver takes its part only when needed.
                let hash = changed.settings.hash;
                let old = self.options.settings.hash.to_string();
                engine.tt.resize(hash).map_err(kept("Hash", &old))?;
                engine.tt.resize(engine.table.table_share(hash)).map_err(fail)?;
                engine.table.forget();
            }
            Effect::LoadEndings(endings) => {
                let kept = kept(endings.option, self.options.endings_file(endings));
                (endings.load)(changed.endings_file(endings)).map_err(kept)?;
            }
            Effect::NewGame(title) => {
                let old = self.options.game.clone();
                return self.new_game(engine, &words_of(&title)).map_err(kept("Game", &old));
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
        depth: go.deepest(),
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
    file.map(Some).map_err(|error| format!("cannot open '{}': {error}", escaped(path)))
}
