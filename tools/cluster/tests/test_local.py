"""Without workers: checkpoints, commands and invalid arguments."""

from __future__ import annotations

import contextlib
import sqlite3
import subprocess
import sys
import time
import unittest

from ratlla_cluster import command
from ratlla_cluster.checkpoint import Checkpoint
from ratlla_cluster.command import Command
from ratlla_cluster.errors import ClusterError, TaskFailed

from .support import BIN, FolderTest, run

#: Saves results until it is killed, and prints the names of those that are saved.
WRITER = """
import itertools, pathlib, sys
from ratlla_cluster.checkpoint import Checkpoint
with Checkpoint(pathlib.Path(sys.argv[1]), {"solve": ["-a"]}) as checkpoint:
    for task in map(str, itertools.count()):
        checkpoint.add(task, task * 3000)
        print(task, flush=True)
"""


class Checkpoints(FolderTest):
    job = {"solve": ["-a"]}

    def test_results_are_kept(self) -> None:
        with Checkpoint(self.out, self.job) as checkpoint:
            checkpoint.add("b", ["1", "ü\n"])
            checkpoint.add("a", "2")
            checkpoint.add("b", [])
        with Checkpoint(self.out, self.job) as checkpoint:
            self.assertEqual(checkpoint.results, {"a": "2", "b": []})

    def test_a_writer_killed_at_any_time_loses_nothing_that_it_had_saved(self) -> None:
        for delay in (0.0, 0.002, 0.01, 0.05):
            writer = subprocess.Popen(
                [sys.executable, "-c", WRITER, self.out], stdout=subprocess.PIPE, text=True
            )
            assert writer.stdout is not None
            self.assertEqual(writer.stdout.readline(), "0\n")
            time.sleep(delay)
            writer.kill()
            saved = {"0"} | set(writer.communicate()[0].split("\n")[:-1])
            with Checkpoint(self.out, self.job) as checkpoint:
                # The one being printed may be saved already.
                self.assertLessEqual(saved, set(checkpoint.results))
                self.assertLessEqual(len(checkpoint.results), len(saved) + 1)
                for task, result in checkpoint.results.items():
                    self.assertEqual(result, task * 3000)
                checkpoint.publish(b"")
            self.assertEqual(list(self.folder.iterdir()), [self.out])
            self.out.unlink()

    def test_other_files_are_refused_and_kept(self) -> None:
        path = self.out.with_name("out.cluster")
        early = b'6f1c5e8b {"job":{"solve":["-a"]}}\n'
        with Checkpoint(self.out, self.job) as checkpoint:
            checkpoint.add("a", "x" * 100_000)
        content = path.read_bytes()
        damaged = content[:8192] + b"\xff" * 4096 + content[12288:]
        for wrong, error in [(early, "not written by this version"), (damaged, "damaged")]:
            path.write_bytes(wrong)
            with self.assertRaisesRegex(ClusterError, error):
                Checkpoint(self.out, self.job)
            self.assertEqual(path.read_bytes(), wrong)
        path.write_bytes(content)
        with contextlib.closing(sqlite3.connect(path)) as database:
            database.execute("PRAGMA user_version = 2")
        with self.assertRaisesRegex(ClusterError, "not written by this version"):
            Checkpoint(self.out, self.job)

    def test_a_checkpoint_has_one_job_and_one_writer(self) -> None:
        with Checkpoint(self.out, self.job):
            with self.assertRaisesRegex(ClusterError, "another ratlla-cluster is writing"):
                Checkpoint(self.out, self.job)
        with self.assertRaisesRegex(ClusterError, "is the checkpoint of another job"):
            Checkpoint(self.out, {"solve": []})
        with Checkpoint(self.out, self.job) as checkpoint:
            checkpoint.publish(b"all")
        self.assertEqual([path.name for path in self.folder.iterdir()], ["out"])
        with self.assertRaisesRegex(ClusterError, "out already exists"):
            Checkpoint(self.out, self.job)
        self.assertEqual(self.out.read_bytes(), b"all")


class Commands(unittest.TestCase):
    def test_output(self) -> None:
        output = command.run(Command(["ratlla", "solve"], b"1\n"), BIN)
        self.assertTrue(output.content.startswith(b"1 "))
        self.assertRegex(output.version, r"^ratlla \d")

    def test_refused_input_is_part_of_the_output(self) -> None:
        asked = Command(["ratlla", "solve", "--json"], b"x\n", reports_refusals=True)
        self.assertIn(b'"error"', command.run(asked, BIN).content)

    def test_failures_give_the_reason(self) -> None:
        # One line: the hint to --help after it is dropped.
        with self.assertRaisesRegex(ClusterError, r"\Aratlla solve: .*3.*\Z"):
            command.run(Command(["ratlla", "solve", "--rows", "3"]), BIN)
        with self.assertRaisesRegex(TaskFailed, r"ratlla-arena on .*line 1: .* \(exit status 1\)$"):
            command.run(Command(["ratlla-arena", "play"], b"nonsense"), BIN)
        with self.assertRaisesRegex(TaskFailed, r"line 1: move 1, 'x': .* \(exit status 1\)$"):
            command.run(Command(["ratlla", "solve"], b"x\n", reports_refusals=True), BIN)
        with self.assertRaisesRegex(ClusterError, "ratlla not found on .* .searched /nowhere."):
            command.run(Command(["ratlla"]), "/nowhere")


class InvalidArguments(FolderTest):
    def expect_error(self, status: int, error: str, *args: object) -> None:
        found, stderr = run(*args)
        self.assertEqual(found, status, stderr)
        self.assertIn(error, stderr)

    def test_command_line(self) -> None:
        self.expect_error(2, "unrecognized argument '--rowz'", "solve", "x", "--rowz", "5")
        self.expect_error(2, "--rows: must be at least 1 (got '0')", "solve", "x", "--rows", "0")
        book = ["book", "--out", self.out]
        self.expect_error(2, "--plies: must be 0..12 (got '13')", *book, "--plies", "13")
        solve = ["solve", "x", "--scheduler", "tcp://x", "--workers", "2"]
        self.expect_error(2, "--scheduler", *solve)
        tls = ["--scheduler", "tls://127.0.0.1:1"]
        self.expect_error(2, "needs --tls-ca, --tls-cert and --tls-key", "solve", "x", *tls)
        self.expect_error(2, "need --scheduler tls://", "solve", "x", "--tls-ca", "ca.pem")
        self.expect_error(2, "the following arguments are required: --record", "match")
        match = ["match", "--record", self.out]
        self.expect_error(2, "rerun the same command", *match, "--resume", "x")
        self.expect_error(2, "the workers' threads", *match, "--concurrency=2")
        self.expect_error(1, "2..256 engines", *match)
        self.expect_error(1, "'--engines'", *match, "--engines", "x")
        self.assertFalse(list(self.folder.iterdir()))

    def test_missing_positions(self) -> None:
        self.expect_error(1, "cannot read the positions", "solve", self.folder / "none")

    def test_missing_games(self) -> None:
        self.expect_error(1, "cannot read the games", "games", self.folder / "none")

    def test_unreachable_scheduler(self) -> None:
        positions = self.folder / "positions"
        positions.write_text("4\n")
        solve = ["solve", positions, "--timeout", "1", "--scheduler"]
        for address in ["tcp://127.0.0.1:1", "nonsense://x"]:
            error = f"cannot connect to the scheduler at {address}"
            self.expect_error(1, error, *solve, address)
        missing = [f"--tls-{name}={self.folder / name}" for name in ("ca", "cert", "key")]
        self.expect_error(1, "cannot read the TLS files", *solve, "tls://127.0.0.1:1", *missing)
