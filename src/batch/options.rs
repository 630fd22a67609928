//! The arguments of `ratlla solve`.

use std::ffi::OsString;
use std::ops::RangeInclusive;

use lexopt::{Arg, Parser};

use crate::games::connect4::solver::{Position, PositionError};
use crate::subcommand::{HASH, Invocation, THREADS, number, number_of};

/// How to call it.
pub const USAGE: &str = "\
usage: ratlla solve [-a] [--json] [--rows R] [--cols C] [--line L] [--threads N] [--hash MIB]

Read Connect Four positions from stdin, one per line: the columns of the moves from the empty
board, as digits (4453) or separated by commas (4,4,5,3), which boards with more than 9 columns
require. An empty line is the empty board. Write one line for each:

  <moves> <score> <nodes> <microseconds>

The score is 0 for a draw, k if the side to move wins with its k-th stone from the end, and -k if
it loses that way. An invalid line gives a message on stderr and an empty line.

  -a, --analyze    write <moves> and a score for each column, '.' if it is full
      --json       write JSON, and read it: {\"id\": 1, \"rows\": 6, \"cols\": 7, \"line\": 4,
                   \"moves\": \"4453\"}, only moves is required. Every answer depends on its own
                   line alone
      --rows R     rows of the board [default: 6]
      --cols C     columns of the board [default: 7]; (rows + 1) * columns <= 128
      --line L     stones in a winning line, at least 2 [default: 4]
      --threads N  threads, from 1 to 256 [default: 1]
      --hash MIB   memory of the table in MiB, from 1 to 65536 [default: 256]
  -h, --help       print this help
";

/// How to solve positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolveOptions {
    /// The empty board of the size asked for.
    pub board: Position,
    /// Threads of the solver.
    pub threads: usize,
    /// MiB of its table.
    pub hash: usize,
    /// Whether each column is scored, instead of the position.
    pub every_column: bool,
    /// Whether answers are JSON, and each line is solved as if it were the first.
    pub json: bool,
}

/// Any number: whether a board of that size is possible depends on both sides.
const SIDE: RangeInclusive<u64> = 0..=u32::MAX as u64;

/// Reads the arguments, or says what is wrong with them.
pub fn parse(
    arguments: impl Iterator<Item = OsString>,
) -> Result<Invocation<SolveOptions>, String> {
    let mut parser = Parser::from_args(arguments);
    let (mut rows, mut columns, mut line) = (6, 7, 4);
    let (mut threads, mut hash) = (1, 256);
    let (mut every_column, mut json) = (false, false);
    while let Some(argument) = parser.next().map_err(|error| error.to_string())? {
        match argument {
            Arg::Short('h') | Arg::Long("help") => return Ok(Invocation::Help),
            Arg::Short('a') | Arg::Long("analyze") => every_column = true,
            Arg::Long("json") => json = true,
            Arg::Long("rows") => rows = side("rows", &mut parser)?,
            Arg::Long("cols") => columns = side("cols", &mut parser)?,
            Arg::Long("line") => line = side("line", &mut parser)?,
            Arg::Long("threads") => threads = number("threads", THREADS, &mut parser)? as usize,
            Arg::Long("hash") => hash = number("hash", HASH, &mut parser)? as usize,
            unknown => return Err(unknown.unexpected().to_string()),
        }
    }
    let board = board(rows, columns, line)?;
    Ok(Invocation::Run(SolveOptions { board, threads, hash, every_column, json }))
}

/// The empty board of this size for lines of this length, or why there is none.
pub fn board(rows: u32, columns: u32, line: u32) -> Result<Position, String> {
    Position::with_line(rows, columns, line).map_err(|error| match error {
        PositionError::Line => format!("no line of {line}: {error}"),
        _ => format!("no board of {rows} rows and {columns} columns: {error}"),
    })
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

    fn solve(
        board: (u32, u32, u32),
        threads: usize,
        hash: usize,
        every_column: bool,
    ) -> Invocation<SolveOptions> {
        let (rows, columns, line) = board;
        let board = Position::with_line(rows, columns, line).expect("it is allowed");
        Invocation::Run(SolveOptions { board, threads, hash, every_column, json: false })
    }

    #[test]
    fn every_option_has_a_default() {
        assert_eq!(read(""), Ok(solve((6, 7, 4), 1, 256, false)));
        assert_eq!(read("-a"), Ok(solve((6, 7, 4), 1, 256, true)));
        let all = "--rows 5 --cols=8 --line 5 --threads 2 --hash 16 --analyze";
        assert_eq!(read(all), Ok(solve((5, 8, 5), 2, 16, true)));
        let Ok(Invocation::Run(options)) = read("--json") else { panic!("it is an option") };
        assert!(options.json);
        assert_eq!(read("--rows 9 -h --cols 9"), Ok(Invocation::Help));
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
            ("--hash 1.5", "--hash must be 1..65536 (got '1.5')"),
            ("--rows 3", "no board of 3 rows and 7 columns: rows and columns must be 4 to 25"),
            ("--rows 12 --cols 12", "with (rows + 1) * columns <= 128"),
            (
                "--line 1",
                "no line of 1: a line must be at least 2 and at most as long as the board",
            ),
            (
                "--line 8",
                "no line of 8: a line must be at least 2 and at most as long as the board",
            ),
            ("--line x", "--line must be a number (got 'x')"),
        ] {
            let reason = read(text).expect_err(text);
            assert!(reason.contains(part), "{text}: {reason}");
        }
    }
}
