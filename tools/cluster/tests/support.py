"""A real scheduler with real workers, and the programs that ``$RATLLA_BIN`` has."""

from __future__ import annotations

import contextlib
import io
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from typing import Any, Callable, ClassVar, Dict, List, Tuple

from ratlla_cluster.main import main

#: Far beyond what anything here takes: only a fault lasts so long.
PATIENCE = 120.0
BIN = os.environ["RATLLA_BIN"]


def wait_until(what: str, is_so: Callable[[], bool]) -> None:
    """Waits for something."""
    end = time.monotonic() + PATIENCE
    while not is_so():
        if time.monotonic() > end:
            raise AssertionError(f"not so: {what}")
        time.sleep(0.01)


def run(*words: object) -> Tuple[int, str]:
    """Runs ``ratlla-cluster`` in this process: its exit status, and what it said to people."""
    complaints = io.StringIO()
    with contextlib.redirect_stderr(complaints), contextlib.redirect_stdout(io.StringIO()):
        try:
            status = main([*map(str, words), "--bin", BIN])
        except SystemExit as end:
            status = int(str(end.code))
    return status, complaints.getvalue()


def program(name: str, *words: object, text: str = "") -> str:
    """What a program of ratlla says on this machine alone."""
    command = [os.path.join(BIN, name), *map(str, words)]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    return done.stdout


def timeless(text: str) -> List[Dict[str, Any]]:
    """Lines of JSON without the times in them."""
    entries = [json.loads(line) for line in text.splitlines()]
    for entry in entries:
        entry.pop("microseconds", None)
        entry.pop("times", None)
    return entries


class Cluster:
    """A scheduler, and workers that can be killed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file = folder / "scheduler.json"
        self._scheduler = self._start(
            "dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard"
        )
        self.workers: List[subprocess.Popen[bytes]] = []
        wait_until("a scheduler", lambda: self._file.exists() and bool(self._file.read_text()))
        self.address: str = json.loads(self._file.read_text())["address"]

    def fill(self) -> None:
        """Starts workers until there are two."""
        words = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--memory-limit", "0"]
        words += ["--local-directory", str(self._folder)]
        while len(self.workers) < 2:
            self.workers.append(self._start("dask_worker", *words))

    def _start(self, kind: str, *words: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.{kind}", "--scheduler-file"]
        with open(self._folder / "log", "ab") as log:
            return subprocess.Popen(
                [*command, str(self._file), *words],
                stdout=log, stderr=log, cwd=self._folder
            )

    def kill_worker(self) -> None:
        """Ends one worker without a warning."""
        worker = self.workers.pop()
        worker.send_signal(signal.SIGKILL)
        worker.wait()

    def kill_scheduler(self) -> None:
        """Ends the scheduler without a warning."""
        self._scheduler.kill()
        self._scheduler.wait()

    def close(self) -> None:
        """Ends everything."""
        for process in [*self.workers, self._scheduler]:
            process.kill()
            process.wait()


class ClusterTest(unittest.TestCase):
    """A test with a folder of its own, and with a cluster that it shares with others."""

    cluster: ClassVar[Cluster]

    @classmethod
    def open_cluster(cls, clean_up: Callable[[Callable[[], None]], None]) -> None:
        """Starts the cluster for this class and those below it."""
        folder = tempfile.TemporaryDirectory(prefix="ratlla-test-")
        clean_up(folder.cleanup)
        cls.cluster = Cluster(Path(folder.name))
        clean_up(cls.cluster.close)

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="ratlla-test-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.cluster.fill()

    def wait_for_journal(self, output: Path, job: subprocess.Popen[bytes]) -> None:
        """Waits until a job has done some of its tasks."""

        def is_so() -> bool:
            self.assertIsNone(job.poll(), "it has ended")
            return len(self.journal_lines(output)) > 5

        wait_until("some tasks are done", is_so)

    def journal_lines(self, output: Path) -> List[bytes]:
        """The whole lines of a journal, if there is one."""
        path = output.with_name(output.name + ".cluster")
        return path.read_bytes().split(b"\n")[:-1] if path.exists() else []

    def start(self, *words: object) -> subprocess.Popen[bytes]:
        """Starts ``ratlla-cluster`` as a process, the first of a group of its own."""
        command = [sys.executable, "-m", "ratlla_cluster.main", *map(str, words), "--bin", BIN]
        pipe = subprocess.PIPE
        return subprocess.Popen(
            command,
            stdout=pipe,
            stderr=pipe,
            start_new_session=True,
            # Whoever runs the tests in the background lets them ignore Ctrl-C.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )

    def run_here(self, *words: object) -> str:
        """Runs ``ratlla-cluster`` in this process, with the cluster, and expects success."""
        status, complaints = run(*words, "--scheduler", self.cluster.address)
        self.assertEqual(status, 0, complaints)
        return complaints
