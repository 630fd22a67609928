"""Solves whole games. A task is one game, a result the row that ``ratlla-lab solve`` prints."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from .checkpoint import Checkpoint
from .command import Command
from .console import progress_bar
from .errors import ClusterError, TaskFailed
from .pool import Pool, Task

#: The solver and its leading arguments.
SOLVER = ("ratlla-lab", "solve")


def games(path: Path, out: Path, arguments: Sequence[str], connect: Callable[[], Pool]) -> None:
    """Writes one row for each game in ``path`` to ``out``, in the same order.

    ``arguments`` are passed to the solver. Connects only if the checkpoint is incomplete.
    """
    try:
        names = [" ".join(line.split()) for line in path.read_text().splitlines()]
    except (OSError, UnicodeDecodeError) as error:
        raise ClusterError(f"cannot read the games: {error}") from error
    names = list(dict.fromkeys(name for name in names if name))
    with Checkpoint(out, {"games": list(arguments)}) as checkpoint:
        rows = checkpoint.results
        missing = [name for name in names if name not in rows]
        with progress_bar(len(names), len(names) - len(missing), "games") as progress:
            if missing:
                with contextlib.closing(connect().run(tasks(missing, arguments))) as results:
                    for task, row in results:
                        checkpoint.add(task.name, row)
                        progress.update(1)
        checkpoint.publish("".join(f"{rows[name]}\n" for name in names).encode())


def tasks(names: Sequence[str], arguments: Sequence[str]) -> Iterator[Task[str]]:
    """One task for each game."""
    for name in names:
        yield Task(name, Command([*SOLVER, *name.split(), *arguments, "--json"]), parse)


def parse(output: bytes) -> str:
    """The only line of the output, which must be JSON."""
    try:
        (line,) = output.decode().splitlines()
        json.loads(line)
    except ValueError as error:
        raise TaskFailed(f"expected one row, got {output[:200]!r}") from error
    return line
