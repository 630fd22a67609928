"""Packed submissions, run as Kaggle runs them: executed as text, the last callable is the agent."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from ratlla.pack import pack

RUN = """
import sys
scope = {}
exec(compile(open(sys.argv[1]).read(), sys.argv[1], "exec"), scope)
agent = [value for value in scope.values() if callable(value)][-1]
configuration = {"rows": 6, "columns": 7, "inarow": 4, "actTimeout": 2}
for row in ("0222000", "2220000"):
    print(agent({"board": [0] * 35 + [int(cell) for cell in row], "mark": 2}, configuration))
"""


class Packing(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="ratlla-test-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_packed(self, text: str) -> subprocess.CompletedProcess[str]:
        """Runs a submission in an environment without this package and without the engine."""
        path = self.folder / "submission.py"
        path.write_text(text, encoding="ascii")
        temporary = self.folder / "temporary"
        temporary.mkdir()
        environment = {"TMPDIR": str(temporary), "PATH": "/usr/bin:/bin"}
        process = subprocess.run(
            [sys.executable, "-I", "-c", RUN, path],
            cwd=self.folder, env=environment, capture_output=True, text=True,
        )
        self.assertEqual(os.listdir(temporary), [], "unpacked files are left")
        return process

    def test_a_submission_needs_nothing_else(self) -> None:
        process = self.run_packed(pack(movetime=100))
        self.assertEqual((process.returncode, process.stderr), (0, ""))
        first, second = map(int, process.stdout.split())
        self.assertIn(first, (0, 4))
        self.assertEqual(second, 3)

    def test_python_plays_where_the_engine_does_not_run(self) -> None:
        program = self.folder / "broken"
        program.write_text('#!/bin/sh\n[ "$1" = --version ] && echo broken 1.0 && exit\nexit 3\n')
        program.chmod(0o755)
        process = self.run_packed(pack(program, movetime=300))
        self.assertIn("(status 3); searching in Python\n", process.stderr)
        first, second = map(int, process.stdout.split())
        self.assertIn(first, (0, 4))
        self.assertEqual(second, 3)


if __name__ == "__main__":
    unittest.main()
