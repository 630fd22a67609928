"""Plays a match. A task is some pairs of games, a result their lines of the match record.

Only ``ratlla-arena`` knows the games of a match and when its SPRT is decided: it runs here as
``plan`` and ``follow``, and on the workers as ``play``.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import subprocess
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any

from .checkpoint import Checkpoint
from .command import Command, find_program
from .console import progress_bar
from .errors import ClusterError, TaskFailed
from .pool import Pool, Task

ARENA = "ratlla-arena"


def match(
    record: Path,
    arguments: Sequence[str],
    pairs: int,
    bin_dir: str | None,
    connect: Callable[[], Pool],
) -> str:
    """Plays the match given by the ``arguments`` of ``ratlla-arena match``, writes its record and
    returns the report."""
    arena = find_program(ARENA, bin_dir)
    with contextlib.ExitStack() as stack:
        plan = stack.enter_context(ArenaProcess([arena, "plan", *arguments]))
        header = plan.read_line()
        settings = json.loads(header)
        checkpoint = stack.enter_context(Checkpoint(record, {"match": settings}))
        status = MatchStatus(stack.enter_context(ArenaProcess([arena, "follow"])), header)
        games = {number(game): game for found in checkpoint.results.values() for game in found}
        status.add(games.values())
        with progress_bar(total_games(settings), len(games), "games") as progress:
            if status.decided is None:
                due = (line for line in plan if json.loads(line)["due"] not in games)
                todo = tasks(header, due, pairs)
                results = stack.enter_context(contextlib.closing(connect().run(todo)))
                for task, found in results:
                    checkpoint.add(task.name, found)
                    games.update((number(game), game) for game in found)
                    status.add(found)
                    progress.update(len(found))
                    if status.llr is not None:
                        progress.set_postfix_str(f"LLR {status.llr:.2f}")
                    if status.decided is not None:
                        break
        counted = [games[index] for index in sorted(games)][: status.decided]
        checkpoint.publish("".join([header, *counted]).encode())
    return subprocess.run(
        [arena, "report", record], stdout=subprocess.PIPE, text=True, check=True
    ).stdout


def number(game: str) -> int:
    """The number of a game, from its line in the record."""
    return int(json.loads(game)["number"])


def total_games(settings: dict[str, Any]) -> int:
    """The number of games in the match."""
    others = len(settings["engines"]) - 1
    leaders = min(int(settings.get("seeds", 1)), others)
    if settings["format"] != "gauntlet":
        leaders = others
    # Each leader meets one engine fewer than the leader before it.
    pairings = leaders * others - leaders * (leaders - 1) // 2
    return int(settings["games"]) * pairings


def tasks(header: str, due: Iterable[str], pairs: int) -> Iterator[Task[list[str]]]:
    """Tasks of up to ``pairs`` pairs of the games that are due."""
    due = iter(due)
    while chunk := list(itertools.islice(due, 2 * pairs)):
        numbers = [json.loads(line)["due"] for line in chunk]
        play = Command([ARENA, "play"], "".join([header, *chunk]).encode())
        yield Task(f"game {numbers[0]}", play, parser(numbers))


def parser(numbers: list[int]) -> Callable[[bytes], list[str]]:
    """Parses a record of the games with these numbers into their lines."""

    def parse(output: bytes) -> list[str]:
        games = output.decode().splitlines(keepends=True)[1:]
        found = [number(game) for game in games]
        if found != numbers:
            raise TaskFailed(f"expected the games {numbers}, got {found}")
        return games

    return parse


class ArenaProcess:
    """A running ``ratlla-arena``; iterates over its output lines."""

    def __init__(self, args: Sequence[str]) -> None:
        self._process = subprocess.Popen(
            args,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> ArenaProcess:
        return self

    def __exit__(self, *exception: object) -> None:
        self._process.kill()
        self._process.communicate()

    def write(self, text: str) -> None:
        """Sends lines."""
        try:
            self._stream(self._process.stdin).write(text)
            self._stream(self._process.stdin).flush()
        except BrokenPipeError:
            pass  # read_line reports why.

    def read_line(self) -> str:
        """The next line of output."""
        line = self._stream(self._process.stdout).readline()
        if not line.endswith("\n"):
            raise self._error()
        return line

    def __iter__(self) -> Iterator[str]:
        yield from self._stream(self._process.stdout)
        # A plan that fails halfway must not pass for a shorter one.
        if self._process.wait() != 0:
            raise self._error()

    def _error(self) -> ClusterError:
        stderr = self._stream(self._process.stderr).read().strip()
        return ClusterError(stderr.removeprefix(f"{ARENA}: ") or f"{ARENA} ended without output")

    @staticmethod
    def _stream(pipe: IO[str] | None) -> IO[str]:
        assert pipe is not None
        return pipe


class MatchStatus:
    """The state of a match, from ``ratlla-arena follow``."""

    def __init__(self, follow: ArenaProcess, header: str) -> None:
        self._follow = follow
        self._follow.write(header)
        #: The log-likelihood ratio, if the match has an SPRT.
        self.llr: float | None = None
        #: The number of games that count, once the SPRT is decided.
        self.decided: int | None = None

    def add(self, games: Iterable[str]) -> None:
        """Updates the state with more games."""
        for game in games:
            self._follow.write(game)
            status = json.loads(self._follow.read_line())
            self.llr, self.decided = status["llr"], status["decided"]
