"""What needs no workers: journals, and everything that is refused."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path

from ratlla_cluster.errors import Trouble
from ratlla_cluster.journal import Journal
from ratlla_cluster.work import Command
from ratlla_cluster import work

from .support import BIN, run


class WithFolder(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="ratlla-test-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.out = self.folder / "out"


class Journals(WithFolder):
    job = {"kind": "of job"}

    def test_a_journal_cut_off_anywhere_has_what_was_whole(self) -> None:
        with Journal(self.out, self.job) as journal:
            journal.add("a", ["1", "ü\n"])
            journal.add("b", ["2"])
        path = journal.path
        content = path.read_bytes()
        ends = [index + 1 for index, byte in enumerate(content) if byte == ord("\n")]
        self.assertEqual(len(ends), 3)
        expected = {"a": ["1", "ü\n"], "b": ["2"]}
        for length in range(len(content) + 1):
            path.write_bytes(content[:length])
            with Journal(self.out, self.job) as journal:
                whole = sum(end <= length for end in ends)
                self.assertEqual(journal.results, dict(list(expected.items())[: max(0, whole - 1)]))
                journal.add("c", [])
            with Journal(self.out, self.job) as journal:
                self.assertEqual(journal.results["c"], [])

    def test_a_damaged_line_and_all_after_it_are_dropped(self) -> None:
        with Journal(self.out, self.job) as journal:
            for name in "abc":
                journal.add(name, name)
        content = journal.path.read_bytes()
        journal.path.write_bytes(content.replace(b'"b"', b'"x"'))
        with Journal(self.out, self.job) as journal:
            self.assertEqual(journal.results, {"a": "a"})

    def test_a_journal_is_for_one_job_and_one_writer(self) -> None:
        with Journal(self.out, self.job):
            with self.assertRaisesRegex(Trouble, "another ratlla-cluster is writing"):
                Journal(self.out, self.job)
        with self.assertRaisesRegex(Trouble, "is the journal of another job"):
            Journal(self.out, {"kind": "of other job"})
        with Journal(self.out, self.job) as journal:
            journal.publish(b"all")
        self.assertEqual([path.name for path in self.folder.iterdir()], ["out"])
        with self.assertRaisesRegex(Trouble, "out is there already"):
            Journal(self.out, self.job)
        self.assertEqual(self.out.read_bytes(), b"all")


class Work(unittest.TestCase):
    def test_a_command_that_fails_says_why(self) -> None:
        answer = work.run(Command("ratlla", ["solve", "--rows", "3"]), BIN)
        self.assertIn("no board of 3 rows", answer["refused"])
        self.assertNotIn("\n", answer["refused"])
        self.assertRegex(answer["version"], r"^ratlla \d")
        answer = work.run(Command("ratlla-arena", ["play"], b"nonsense"), BIN)
        self.assertRegex(answer["failure"], r"line 1: expected .* \(exit status 1\)$")
        self.assertIn("/nowhere", work.run(Command("ratlla", []), "/nowhere")["missing"])


class Refusals(WithFolder):
    def refused(self, status: int, reason: str, *words: object) -> None:
        found, complaints = run(*words)
        self.assertEqual(found, status, complaints)
        self.assertIn(reason, complaints)

    def test_wrong_command_lines(self) -> None:
        self.refused(2, "nobody knows '--rowz'", "solve", "x", "--rowz", "5")
        self.refused(2, "'0' is no number above 0", "solve", "x", "--rows", "0")
        self.refused(2, "'13' is no number from 0 to 12", "book", "--out", "x", "--plies", "13")
        self.refused(2, "--scheduler", "solve", "x", "--scheduler", "tcp://x", "--workers", "2")
        self.refused(2, "the following arguments are required: --record", "match")
        match = ["match", "--record", self.out]
        self.refused(2, "the same command again goes on", *match, "--resume", "x")
        self.refused(2, "as the workers have threads", *match, "--concurrency=2")
        self.refused(1, "a match needs two engines or more", *match)
        self.refused(1, "unexpected argument '--engines'", *match, "--engines", "x")
        self.assertFalse(list(self.folder.iterdir()))

    def test_no_positions(self) -> None:
        self.refused(1, "cannot read the positions", "solve", self.folder / "none")

    def test_no_scheduler(self) -> None:
        positions = self.folder / "positions"
        positions.write_text("4\n")
        words = ["solve", positions, "--timeout", "1", "--scheduler"]
        nobody = "tcp://127.0.0.1:1"
        self.refused(1, f"no scheduler answers at {nobody}", *words, nobody)
        self.refused(1, "no scheduler answers at nonsense://x", *words, "nonsense://x")
