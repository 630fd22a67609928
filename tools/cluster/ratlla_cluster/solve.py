"""Solves a file of positions: a task is some lines of it, a result their answers."""

from __future__ import annotations

import contextlib
import hashlib
import json
from pathlib import Path
from typing import Any, Callable, Iterator, List, Optional, Sequence

from .crew import Crew, Task, bar, say
from .errors import Trouble, Unusable
from .journal import Journal
from .work import Command

#: So many tasks for each thread let all of them end at about the same time.
TASKS_PER_THREAD = 32
#: The most lines of a task, however many there are.
MOST_LINES = 256
#: How many wrong lines are told one by one.
MOST_COMPLAINTS = 5


def solve(
    positions: Path, out: Path, words: Sequence[str], chunk: Optional[int], hire: Callable[[], Crew]
) -> None:
    """Writes the answers to all lines of ``positions`` to ``out``.

    ``words`` are arguments for ``ratlla solve``. Workers are hired only if something is missing.
    """
    try:
        content = positions.read_bytes()
    except OSError as error:
        raise Trouble(f"cannot read the positions: {error}") from error
    lines = content.split(b"\n")
    if not lines[-1]:
        lines.pop()
    job = {"solve": list(words), "input": hashlib.sha256(content).hexdigest()}
    with Journal(out, job) as journal:
        answers: List[Optional[str]] = [None] * len(lines)
        for name, found in journal.results.items():
            fill_in(answers, name, found)
        missing = answers.count(None)
        with bar(len(lines), len(lines) - missing, "positions") as progress:
            if missing > 0:
                crew = hire()
                fair = missing // (TASKS_PER_THREAD * crew.threads())
                size = chunk or max(1, min(MOST_LINES, fair))
                todo = tasks(lines, answers, size, words)
                with contextlib.closing(crew.perform(todo)) as results:
                    for task, found in results:
                        journal.add(task.name, found)
                        fill_in(answers, task.name, found)
                        progress.update(len(found))
        complete = [answer for answer in answers if answer is not None]
        journal.publish("".join(f"{answer}\n" for answer in complete).encode())
    tell_errors(complete)


def fill_in(answers: List[Optional[str]], task: str, found: Sequence[str]) -> None:
    """Puts the result of a task where it belongs."""
    answers[int(task) : int(task) + len(found)] = found


def tasks(
    lines: Sequence[bytes], answers: Sequence[Optional[str]], size: int, words: Sequence[str]
) -> Iterator[Task[List[str]]]:
    """The lines without answers, ``size`` or fewer neighbours to a task, named by the first."""
    # A list of its own: answers come in while tasks are still being made.
    missing = [index for index, answer in enumerate(answers) if answer is None]
    while missing:
        start = missing[0]
        count = sum(1 for place, index in enumerate(missing[:size]) if index == start + place)
        piece, missing = lines[start : start + count], missing[count:]
        text = b"".join(line + b"\n" for line in piece)
        yield Task(str(start), Command("ratlla", ["solve", "--json", *words], text), reader(count))


def reader(count: int) -> Callable[[bytes], List[str]]:
    """Reads the answers to so many lines."""

    def read(output: bytes) -> List[str]:
        answers = output.decode().splitlines()
        if len(answers) != count:
            raise Unusable(f"{len(answers)} answers to {count} lines")
        return answers

    return read


def tell_errors(answers: Sequence[str]) -> None:
    """Says which lines were no positions."""
    numbered = ((number, json.loads(answer)) for number, answer in enumerate(answers, 1))
    wrong: List[tuple[int, Any]] = [(number, a["error"]) for number, a in numbered if "error" in a]
    for number, reason in wrong[:MOST_COMPLAINTS]:
        say(f"line {number}: {reason}")
    if len(wrong) > MOST_COMPLAINTS:
        say(f"{len(wrong)} lines are wrong in all; their answers say why")
