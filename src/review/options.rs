//! The arguments of `ratlla explain`.

use std::ffi::OsString;

use lexopt::{Arg, Parser};

use crate::games::REGISTRY;
use crate::subcommand::{HASH, Invocation, NODES, THREADS, game_words, number, text};

/// How to call it.
pub const USAGE: &str = "\
usage: ratlla explain [--json] [--game NAME [PARAMETER]...] [--nodes N] [--threads N] [--hash MIB]
                      [--moves] [MOVE]...

Review a game: play the moves and say of each what it was worth. Moves are written as for 'ratlla
solve': 4453, '4 4 5 3', or a position, 'moves' and moves. Without any, read them from stdin, where
what follows a # is a comment. Write one line for each move:

  <number>. <side> <move><mark>  <before> -> <after> (best <move>)  <reason>

Before and after are the score of the best move and of the one played, for the player who moves.
The mark is ? if the move gives away a win or a draw, ?! if it wins later or by less, or loses
sooner or by more, than the best one, ! if it is the only one that keeps the win or the draw, and
~ if the scores are not proved.

      --game G     the game and its parameters, as after 'newgame' [default: connect4 6 7]
      --moves      what follows are moves (after --game)
      --json       write one JSON object
      --nodes N    nodes to search for each move [default: 4000000]
      --threads N  threads, from 1 to 256 [default: 1]
      --hash MIB   memory of the tables in MiB, from 1 to 65536 [default: 64]
  -h, --help       print this help
";

/// How to review which game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReviewOptions {
    /// The title of the game.
    pub game: String,
    /// The words that say which moves; `None` if they are to be read from stdin.
    pub moves: Option<Vec<String>>,
    /// Nodes for each move.
    pub nodes: u64,
    /// Threads of the search.
    pub threads: usize,
    /// MiB of the tables.
    pub hash: usize,
    /// Whether to write JSON.
    pub json: bool,
}

/// Reads the arguments, or says what is wrong with them.
pub fn parse(
    arguments: impl Iterator<Item = OsString>,
) -> Result<Invocation<ReviewOptions>, String> {
    let mut parser = Parser::from_args(arguments);
    let mut game = Vec::new();
    let mut options = ReviewOptions {
        game: String::new(),
        moves: None,
        nodes: 4_000_000,
        threads: 1,
        hash: 64,
        json: false,
    };
    while let Some(argument) = parser.next().map_err(|error| error.to_string())? {
        match argument {
            Arg::Short('h') | Arg::Long("help") => return Ok(Invocation::Help),
            Arg::Long("json") => options.json = true,
            Arg::Long("game") => game = game_words(&mut parser)?,
            // Marks where the parameters of the game end.
            Arg::Long("moves") => {}
            Arg::Long("nodes") => options.nodes = number("nodes", NODES, &mut parser)?,
            Arg::Long("threads") => {
                options.threads = number("threads", THREADS, &mut parser)? as usize;
            }
            Arg::Long("hash") => options.hash = number("hash", HASH, &mut parser)? as usize,
            Arg::Value(word) => options.moves.get_or_insert_default().push(text(word)?),
            unknown => return Err(unknown.unexpected().to_string()),
        }
    }
    options.game = REGISTRY.title(&game).map_err(|reason| match options.moves {
        // Moves that follow the game at once are taken for its parameters.
        None if game.len() > 1 => format!("{reason}; write --moves before the moves"),
        _ => reason,
    })?;
    Ok(Invocation::Run(options))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Invocation<ReviewOptions>, String> {
        parse(text.split_whitespace().map(OsString::from))
    }

    fn options(text: &str) -> ReviewOptions {
        match read(text) {
            Ok(Invocation::Run(options)) => options,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn the_game_ends_at_the_next_option() {
        let kalah = options("--game kalah 6 4 --moves 3 6");
        assert_eq!(kalah.game, "kalah 6 4");
        assert_eq!(kalah.moves, Some(vec!["3".to_owned(), "6".to_owned()]));
        assert_eq!(options("4 4 --json").moves, options("--json 4 4").moves);
        assert_eq!(options("--game wali").moves, None);
        assert_eq!(read("--nodes 5 -h"), Ok(Invocation::Help));
    }

    #[test]
    fn errors_name_the_option_and_what_it_takes() {
        for (text, part) in [
            ("--game", "missing argument for option '--game'"),
            ("--game chess", "unknown game 'chess'"),
            (
                "--game kalah 3 2 2 1 3",
                "got 5 (newgame kalah [houses seeds] [empty]); write --moves",
            ),
            ("--nodes 0", "--nodes must be 1..18446744073709551615 (got '0')"),
            ("--hash x", "--hash must be 1..65536 (got 'x')"),
            ("--depth 3", "invalid option '--depth'"),
        ] {
            let reason = read(text).expect_err(text);
            assert!(reason.contains(part), "{text}: {reason}");
        }
    }
}
