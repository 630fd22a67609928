"""What is done of a job, in a file that survives a sudden end.

The first line says what job it is. Every other line holds the result of one task with a checksum,
and is on the disk before it counts. A line that was cut off, or does not fit its checksum, is no
result: it and all after it are dropped, and their tasks done again.
"""

from __future__ import annotations

import fcntl
import json
import os
import zlib
from pathlib import Path
from types import TracebackType
from typing import Any, Dict, Iterator, List, Optional, Tuple, Type

from .errors import Trouble


class Journal:
    """The journal of one job, beside its output; locked while it is open."""

    def __init__(self, output: Path, job: Dict[str, Any]) -> None:
        self.output = output
        self.path = output.with_name(output.name + ".cluster")
        self.results: Dict[str, Any] = {}
        if output.exists() and not self.path.exists():
            raise Trouble(f"{output} is there already: remove it or choose another file")
        try:
            self._file = open(self.path, "a+b")
        except OSError as error:
            raise Trouble(f"cannot write the journal: {error}") from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self._file.close()
            raise Trouble(f"another ratlla-cluster is writing to {self.path}") from error
        try:
            self._read(job)
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self._file.close()

    def _read(self, job: Dict[str, Any]) -> None:
        self._file.seek(0)
        whole = 0
        found: Optional[Dict[str, Any]] = None
        for length, entry in entries(self._file.read()):
            if found is None:
                found = entry
            else:
                self.results[entry["task"]] = entry["result"]
            whole += length
        if found is None and whole == 0:
            self._file.truncate(0)
            self._append({"job": job})
        elif found != {"job": job}:
            raise Trouble(
                f"{self.path} is the journal of another job: remove it to begin anew, "
                "or choose another file for the output"
            )
        else:
            self._file.truncate(whole)

    def add(self, task: str, result: Any) -> None:
        """Keeps a result. When this returns, it is on the disk."""
        self._append({"task": task, "result": result})
        self.results[task] = result

    def _append(self, entry: Dict[str, Any]) -> None:
        try:
            self._file.write(line(entry))
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise Trouble(f"cannot write {self.path}: {error}") from error

    def publish(self, content: bytes) -> None:
        """Writes the output, in one step, and removes the journal."""
        write(self.output, content)
        self.path.unlink()


def line(entry: Dict[str, Any]) -> bytes:
    """An entry as a line of the journal."""
    text = json.dumps(entry, separators=(",", ":")).encode()
    return b"%08x %s\n" % (zlib.crc32(text), text)


def entries(content: bytes) -> Iterator[Tuple[int, Dict[str, Any]]]:
    """The entries up to the first that is not whole, and the lengths of their lines."""
    lines: List[bytes] = content.split(b"\n")
    for text in lines[:-1]:
        try:
            sum_, body = text.split(b" ", 1)
            if int(sum_, 16) != zlib.crc32(body):
                return
            yield len(text) + 1, json.loads(body)
        except ValueError:
            return


def write(path: Path, content: bytes) -> None:
    """Writes a file so that, whatever happens, it is the old one or the new one."""
    new = path.with_name(path.name + ".new")
    try:
        with open(new, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(new, path)
    except OSError as error:
        raise Trouble(f"cannot write {path}: {error}") from error
