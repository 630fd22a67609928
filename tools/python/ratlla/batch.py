"""Many positions, or a whole game, at once: the modes ``ratlla solve`` and ``ratlla explain``."""

from __future__ import annotations

import json
import os
import subprocess
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import IO, Any, Literal, Union

from .errors import EngineError
from .info import Score
from .program import find_program
from .types import GameLike, MoveLike, Result, Side, game_words, split_moves

#: A line as ``ratlla solve --json`` reads it (``"4453"``, ``"4,4,5,3"``, ``"pits 2 0 3 1 / 2 2 2 0 p1"``),
#: a sequence of moves, or an object with the keys of its JSON: ``moves``, ``rows``, ``cols``,
#: ``line``, ``game``, ``position``, ``id``.
PositionLike = Union[str, Sequence[MoveLike], Mapping[str, object]]


@dataclass(frozen=True)
class Solved:
    """The answer to one position of a batch."""

    moves: str = ""
    rows: int = 0
    cols: int = 0
    line: int = 4
    #: The game and the position, if they were given.
    game: str | None = None
    position: str | None = None
    #: In Connect Four 0 for a draw, k if the side to move wins with its k-th stone from the end, -k
    #: if it loses; in other games as protocol.md describes it. ``"?"`` if a limit ended the search
    #: without a proof; then so are ``best`` and ``pv``.
    score: int | str | None = None
    #: Such a score for each column, if asked for, ``None`` where no stone can be dropped; in other
    #: games for each move.
    scores: list[int | str | None] | dict[str, int | str] | None = None
    #: A best move, and a line of best play, if asked for; none if the game is over.
    best: str | None = None
    pv: list[str] | Literal["?"] | None = None
    nodes: int = 0
    microseconds: int = 0
    #: What is wrong with the position. The other positions are still solved.
    error: str | None = None
    #: The ``id`` of the position, if it has one.
    id: Any = None


_SOLVED_KEYS = frozenset(field.name for field in fields(Solved))


def solve(
    positions: Iterable[PositionLike],
    *,
    analyze: bool = False,
    best: bool = False,
    pv: bool = False,
    game: GameLike | None = None,
    rows: int | None = None,
    cols: int | None = None,
    line: int | None = None,
    movetime: int | None = None,
    nodes: int | None = None,
    jobs: int = 1,
    threads: int = 1,
    hash: int = 256,
    program: str | Path | None = None,
) -> Iterator[Solved]:
    """Solves positions exactly, and yields the answers in the same order.

    With ``analyze``, scores every move; ``best`` and ``pv`` add a best move and a line of best play.
    ``game`` is ``"kalah 6 4"`` or ``("kalah", 6, 4)``, for example; ``rows``, ``cols`` and
    ``line`` are those of Connect Four. ``movetime`` (milliseconds) and ``nodes`` limit each
    position, ``jobs`` are solved at a time. ``positions`` may be a generator: answers come while it
    is still being read. Closing the iterator ends the engine.
    """
    arguments = ["--json", *["-a"] * analyze, *["--best"] * best, *["--pv"] * pv]
    if game is not None:
        arguments += ["--game", *game_words(game)]
    numbers = {
        "rows": rows, "cols": cols, "line": line, "movetime": movetime, "nodes": nodes,
        "jobs": jobs, "threads": threads, "hash": hash,
    }
    for name, value in numbers.items():
        if value is not None:
            arguments += [f"--{name}", str(value)]
    process = subprocess.Popen(
        [os.fspath(program or find_program()), "solve", *arguments],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
    )
    assert process.stdin is not None and process.stdout is not None and process.stderr is not None
    failed: list[BaseException] = []
    writer = threading.Thread(
        target=_write_positions, args=(process.stdin, positions, failed), daemon=True
    )
    try:
        writer.start()
        for answer in process.stdout:
            found = json.loads(answer)
            yield Solved(**{key: found[key] for key in _SOLVED_KEYS & found.keys()})
        # Invalid positions have their own errors; other failures are on stderr.
        stderr = process.stderr.read()
        if process.wait() != 0 and stderr:
            raise EngineError(_first_line(stderr))
        writer.join()
        if failed:
            raise failed[0]
    finally:
        process.kill()
        process.wait()
        # The writer closes its pipe: it ends at its next position, now that nobody reads it.
        process.stdout.close()
        process.stderr.close()


def _write_positions(
    stdin: IO[str], positions: Iterable[PositionLike], failed: list[BaseException]
) -> None:
    try:
        with stdin:
            for position in positions:
                stdin.write(_line(position) + "\n")
                stdin.flush()
    except OSError:
        pass  # The process has ended; its status says why.
    except BaseException as error:
        failed.append(error)


def _line(position: PositionLike) -> str:
    """The line of input that asks for this position."""
    if isinstance(position, Mapping):
        return json.dumps(dict(position))
    if not isinstance(position, str):
        return json.dumps({"moves": ",".join(map(str, position))})
    if position.lstrip().startswith("{"):
        return " ".join(position.splitlines())
    # One answer for each position: a blank line, or a comment alone, has none.
    return " ".join(position.partition("#")[0].split()) or "-"


@dataclass(frozen=True)
class ReviewedMove:
    """A move of a reviewed game. Scores are for the player who moves, from before the move."""

    number: int
    side: Side
    move: str
    #: ``?`` gives away a win or a draw, ``?!`` wins later or loses sooner than the best move,
    #: ``!`` is the only good move; ``~`` means that not all is proved.
    mark: Literal["", "?", "?!", "!", "~"]
    #: The score of the best move, and of the one played.
    before: Score | None
    after: Score | None
    best: str
    kind: str
    cells: list[str]
    reason: str


@dataclass(frozen=True)
class Review:
    """A reviewed game."""

    game: str
    moves: list[ReviewedMove]
    result: Result


def review(
    moves: str | Iterable[MoveLike],
    game: GameLike = "connect4",
    *parameters: int | str,
    nodes: int = 4_000_000,
    threads: int = 1,
    hash: int = 64,
    program: str | Path | None = None,
) -> Review:
    """Goes through a game from its start, marks its mistakes and says why they are mistakes.

    The game is named as for a board: ``review(moves, "kalah", 6, 4)``, ``game="kalah 6 4"``.
    """
    command = [os.fspath(program or find_program()), "explain", "--json", "--nodes", str(nodes)]
    command += ["--threads", str(threads), "--hash", str(hash)]
    command += ["--game", *game_words(game, *parameters), "--moves"]
    process = subprocess.run(
        command, input=" ".join(split_moves(moves)), capture_output=True, encoding="utf-8"
    )
    if process.returncode != 0:
        raise EngineError(_first_line(process.stderr))
    found = json.loads(process.stdout)
    for move in found["moves"]:
        for key in ("before", "after"):
            move[key] = None if move[key] in (None, "none") else Score.from_words(move[key].split())
    return Review(found["game"], [ReviewedMove(**move) for move in found["moves"]], found["result"])


def _first_line(stderr: str) -> str:
    return stderr.strip().partition("\n")[0] or "the engine ended without a message"
