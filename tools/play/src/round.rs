//! One game, from its first move to the question whether to play again.

use std::io::{BufRead, ErrorKind, Write};
use std::time::Duration;

use crate::colour;
use crate::engine::{Engine, Trouble};
use crate::setup::{Computer, Player, Setup};
use crate::table::{State, Table};
use crate::talk::{Ended, Talk};

/// How long a hint may take.
const HINT: Duration = Duration::from_secs(1);
/// So often the same question is put to an engine that ends.
const TRIES: usize = 3;
const COMMANDS: &str = "hint, undo, save [file], moves, quit";

/// Plays a game. Returns when another is wanted.
pub fn play<R: BufRead, W: Write>(
    talk: &mut Talk<R, W>,
    engine: &mut Engine,
    setup: Setup,
) -> Result<(), Ended> {
    let Setup { table, players, strongest } = setup;
    let mut round = Round { talk, engine, table, players, strongest };
    round.talk.say(format!("Type a move, or one of: {COMMANDS}."))?;
    loop {
        let state = round.patiently(|table, engine| table.look(engine))?;
        round.draw(&state)?;
        if state.result != "none" {
            round.talk.say(round.exact_value(&state.result))?;
            if round.again()? {
                return Ok(());
            }
            continue;
        }
        match round.players[state.side].clone() {
            Player::Person => round.person(&state)?,
            Player::Computer(computer) => round.computer(&state, &computer)?,
        }
    }
}

struct Round<'a, R, W> {
    talk: &'a mut Talk<R, W>,
    engine: &'a mut Engine,
    table: Table,
    players: [Player; 2],
    strongest: Vec<(&'static str, String)>,
}

impl<R: BufRead, W: Write> Round<'_, R, W> {
    fn name(&self, side: usize) -> String {
        let who = match &self.players[side] {
            Player::Person => String::new(),
            Player::Computer(Computer { strategy, .. }) => {
                format!(", {}", strategy.as_deref().unwrap_or("computer"))
            }
        };
        colour::player(side, &format!("Player {}{who}", side + 1))
    }

    fn draw(&mut self, state: &State) -> Result<(), Ended> {
        self.talk.say("")?;
        for line in &state.drawing {
            self.talk.say(colour::line(&self.table.game, line))?;
        }
        Ok(())
    }

    fn exact_value(&self, result: &str) -> String {
        match result {
            "p1win" => format!("{} wins.", self.name(0)),
            "p2win" => format!("{} wins.", self.name(1)),
            _ => "The game is drawn.".to_owned(),
        }
    }

    /// Asks the engine, more than once if it ends. What it refuses here was legal before.
    fn patiently<T>(
        &mut self,
        mut question: impl FnMut(&mut Table, &mut Engine) -> Result<T, Trouble>,
    ) -> Result<T, Ended> {
        for _ in 1..TRIES {
            match question(&mut self.table, self.engine) {
                Ok(answer) => return Ok(answer),
                Err(Trouble::Gone(how)) => {
                    self.talk.say(format!("The engine has ended ({how}) and is started again."))?;
                }
                Err(Trouble::Refused(reason)) => return Err(Ended::Failed(reason)),
            }
        }
        question(&mut self.table, self.engine).map_err(|trouble| match trouble {
            Trouble::Gone(how) => Ended::Failed(format!("the engine ends again and again: {how}")),
            Trouble::Refused(reason) => Ended::Failed(reason),
        })
    }

    /// A person's turn: commands, and then a move.
    fn person(&mut self, state: &State) -> Result<(), Ended> {
        loop {
            let answer = self.talk.ask(format!("{}:", self.name(state.side)))?;
            let words: Vec<&str> = answer.split_whitespace().collect();
            match words[..] {
                [] => self.talk.say(format!("A move, please, or one of: {COMMANDS}."))?,
                ["hint"] => {
                    let options = self.strongest.clone();
                    let mv =
                        self.patiently(|table, engine| table.choose(engine, &options, HINT))?;
                    self.talk.say(format!("Try {mv}."))?;
                }
                ["moves"] => self.talk.say(state.moves.join(" "))?,
                ["undo"] => {
                    if self.undo()? {
                        return Ok(());
                    }
                }
                ["save"] => self.save(None)?,
                ["save", file] => self.save(Some(file))?,
                [mv] => match self.table.play(self.engine, mv) {
                    Ok(()) => return Ok(()),
                    Err(Trouble::Refused(reason)) => {
                        let reason = reason.trim_start_matches("play ");
                        self.talk.say(format!("{reason} (moves: {})", shortened(&state.moves)))?;
                    }
                    Err(Trouble::Gone(how)) => {
                        self.talk
                            .say(format!("The engine has ended ({how}). Once more, please."))?;
                    }
                },
                _ => self.talk.say(format!("One word, please: a move, or {COMMANDS}."))?,
            }
        }
    }

    fn computer(&mut self, state: &State, computer: &Computer) -> Result<(), Ended> {
        let mut options = vec![];
        options.extend(computer.strategy.clone().map(|strategy| ("Strategy", strategy)));
        options.extend(computer.level.map(|level| ("Level", level.to_string())));
        options.extend(computer.depth.map(|depth| ("Depth", depth.to_string())));
        let mv = self.patiently(|table, engine| {
            let mv = table.choose(engine, &options, computer.time)?;
            table.play(engine, &mv)?;
            Ok(mv)
        })?;
        self.talk.say(format!("{} plays {mv}.", self.name(state.side)))
    }

    /// Takes back the last move, and what the computer has played since a person's turn.
    fn undo(&mut self) -> Result<bool, Ended> {
        if self.table.moves.is_empty() {
            self.talk.say("There is no move to take back.")?;
            return Ok(false);
        }
        let mut earlier = self.table.clone();
        let has_person = self.players.contains(&Player::Person);
        while earlier.moves.pop().is_some() {
            let probe = earlier.clone();
            let state = self.patiently(|_, engine| probe.look(engine))?;
            if !has_person || self.players[state.side] == Player::Person {
                self.table = earlier;
                return Ok(true);
            }
        }
        self.talk.say("There is no move of yours to take back.")?;
        Ok(false)
    }

    /// Writes the game to a file that is not there yet.
    fn save(&mut self, file: Option<&str>) -> Result<(), Ended> {
        let name = self.table.game.split(' ').next().unwrap_or("game").to_owned();
        let file = file.map_or_else(|| format!("{name}.ratlla"), str::to_owned);
        let text = format!("{}\n", self.table.commands().join("\n"));
        let written = std::fs::File::create_new(&file)
            .and_then(|mut created| created.write_all(text.as_bytes()));
        self.talk.say(match written {
            Ok(()) => format!("Saved: 'ratlla-play {file}' goes on with it."),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                format!("{file} exists already: save it under another name, save <file>.")
            }
            Err(error) => format!("{file} cannot be written: {error}"),
        })
    }

    /// After the end: another game, or back. False if this one goes on after all.
    fn again(&mut self) -> Result<bool, Ended> {
        loop {
            let answer = self.talk.ask("Play again (yes, no, undo, save [file]) [yes]?")?;
            let words: Vec<&str> = answer.split_whitespace().collect();
            match words[..] {
                [] | ["y" | "yes"] => return Ok(true),
                ["n" | "no"] => return Err(Ended::Quit),
                ["undo"] => {
                    if self.undo()? {
                        return Ok(false);
                    }
                }
                ["save"] => self.save(None)?,
                ["save", file] => self.save(Some(file))?,
                _ => self.talk.say(format!("'{answer}' is none of them."))?,
            }
        }
    }
}

/// So many of the moves as fit on a line.
fn shortened(moves: &[String]) -> String {
    const MOST: usize = 20;
    let more = if moves.len() > MOST { " ..." } else { "" };
    format!("{}{more}", moves[..moves.len().min(MOST)].join(" "))
}
