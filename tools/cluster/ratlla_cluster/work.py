"""What runs on a worker: one command of ratlla, from its input to its output."""

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
from dataclasses import dataclass
from typing import Any, Callable, Dict, Optional, Sequence

#: The request to the Linux kernel that a process end with its parent.
PR_SET_PDEATHSIG = 1
#: The exit status of a program that does not understand its arguments.
MISUSE = 2
#: How much of what a program complained about is told.
LONGEST_COMPLAINT = 2000


@dataclass(frozen=True)
class Command:
    """A command that depends on nothing but this, and can be run again at any time."""

    #: The name of the program.
    program: str
    #: Its arguments.
    words: Sequence[str]
    #: What it reads.
    text: bytes = b""
    #: A file that it finds in its folder.
    file: Optional[str] = None
    #: A file that it leaves there, and that is asked for instead of what it writes to stdout.
    wanted: Optional[str] = None


def run(command: Command, folder: Optional[str], content: bytes = b"") -> Dict[str, Any]:
    """Runs a command in an empty folder, with ``content`` in its file.

    Programs are looked for in ``folder``, or on the search path. The answer has ``output``, or
    ``missing`` if there is no such program here, ``refused`` if it does not understand its
    arguments, or ``failure``; and ``host`` and ``version``.
    """
    here = socket.gethostname()
    program = shutil.which(command.program, path=folder)
    if program is None:
        return {"host": here, "missing": folder or "its search path"}
    try:
        with tempfile.TemporaryDirectory(prefix="ratlla-") as place:
            if command.file is not None:
                with open(os.path.join(place, command.file), "wb") as file:
                    file.write(content)
            answer = {"host": here, "version": version(program, os.stat(program).st_mtime)}
            done = execute([program, *command.words], command.text, place)
            complaint = done.stderr.decode(errors="replace").strip()[-LONGEST_COMPLAINT:]
            if done.returncode == MISUSE:
                return {**answer, "refused": complaint.partition("\n")[0]}
            if done.returncode != 0:
                end = f"exit status {done.returncode}"
                return {**answer, "failure": f"{complaint} ({end})" if complaint else end}
            output = done.stdout
            if command.wanted is not None:
                with open(os.path.join(place, command.wanted), "rb") as file:
                    output = file.read()
            return {**answer, "output": output}
    except OSError as error:
        return {"host": here, "failure": str(error)}


@functools.lru_cache
def version(program: str, changed: float) -> str:
    """What a program calls itself; asked again only after it was ``changed``."""
    return execute([program, "--version"], b"", "/").stdout.decode(errors="replace").strip()


def execute(words: Sequence[str], text: bytes, place: str) -> subprocess.CompletedProcess[bytes]:
    """Runs a program that ends when this process does, however that comes about."""
    end_with_parent: Optional[Callable[[], object]] = None
    if sys.platform == "linux":
        prctl = ctypes.CDLL(None).prctl
        end_with_parent = lambda: prctl(PR_SET_PDEATHSIG, signal.SIGKILL)  # noqa: E731
    return subprocess.run(
        list(words), input=text, capture_output=True, cwd=place, preexec_fn=end_with_parent
    )
