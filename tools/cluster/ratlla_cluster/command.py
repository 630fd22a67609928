"""Runs one command of ratlla. This is the code that executes on workers."""

from __future__ import annotations

import ctypes
import functools
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from .errors import ClusterError, TaskFailed

#: The prctl request that has the Linux kernel kill a process when its parent dies.
PR_SET_PDEATHSIG = 1
#: The exit status of a program that has refused part of its input.
REFUSED = 1
#: The exit status for invalid arguments.
USAGE_ERROR = 2
#: How many bytes of stderr are quoted in error messages.
MAX_STDERR = 2000


@dataclass(frozen=True)
class Command:
    """A command whose output depends on these fields alone, so it can be rerun anywhere."""

    #: The program and its arguments.
    args: Sequence[str]
    stdin: bytes = b""
    #: A file in the working directory that receives the data shared by all tasks.
    input_file: str | None = None
    #: A file in the working directory that is the output, instead of stdout.
    output_file: str | None = None
    #: Whether refused input is reported in the output, without a message on stderr.
    reports_refusals: bool = False


@dataclass(frozen=True)
class Output:
    """The output of a command, and which version of the program wrote it."""

    content: bytes
    host: str
    version: str


def find_program(name: str, bin_dir: str | None) -> str:
    """The path of a program in ``bin_dir``, or on ``PATH``."""
    program = shutil.which(name, path=bin_dir)
    if program is None:
        raise ClusterError(
            f"{name} not found on {socket.gethostname()} (searched {bin_dir or 'PATH'}): "
            "install it there, or give its directory with --bin"
        )
    return program


def run(command: Command, bin_dir: str | None, shared: bytes = b"") -> Output:
    """Runs a command in an empty directory, with ``shared`` as its input file.

    Raises :class:`ClusterError` if the program is missing or rejects its arguments, and
    :class:`TaskFailed` for failures that may be specific to this run or machine.
    """
    name, *arguments = command.args
    program = find_program(name, bin_dir)
    host = socket.gethostname()
    try:
        with tempfile.TemporaryDirectory(prefix="ratlla-") as folder:
            if command.input_file is not None:
                Path(folder, command.input_file).write_bytes(shared)
            version = program_version(program, os.stat(program).st_mtime)
            process = execute([program, *arguments], command.stdin, folder)
            stderr = process.stderr.decode(errors="replace").strip()
            if process.returncode == USAGE_ERROR:
                # The usage follows, which may be long.
                raise ClusterError(stderr.partition("\n")[0][:MAX_STDERR])
            stderr = stderr[-MAX_STDERR:]
            refused = command.reports_refusals and process.returncode == REFUSED and not stderr
            if process.returncode != 0 and not refused:
                reason = f"{stderr} (exit status {process.returncode})".lstrip()
                raise TaskFailed(f"{name} on {host}: {reason}")
            if command.output_file is None:
                return Output(process.stdout, host, version)
            return Output(Path(folder, command.output_file).read_bytes(), host, version)
    except OSError as error:
        raise TaskFailed(f"{name} on {host}: {error}") from error


@functools.lru_cache
def program_version(program: str, modified: float) -> str:
    """The output of ``--version``, cached until the program file is modified."""
    process = execute([program, "--version"], b"", tempfile.gettempdir())
    return process.stdout.decode(errors="replace").strip()


def execute(args: Sequence[str], stdin: bytes, folder: str) -> subprocess.CompletedProcess[bytes]:
    """Runs a program that is killed if this process dies (on Linux)."""
    die_with_parent: Callable[[], object] | None = None
    if sys.platform == "linux":
        prctl = ctypes.CDLL(None).prctl
        die_with_parent = functools.partial(prctl, PR_SET_PDEATHSIG, signal.SIGKILL)
    return subprocess.run(
        list(args), input=stdin, capture_output=True, cwd=folder, preexec_fn=die_with_parent
    )
