"""Without workers: checkpoints, commands and invalid arguments."""

from __future__ import annotations

import unittest

from ratlla_cluster import command
from ratlla_cluster.checkpoint import Checkpoint
from ratlla_cluster.command import Command
from ratlla_cluster.errors import ClusterError, TaskFailed

from .support import BIN, FolderTest, run


class Checkpoints(FolderTest):
    job = {"solve": ["-a"]}

    def test_a_checkpoint_truncated_anywhere_keeps_its_complete_lines(self) -> None:
        with Checkpoint(self.out, self.job) as checkpoint:
            checkpoint.add("a", ["1", "ü\n"])
            checkpoint.add("b", ["2"])
        path = checkpoint.path
        content = path.read_bytes()
        ends = [index + 1 for index, byte in enumerate(content) if byte == ord("\n")]
        self.assertEqual(len(ends), 3)
        expected = {"a": ["1", "ü\n"], "b": ["2"]}
        for length in range(len(content) + 1):
            path.write_bytes(content[:length])
            with Checkpoint(self.out, self.job) as checkpoint:
                complete = sum(end <= length for end in ends)
                results = list(expected.items())[: max(0, complete - 1)]
                self.assertEqual(checkpoint.results, dict(results))
                checkpoint.add("c", [])
            with Checkpoint(self.out, self.job) as checkpoint:
                self.assertEqual(checkpoint.results["c"], [])

    def test_a_damaged_line_and_all_after_it_are_dropped(self) -> None:
        with Checkpoint(self.out, self.job) as checkpoint:
            for name in "abc":
                checkpoint.add(name, name)
        content = checkpoint.path.read_bytes()
        checkpoint.path.write_bytes(content.replace(b'"b"', b'"x"'))
        with Checkpoint(self.out, self.job) as checkpoint:
            self.assertEqual(checkpoint.results, {"a": "a"})

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
