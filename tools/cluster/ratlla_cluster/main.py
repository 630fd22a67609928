"""The command line: ``ratlla-cluster``."""

from __future__ import annotations

import argparse
import contextlib
import sys
from pathlib import Path
from typing import Callable, List, Optional, Sequence

from .book import book
from .crew import Crew, connect, say
from .errors import Trouble
from .match import match
from .solve import solve

EPILOG = (
    "The same command again goes on where it was stopped. docs/cluster.md explains everything, with "
    "examples."
)
#: Flags of ratlla-arena match that have no meaning here, and why.
NOT_HERE = {
    "--resume": "the same command again goes on with a match",
    "--concurrency": "as many games are played at a time as the workers have threads",
}


def positive(text: str) -> int:
    """A number above 0."""
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is no number above 0")
    return int(text)


def plies(text: str) -> int:
    """A number of plies that ``ratlla-lab`` knows."""
    if not text.isascii() or not text.isdigit() or int(text) > 12:
        raise argparse.ArgumentTypeError(f"'{text}' is no number from 0 to 12")
    return int(text)


def parser() -> argparse.ArgumentParser:
    """What can be written on the command line."""
    shared = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    where = shared.add_mutually_exclusive_group()
    where.add_argument("--scheduler", metavar="ADDRESS", help="a Dask scheduler, as tcp://host:8786 "
                       "[default: one of its own, on this machine]")
    where.add_argument("--workers", metavar="N", type=positive,
                       help="how many workers of its own [default: one for each core]")
    shared.add_argument("--bin", metavar="DIR", help="the folder of ratlla's programs, here and on "
                        "all workers [default: the search path]")
    shared.add_argument("--timeout", metavar="S", type=positive, default=60, help="seconds to wait "
                        "for the scheduler, and for its first worker [default: 60]")
    top = argparse.ArgumentParser(
        prog="ratlla-cluster", allow_abbrev=False, epilog=EPILOG,
        description="Has work of the game engine ratlla done by many machines, with Dask.",
    )
    commands = top.add_subparsers(dest="command", required=True)

    def add(name: str, text: str, more: Optional[str] = None) -> argparse.ArgumentParser:
        return commands.add_parser(name, parents=[shared], allow_abbrev=False, help=text,
                                   description=text, epilog=more or EPILOG)

    solving = add("solve", "Solve the positions of a file, as ratlla solve --json does.")
    solving.add_argument("positions", type=Path, help="the file: a position on each line")
    solving.add_argument("--out", metavar="FILE", type=Path,
                         help="where the answers go [default: POSITIONS.solved]")
    solving.add_argument("-a", "--analyze", action="store_true", help="a score for each column")
    solving.add_argument("--rows", metavar="R", type=positive, default=6,
                         help="rows of boards whose line does not tell them [default: 6]")
    solving.add_argument("--cols", metavar="C", type=positive, default=7,
                         help="columns of such boards [default: 7]")
    solving.add_argument("--hash", metavar="MIB", type=positive, default=256,
                         help="MiB of the table of each task [default: 256]")
    solving.add_argument("--chunk", metavar="N", type=positive,
                         help="positions in a task [default: by their number and the workers']")

    making = add("book", "Make the opening book, as ratlla-lab book generate does.")
    making.add_argument("--out", metavar="FILE", type=Path, required=True, help="the book")
    making.add_argument("--plies", metavar="N", type=plies, default=8,
                        help="how many plies deep it is complete [default: 8]")
    making.add_argument("--parts", metavar="N", type=positive, default=64,
                        help="parts, that is tasks [default: 64]")
    making.add_argument("--hash", metavar="MIB", type=positive, default=1024,
                        help="MiB of the table of each task [default: 1024]")

    playing = add(
        "match", "Play a match, as ratlla-arena match does.",
        "All other flags are those of ratlla-arena match: --engine, --game, --games and so on. "
        + EPILOG,
    )
    playing.add_argument("--record", metavar="FILE", type=Path, required=True,
                         help="the file to write the games to")
    playing.add_argument("--pairs", metavar="N", type=positive, default=1,
                         help="pairs of games in a task [default: 1]")
    return top


def run(words: argparse.Namespace, others: Sequence[str]) -> None:
    """Does what the command line says. ``others`` are the words for the arena."""
    with contextlib.ExitStack() as stack:

        def hire() -> Crew:
            client = stack.enter_context(connect(words.scheduler, words.workers, words.timeout))
            return Crew(client, words.bin)

        folder: Optional[str] = words.bin
        if words.command == "solve":
            out = words.out or words.positions.with_name(words.positions.name + ".solved")
            flags = ["-a"] * words.analyze
            for name in ("rows", "cols", "hash"):
                flags += [f"--{name}", str(getattr(words, name))]
            solve(words.positions, out, flags, words.chunk, hire)
            say(f"the answers are in {out}")
        elif words.command == "book":
            book(words.out, words.plies, words.parts, ["--hash", str(words.hash)], hire)
            say(f"the book is {words.out}")
        else:
            print(match(words.record, others, words.pairs, folder, hire), end="")


def main(arguments: Optional[List[str]] = None) -> int:
    """The program. Returns its exit status: 1 for trouble, 2 for a wrong command line."""
    reader = parser()
    words, others = reader.parse_known_args(arguments)
    if words.command != "match" and others:
        reader.error(f"nobody knows '{others[0]}'")
    for word in others:
        if reason := NOT_HERE.get(word.split("=")[0]):
            reader.error(f"{word}: {reason}")
    try:
        run(words, others)
    except Trouble as trouble:
        say(str(trouble))
        return 1
    except KeyboardInterrupt:
        say("interrupted; the same command goes on")
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
