//! The commands of the user, carried out.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ratlla::text::escaped;
use ratlla_client::words;

use crate::arguments::GameArguments;
use crate::commands::{self, Command};
use crate::explanation::{Reason, Refutation, first_person, third_person};
use crate::game_loop::{GameLoop, Next};
use crate::game_record::SavedGame;
use crate::players::{Computer, LEVELS, Player, names, parse_level};
use crate::rules;
use crate::setup::GameSetup;
use crate::state::{SIDES, State};
use crate::terminal::Stop;

/// The search time of a hint, in milliseconds.
const HINT_TIME: u64 = 1000;
/// How long an explanation may take: the engine's own limit, with some room.
const EXPLAIN_TIME: Duration = Duration::from_secs(5);
/// How many moves `explain` explains.
const MOST_REASONS: usize = 12;

impl GameLoop {
    /// Carries out a command.
    pub fn execute(&mut self, command: Command, state: &State) -> Result<Next, Stop> {
        match command {
            Command::Enter => return self.enter(state),
            Command::Move(mv) => return self.try_move(&mv, state),
            Command::Undo => return self.undo(),
            Command::Redo => return self.redo(),
            Command::Swap => return self.swap(state),
            Command::Level(Some(level)) => return self.set_level(&level),
            Command::New(words) => return self.new_game(&words),
            Command::Quit => return Err(Stop::Quit),
            Command::Hint => self.hint(state)?,
            Command::Explain(mv) => self.explain(mv.as_deref(), state)?,
            Command::Why => self.why(state)?,
            Command::WhyNot(mv) => self.why_not(&mv, state)?,
            Command::Moves => self.list_moves(state)?,
            Command::Board => self.draw_again(state)?,
            Command::Review => self.review()?,
            Command::Rules => {
                let game = self.setup.record.game.clone();
                for paragraph in rules::rules(game.split(' ').next().unwrap_or_default()) {
                    self.terminal.say(paragraph)?;
                }
            }
            Command::Level(None) => self.list_levels()?,
            Command::Save(file) => self.save(file)?,
            Command::Help => {
                for line in commands::help() {
                    self.terminal.say_indented(line, 4)?;
                }
            }
            Command::Misused(form) => self.terminal.say(format!("Expected {form}; see 'help'."))?,
            Command::Unknown(word) => {
                let hint = did_you_mean(&word).unwrap_or_else(|| "See 'help'.".to_owned());
                self.terminal.say(format!("Expected one move or command. {hint}"))?;
            }
        }
        Ok(Next::Ask)
    }

    fn enter(&mut self, state: &State) -> Result<Next, Stop> {
        if state.end().is_some() {
            return self.new_game(&[]);
        }
        match self.setup.players[state.side()] {
            Player::Computer(_) => {
                self.resume();
                Ok(Next::Turn)
            }
            Player::Person => {
                self.terminal.say("Type a move; 'moves' lists them, 'help' the commands.")?;
                Ok(Next::Ask)
            }
        }
    }

    fn try_move(&mut self, mv: &str, state: &State) -> Result<Next, Stop> {
        if state.end().is_some() {
            let hint = did_you_mean(mv).map_or(String::new(), |hint| format!(" {hint}"));
            let mv = escaped(mv);
            self.terminal
                .say(format!("The game is over: expected a command, got '{mv}'.{hint}"))?;
            return Ok(Next::Ask);
        }
        let before = self.setup.record.moves.len();
        if let Some(reason) = self.play(mv)? {
            // The engine speaks of the whole game.
            let prefix = format!("position: move {}, ", before + 1);
            let reason = reason.strip_prefix(&prefix).unwrap_or(&reason);
            let reason = with_names(reason, &[0, 1].map(|side| self.piece_or_name(side, state)));
            let hint = did_you_mean(mv)
                .unwrap_or_else(|| "'moves' lists the moves, 'help' the commands.".to_owned());
            self.terminal.say(format!("{reason}. {hint}"))?;
            return Ok(Next::Ask);
        }
        // A move that was taken back and is played again leaves the later ones in place.
        if self.undone.pop().as_ref() != self.setup.record.moves.last() {
            self.undone.clear();
        }
        Ok(Next::Turn)
    }

    /// Takes back moves until it is the user's turn again.
    fn undo(&mut self) -> Result<Next, Stop> {
        let has_person = self.setup.players.contains(&Player::Person);
        let mut earlier = self.setup.clone();
        let mut undone = self.undone.clone();
        while let Some(mv) = earlier.record.moves.pop() {
            undone.push(mv);
            let side = self.state_of(&earlier)?.side();
            if !has_person || self.setup.players[side] == Player::Person {
                self.setup = earlier;
                self.undone = undone;
                self.pause();
                return Ok(Next::Turn);
            }
        }
        let there = if has_person { "You have" } else { "There are" };
        self.terminal.say(format!("{there} no moves to take back."))?;
        Ok(Next::Ask)
    }

    /// Plays the moves that were taken back, until it is the user's turn again.
    fn redo(&mut self) -> Result<Next, Stop> {
        if self.undone.is_empty() {
            self.terminal.say("No moves were taken back.")?;
            return Ok(Next::Ask);
        }
        let has_person = self.setup.players.contains(&Player::Person);
        while let Some(mv) = self.undone.pop() {
            self.play(&mv)?;
            let state = self.state()?;
            if !has_person || self.setup.players[state.side()] == Player::Person {
                break;
            }
        }
        self.pause();
        Ok(Next::Turn)
    }

    /// Changes sides; after a game, in the next one.
    fn swap(&mut self, state: &State) -> Result<Next, Stop> {
        self.setup.players.swap(0, 1);
        if state.end().is_some() {
            return self.new_game(&[]);
        }
        self.terminal.say("The players have changed sides.")?;
        self.redraw();
        Ok(Next::Turn)
    }

    fn list_levels(&mut self) -> Result<(), Stop> {
        let width = LEVELS.iter().map(|word| word.len()).max().unwrap_or(0);
        for (number, word) in (1..).zip(LEVELS) {
            let is_chosen = |player: &Player| matches!(player, Player::Computer(Computer { level, .. }) if *level == Some(number));
            let names = names(&self.setup.players).into_iter().zip(&self.setup.players);
            let chosen = names.filter(|(_, player)| is_chosen(player)).map(|(name, _)| name);
            let chosen = match chosen.collect::<Vec<_>>().join(", ") {
                names if names.is_empty() => names,
                names => format!("  < {names}"),
            };
            self.terminal.print(format!("{number:>3} {word:<width$}{chosen}").trim_end())?;
        }
        Ok(())
    }

    fn set_level(&mut self, level: &str) -> Result<Next, Stop> {
        if let Err(reason) = level.split(',').try_for_each(|level| parse_level(level).map(drop)) {
            return self.refuse(&format!("{reason}, got '{}'", escaped(level)));
        }
        let words = ["--level".to_owned(), level.to_owned()];
        let default = self.info.default_computer();
        let players = GameArguments::from_words(&words)
            .and_then(|arguments| arguments.players(&self.setup.players, &default));
        match players {
            Ok(players) => {
                for (name, player) in names(&players).iter().zip(&players) {
                    if let Player::Computer(computer) = player {
                        self.terminal.say(format!("{name} plays at {computer}."))?;
                    }
                }
                self.setup.players = players;
                Ok(Next::Turn)
            }
            Err(reason) => self.refuse(&reason),
        }
    }

    fn new_game(&mut self, words: &[String]) -> Result<Next, Stop> {
        let arguments = match GameArguments::from_words(words) {
            Ok(arguments) => arguments,
            Err(reason) => return self.refuse(&reason),
        };
        let (before, info) = (self.setup.clone(), self.info.clone());
        let setup =
            self.try_query(|engine| GameSetup::new(&arguments, Some(&before), &info, engine))?;
        match setup {
            Ok(setup) => {
                self.start(setup)?;
                Ok(Next::Turn)
            }
            Err(reason) => self.refuse(&format!("{reason}; the game goes on")),
        }
    }

    fn refuse(&mut self, reason: &str) -> Result<Next, Stop> {
        self.terminal.refuse(reason)?;
        Ok(Next::Ask)
    }

    fn list_moves(&mut self, state: &State) -> Result<(), Stop> {
        if state.moves.is_empty() {
            return self.terminal.say("The game is over: there are no moves.");
        }
        let moves: Vec<&str> = state.move_texts().collect();
        self.terminal.say(moves.join(" "))
    }

    fn hint(&mut self, state: &State) -> Result<(), Stop> {
        if state.end().is_some() {
            return self.terminal.say("The game is over.");
        }
        let replies =
            self.ask_why(&self.setup.clone(), &[format!("explain movetime {HINT_TIME}")])?;
        match replies.map(|replies| Reason::find_all(&replies)) {
            Ok(reasons) => match reasons.first() {
                Some(Reason { mv, sentence, .. }) => {
                    let sentence = self.advised(sentence, state);
                    self.say_reason(&format!("Try {mv}. {sentence}"), 0, state)
                }
                None => self.terminal.say("No move is recommended."),
            },
            Err(reason) => self.terminal.refuse(&reason),
        }
    }

    fn explain(&mut self, mv: Option<&str>, state: &State) -> Result<(), Stop> {
        if state.end().is_some() {
            return self.terminal.say("The game is over; 'review' explains its moves.");
        }
        // One move is compared with all others: what it gives away depends on them. The engine says
        // why a move is not legal.
        let chosen = mv.and_then(|mv| state.legal(mv));
        let only = match mv {
            Some(mv) if chosen.is_none() => format!(" searchmoves {mv}"),
            _ => String::new(),
        };
        let replies = match self.ask_why(&self.setup.clone(), &[format!("explain{only}")])? {
            Ok(replies) => replies,
            Err(reason) => return self.terminal.refuse(&reason),
        };
        let mut reasons = Reason::find_all(&replies);
        reasons.retain(|reason| chosen.is_none_or(|mv| reason.mv == mv));
        let width = reasons.iter().map(|reason| reason.mv.len()).max().unwrap_or(0);
        for reason in reasons.iter().take(MOST_REASONS) {
            let Reason { mv, sentence, .. } = reason;
            let sentence = self.advised(sentence, state);
            let text = format!("{mv:>width$}  {:>5}  {sentence}", reason.value());
            self.say_reason(&text, width + 9, state)?;
        }
        if reasons.len() > MOST_REASONS {
            let more = reasons.len() - MOST_REASONS;
            self.terminal.say(format!("And {more} more; 'explain MOVE' explains one of them."))?;
        }
        Ok(())
    }

    /// Why the last move was made.
    fn why(&mut self, state: &State) -> Result<(), Stop> {
        let Some(last) = &state.last else {
            return self.terminal.say("No move was made yet; 'explain' is about the next one.");
        };
        let mut before = self.setup.clone();
        before.record.moves.pop();
        let replies = self.ask_why(&before, &["explain".to_owned()])?;
        let reasons = match replies {
            Ok(replies) => Reason::find_all(&replies),
            Err(reason) => return self.terminal.refuse(&reason),
        };
        let name = self.name(last.side(), state);
        for Reason { mv, sentence, .. } in reasons.iter().filter(|reason| reason.mv == last.text) {
            let sentence = self.spoken(last.side(), sentence, state);
            self.say_reason(&format!("{name}, {mv}: {sentence}"), 0, state)?;
        }
        Ok(())
    }

    /// What the engine says about a move of a player: computers speak of themselves, and only one
    /// person can be "you".
    pub fn spoken(&self, side: usize, sentence: &str, state: &State) -> String {
        match self.setup.players[side] {
            Player::Computer(_) => first_person(sentence),
            Player::Person if self.is_you(side) => sentence.to_owned(),
            Player::Person => third_person(sentence, &self.piece_or_name(side, state)),
        }
    }

    /// What the engine says about a move that could be made next: "you" is the person to move.
    fn advised(&self, sentence: &str, state: &State) -> String {
        match self.setup.players[state.side()] {
            Player::Computer(_) => third_person(sentence, &self.piece_or_name(state.side(), state)),
            Player::Person => sentence.to_owned(),
        }
    }

    fn why_not(&mut self, mv: &str, state: &State) -> Result<(), Stop> {
        if state.end().is_some() {
            return self.terminal.say("The game is over; 'review' explains its moves.");
        }
        let replies = match self.ask_why(&self.setup.clone(), &[format!("why not {mv}")])? {
            Ok(replies) => replies,
            Err(reason) => return self.terminal.refuse(&reason),
        };
        let Some(Refutation { best, sentence, line }) = Refutation::find(&replies) else {
            return self.terminal.say("The engine has no answer.");
        };
        let better =
            if best.eq_ignore_ascii_case(mv) { "" } else { &format!(" The best move is {best}.") };
        let sentence = self.advised(&sentence, state);
        self.say_reason(&format!("{sentence}{better}"), 0, state)?;
        if line.len() > 2 {
            let line: Vec<&str> = line.iter().take(12).map(String::as_str).collect();
            self.terminal.say(format!("The line: {}", line.join(" ")))?;
        }
        Ok(())
    }

    /// Sends questions about a position, the last of which is a search, and returns the replies or why it was rejected.
    pub fn ask_why(
        &mut self,
        setup: &GameSetup,
        questions: &[String],
    ) -> Result<Result<Vec<String>, String>, Stop> {
        let commands = [&setup.commands(&self.info.strongest_computer()), questions].concat();
        self.terminal.show("Searching; Ctrl-C stops it. ")?;
        let replies = self.try_query(|engine| engine.search(&commands, EXPLAIN_TIME));
        self.terminal.erase()?;
        // The user did not type these words.
        let plain = |reason: String| match reason.split_once('\'') {
            Some(("explain searchmoves " | "why not ", rest)) => format!("'{rest}"),
            _ => reason,
        };
        Ok(replies?.map_err(plain))
    }

    /// Saves the game: to the file it is already in, or to a new one.
    pub fn save(&mut self, file: Option<String>) -> Result<(), Stop> {
        let own = self.setup.file.clone();
        let path = file.map(PathBuf::from).or_else(|| own.clone()).unwrap_or_else(|| {
            let game = self.setup.record.game.split(' ').next().unwrap_or("game");
            free_name(game)
        });
        let shown = path.display().to_string();
        let saved = SavedGame {
            record: self.setup.record.clone(),
            players: Some(self.setup.players.clone()),
        };
        match saved.save(&path, own.as_ref() == Some(&path)) {
            Ok(()) => {
                self.setup.file = Some(path);
                let quoted = words::quote(&shown);
                self.terminal.say(format!("Saved. Resume with: ratlla-play {quoted}"))
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                self.terminal.say(format!("{shown} exists; choose another name."))
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {
                self.terminal.say(format!("Cannot write {shown}: its folder does not exist."))
            }
            Err(error) => self.terminal.say(format!("Cannot write {shown}: {error}")),
        }
    }
}

/// A message of the engine with our names of the players.
fn with_names(message: &str, names: &[String; 2]) -> String {
    let named = |word: &str| match SIDES.iter().position(|&side| side == word) {
        Some(side) => names[side].clone(),
        None => word.to_owned(),
    };
    message.split(' ').map(named).collect::<Vec<_>>().join(" ")
}

/// A file name for a game that no file has.
fn free_name(game: &str) -> PathBuf {
    let name = |number: usize| match number {
        1 => PathBuf::from(format!("{game}.ratlla")),
        _ => PathBuf::from(format!("{game}-{number}.ratlla")),
    };
    (1..).map(name).find(|path: &PathBuf| !Path::exists(path)).unwrap_or_else(|| name(1))
}

/// A question about a word that is no command.
fn did_you_mean(word: &str) -> Option<String> {
    commands::nearest(word).map(|command| format!("Did you mean '{command}'?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_have_our_names() {
        let names = ["X", "O"].map(str::to_owned);
        assert_eq!(
            with_names("c4 is next to a stone of p1 (p2)", &names),
            "c4 is next to a stone of X (p2)"
        );
    }
}
