//! The arguments of `ratlla solve`.

use std::ffi::OsString;
use std::ops::RangeInclusive;
use std::time::Duration;

use lexopt::{Arg, Parser};

use super::solved::Extras;
use crate::games::REGISTRY;
use crate::subcommand::{HASH, Invocation, NODES, THREADS, game_words, number, number_of};

/// How to call it.
pub const USAGE: &str = "\
usage: ratlla solve [-a] [--best] [--pv] [--json] [--game NAME [PARAMETER]...] [--rows R] [--cols C]
                    [--line L] [--movetime MS] [--nodes N] [--jobs N] [--threads N] [--hash MIB]

Read positions from stdin, one per line, and write one line for each:

  <position> <score> <nodes> <microseconds>

A position is the moves from the start, separated by blanks or commas (4 4 5 3), or without anything
between them if moves are digits (4453); - is the start position. Or it is what follows 'position' in
a session: a grid, a FEN, pits and so on, and perhaps 'moves' and moves. What follows a # is ignored
(not in JSON), and a blank line is answered with a blank line.

The score is for the side to move. Connect Four: 0 for a draw, k if it wins with its k-th stone from
the end, and -k if it loses that way. Kalah: the final margin. Other games: draw, win:N or loss:N with
N plies to the end. ? means that a limit was reached before the score was proved. An invalid line
gives a message on stderr and a blank line, and the exit status is 1 in the end.

  -a, --analyze      write a score for each column, '.' if it is full; in other games <move>=<score>
                     for each legal move
      --best         add a best move, - if the game is over
      --pv           add a principal variation, its moves separated by commas
      --json         write JSON, and read it: {\"id\": 1, \"moves\": \"4453\"}, with the optional keys
                     id, game, rows, cols, line, position. Every line starts with empty hash tables
      --game G       the game and its parameters, as after 'newgame' [default: connect4 6 7]
      --rows R       rows of the board in Connect Four [default: 6]
      --cols C       columns [default: 7]
      --line L       stones in a winning line [default: 4]
      --movetime MS  milliseconds for each position
      --nodes N      nodes for each position
      --jobs N       positions to solve at a time, from 1 to 256 [default: 1]
      --threads N    threads for each position, from 1 to 256 [default: 1]
      --hash MIB     memory of the tables of each job in MiB, from 1 to 65536 [default: 256]
  -h, --help         print this help
";

/// What to solve, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolveOptions {
    /// The title of the game.
    pub game: String,
    /// Whether each move is scored, instead of the position.
    pub every_move: bool,
    /// What else to write.
    pub extras: Extras,
    /// Whether answers are JSON, and each line is solved as if it were the first.
    pub json: bool,
    /// Time for each position.
    pub movetime: Option<Duration>,
    /// Nodes for each position.
    pub nodes: Option<u64>,
    /// Positions at a time.
    pub jobs: usize,
    /// Threads for each position.
    pub threads: usize,
    /// MiB of the tables of a job.
    pub hash: usize,
}

impl Default for SolveOptions {
    fn default() -> SolveOptions {
        SolveOptions {
            game: "connect4 6 7 4".to_owned(),
            every_move: false,
            extras: Extras::default(),
            json: false,
            movetime: None,
            nodes: None,
            jobs: 1,
            threads: 1,
            hash: 256,
        }
    }
}

/// Any number: whether a board of that size is possible depends on both sides.
const SIDE: RangeInclusive<u64> = 0..=u32::MAX as u64;
/// Milliseconds: at most some decades.
const MOVETIME: RangeInclusive<u64> = 1..=1 << 40;

/// Reads the arguments, or says what is wrong with them.
pub fn parse(
    arguments: impl Iterator<Item = OsString>,
) -> Result<Invocation<SolveOptions>, String> {
    let mut parser = Parser::from_args(arguments);
    let (mut game, mut board) = (None, [None; 3]);
    let mut options = SolveOptions::default();
    while let Some(argument) = parser.next().map_err(|error| error.to_string())? {
        match argument {
            Arg::Short('h') | Arg::Long("help") => return Ok(Invocation::Help),
            Arg::Short('a') | Arg::Long("analyze") => options.every_move = true,
            Arg::Long("best") => options.extras.best = true,
            Arg::Long("pv") => options.extras.pv = true,
            Arg::Long("json") => options.json = true,
            Arg::Long("game") => game = Some(game_words(&mut parser)?),
            Arg::Long("rows") => board[0] = Some(side("rows", &mut parser)?),
            Arg::Long("cols") => board[1] = Some(side("cols", &mut parser)?),
            Arg::Long("line") => board[2] = Some(side("line", &mut parser)?),
            Arg::Long("movetime") => {
                let milliseconds = number("movetime", MOVETIME, &mut parser)?;
                options.movetime = Some(Duration::from_millis(milliseconds));
            }
            Arg::Long("nodes") => options.nodes = Some(number("nodes", NODES, &mut parser)?),
            Arg::Long("jobs") => options.jobs = number("jobs", THREADS, &mut parser)? as usize,
            Arg::Long("threads") => {
                options.threads = number("threads", THREADS, &mut parser)? as usize;
            }
            Arg::Long("hash") => options.hash = number("hash", HASH, &mut parser)? as usize,
            unknown => return Err(unknown.unexpected().to_string()),
        }
    }
    options.game = match game {
        None => {
            let default = connect4_board(&options.game).unwrap_or_default();
            board_title(board, default)?
        }
        Some(_) if board != [None; 3] => {
            return Err("--rows, --cols and --line do not go with --game: write \
                        --game connect4 R C L"
                .to_owned());
        }
        Some(words) => REGISTRY.title(&words)?,
    };
    Ok(Invocation::Run(options))
}

/// The title of Connect Four with these rows, columns and line where they are given.
pub fn board_title(board: [Option<u32>; 3], default: [u32; 3]) -> Result<String, String> {
    let number = |index: usize| board[index].unwrap_or(default[index]).to_string();
    REGISTRY.title(&[number(0), number(1), number(2)])
}

/// Rows, columns and line if this is the title of Connect Four.
pub fn connect4_board(title: &str) -> Option<[u32; 3]> {
    let mut numbers = title.strip_prefix("connect4 ")?.split(' ').map(|word| word.parse().ok());
    let mut next = || numbers.next().flatten();
    Some([next()?, next()?, next()?])
}

/// The value of an option that is a number of cells.
fn side(name: &str, parser: &mut Parser) -> Result<u32, String> {
    number_of(name, SIDE, "a number", parser).map(|number| number as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Invocation<SolveOptions>, String> {
        parse(text.split_whitespace().map(OsString::from))
    }

    fn options(text: &str) -> SolveOptions {
        match read(text) {
            Ok(Invocation::Run(options)) => options,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn every_option_has_a_default() {
        let default = options("");
        assert_eq!(default.game, "connect4 6 7 4");
        assert_eq!((default.jobs, default.threads, default.hash), (1, 1, 256));
        assert_eq!((default.movetime, default.nodes), (None, None));
        assert!(!default.every_move && !default.json && default.extras == Extras::default());
        assert_eq!(options("-a"), SolveOptions { every_move: true, ..default.clone() });
        let all = options(
            "--rows 5 --cols=8 --line 5 --threads 2 --hash 16 --analyze --best --pv --json \
             --movetime 20 --nodes 9 --jobs 3",
        );
        let expected = SolveOptions {
            game: "connect4 5 8 5".to_owned(),
            every_move: true,
            extras: Extras { best: true, pv: true },
            json: true,
            movetime: Some(Duration::from_millis(20)),
            nodes: Some(9),
            jobs: 3,
            threads: 2,
            hash: 16,
        };
        assert_eq!(all, expected);
        assert_eq!(read("--rows 9 -h --cols 9"), Ok(Invocation::Help));
    }

    #[test]
    fn a_game_is_what_newgame_takes() {
        for (text, game) in [
            ("--game kalah", "kalah 6 4"),
            ("--game Kalah 4 3 -a", "kalah 4 3"),
            ("-a --game boom", "boom"),
            ("--game 25 25", "connect4 25 25 4"),
            ("--rows 12 --cols 12", "connect4 12 12 4"),
            ("--line 5", "connect4 6 7 5"),
        ] {
            assert_eq!(options(text).game, game);
        }
        assert_eq!(connect4_board("connect4 8 9 5"), Some([8, 9, 5]));
        assert_eq!(connect4_board("kalah 6 4"), None);
    }

    #[test]
    fn errors_name_the_option_and_what_it_takes() {
        for (text, part) in [
            ("-b", "invalid option '-b'"),
            ("--row 6", "invalid option '--row'"),
            ("4453", "unexpected argument \"4453\""),
            ("--rows", "missing argument for option '--rows'"),
            ("--rows six", "--rows must be a number (got 'six')"),
            ("--rows -6", "--rows must be a number (got '-6')"),
            ("--threads 0", "--threads must be 1..256 (got '0')"),
            ("--jobs 0", "--jobs must be 1..256 (got '0')"),
            ("--movetime 0", "--movetime must be 1..1099511627776 (got '0')"),
            ("--nodes x", "--nodes must be 1..18446744073709551615 (got 'x')"),
            ("--hash 1.5", "--hash must be 1..65536 (got '1.5')"),
            ("--rows 3", "rows and columns must be 4..25 (got 3 and 7)"),
            ("--line 1", "the line must be 2..7 with 6 rows and 7 columns (got 1)"),
            ("--line 8", "the line must be 2..7 with 6 rows and 7 columns (got 8)"),
            ("--line x", "--line must be a number (got 'x')"),
            ("--game", "missing argument for option '--game'"),
            ("--game chess", "unknown game 'chess' (available: connect4, "),
            ("--game kalah 6", "(newgame kalah [houses seeds] [empty])"),
            ("--game boom --line 5", "--rows, --cols and --line do not go with --game"),
        ] {
            let reason = read(text).expect_err(text);
            assert!(reason.contains(part), "{text}: {reason}");
        }
    }
}
