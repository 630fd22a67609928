"""Makes the opening book: a task is a part of its deepest positions, a result their scores.

The scores of all positions before follow from these, as ``ratlla-lab`` does it. Its own journals
are the format of results.
"""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Callable, Dict, Iterator, Sequence

from . import work
from .crew import Crew, Task, bar
from .errors import Trouble
from .journal import Journal, write

#: How many positions there are at most with few stones: parts beyond that would be empty.
POSITIONS = (1, 7, 49, 238, 1120, 4263)
#: The name of the book in the folder of a task.
NAME = "book.bin"


def book(out: Path, plies: int, parts: int, words: Sequence[str], hire: Callable[[], Crew]) -> None:
    """Writes the complete book of so many plies, and the journal of ``ratlla-lab`` beside it.

    Scores in journals that are there already are used. ``words`` are more arguments for
    ``ratlla-lab book generate``.
    """
    count = min(parts, POSITIONS[plies]) if plies < len(POSITIONS) else parts
    with Journal(out, {"book": plies, "parts": count}) as journal:
        crew = hire()
        todo = list(tasks(plies, count, words, journal.results))
        with bar(count, count - len(todo), "parts") as progress:
            known = crew.keep(scores(out, {}))
            with contextlib.closing(crew.perform(todo, known)) as results:
                for task, found in results:
                    journal.add(task.name, found)
                    progress.update(1)
        found_by_all = scores(out, journal.results)
        content = put_together(plies, words, found_by_all, crew.folder)
        write(out.with_name(out.name + ".journal"), found_by_all)
        journal.publish(content)


def scores(out: Path, results: Dict[str, str]) -> bytes:
    """All scores known so far, as lines of a journal of ``ratlla-lab``."""
    theirs = sorted(out.parent.glob(f"{out.name}*.journal"))
    texts = [path.read_text(errors="replace") for path in theirs] + list(results.values())
    lines = dict.fromkeys(line for text in texts for line in text.splitlines() if line)
    return "".join(f"{line}\n" for line in lines).encode()


def tasks(
    plies: int, count: int, words: Sequence[str], done: Dict[str, str]
) -> Iterator[Task[str]]:
    """The parts that are not done."""
    for part in range(1, count + 1):
        name = f"part {part} of {count}"
        if name not in done:
            shard = ["--plies", str(plies), "--shard", f"{part}/{count}"]
            command = work.Command(
                "ratlla-lab",
                ["book", "generate", "--out", NAME, *shard, *words],
                file=f"{NAME}.journal",
                wanted=f"{NAME}.{part}-of-{count}.journal",
            )
            yield Task(name, command, lambda output: output.decode())


def put_together(plies: int, words: Sequence[str], known: bytes, folder: str | None) -> bytes:
    """The book, by the program of this machine: it checks that all scores fit together."""
    command = work.Command(
        "ratlla-lab",
        ["book", "generate", "--out", NAME, "--plies", str(plies), *words],
        file=f"{NAME}.journal",
        wanted=NAME,
    )
    answer = work.run(command, folder, known)
    if "missing" in answer:
        raise Trouble(f"no ratlla-lab here in {answer['missing']}: name its folder with --bin")
    if "output" not in answer:
        raise Trouble(answer.get("failure") or answer["refused"])
    content: bytes = answer["output"]
    return content
