"""Packs a ConnectX submission: one Python file with this package and the engine inside.

$ python -m ratlla.pack submission.py
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import io
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from .program import find_program

#: The modules that the agent needs; the package's own __init__ would import the others too.
MODULES = (
    "connection", "connectx", "engine", "errors", "explain", "info", "option", "program", "search",
    "small_board", "state", "types",
)
#: The characters per line of the archive.
WIDTH = 120
TEMPLATE = '''\
"""A ConnectX agent: {version}, packed into one file by ratlla.pack.

The archive contains the Python sources and the engine, which are unpacked into a temporary folder.
If the engine does not run on this machine, a plain search in Python plays instead.
"""

import atexit
import base64
import importlib
import io
import os
import shutil
import sys
import tempfile
import zipfile

PACKAGE = "{package}"
MOVETIME = {movetime}
ARCHIVE = """
{archive}
"""


def load():
    folder = tempfile.mkdtemp(prefix="ratlla-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    content = base64.b85decode("".join(ARCHIVE.split()))
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        archive.extractall(folder)
    program = os.path.join(folder, "engine")
    os.chmod(program, 0o755)
    sys.path.insert(0, folder)
    try:
        connectx = importlib.import_module(PACKAGE + ".connectx")
    finally:
        sys.path.remove(folder)
    return connectx.make_agent(program, MOVETIME, fallback=True)


# The last callable of the file is the agent.
agent = load()
'''


def pack(program: str | Path | None = None, movetime: int | None = None) -> str:
    """The text of a submission that searches ``movetime`` milliseconds per move with ``program``.

    Symbols of the program are left out if ``strip`` is available.
    """
    path = Path(program or find_program())
    version = subprocess.run([path, "--version"], capture_output=True, text=True, check=True)
    engine = _stripped(path)
    sources = {name: Path(__file__).with_name(f"{name}.py").read_bytes() for name in MODULES}
    digest = hashlib.sha256(b"".join([engine, *sources.values()])).hexdigest()
    # A name of its own, so that different submissions can play each other in one process.
    package = f"ratlla_{digest[:12]}"
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("engine", engine)
        archive.writestr(f"{package}/__init__.py", b"")
        for name, source in sources.items():
            archive.writestr(f"{package}/{name}.py", source)
    # No character of base85 needs an escape in a string.
    text = base64.b85encode(buffer.getvalue()).decode()
    return TEMPLATE.format(
        version=version.stdout.strip(),
        package=package,
        movetime=movetime,
        archive="\n".join(text[at : at + WIDTH] for at in range(0, len(text), WIDTH)),
    )


def _stripped(program: Path) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(shutil.copy(program, folder))
        if strip := shutil.which("strip"):
            subprocess.run([strip, copy], capture_output=True)
        return copy.read_bytes()


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m ratlla.pack",
        description="Pack a ConnectX submission: one Python file with the engine inside.",
    )
    parser.add_argument("out", type=Path, help="output file, such as submission.py")
    parser.add_argument("--program", type=Path, help="engine to pack, built for the machine on "
                        "which the agent plays [default: the installed one]")
    parser.add_argument("--movetime", type=int, metavar="MS",
                        help="time per move [default: three quarters of the environment's]")
    args = parser.parse_args()
    try:
        text = pack(args.program, args.movetime)
        args.out.write_text(text, encoding="ascii")
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"ratlla.pack: {error}", file=sys.stderr)
        return 1
    print(f"wrote {args.out} ({len(text) / 2**20:.1f} MiB)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
