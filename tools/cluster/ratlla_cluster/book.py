"""Makes the opening book: a task is a part of one level, a result its scores.

A level is all positions with the same number of stones. The scores of one are bounds for the next,
so levels are done one after the other, as ``ratlla-book generate`` does them; and it is this
command that does a part of a level when it finds the scores of those before.
"""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Callable, Dict, Iterator, Sequence

from . import work
from .crew import Crew, Task, bar
from .errors import Trouble
from .journal import Journal, write

#: The level that ``ratlla-book generate`` begins with, if the book goes so deep.
FIRST_PLY = 6
#: How many positions a level has at most: parts beyond that would be empty.
POSITIONS = (1, 7, 49, 238, 1120, 4263)
#: The name of the book in the folder of a task.
NAME = "book.bin"


def book(out: Path, plies: int, parts: int, words: Sequence[str], hire: Callable[[], Crew]) -> None:
    """Writes the complete book of so many plies, and the journal of ``ratlla-book`` beside it.

    Scores in journals that are there already are used. ``words`` are more arguments for
    ``ratlla-book generate``.
    """
    native = out.with_name(out.name + ".journal")
    with Journal(out, {"book": plies, "parts": parts}) as journal:
        levels = {
            stones: min(parts, POSITIONS[stones] if stones < len(POSITIONS) else parts)
            for stones in range(min(FIRST_PLY, plies), plies + 1)
        }
        total = sum(levels.values())
        crew = hire()
        with bar(total, len(journal.results), "parts") as progress:
            for stones, count in levels.items():
                known = scores(out, journal.results)
                todo = list(tasks(stones, count, words, journal.results))
                if not todo:
                    continue
                with contextlib.closing(crew.perform(todo, crew.keep(known))) as results:
                    for task, found in results:
                        journal.add(task.name, found)
                        progress.update(1)
        known = scores(out, journal.results)
        content = put_together(plies, words, known, crew.folder)
        write(native, known)
        journal.publish(content)


def scores(out: Path, results: Dict[str, str]) -> bytes:
    """All scores known so far, as lines of a journal of ``ratlla-book``."""
    theirs = sorted(out.parent.glob(f"{out.name}*.journal"))
    texts = [path.read_text(errors="replace") for path in theirs] + list(results.values())
    lines = dict.fromkeys(line for text in texts for line in text.splitlines() if line)
    return "".join(f"{line}\n" for line in lines).encode()


def tasks(
    stones: int, count: int, words: Sequence[str], done: Dict[str, str]
) -> Iterator[Task[str]]:
    """The parts of a level that are not done."""
    for part in range(1, count + 1):
        name = f"{stones} stones, part {part} of {count}"
        if name not in done:
            shard = ["--plies", str(stones), "--shard", f"{part}/{count}"]
            command = work.Command(
                "ratlla-book",
                ["generate", "--out", NAME, *shard, *words],
                file=f"{NAME}.journal",
                wanted=f"{NAME}.{part}-of-{count}.journal",
            )
            yield Task(name, command, lambda output: output.decode())


def put_together(plies: int, words: Sequence[str], known: bytes, folder: str | None) -> bytes:
    """The book, by the program of this machine: it checks that all scores fit together."""
    command = work.Command(
        "ratlla-book",
        ["generate", "--out", NAME, "--plies", str(plies), *words],
        file=f"{NAME}.journal",
        wanted=NAME,
    )
    answer = work.run(command, folder, known)
    if "missing" in answer:
        raise Trouble(f"no ratlla-book here in {answer['missing']}: name its folder with --bin")
    if "output" not in answer:
        raise Trouble(answer.get("failure") or answer["refused"])
    content: bytes = answer["output"]
    return content
