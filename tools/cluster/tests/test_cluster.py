"""Jobs on a scheduler with two workers, compared with the programs run directly."""

from __future__ import annotations

import json
import os
import signal
import socket
import tempfile
import unittest
from pathlib import Path
from typing import Any

from distributed.security import Security
from ratlla_cluster.book import GENERATOR
from ratlla_cluster.checkpoint import Checkpoint
from ratlla_cluster.games import SOLVER

from .support import (
    BIN, Cluster, ClusterTest, FolderTest, run, run_program, saved_results, without_times,
)

DATA = Path(os.environ["RATLLA_DATA"])
#: Deterministic engines of very different strength.
ENGINES = [
    "--engine", f"cmd={BIN}/ratlla", "name=full", "option.OwnBook=false", "nodes=300",
    "--engine", f"cmd={BIN}/ratlla", "name=random", "option.Strategy=random",
    "option.Seed={seed}", "depth=1",
]


def setUpModule() -> None:
    ClusterTest.open_cluster(unittest.addModuleCleanup)


def positions(count: int) -> str:
    """Positions that take milliseconds each, among them another board size and an invalid line."""
    lines = (DATA / "Test_L2_R2").read_text().splitlines()[:count]
    lines = [line.split()[0] for line in lines]
    lines[3] = "48"
    lines[5] = json.dumps({"id": "five", "rows": 5, "cols": 5, "moves": "12"})
    return "".join(f"{line}\n" for line in lines)


class Solving(ClusterTest):
    def setUp(self) -> None:
        super().setUp()
        self.positions, self.out = self.folder / "positions", self.folder / "answers"
        self.positions.write_text(positions(40))

    def expected(self, *flags: str, status: int = 0) -> list[dict[str, Any]]:
        stdin = self.positions.read_text()
        solver = ("ratlla", "solve", "--json", *flags)
        return without_times(run_program(*solver, stdin=stdin, status=status))

    def assert_all_solved(self, *flags: str, status: int = 0) -> None:
        expected = self.expected(*flags, status=status)
        self.assertEqual(without_times(self.out.read_text()), expected)
        self.assertEqual(sorted(os.listdir(self.folder)), ["answers", "positions"])

    def test_tasks_of_a_dead_worker_are_reassigned(self) -> None:
        args = ["solve", self.positions, "--out", self.out, "--chunk", 1]
        job = self.start(*args, "--scheduler", self.cluster.address)
        self.wait_for_checkpoint(self.out, job)
        self.cluster.kill_worker()
        self.assertLess(len(saved_results(self.out)), 35, "the worker was killed too late")
        stdout, stderr = job.communicate()
        # One line is invalid.
        self.assertEqual(job.returncode, 1, stderr)
        # No progress bar: stderr is not a terminal.
        invalid = f"ratlla-cluster: line 4: {self.expected(status=1)[3]['error']}\n"
        self.assertEqual(stderr.decode(), f"{invalid}ratlla-cluster: wrote {self.out}\n")
        self.assertEqual(stdout, b"")
        self.assert_all_solved(status=1)

    def test_a_killed_job_resumes(self) -> None:
        args = ["solve", self.positions, "--out", self.out]
        job = self.start(*args, "--chunk", 1, "--scheduler", self.cluster.address)
        self.wait_for_checkpoint(self.out, job)
        job.send_signal(signal.SIGKILL)
        job.communicate()
        saved = saved_results(self.out, running=False)
        self.assertGreaterEqual(len(saved), 5)
        self.assertFalse(self.out.exists())
        # One line is invalid, and may be among the saved ones.
        self.run_on_cluster(*args, "--chunk", "7", status=1)
        self.assert_all_solved(status=1)
        # Saved answers were not solved again, or their times would differ.
        answers = self.out.read_text().splitlines()
        for task, found in saved.items():
            self.assertEqual([answers[int(task)]], found)

    def test_the_status_is_that_of_the_program(self) -> None:
        for lines, status in [("4\n", 0), ("4\n48\n\n5\n", 1)]:
            with self.subTest(lines=lines):
                self.positions.write_text(lines)
                args = ["solve", self.positions, "--out", self.out, "--chunk", 1]
                self.run_on_cluster(*args, "--nodes", 1000, status=status)
                self.assert_all_solved("--nodes", "1000", status=status)
                self.out.unlink()

    def test_ctrl_c_shuts_down_local_workers_quietly(self) -> None:
        # A position out of reach, so that the job cannot finish first.
        with self.positions.open("a") as file:
            file.write(json.dumps({"rows": 9, "cols": 9, "moves": ""}) + "\n")
        job = self.start("solve", self.positions, "--out", self.out, "--chunk", 1, "--workers", 1)
        self.wait_for_checkpoint(self.out, job)
        # Like a terminal, which signals the whole process group.
        os.killpg(job.pid, signal.SIGINT)
        stderr = b"ratlla-cluster: interrupted; rerun the command to resume\n"
        self.assertEqual(job.communicate(), (b"", stderr))
        self.assertEqual(job.returncode, 130)

    def test_a_worker_without_the_program_is_named(self) -> None:
        args = ["solve", self.positions, "--out", self.out, "--scheduler", self.cluster.address]
        status, stderr = run(*args, bin_dir="/nowhere")
        self.assertEqual(status, 1)
        self.assertIn(f"ratlla not found on {socket.gethostname()} (searched /nowhere)", stderr)

    def test_a_failed_task_is_retried(self) -> None:
        self.positions.write_text("4\n")
        with tempfile.TemporaryDirectory() as folder:
            # Fails the first time.
            script = Path(folder, "ratlla")
            script.write_text(
                f'#!/bin/sh\n[ $1 = solve ] && mkdir {folder}/failed 2>/dev/null && exit 9\n'
                f'exec {BIN}/ratlla "$@"\n'
            )
            script.chmod(0o755)
            args = ["solve", self.positions, "--out", self.out, "--scheduler", self.cluster.address]
            status, stderr = run(*args, bin_dir=folder)
        self.assertEqual(status, 0, stderr)
        self.assertIn("(exit status 9); retrying", stderr)
        self.assert_all_solved()

    def test_rejected_arguments_show_the_message_of_the_program(self) -> None:
        status, stderr = run(
            "solve", self.positions, "--scheduler", self.cluster.address, "--rows", 3
        )
        self.assertEqual(status, 1)
        self.assertRegex(stderr, r"\Aratlla-cluster: ratlla solve: .*3.*\n\Z")

    def test_analyze(self) -> None:
        self.positions.write_text("1 2 1 3\n1111112\n\n# blank, too\n-\n")
        flags = ["-a", "--rows", "5", "--cols", "4", "--line", "3"]
        # Column 1 of five rows is full.
        self.run_on_cluster("solve", self.positions, "--out", self.out, *flags, status=1)
        self.assert_all_solved(*flags, status=1)
        blank = [not line for line in self.out.read_text().splitlines()]
        self.assertEqual(blank, [False, False, True, True, False])

    def test_other_games_with_best_moves_and_limits(self) -> None:
        self.positions.write_text("2 3\npits 2 0 3 1 / 2 2 2 0 p1\n-\n")
        flags = ["--best", "--pv", "--nodes", "100000"]
        for game in (["kalah", "3", "2"], ["kalah 3 2"]):
            self.run_on_cluster("solve", self.positions, "--out", self.out, *flags, "--game", *game)
            self.assert_all_solved(*flags, "--game", "kalah", "3", "2")
            self.assertEqual(without_times(self.out.read_text())[1]["score"], 4)
            self.out.unlink()


class Games(ClusterTest):
    def test_rows_equal_those_of_the_solver(self) -> None:
        names = ["kalah 3 2", "connect4 4 4", "kalah 3 2 empty"]
        path = self.folder / "games"
        path.write_text("kalah  3 2\n\nconnect4 4 4\nkalah 3 2 empty\nkalah 3 2\n")
        flags = ["--first-moves", "--hash", "16"]
        self.run_on_cluster("games", path, "--out", self.out, *flags)
        rows = without_times(self.out.read_text())
        expected = [run_program(*SOLVER, *name.split(), *flags, "--json") for name in names]
        self.assertEqual(rows, without_times("".join(expected)))

    def test_a_finished_game_is_not_solved_again(self) -> None:
        path = self.folder / "games"
        path.write_text("kalah 2 1\nkalah 2 2\n")
        with Checkpoint(self.out, {"games": ["--hash", "16"]}) as checkpoint:
            checkpoint.add("kalah 2 1", '{"saved":true}')
        self.run_on_cluster("games", path, "--out", self.out, "--hash", 16)
        saved, solved = map(json.loads, self.out.read_text().splitlines())
        self.assertEqual(saved, {"saved": True})
        self.assertEqual(solved["game"], "kalah 2 2")

    def test_an_unknown_game_is_named(self) -> None:
        path = self.folder / "games"
        path.write_text("chess\n")
        status, stderr = run("games", path, "--scheduler", self.cluster.address)
        self.assertEqual(status, 1)
        self.assertIn("chess", stderr)


class SchedulerFailure(ClusterTest):
    @classmethod
    def setUpClass(cls) -> None:
        cls.open_cluster(cls.addClassCleanup)

    def test_the_checkpoint_survives_the_scheduler(self) -> None:
        path, out = self.folder / "positions", self.folder / "answers"
        path.write_text(positions(200))
        args = ["solve", path, "--out", out, "--chunk", 1]
        job = self.start(*args, "--scheduler", self.cluster.address)
        self.wait_for_checkpoint(out, job)
        self.cluster.kill_scheduler()
        _, stderr = job.communicate()
        self.assertEqual(job.returncode, 1)
        self.assertIn("lost the connection to the scheduler", stderr.decode())
        self.assertGreater(len(saved_results(out)), 5)
        self.assertFalse(out.exists())


class Encryption(FolderTest):
    def test_only_holders_of_a_certificate_are_served(self) -> None:
        # An authority, and a certificate that it signed.
        security = Security.temporary()
        files = {"ca": security.tls_ca_file, "cert": security.tls_client_cert,
                 "key": security.tls_client_key}
        for name, content in files.items():
            (self.folder / name).write_text(content)
        flags = [f"--tls-{name}={self.folder / name}" for name in files]
        cluster = Cluster(self.folder, "--protocol", "tls", flags[0].replace("ca", "ca-file", 1),
                          *flags[1:])
        self.addCleanup(cluster.close)
        self.assertTrue(cluster.address.startswith("tls://"), cluster.address)
        cluster.start_missing_workers()
        positions = self.folder / "positions"
        positions.write_text("44444437632223\n")
        job = ["solve", positions, "--out", self.out, "--scheduler", cluster.address]
        status, stderr = run(*job, *flags)
        self.assertEqual(status, 0, stderr)
        self.assertEqual(json.loads(self.out.read_text())["score"], 14)
        # Another authority's certificate, and none.
        stranger = Security.temporary()
        (self.folder / "cert").write_text(stranger.tls_client_cert)
        (self.folder / "key").write_text(stranger.tls_client_key)
        self.out.unlink()
        plain = [*job[:-1], cluster.address.replace("tls", "tcp"), "--timeout", 2]
        for refused in ([*job, *flags, "--timeout", 2], plain):
            status, stderr = run(*refused)
            self.assertEqual(status, 1)
            self.assertIn("cannot connect to the scheduler", stderr)


class Matches(ClusterTest):
    def expected(self, *args: object) -> list[dict[str, Any]]:
        record = self.folder / "expected"
        run_program("ratlla-arena", "match", "--record", record, *args)
        return without_times(record.read_text())

    def test_a_match_on_local_workers(self) -> None:
        args = [*ENGINES, "--game", "5 5", "--games", "6", "--seed", "3"]
        record = self.folder / "record"
        status, stderr = run("match", "--workers", 2, "--record", record, *args)
        self.assertEqual((status, stderr), (0, ""))
        self.assertEqual(without_times(record.read_text()), self.expected(*args))

    def test_a_decided_sprt_ends_the_match(self) -> None:
        args: list[object] = [*ENGINES, "--games", "4000", "--sprt", "elo0=0", "elo1=60"]
        record = self.folder / "record"
        self.run_on_cluster("match", "--record", record, *args)
        expected = self.expected(*args)
        self.assertLess(len(expected), 400)
        self.assertEqual(without_times(record.read_text()), expected)


class Books(ClusterTest):
    def test_a_book_equals_that_of_the_generator(self) -> None:
        # The scores of one stone in the columns 1 to 4; the last, which is the fastest to compute,
        # is left to the workers.
        scores = [(2 * 3 ** (1 + column), score) for column, score in enumerate((2, 1, 0, -1))]
        lines = [journal_line(f"1 {key} {score}") for key, score in scores]
        (self.folder / "expected.journal").write_text("".join(lines))
        (self.folder / "book.journal").write_text("".join(lines[:3]))
        run_program(*GENERATOR, "--plies", 1, "--out", self.folder / "expected")
        self.run_on_cluster("book", "--plies", 1, "--out", self.folder / "book", "--hash", 256)
        book, expected = [(self.folder / name).read_bytes() for name in ("book", "expected")]
        self.assertEqual(book, expected)
        files = ["book", "book.journal", "expected", "expected.journal"]
        self.assertEqual(sorted(os.listdir(self.folder)), files)


def journal_line(entry: str) -> str:
    """A line of the generator's journal, with its checksum (FNV-1a)."""
    checksum = 0x811C9DC5
    for byte in entry.encode():
        checksum = (checksum ^ byte) * 0x01000193 % 2**32
    return f"{entry} {checksum:08x}\n"


if __name__ == "__main__":
    unittest.main()
