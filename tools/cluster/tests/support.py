"""A real scheduler with real workers, and the programs in ``$RATLLA_BIN``."""

from __future__ import annotations

import contextlib
import io
import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

from ratlla_cluster.main import main

#: Seconds, far more than anything here takes.
TIMEOUT = 120.0
BIN = os.environ["RATLLA_BIN"]


def wait_until(what: str, condition: Callable[[], bool]) -> None:
    """Waits for a condition."""
    end = time.monotonic() + TIMEOUT
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"timed out waiting for {what}")
        time.sleep(0.01)


def run(*args: object, bin_dir: object = BIN) -> tuple[int, str]:
    """Runs ``ratlla-cluster`` in this process; returns its exit status and stderr."""
    stderr = io.StringIO()
    with contextlib.redirect_stderr(stderr), contextlib.redirect_stdout(io.StringIO()):
        try:
            status = main([*map(str, args), "--bin", str(bin_dir)])
        except SystemExit as end:
            status = int(str(end.code))
    return status, stderr.getvalue()


def run_program(name: str, *args: object, stdin: str = "", status: int = 0) -> str:
    """Runs a program of ratlla directly, which must exit with ``status``; returns its stdout."""
    command = [os.path.join(BIN, name), *map(str, args)]
    process = subprocess.run(command, input=stdin, capture_output=True, text=True)
    assert process.returncode == status, process.stderr
    return process.stdout


def without_times(text: str) -> list[dict[str, Any]]:
    """Parsed lines of JSON, without measured times and memory."""
    entries = [json.loads(line) for line in text.splitlines() if line]
    for entry in entries:
        for measured in ("microseconds", "times", "seconds", "value_seconds", "memory_mib"):
            entry.pop(measured, None)
    return entries


def saved_results(output: Path, running: bool = True) -> dict[str, Any]:
    """The results in the checkpoint of an output, be its writer ``running`` or not."""
    path = output.with_name(output.name + ".cluster")
    # Immutable: without a lock, which the writer would refuse, and without recovery after a crash.
    mode = "immutable=1" if running else "mode=rw"
    try:
        with contextlib.closing(sqlite3.connect(f"{path.as_uri()}?{mode}", uri=True)) as database:
            rows = database.execute("SELECT name, result FROM task").fetchall()
    except sqlite3.Error:
        if not running:
            raise
        return {}  # Not there yet, or just being changed.
    return {name: json.loads(result) for name, result in rows}


class Cluster:
    """A scheduler and workers that can be killed. ``flags`` are for both."""

    def __init__(self, folder: Path, *flags: str) -> None:
        self._folder = folder
        self._flags = flags
        self._file = folder / "scheduler.json"
        self._scheduler = self._start(
            "dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard"
        )
        self.workers: list[subprocess.Popen[bytes]] = []
        wait_until("a scheduler", lambda: self._file.exists() and bool(self._file.read_text()))
        self.address: str = json.loads(self._file.read_text())["address"]

    def start_missing_workers(self) -> None:
        """Starts workers until there are two."""
        args = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--memory-limit", "0"]
        args += ["--local-directory", str(self._folder)]
        while len(self.workers) < 2:
            self.workers.append(self._start("dask_worker", *args))

    def _start(self, kind: str, *args: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.{kind}", "--scheduler-file"]
        with open(self._folder / "log", "ab") as log:
            return subprocess.Popen(
                [*command, str(self._file), *args, *self._flags],
                stdout=log, stderr=log, cwd=self._folder,
            )

    def kill_worker(self) -> None:
        """Kills one worker with SIGKILL."""
        worker = self.workers.pop()
        worker.send_signal(signal.SIGKILL)
        worker.wait()

    def kill_scheduler(self) -> None:
        """Kills the scheduler with SIGKILL."""
        self._scheduler.kill()
        self._scheduler.wait()

    def close(self) -> None:
        """Kills all processes."""
        for process in [*self.workers, self._scheduler]:
            process.kill()
            process.wait()


class FolderTest(unittest.TestCase):
    """A test with its own directory."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="ratlla-test-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.out = self.folder / "out"


class ClusterTest(FolderTest):
    """A test with its own directory and a shared cluster."""

    cluster: ClassVar[Cluster]

    @classmethod
    def open_cluster(cls, clean_up: Callable[[Callable[[], None]], None]) -> None:
        """Starts the cluster for this class and its subclasses."""
        folder = tempfile.TemporaryDirectory(prefix="ratlla-test-")
        clean_up(folder.cleanup)
        cls.cluster = Cluster(Path(folder.name))
        clean_up(cls.cluster.close)

    def setUp(self) -> None:
        super().setUp()
        self.cluster.start_missing_workers()

    def wait_for_checkpoint(self, output: Path, job: subprocess.Popen[bytes]) -> None:
        """Waits until a job has finished some of its tasks."""

        def has_results() -> bool:
            self.assertIsNone(job.poll(), "the job has ended")
            return len(saved_results(output)) > 5

        wait_until("some finished tasks", has_results)

    def start(self, *args: object) -> subprocess.Popen[bytes]:
        """Starts ``ratlla-cluster`` as a process with its own process group."""
        command = [sys.executable, "-m", "ratlla_cluster.main", *map(str, args), "--bin", BIN]
        return subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            # Background jobs of a shell ignore SIGINT.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )

    def run_on_cluster(self, *args: object, status: int = 0) -> None:
        """Runs ``ratlla-cluster`` in this process on the cluster; it must exit with ``status``."""
        found, stderr = run(*args, "--scheduler", self.cluster.address)
        self.assertEqual(found, status, stderr)
