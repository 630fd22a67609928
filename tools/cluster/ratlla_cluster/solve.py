"""Solves a file of positions. A task is a chunk of its lines, a result the answers to them."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from .checkpoint import Checkpoint
from .command import Command
from .console import message, progress_bar
from .errors import ClusterError, TaskFailed
from .pool import Pool, Task

#: Tasks per thread, enough for all threads to finish at about the same time.
TASKS_PER_THREAD = 32
#: The largest default chunk.
MAX_CHUNK = 256
#: How many invalid lines are reported individually.
MAX_REPORTED_ERRORS = 5


def solve(
    positions: Path,
    out: Path,
    arguments: Sequence[str],
    chunk: int | None,
    connect: Callable[[], Pool],
) -> bool:
    """Writes the answers to all lines of ``positions`` to ``out``; whether all lines are valid.

    ``arguments`` are passed to ``ratlla solve``. Connects only if the checkpoint is incomplete.
    """
    try:
        content = positions.read_bytes()
    except OSError as error:
        raise ClusterError(f"cannot read the positions: {error}") from error
    lines = content.split(b"\n")
    if not lines[-1]:
        lines.pop()
    job = {"solve": list(arguments), "input": hashlib.sha256(content).hexdigest()}
    with Checkpoint(out, job) as checkpoint:
        answers: list[str | None] = [None] * len(lines)
        for name, found in checkpoint.results.items():
            fill_in(answers, name, found)
        missing = answers.count(None)
        with progress_bar(len(lines), len(lines) - missing, "positions") as progress:
            if missing > 0:
                pool = connect()
                even_share = missing // (TASKS_PER_THREAD * pool.threads())
                size = chunk or max(1, min(MAX_CHUNK, even_share))
                todo = tasks(lines, answers, size, arguments)
                with contextlib.closing(pool.run(todo)) as results:
                    for task, found in results:
                        checkpoint.add(task.name, found)
                        fill_in(answers, task.name, found)
                        progress.update(len(found))
        complete = [answer for answer in answers if answer is not None]
        checkpoint.publish("".join(f"{answer}\n" for answer in complete).encode())
    return not report_errors(complete)


def fill_in(answers: list[str | None], task: str, found: Sequence[str]) -> None:
    """Stores the result of a task, which is named by its first line."""
    answers[int(task) : int(task) + len(found)] = found


def tasks(
    lines: Sequence[bytes], answers: Sequence[str | None], size: int, arguments: Sequence[str]
) -> Iterator[Task[list[str]]]:
    """The unanswered lines in runs of up to ``size`` consecutive ones."""
    # A copy, because answers arrive while tasks are still being generated.
    missing = [index for index, answer in enumerate(answers) if answer is None]
    while missing:
        start = missing[0]
        count = sum(1 for offset, index in enumerate(missing[:size]) if index == start + offset)
        missing = missing[count:]
        stdin = b"".join(line + b"\n" for line in lines[start : start + count])
        command = Command(["ratlla", "solve", "--json", *arguments], stdin, reports_refusals=True)
        yield Task(str(start), command, parser(count))


def parser(count: int) -> Callable[[bytes], list[str]]:
    """Parses the answers to ``count`` lines."""

    def parse(output: bytes) -> list[str]:
        answers = output.decode().split("\n")[:-1]
        if len(answers) != count:
            raise TaskFailed(f"expected {count} answers, got {len(answers)}")
        return answers

    return parse


def report_errors(answers: Sequence[str]) -> int:
    """Prints which lines were not valid positions, and returns their number."""
    # A blank line and a comment are answered with a blank line.
    numbered = ((number, json.loads(answer)) for number, answer in enumerate(answers, 1) if answer)
    errors = [(number, answer["error"]) for number, answer in numbered if "error" in answer]
    for number, error in errors[:MAX_REPORTED_ERRORS]:
        message(f"line {number}: {error}")
    if len(errors) > MAX_REPORTED_ERRORS:
        message(f"{len(errors)} invalid lines in total; see 'error' in the output")
    return len(errors)
