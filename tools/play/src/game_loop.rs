//! One game: turns, drawings and results.

use std::thread;
use std::time::{Duration, Instant};

use crate::board::{PIECES, View};
use crate::commands::{self, Command};
use crate::engine::{QueryError, RestartingEngine, best_move};
use crate::explanation::cell_in_words;
use crate::players::{Computer, Player, names};
use crate::setup::{EngineInfo, GameSetup};
use crate::state::{GameEnd, State};
use crate::style;
use crate::terminal::{Answer, Stop, Terminal};

/// How often a query is tried if the engine fails.
const TRIES: usize = 3;
/// The least time between the moves of two computers, so that a person can follow.
const PACE: Duration = Duration::from_millis(400);

/// The game on the terminal.
pub struct GameLoop {
    /// The user.
    pub terminal: Terminal,
    /// The engine, which knows the rules.
    pub engine: RestartingEngine,
    /// What the engine offers.
    pub info: EngineInfo,
    /// The game and its players.
    pub setup: GameSetup,
    /// Moves taken back, the next one last.
    pub undone: Vec<String>,
    /// The user has stopped two computers, or one that moves again.
    is_paused: bool,
    /// The moves of the position that was drawn last.
    drawn: Option<Vec<String>>,
    /// The user knows what explanations call the cells.
    knows_cells: bool,
}

/// What follows after a command.
#[derive(PartialEq, Eq)]
pub enum Next {
    /// The next command.
    Ask,
    /// The position or the players have changed.
    Turn,
}

impl GameLoop {
    /// A game that is about to begin or to be resumed.
    pub fn new(
        terminal: Terminal,
        engine: RestartingEngine,
        info: EngineInfo,
        setup: GameSetup,
    ) -> GameLoop {
        let (undone, is_paused, drawn, knows_cells) = (vec![], false, None, false);
        GameLoop { terminal, engine, info, setup, undone, is_paused, drawn, knows_cells }
    }

    /// Plays until the user quits, and returns why it stopped.
    pub fn run(&mut self) -> Stop {
        let mut next = self.introduce();
        loop {
            match next {
                Err(Stop::Engine(reason)) => next = self.wait_for_engine(reason),
                Err(stop) => return stop,
                Ok(()) => next = self.turn(),
            }
        }
    }

    /// Starts another game.
    pub fn start(&mut self, setup: GameSetup) -> Result<(), Stop> {
        self.setup = setup;
        self.undone.clear();
        self.is_paused = false;
        self.drawn = None;
        self.introduce()
    }

    /// Says what is played, and by whom.
    fn introduce(&mut self) -> Result<(), Stop> {
        let state = self.state()?;
        let player = |side: usize| {
            let name = self.name(side, &state);
            match &self.setup.players[side] {
                Player::Computer(computer) if *computer != Computer::default() => {
                    format!("{name}, {computer}")
                }
                _ => name,
            }
        };
        let text = format!("{}: {} against {}.", self.setup.record.game, player(0), player(1));
        self.terminal.print("")?;
        self.terminal.say(text)?;
        self.terminal.say("Type a move, or 'help'.")
    }

    /// The computers go on.
    pub fn resume(&mut self) {
        self.is_paused = false;
    }

    /// The computers wait for the user, who may want to look around first.
    pub fn pause(&mut self) {
        self.is_paused = true;
    }

    /// The next drawing is needed even if the position is the same.
    pub fn redraw(&mut self) {
        self.drawn = None;
    }

    fn turn(&mut self) -> Result<(), Stop> {
        let state = self.state()?;
        if state.end().is_some() {
            self.draw(&state)?;
            return self.ask(&state, "Game over; Enter plays again:");
        }
        let name = self.name(state.side(), &state);
        match self.setup.players[state.side()].clone() {
            Player::Person => {
                self.is_paused = false;
                self.draw(&state)?;
                let again = state.last.as_ref().is_some_and(|last| last.again);
                let prompt = match state.board.moves_left {
                    Some(left) if left > 1 => format!("{name}, {left} moves left:"),
                    Some(_) => format!("{name}, one move left:"),
                    None if again => format!("{name}, again:"),
                    None => format!("{name}:"),
                };
                self.ask(&state, &prompt)
            }
            Player::Computer(_) if self.is_paused => {
                self.draw(&state)?;
                self.ask(&state, &format!("{name} is next; Enter goes on:"))
            }
            Player::Computer(computer) => self.computer_turn(&state, &computer),
        }
    }

    /// The user's turn, or a break: commands, until one changes the game.
    fn ask(&mut self, state: &State, prompt: &str) -> Result<(), Stop> {
        let mut was_interrupted = false;
        loop {
            let games = self.info.games.iter().map(|(name, _)| name.as_str());
            let lines = commands::completions(state.move_texts(), games);
            let line = match self.terminal.ask(prompt, lines)? {
                Answer::Line(line) => line,
                Answer::Interrupted if was_interrupted => return Err(Stop::Quit),
                Answer::Interrupted => {
                    was_interrupted = true;
                    self.terminal.say("Ctrl-C again quits; 'save' keeps the game.")?;
                    continue;
                }
            };
            was_interrupted = false;
            let command = match state.legal(&line) {
                Some(mv) => Command::Move(mv.to_owned()),
                None => Command::parse(&line),
            };
            if self.execute(command, state)? == Next::Turn {
                return Ok(());
            }
        }
    }

    fn computer_turn(&mut self, state: &State, computer: &Computer) -> Result<(), Stop> {
        let are_both = !self.setup.players.contains(&Player::Person);
        if are_both {
            self.draw(state)?;
        }
        let name = self.name(state.side(), state);
        self.terminal.show(&format!("{name} is thinking; Ctrl-C stops it. "))?;
        let start = Instant::now();
        let commands = [self.setup.commands(computer), vec![computer.go()]].concat();
        let searched = self.query(|engine| {
            let replies = engine.search(&commands, computer.time())?;
            best_move(&replies).ok_or_else(|| QueryError::Failed("no move found".to_owned()))
        });
        if are_both && self.terminal.is_interactive() {
            thread::sleep(PACE.saturating_sub(start.elapsed()));
        }
        self.terminal.erase()?;
        self.is_paused = self.engine.was_interrupted();
        self.play(&searched?)?;
        Ok(())
    }

    /// Plays a move that the engine accepts, and says what it did. Returns the reason if the engine
    /// does not.
    pub fn play(&mut self, mv: &str) -> Result<Option<String>, Stop> {
        let mut setup = self.setup.clone();
        setup.record.moves.push(mv.to_owned());
        let commands = self.state_commands(&setup);
        let state = match self.try_query(|engine| State::find(&engine.ask(&commands)?))? {
            Ok(state) => state,
            Err(reason) => return Ok(Some(reason)),
        };
        // As the engine writes it: games also read other forms.
        setup.record.moves.clone_from(&state.history);
        self.setup = setup;
        if let Some(last) = &state.last {
            let effects = last.effects().join(", ");
            let is_person = self.setup.players[last.side()] == Player::Person;
            let name = self.name(last.side(), &state);
            let plays = if self.is_you(last.side()) { "play" } else { "plays" };
            if !effects.is_empty() {
                self.terminal.say(format!("{name} {plays} {}: {effects}.", last.text))?;
            } else if !is_person {
                self.terminal.say(format!("{name} {plays} {}.", last.text))?;
            }
        }
        Ok(None)
    }

    /// Draws the position unless it was the last to be drawn, and says how the game ended if it has.
    fn draw(&mut self, state: &State) -> Result<(), Stop> {
        if self.drawn.as_ref() == Some(&self.setup.record.moves) {
            return Ok(());
        }
        self.drawn = Some(self.setup.record.moves.clone());
        self.draw_again(state)?;
        match state.end() {
            Some(end) => {
                let text = self.result_text(&end, state);
                self.terminal.say(style::bold(&text))?;
                self.terminal
                    .say("'review' marks the mistakes, 'new' and 'swap' play another game.")
            }
            None => Ok(()),
        }
    }

    /// Draws the position.
    pub fn draw_again(&mut self, state: &State) -> Result<(), Stop> {
        let last = state.last.as_ref().and_then(|last| last.cell());
        let winning = state.winning_cells();
        let is_won = !winning.is_empty();
        let marked: Vec<_> = if is_won { winning.to_vec() } else { last.into_iter().collect() };
        let [first, second] = &self.setup.players;
        let view = View {
            names: &names(&self.setup.players),
            bottom: usize::from(*first != Player::Person && *second == Player::Person),
            width: self.terminal.width(),
            marked: &marked,
            is_won,
        };
        // A game of another engine may have no board of cells.
        let mut lines = state.board.lines(&view);
        if lines.is_empty() {
            lines.clone_from(&state.drawing);
        }
        self.terminal.print("")?;
        lines.iter().try_for_each(|line| self.terminal.print(line))
    }

    fn result_text(&self, end: &GameEnd<'_>, state: &State) -> String {
        let stores = state
            .board
            .stores()
            .map(|[first, second]| format!(" {} to {}", first.max(second), first.min(second)));
        let stores = stores.unwrap_or_default();
        let reason = if end.reason.is_empty() { "" } else { &format!(" ({})", end.reason) };
        match end.winner {
            Some(side) => {
                let name = self.name(side, state);
                let wins = if self.is_you(side) { "win" } else { "wins" };
                format!("{name} {wins}{stores}{reason}.")
            }
            None => format!("The game is drawn{stores}{reason}."),
        }
    }

    /// What a player is called, with the player's piece.
    pub fn name(&self, side: usize, state: &State) -> String {
        let name = &names(&self.setup.players)[side];
        let piece =
            if state.board.has_pieces() { format!(" ({})", PIECES[side]) } else { String::new() };
        style::player(side, &format!("{name}{piece}"), false)
    }

    /// Whether a player is called "You".
    pub fn is_you(&self, side: usize) -> bool {
        let players = &self.setup.players;
        players[side] == Player::Person && players[1 - side] != Player::Person
    }

    /// Says something about a move. If that names cells and the drawing does not, the first time
    /// says how they are counted.
    pub fn say_reason(&mut self, text: &str, indent: usize, state: &State) -> Result<(), Stop> {
        self.terminal.say_indented(text, indent)?;
        let needs_words = !self.knows_cells && !state.board.has_cell_names();
        match cell_in_words(text).filter(|_| needs_words) {
            Some(words) => {
                self.knows_cells = true;
                self.terminal.say(format!("({words}.)"))
            }
            None => Ok(()),
        }
    }

    /// The shortest name of a player: the piece, if there is one.
    pub fn piece_or_name(&self, side: usize, state: &State) -> String {
        match state.board.has_pieces() {
            true => PIECES[side].to_owned(),
            false => names(&self.setup.players)[side].clone(),
        }
    }

    /// The commands that ask for a description of the position.
    fn state_commands(&self, setup: &GameSetup) -> Vec<String> {
        let options = setup.commands(&Computer::default());
        [options, vec!["state".to_owned()]].concat()
    }

    /// The current position.
    pub fn state(&mut self) -> Result<State, Stop> {
        let setup = self.setup.clone();
        self.state_of(&setup)
    }

    /// Another position.
    pub fn state_of(&mut self, setup: &GameSetup) -> Result<State, Stop> {
        let commands = self.state_commands(setup);
        self.query(|engine| State::find(&engine.ask(&commands)?))
    }

    /// A query that the engine cannot reject.
    pub fn query<T>(
        &mut self,
        query: impl FnMut(&mut RestartingEngine) -> Result<T, QueryError>,
    ) -> Result<T, Stop> {
        self.try_query(query)?.map_err(Stop::Engine)
    }

    /// A query that the engine may reject for a reason. If the engine fails, it is restarted and
    /// asked again.
    pub fn try_query<T>(
        &mut self,
        mut query: impl FnMut(&mut RestartingEngine) -> Result<T, QueryError>,
    ) -> Result<Result<T, String>, Stop> {
        let mut tries = 1;
        loop {
            match query(&mut self.engine) {
                Ok(reply) => return Ok(Ok(reply)),
                Err(QueryError::Rejected(reason)) => return Ok(Err(reason)),
                Err(QueryError::Failed(reason)) if tries < TRIES => {
                    self.terminal.erase()?;
                    self.terminal.say(format!("Restarting the engine: {reason}."))?;
                    tries += 1;
                }
                Err(QueryError::Failed(reason)) => return Err(Stop::Engine(reason)),
            }
        }
    }

    /// The engine is gone for good, but the game is not.
    fn wait_for_engine(&mut self, reason: String) -> Result<(), Stop> {
        self.terminal.erase()?;
        self.terminal.say(format!("The engine has failed: {reason}."))?;
        loop {
            let lines = ["save", "quit"].map(str::to_owned).to_vec();
            let answer = match self.terminal.ask("Enter tries again, 'save' keeps the game:", lines)
            {
                // Without a user, the failure is the program's.
                Err(Stop::Quit) => return Err(Stop::Io(std::io::Error::other(reason))),
                answer => answer?,
            };
            match answer {
                Answer::Line(line) => match Command::parse(&line) {
                    Command::Enter => return Ok(()),
                    Command::Save(file) => self.save(file)?,
                    Command::Quit => return Err(Stop::Quit),
                    _ => self.terminal.say("Expected Enter, save [FILE] or quit.")?,
                },
                Answer::Interrupted => return Err(Stop::Quit),
            }
        }
    }
}
