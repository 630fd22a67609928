"""The finished tasks of a job, in an SQLite database that survives a crash.

A result is on disk before it counts: every one is a transaction of its own.
"""

from __future__ import annotations

import json
import os
import sqlite3
from pathlib import Path
from typing import Any

from .errors import ClusterError

#: Identifies the file as a checkpoint (``PRAGMA application_id``): the letters "rtla".
APPLICATION_ID = 0x72746C61
#: The layout of the tables (``PRAGMA user_version``).
VERSION = 1
#: How every SQLite database begins.
SQLITE_HEADER = b"SQLite format 3\0"
SCHEMA = f"""
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {VERSION};
CREATE TABLE job (description TEXT NOT NULL);
CREATE TABLE task (name TEXT PRIMARY KEY, result TEXT NOT NULL);
"""


class Checkpoint:
    """The checkpoint file of one job, next to its output; locked while it is open."""

    def __init__(self, output: Path, job: dict[str, Any]) -> None:
        self.output = output
        self.path = output.with_name(output.name + ".cluster")
        self.results: dict[str, Any] = {}
        if output.exists() and not self.path.exists():
            raise ClusterError(f"{output} already exists: remove it or choose another output file")
        self._check_format()
        try:
            self._database = sqlite3.connect(self.path, timeout=0, isolation_level=None)
        except sqlite3.Error as error:
            raise ClusterError(f"cannot write the checkpoint {self.path}: {error}") from error
        try:
            self._load(job)
        except sqlite3.Error as error:
            self._database.close()
            raise self._error(error) from error
        except BaseException:
            self._database.close()
            raise

    def __enter__(self) -> Checkpoint:
        return self

    def __exit__(self, *exception: object) -> None:
        self._database.close()

    def _check_format(self) -> None:
        """Refuses files that are not databases, among them checkpoints of early versions."""
        try:
            with open(self.path, "rb") as file:
                start = file.read(len(SQLITE_HEADER))
        except FileNotFoundError:
            return
        except OSError as error:
            raise ClusterError(f"cannot read the checkpoint: {error}") from error
        if start not in (b"", SQLITE_HEADER):
            raise self._wrong_format()

    def _wrong_format(self) -> ClusterError:
        return ClusterError(
            f"{self.path} was not written by this version of ratlla-cluster: finish the job with "
            "the version that began it, or remove the file to start over"
        )

    def _load(self, job: dict[str, Any]) -> None:
        # Once taken, the lock is held until the database is closed.
        self._database.execute("PRAGMA locking_mode = EXCLUSIVE")
        self._database.execute("PRAGMA synchronous = FULL")
        self._database.execute("BEGIN EXCLUSIVE")
        description = json.dumps(job, sort_keys=True)
        if not self._value("SELECT count(*) FROM sqlite_schema"):
            # One transaction: a crash leaves all of it or nothing.
            for statement in SCHEMA.strip().splitlines():
                self._database.execute(statement)
            self._database.execute("INSERT INTO job VALUES (?)", [description])
        elif (self._value("PRAGMA application_id"), self._value("PRAGMA user_version")) != (
            APPLICATION_ID,
            VERSION,
        ):
            raise self._wrong_format()
        elif self._value("SELECT description FROM job") != description:
            raise ClusterError(
                f"{self.path} is the checkpoint of another job: remove it to start over, "
                "or choose another output file"
            )
        elif self._value("PRAGMA quick_check") != "ok":
            raise sqlite3.DatabaseError("damaged")
        self._database.execute("COMMIT")
        rows = self._database.execute("SELECT name, result FROM task ORDER BY rowid")
        self.results = {name: json.loads(result) for name, result in rows}

    def _value(self, query: str) -> Any:
        return self._database.execute(query).fetchone()[0]

    def add(self, task: str, result: Any) -> None:
        """Saves a result. It is on disk when this returns."""
        try:
            self._database.execute(
                "INSERT OR REPLACE INTO task VALUES (?, ?)", [task, json.dumps(result)]
            )
        except sqlite3.Error as error:
            raise self._error(error) from error
        self.results[task] = result

    def _error(self, error: sqlite3.Error) -> ClusterError:
        if "locked" in str(error):
            return ClusterError(f"another ratlla-cluster is writing to {self.path}")
        if isinstance(error, sqlite3.OperationalError):
            return ClusterError(f"cannot write {self.path}: {error}")
        return ClusterError(f"{self.path} is damaged ({error}): remove it to start over")

    def publish(self, content: bytes) -> None:
        """Writes the output atomically and removes the checkpoint."""
        write_atomically(self.output, content)
        self._database.close()
        self.path.unlink()
        # SQLite's own journal may be left, empty, after a crash that it has recovered from.
        self.path.with_name(self.path.name + "-journal").unlink(missing_ok=True)


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
