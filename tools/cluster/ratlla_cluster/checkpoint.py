"""The finished tasks of a job, in a file that survives a crash.

The first line identifies the job. Every other line is the result of one task with a checksum,
synced to disk before it counts. A truncated or damaged line is dropped together with all lines
after it, and their tasks are run again.
"""

from __future__ import annotations

import fcntl
import json
import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .errors import ClusterError


class Checkpoint:
    """The checkpoint file of one job, next to its output; locked while it is open."""

    def __init__(self, output: Path, job: dict[str, Any]) -> None:
        self.output = output
        self.path = output.with_name(output.name + ".cluster")
        self.results: dict[str, Any] = {}
        if output.exists() and not self.path.exists():
            raise ClusterError(f"{output} already exists: remove it or choose another output file")
        try:
            self._file = open(self.path, "a+b")
        except OSError as error:
            raise ClusterError(f"cannot write the checkpoint: {error}") from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self._file.close()
            raise ClusterError(f"another ratlla-cluster is writing to {self.path}") from error
        try:
            self._load(job)
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Checkpoint:
        return self

    def __exit__(self, *exception: object) -> None:
        self._file.close()

    def _load(self, job: dict[str, Any]) -> None:
        self._file.seek(0)
        entries = list(read_entries(self._file.read()))
        if entries and entries[0][1] != {"job": job}:
            raise ClusterError(
                f"{self.path} is the checkpoint of another job: remove it to start over, "
                "or choose another output file"
            )
        self._file.truncate(sum(length for length, _ in entries))
        self.results = {entry["task"]: entry["result"] for _, entry in entries[1:]}
        if not entries:
            self._append({"job": job})

    def add(self, task: str, result: Any) -> None:
        """Saves a result. It is on disk when this returns."""
        self._append({"task": task, "result": result})
        self.results[task] = result

    def _append(self, entry: dict[str, Any]) -> None:
        text = json.dumps(entry, separators=(",", ":")).encode()
        try:
            self._file.write(b"%08x %s\n" % (zlib.crc32(text), text))
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise ClusterError(f"cannot write {self.path}: {error}") from error

    def publish(self, content: bytes) -> None:
        """Writes the output atomically and removes the checkpoint."""
        write_atomically(self.output, content)
        self.path.unlink()


def read_entries(content: bytes) -> Iterator[tuple[int, dict[str, Any]]]:
    """The entries up to the first damaged one, with the lengths of their lines."""
    for line in content.split(b"\n")[:-1]:
        try:
            checksum, text = line.split(b" ", 1)
            if int(checksum, 16) != zlib.crc32(text):
                return
            yield len(line) + 1, json.loads(text)
        except ValueError:
            return


def write_atomically(path: Path, content: bytes) -> None:
    """Writes a file so that after a crash it has either its old or its new content."""
    new = path.with_name(path.name + ".new")
    try:
        with open(new, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(new, path)
    except OSError as error:
        raise ClusterError(f"cannot write {path}: {error}") from error
