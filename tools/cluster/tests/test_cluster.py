"""Jobs on a scheduler with two workers, compared with what one machine alone says."""

from __future__ import annotations

import contextlib
import io
import json
import os
import signal
import socket
import unittest
from pathlib import Path
from typing import List

from ratlla_cluster.main import main

from .support import BIN, ClusterTest, program, run, timeless

DATA = Path(os.environ["RATLLA_DATA"])
#: Engines that play the same on any machine, of very different strength.
ENGINES = [
    "--engine", f"cmd={BIN}/ratlla", "name=full", "option.OwnBook=false", "nodes=300",
    "--engine", f"cmd={BIN}/ratlla", "name=random", "option.Strategy=random",
    "option.Seed={seed}", "depth=1",
]


def setUpModule() -> None:
    ClusterTest.open_cluster(unittest.addModuleCleanup)


def positions(count: int) -> str:
    """Lines that take some milliseconds each, a board of another size, and a line that is wrong."""
    lines = (DATA / "Test_L2_R2").read_text().splitlines()[:count]
    questions = [line.split()[0] for line in lines]
    questions[3] = "48"
    questions[5] = json.dumps({"id": "five", "rows": 5, "cols": 5, "moves": "12"})
    return "".join(f"{question}\n" for question in questions)


class Solving(ClusterTest):
    def setUp(self) -> None:
        super().setUp()
        self.positions, self.out = self.folder / "positions", self.folder / "answers"
        self.positions.write_text(positions(40))

    def expect_all_solved(self, *flags: str) -> None:
        alone = program("ratlla", "solve", "--json", *flags, text=self.positions.read_text())
        self.assertEqual(timeless(self.out.read_text()), timeless(alone))
        self.assertEqual(sorted(os.listdir(self.folder)), ["answers", "positions"])

    def test_a_worker_that_dies_is_not_missed(self) -> None:
        words = ["solve", self.positions, "--out", self.out, "--chunk", 1]
        job = self.start(*words, "--scheduler", self.cluster.address)
        self.wait_for_journal(self.out, job)
        self.cluster.kill_worker()
        self.assertLess(len(self.journal_lines(self.out)), 35, "it was killed too late")
        said, complaints = job.communicate()
        self.assertEqual(job.returncode, 0, complaints)
        # No bar is drawn into a pipe.
        wrong = "line 4: move 2, '8': no such column: they go from 1 to 7"
        told = f"ratlla-cluster: {wrong}\nratlla-cluster: the answers are in {self.out}\n"
        self.assertEqual((said, complaints.decode()), (b"", told))
        self.expect_all_solved()

    def test_a_client_that_was_killed_goes_on(self) -> None:
        words = ["solve", self.positions, "--out", self.out]
        job = self.start(*words, "--chunk", 1, "--scheduler", self.cluster.address)
        self.wait_for_journal(self.out, job)
        job.send_signal(signal.SIGKILL)
        job.communicate()
        journal = self.journal_lines(self.out)
        self.assertFalse(self.out.exists())
        with open(f"{self.out}.cluster", "ab") as file:
            file.write(journal[1].replace(b'task":"', b'task":"1')[: len(journal[1]) // 2])
        self.run_here(*words, "--chunk", "7")
        self.expect_all_solved()
        # What was in the journal was not solved again: it would have taken other times.
        answers = self.out.read_text().splitlines()
        for line in journal[1:]:
            entry = json.loads(line.split(b" ", 1)[1])
            self.assertEqual([answers[int(entry["task"])]], entry["result"])

    def test_ctrl_c_ends_workers_of_its_own_quietly(self) -> None:
        # One that nobody has ever solved, so that the job cannot be done before.
        with self.positions.open("a") as file:
            file.write(json.dumps({"rows": 9, "cols": 9, "moves": ""}) + "\n")
        job = self.start("solve", self.positions, "--out", self.out, "--chunk", 1, "--workers", 1)
        self.wait_for_journal(self.out, job)
        # As a terminal does it: everybody is told.
        os.killpg(job.pid, signal.SIGINT)
        told = b"ratlla-cluster: interrupted; the same command goes on\n"
        self.assertEqual(job.communicate(), (b"", told))
        self.assertEqual(job.returncode, 130)

    def test_a_worker_without_the_program_is_named(self) -> None:
        words = ["solve", self.positions, "--out", self.out, "--scheduler", self.cluster.address]
        complaints = io.StringIO()
        with contextlib.redirect_stderr(complaints):
            self.assertEqual(main([*map(str, words), "--bin", "/nowhere"]), 1)
        self.assertIn(f"no ratlla on {socket.gethostname()} in /nowhere", complaints.getvalue())

    def test_arguments_are_refused_with_the_reason_of_the_program(self) -> None:
        words = ["solve", self.positions, "--scheduler", self.cluster.address, "--rows", 3]
        status, complaints = run(*words)
        self.assertEqual(status, 1)
        self.assertTrue(complaints.startswith("ratlla-cluster: ratlla solve: no board of 3 rows"))
        self.assertEqual(complaints.count("\n"), 1)

    def test_columns(self) -> None:
        self.positions.write_text("121212\n1111112\n\n")
        self.run_here("solve", self.positions, "--out", self.out, "-a", "--rows", 5, "--cols", 4)
        self.expect_all_solved("-a", "--rows", "5", "--cols", "4")


class NoScheduler(ClusterTest):
    @classmethod
    def setUpClass(cls) -> None:
        cls.open_cluster(cls.addClassCleanup)

    def test_a_scheduler_that_dies_is_told_of_and_nothing_is_lost(self) -> None:
        questions, out = self.folder / "positions", self.folder / "answers"
        questions.write_text(positions(200))
        words = ["solve", questions, "--out", out, "--chunk", 1]
        job = self.start(*words, "--scheduler", self.cluster.address)
        self.wait_for_journal(out, job)
        self.cluster.kill_scheduler()
        _, complaints = job.communicate()
        self.assertEqual(job.returncode, 1)
        self.assertIn("the scheduler has gone; what is done is kept", complaints.decode())
        self.assertGreater(len(self.journal_lines(out)), 5)
        self.assertFalse(out.exists())


class Matches(ClusterTest):
    def alone(self, *words: object) -> str:
        record = self.folder / "alone"
        program("ratlla-arena", "match", "--record", record, *words)
        return record.read_text()

    def test_a_match_on_workers_of_its_own(self) -> None:
        words = [*ENGINES, "--game", "5 5", "--games", "6", "--seed", "3"]
        record = self.folder / "record"
        status, complaints = run("match", "--workers", 2, "--record", record, *words)
        self.assertEqual((status, complaints), (0, ""))
        self.assertEqual(timeless(record.read_text()), timeless(self.alone(*words)))

    def test_a_test_ends_the_whole_match(self) -> None:
        words: List[object] = [*ENGINES, "--games", "4000", "--sprt", "elo0=0", "elo1=60"]
        record = self.folder / "record"
        self.run_here("match", "--record", record, *words)
        alone = timeless(self.alone(*words))
        self.assertLess(len(alone), 400)
        self.assertEqual(timeless(record.read_text()), alone)


class Books(ClusterTest):
    def test_a_book_is_the_one_of_a_single_machine(self) -> None:
        # The scores of one stone in the first, second, third and fourth column; the last, which
        # takes the least time, is left to the workers.
        scores = [(2 * 3 ** (1 + column), score) for column, score in enumerate((2, 1, 0, -1))]
        lines = [journal_line(f"1 {key} {score}") for key, score in scores]
        (self.folder / "alone.journal").write_text("".join(lines))
        (self.folder / "book.journal").write_text("".join(lines[:3]))
        program("ratlla-lab", "book", "generate", "--plies", 1, "--out", self.folder / "alone")
        self.run_here("book", "--plies", 1, "--out", self.folder / "book", "--hash", 256)
        book, alone = [(self.folder / name).read_bytes() for name in ("book", "alone")]
        self.assertEqual(book, alone)
        files = ["alone", "alone.journal", "book", "book.journal"]
        self.assertEqual(sorted(os.listdir(self.folder)), files)


def journal_line(entry: str) -> str:
    """A line of a journal of ``ratlla-lab``, with its checksum (FNV-1a)."""
    checksum = 0x811C9DC5
    for byte in entry.encode():
        checksum = (checksum ^ byte) * 0x01000193 % 2**32
    return f"{entry} {checksum:08x}\n"


if __name__ == "__main__":
    unittest.main()
