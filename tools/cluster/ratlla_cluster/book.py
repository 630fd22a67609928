"""Generates the opening book. A task is a shard of its deepest positions, a result their scores.

The scores of all earlier positions follow from these. Results are in the format of the generator's
own journals.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from . import command
from .checkpoint import Checkpoint, write_atomically
from .console import progress_bar
from .pool import Pool, Task

#: The generator and its leading arguments.
GENERATOR = ("ratlla-lab", "book", "generate")
#: An upper bound on the positions with 0, 1, 2 … stones; more shards than that would be empty.
MAX_POSITIONS = (1, 7, 49, 238, 1120, 4263)
#: The file name of the book in the working directory of a task.
BOOK = "book.bin"


def book(
    out: Path, plies: int, parts: int, arguments: Sequence[str], connect: Callable[[], Pool]
) -> None:
    """Writes the complete book to this depth, and a journal with all scores next to it.

    Scores in existing journals of ``out`` are reused. ``arguments`` are passed to the generator.
    """
    arguments = ["--out", BOOK, "--plies", str(plies), *arguments]
    count = min(parts, MAX_POSITIONS[plies]) if plies < len(MAX_POSITIONS) else parts
    with Checkpoint(out, {"book": plies, "parts": count}) as checkpoint:
        pool = connect()
        todo = [task for task in tasks(count, arguments) if task.name not in checkpoint.results]
        with progress_bar(count, count - len(todo), "parts") as progress:
            known = pool.scatter(journal(out))
            with contextlib.closing(pool.run(todo, known)) as results:
                for task, found in results:
                    checkpoint.add(task.name, found)
                    progress.update(1)
        scores = journal(out, checkpoint.results.values())
        # The generator on this machine checks that all scores are consistent and writes the book.
        merge = generate(arguments, output_file=BOOK)
        content = command.run(merge, pool.bin_dir, scores).content
        write_atomically(out.with_name(out.name + ".journal"), scores)
        checkpoint.publish(content)


def journal(out: Path, results: Iterable[str] = ()) -> bytes:
    """The lines of all journals of ``out`` and of these results, without repetitions."""
    paths = sorted(out.parent.glob(f"{out.name}*.journal"))
    texts = [*(path.read_text(errors="replace") for path in paths), *results]
    lines = dict.fromkeys(line for text in texts for line in text.splitlines() if line)
    return "".join(f"{line}\n" for line in lines).encode()


def tasks(count: int, arguments: Sequence[str]) -> Iterator[Task[str]]:
    """All shards."""
    for part in range(1, count + 1):
        shard = generate(
            [*arguments, "--shard", f"{part}/{count}"],
            output_file=f"{BOOK}.{part}-of-{count}.journal",
        )
        yield Task(f"part {part} of {count}", shard, bytes.decode)


def generate(arguments: Sequence[str], output_file: str) -> command.Command:
    """A run of the generator that starts from known scores."""
    return command.Command(
        [*GENERATOR, *arguments], input_file=f"{BOOK}.journal", output_file=output_file
    )
