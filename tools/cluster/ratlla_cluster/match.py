"""Plays a match: a task is some pairs of games, a result their lines of the record.

What a match is, which games are due in it and whether a test is decided, only ``ratlla-arena``
knows; it runs here as ``plan`` and ``follow``, and on the workers as ``play``.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import shutil
import subprocess
from pathlib import Path
from types import TracebackType
from typing import Any, Callable, Dict, IO, Iterable, Iterator, List, Optional, Sequence, Type

from .crew import Crew, Task, bar
from .errors import Trouble, Unusable
from .journal import Journal
from .work import Command

PROGRAM = "ratlla-arena"


def match(
    record: Path, words: Sequence[str], pairs: int, folder: Optional[str], hire: Callable[[], Crew]
) -> str:
    """Plays the match that ``words`` describe, as after ``ratlla-arena match``, writes its record
    and returns the tables."""
    arena = shutil.which(PROGRAM, path=folder)
    if arena is None:
        raise Trouble(f"no {PROGRAM} here: name the folder that has it with --bin")
    with contextlib.ExitStack() as stack:
        plan = stack.enter_context(Helper(arena, ["plan", *words]))
        header = plan.line()
        settings: Dict[str, Any] = json.loads(header)
        journal = stack.enter_context(Journal(record, {"match": settings}))
        games = {number(game): game for found in journal.results.values() for game in found}
        standing = None
        if settings["sprt"] is not None:
            standing = Standing(stack.enter_context(Helper(arena, ["follow"])), header)
            standing.see(games.values())
        with bar(total_games(settings), len(games), "games") as progress:
            if standing is None or standing.decided is None:
                due = (line for line in plan if json.loads(line)["due"] not in games)
                results = stack.enter_context(
                    contextlib.closing(hire().perform(tasks(header, due, pairs)))
                )
                for task, found in results:
                    journal.add(task.name, found)
                    games.update((number(game), game) for game in found)
                    progress.update(len(found))
                    if standing is not None:
                        standing.see(found)
                        progress.set_postfix_str(f"LLR {standing.ratio:.2f}")
                        if standing.decided is not None:
                            break
        end = standing.decided if standing is not None else None
        counted = [games[number] for number in sorted(games) if end is None or number < end]
        journal.publish("".join([header, *counted]).encode())
    return subprocess.run(
        [arena, "report", record], stdout=subprocess.PIPE, text=True, check=True
    ).stdout


def number(game: str) -> int:
    """The number of a game, from its line."""
    return int(json.loads(game)["number"])


def total_games(settings: Dict[str, Any]) -> int:
    """How many games there are in all."""
    others = len(settings["engines"]) - 1
    pairings = others if settings["format"] == "gauntlet" else others * (others + 1) // 2
    return int(settings["games"]) * pairings


def tasks(header: str, due: Iterable[str], pairs: int) -> Iterator[Task[List[str]]]:
    """Games that are due, so many pairs or fewer to a task, named by the first."""
    due = iter(due)
    while piece := list(itertools.islice(due, 2 * pairs)):
        numbers = [json.loads(line)["due"] for line in piece]
        text = "".join([header, *piece]).encode()
        name = f"game {numbers[0]}"
        yield Task(name, Command(PROGRAM, ["play"], text), reader(numbers))


def reader(numbers: List[int]) -> Callable[[bytes], List[str]]:
    """Reads the record of the games with these numbers: their lines."""

    def read(output: bytes) -> List[str]:
        games = output.decode().splitlines(keepends=True)[1:]
        if [number(game) for game in games] != numbers:
            raise Unusable(f"it was asked for the games {numbers} and has played others")
        return games

    return read


class Helper:
    """A command of the arena on this machine that is talked to; iterates over what it says."""

    def __init__(self, arena: str, words: Sequence[str]) -> None:
        self._process = subprocess.Popen(
            [arena, *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Helper:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self._process.kill()
        self._process.communicate()

    def tell(self, text: str) -> None:
        """Sends lines."""
        try:
            self._stream(self._process.stdin).write(text)
            self._stream(self._process.stdin).flush()
        except BrokenPipeError:
            pass  # What it says, or does not, tells why.

    def line(self) -> str:
        """What it says next."""
        text = self._stream(self._process.stdout).readline()
        if not text.endswith("\n"):
            complaint = self._stream(self._process.stderr).read().strip()
            raise Trouble(complaint.removeprefix("ratlla-arena: ") or "ratlla-arena said nothing")
        return text

    def __iter__(self) -> Iterator[str]:
        # A plan that fails on its way would be a shorter one; so its end is looked at.
        yield from self._stream(self._process.stdout)
        if self._process.wait() != 0:
            raise Trouble(self._stream(self._process.stderr).read().strip())

    @staticmethod
    def _stream(pipe: Optional[IO[str]]) -> IO[str]:
        assert pipe is not None
        return pipe


class Standing:
    """How a match with a test stands."""

    def __init__(self, follower: Helper, header: str) -> None:
        self._follower = follower
        self._follower.tell(header)
        #: The logarithm of the likelihood ratio.
        self.ratio = 0.0
        #: How many games count, once it is decided.
        self.decided: Optional[int] = None

    def see(self, games: Iterable[str]) -> None:
        """Takes notice of more games."""
        for game in games:
            self._follower.tell(game)
            answer = json.loads(self._follower.line())
            self.ratio, self.decided = answer["llr"], answer["decided"]
