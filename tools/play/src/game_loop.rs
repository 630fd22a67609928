//! One game, from the first move to the question whether to play again.

use std::io::{BufRead, ErrorKind, Write};
use std::time::Duration;

use crate::engine::{QueryError, RestartingEngine};
use crate::game_record::{GameRecord, State};
use crate::prompt::{Prompt, Stop};
use crate::setup::{Computer, GameSetup, Player};
use crate::style;

/// The search time of a hint.
const HINT_TIME: Duration = Duration::from_secs(1);
/// How often a query is tried if the engine fails.
const TRIES: usize = 3;
const USAGE: &str = "Enter a move, or one of: hint, undo, save [file], moves, help, quit.";

/// Plays a game. Returns when the user wants another.
pub fn play<R: BufRead, W: Write>(
    prompt: &mut Prompt<R, W>,
    engine: &mut RestartingEngine,
    setup: GameSetup,
) -> Result<(), Stop> {
    let GameSetup { record, players, strongest } = setup;
    let mut game = GameLoop { prompt, engine, record, players, strongest };
    game.prompt.say(USAGE)?;
    loop {
        let state = game.query(|record, engine| record.state(engine))?;
        game.draw(&state)?;
        if state.result != "none" {
            game.prompt.say(game.result_text(&state))?;
            if game.play_again()? {
                return Ok(());
            }
            continue;
        }
        match game.players[state.side].clone() {
            Player::Person => game.person_turn(&state)?,
            Player::Computer(computer) => game.computer_turn(&state, &computer)?,
        }
    }
}

struct GameLoop<'a, R, W> {
    prompt: &'a mut Prompt<R, W>,
    engine: &'a mut RestartingEngine,
    record: GameRecord,
    players: [Player; 2],
    strongest: Vec<(&'static str, String)>,
}

impl<R: BufRead, W: Write> GameLoop<'_, R, W> {
    fn name(&self, side: usize) -> String {
        let who = match &self.players[side] {
            Player::Person => String::new(),
            Player::Computer(Computer { strategy, .. }) => {
                format!(", {}", strategy.as_deref().unwrap_or("computer"))
            }
        };
        style::player(side, &format!("Player {}{who}", side + 1))
    }

    fn draw(&mut self, state: &State) -> Result<(), Stop> {
        self.prompt.say("")?;
        for line in &state.drawing {
            self.prompt.say(line)?;
        }
        Ok(())
    }

    fn result_text(&self, State { result, reason, .. }: &State) -> String {
        let reason = if reason.is_empty() { String::new() } else { format!(" ({reason})") };
        match result.as_str() {
            "p1win" => format!("{} wins{reason}.", self.name(0)),
            "p2win" => format!("{} wins{reason}.", self.name(1)),
            _ => format!("The game is drawn{reason}."),
        }
    }

    /// A query that the engine cannot reject. If the engine fails, it is restarted and asked again.
    fn query<T>(
        &mut self,
        mut query: impl FnMut(&mut GameRecord, &mut RestartingEngine) -> Result<T, QueryError>,
    ) -> Result<T, Stop> {
        let mut tries = 1;
        loop {
            match query(&mut self.record, self.engine) {
                Ok(reply) => return Ok(reply),
                Err(QueryError::Failed(reason)) if tries < TRIES => {
                    self.prompt.say(format!("Restarting: {reason}."))?;
                    tries += 1;
                }
                Err(error) => return Err(Stop::Engine(error.into_reason())),
            }
        }
    }

    /// The user's turn: any commands, then a move.
    fn person_turn(&mut self, state: &State) -> Result<(), Stop> {
        loop {
            let answer = self.prompt.ask(format!("{}:", self.name(state.side)))?;
            let words: Vec<&str> = answer.split_whitespace().collect();
            match words[..] {
                [] | ["help"] => self.prompt.say(USAGE)?,
                ["hint"] => {
                    let options = self.strongest.clone();
                    let mv =
                        self.query(|record, engine| record.best_move(engine, &options, HINT_TIME))?;
                    self.prompt.say(format!("Try {mv}."))?;
                }
                ["moves"] => self.prompt.say(state.moves.join(" "))?,
                ["undo"] => {
                    if self.undo()? {
                        return Ok(());
                    }
                }
                ["save"] => self.save(None)?,
                ["save", file] => self.save(Some(file))?,
                [mv] => match self.record.play(self.engine, mv) {
                    Ok(()) => return Ok(()),
                    Err(QueryError::Rejected(reason)) => {
                        let reason = reason.trim_start_matches("play ");
                        self.prompt
                            .say(format!("{reason} (moves: {})", shortened(&state.moves)))?;
                    }
                    Err(QueryError::Failed(reason)) => {
                        self.prompt.say(format!("Move not played: {reason}. Try again."))?;
                    }
                },
                _ => self
                    .prompt
                    .say(format!("Expected one move or command, got '{answer}'. {USAGE}"))?,
            }
        }
    }

    fn computer_turn(&mut self, state: &State, computer: &Computer) -> Result<(), Stop> {
        let mut options = vec![];
        options.extend(computer.strategy.clone().map(|strategy| ("Strategy", strategy)));
        options.extend(computer.level.map(|level| ("Level", level.to_string())));
        options.extend(computer.depth.map(|depth| ("Depth", depth.to_string())));
        let mv = self.query(|record, engine| {
            let mv = record.best_move(engine, &options, computer.time)?;
            record.play(engine, &mv)?;
            Ok(mv)
        })?;
        self.prompt.say(format!("{} plays {mv}.", self.name(state.side)))
    }

    /// Takes back moves until it is the user's turn again. Returns whether there were any.
    fn undo(&mut self) -> Result<bool, Stop> {
        if self.record.moves.is_empty() {
            self.prompt.say("No moves to take back.")?;
            return Ok(false);
        }
        let mut earlier = self.record.clone();
        let has_person = self.players.contains(&Player::Person);
        while earlier.moves.pop().is_some() {
            let state = self.query(|_, engine| earlier.state(engine))?;
            if !has_person || self.players[state.side] == Player::Person {
                self.record = earlier;
                return Ok(true);
            }
        }
        self.prompt.say("You have no moves to take back.")?;
        Ok(false)
    }

    /// Saves the game to a new file.
    fn save(&mut self, file: Option<&str>) -> Result<(), Stop> {
        let name = self.record.game.split(' ').next().unwrap_or("game");
        let file = file.map_or_else(|| format!("{name}.ratlla"), str::to_owned);
        let text = format!("{}\n", self.record.commands().join("\n"));
        let written = std::fs::File::create_new(&file)
            .and_then(|mut created| created.write_all(text.as_bytes()));
        self.prompt.say(match written {
            Ok(()) => format!("Saved. Resume with 'ratlla-play {file}'."),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                format!("{file} already exists; use 'save <file>' with another name.")
            }
            Err(error) => format!("Cannot write {file}: {error}"),
        })
    }

    /// Asks what to do after a game. Returns false if a move was taken back.
    fn play_again(&mut self) -> Result<bool, Stop> {
        loop {
            let answer = self.prompt.ask("Play again (yes, no, undo, save [file]) [yes]?")?;
            let words: Vec<&str> = answer.split_whitespace().collect();
            match words[..] {
                [] | ["y" | "yes"] => return Ok(true),
                ["n" | "no"] => return Err(Stop::Quit),
                ["undo"] => {
                    if self.undo()? {
                        return Ok(false);
                    }
                }
                ["save"] => self.save(None)?,
                ["save", file] => self.save(Some(file))?,
                _ => self
                    .prompt
                    .say(format!("Expected yes, no, undo or save [file], got '{answer}'."))?,
            }
        }
    }
}

/// The moves, cut to about a line.
fn shortened(moves: &[String]) -> String {
    const MAX: usize = 20;
    let more = if moves.len() > MAX { " ..." } else { "" };
    format!("{}{more}", moves[..moves.len().min(MAX)].join(" "))
}
