"""The command line, ``ratlla-cluster``."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from . import pool
from .book import GENERATOR, book
from .command import REFUSED
from .console import message
from .errors import ClusterError
from .games import SOLVER, games
from .match import ARENA, match
from .pool import Credentials
from .solve import solve

EPILOG = "Rerun the same command to resume an interrupted job. See docs/cluster.md for examples."
#: Flags of ratlla-arena match that do not apply here, and why.
UNSUPPORTED = {
    "--resume": "not supported; rerun the same command to resume a match",
    "--concurrency": "not supported; the workers' threads set the number of concurrent games",
}
#: Numbers that ``ratlla solve`` takes, each with a name for the value and a help text.
SOLVE_NUMBERS = {
    "rows": ("R", "rows of boards whose line does not give them [default: 6]"),
    "cols": ("C", "columns of these boards [default: 7]"),
    "line": ("L", "stones in a winning line on these boards [default: 4]"),
    "movetime": ("MS", "milliseconds for each position [default: no limit]"),
    "nodes": ("N", "nodes for each position [default: no limit]"),
}


def integer(low: int, high: int | None = None) -> Callable[[str], int]:
    """An argument type: an integer within bounds."""
    expected = f"at least {low}" if high is None else f"{low}..{high}"

    def parse(text: str) -> int:
        valid = text.isascii() and text.isdigit() and low <= int(text)
        if not valid or (high is not None and int(text) > high):
            raise argparse.ArgumentTypeError(f"must be {expected} (got '{text}')")
        return int(text)

    return parse


POSITIVE = integer(1)


def make_parser() -> argparse.ArgumentParser:
    """The argument parser."""
    common = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    where = common.add_mutually_exclusive_group()
    where.add_argument("--scheduler", metavar="ADDRESS",
                       help="address of a Dask scheduler, such as tls://host:8786 "
                       "[default: start a local one]")
    where.add_argument("--workers", metavar="N", type=POSITIVE,
                       help="number of local workers [default: one per core]")
    for name, text in {"ca": "the certificate of your authority, which signed all others",
                       "cert": "the certificate of this client", "key": "its private key"}.items():
        common.add_argument(f"--tls-{name}", metavar="PEM", help=f"for tls:// schedulers: {text}")
    common.add_argument("--bin", metavar="DIR", help="directory of the ratlla programs, here and "
                        "on all workers [default: search PATH]")
    common.add_argument("--timeout", metavar="S", type=POSITIVE, default=60,
                        help="seconds to wait for the scheduler and its first worker "
                        "[default: %(default)s]")
    parser = argparse.ArgumentParser(
        prog="ratlla-cluster", allow_abbrev=False, epilog=EPILOG,
        description="Distribute work of the game engine ratlla over many machines with Dask.",
    )
    commands = parser.add_subparsers(dest="command", required=True)

    def add(name: str, text: str, epilog: str = EPILOG) -> argparse.ArgumentParser:
        return commands.add_parser(name, parents=[common], allow_abbrev=False, help=text,
                                   description=text, epilog=epilog)

    def add_number(command: argparse.ArgumentParser, flag: str, metavar: str, default: int,
                   text: str, kind: Callable[[str], int] = POSITIVE) -> None:
        command.add_argument(flag, metavar=metavar, type=kind, default=default,
                             help=f"{text} [default: %(default)s]")

    command = add("solve", "Solve a file of positions, like ratlla solve --json.")
    command.add_argument("positions", type=Path, help="input file, one position per line")
    command.add_argument("--out", metavar="FILE", type=Path,
                         help="output file [default: POSITIONS.solved]")
    command.add_argument("-a", "--analyze", action="store_true", help="score every move")
    command.add_argument("--best", action="store_true", help="add a best move")
    command.add_argument("--pv", action="store_true", help="add a principal variation")
    command.add_argument("--game", metavar="WORD", nargs="+",
                         help="game of lines that do not give one, such as kalah 6 4 "
                         "[default: connect4 6 7 4]")
    for name, (metavar, text) in SOLVE_NUMBERS.items():
        command.add_argument(f"--{name}", metavar=metavar, type=POSITIVE, help=text)
    add_number(command, "--hash", "MIB", 256, "MiB of hash table per task")
    command.add_argument("--chunk", metavar="N", type=POSITIVE,
                         help="positions per task [default: depends on positions and workers]")

    command = add("games", f"Solve whole games, like {' '.join(SOLVER)}.")
    command.add_argument("games", type=Path, help="input file, one game per line, such as "
                         "'connect4 6 7' or 'kalah 6 4'")
    command.add_argument("--out", metavar="FILE", type=Path,
                         help="output file [default: GAMES.solved]")
    command.add_argument("--first-moves", action="store_true", help="score every first move too")
    add_number(command, "--hash", "MIB", 1024, "MiB of hash table per task")

    command = add("book", f"Generate the opening book, like {' '.join(GENERATOR)}.")
    command.add_argument("--out", metavar="FILE", type=Path, required=True, help="output file")
    add_number(command, "--plies", "N", 8, "depth to which the book is complete", integer(0, 12))
    add_number(command, "--parts", "N", 64, "number of tasks")
    add_number(command, "--hash", "MIB", 1024, "MiB of hash table per task")

    command = add(
        "match", f"Play a match, like {ARENA} match.",
        f"All other flags are those of {ARENA} match, such as --engine and --games. {EPILOG}",
    )
    command.add_argument("--record", metavar="FILE", type=Path, required=True,
                         help="output file for the games")
    add_number(command, "--pairs", "N", 1, "game pairs per task")
    return parser


def credentials(parser: argparse.ArgumentParser, args: argparse.Namespace) -> Credentials | None:
    """The files for a tls:// scheduler; exits if they are missing, or given for another one."""
    files = [args.tls_ca, args.tls_cert, args.tls_key]
    encrypted = (args.scheduler or "").startswith("tls://")
    if encrypted and None in files:
        parser.error("a tls:// scheduler needs --tls-ca, --tls-cert and --tls-key")
    if not encrypted and files != [None] * 3:
        parser.error("--tls-ca, --tls-cert and --tls-key need --scheduler tls://HOST:PORT")
    return Credentials(*files) if encrypted else None


def solve_flags(args: argparse.Namespace) -> list[str]:
    """The flags of ``ratlla solve``."""
    flags = [f"--{name}" for name in ("analyze", "best", "pv") if getattr(args, name)]
    if args.game is not None:
        flags += ["--game", *" ".join(args.game).split()]
    for name in [*SOLVE_NUMBERS, "hash"]:
        if (value := getattr(args, name)) is not None:
            flags += [f"--{name}", str(value)]
    return flags


def run(args: argparse.Namespace, arena_args: Sequence[str], tls: Credentials | None) -> bool:
    """Runs the command given by ``args``; whether all of its input is valid."""
    valid = True
    with contextlib.ExitStack() as stack:

        def connect() -> pool.Pool:
            return stack.enter_context(
                pool.connect(args.scheduler, args.workers, args.timeout, args.bin, tls)
            )

        if args.command == "solve":
            out = args.out or args.positions.with_name(args.positions.name + ".solved")
            valid = solve(args.positions, out, solve_flags(args), args.chunk, connect)
            message(f"wrote {out}")
        elif args.command == "games":
            out = args.out or args.games.with_name(args.games.name + ".solved")
            flags = ["--first-moves"] * args.first_moves
            games(args.games, out, [*flags, "--hash", str(args.hash)], connect)
            message(f"wrote {out}")
        elif args.command == "book":
            book(args.out, args.plies, args.parts, ["--hash", str(args.hash)], connect)
            message(f"wrote {args.out}")
        else:
            print(match(args.record, arena_args, args.pairs, args.bin, connect), end="")
    return valid


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the program and returns its exit status; exits with 2 if the arguments are invalid."""
    parser = make_parser()
    args, others = parser.parse_known_args(arguments)
    if args.command != "match" and others:
        parser.error(f"unrecognized argument '{others[0]}'")
    for word in others:
        if reason := UNSUPPORTED.get(word.split("=")[0]):
            parser.error(f"{word}: {reason}")
    tls = credentials(parser, args)
    try:
        return 0 if run(args, others, tls) else REFUSED
    except ClusterError as error:
        message(str(error))
        return 1
    except KeyboardInterrupt:
        message("interrupted; rerun the command to resume")
        return 130


if __name__ == "__main__":
    sys.exit(main())
