"""Where the engine is."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

_NAME = "ratlla.exe" if os.name == "nt" else "ratlla"


def find_program() -> str:
    """The path of the engine: ``$RATLLA``, the one installed with this package, or on ``PATH``."""
    if program := os.environ.get("RATLLA"):
        return program
    for path in _installed():
        if path.is_file():
            return str(path)
    if found := shutil.which("ratlla"):
        return found
    raise FileNotFoundError(
        "the engine was not found: install the package with pip, put ratlla on PATH, "
        "or set RATLLA to its path"
    )


def _installed() -> Iterator[Path]:
    """Where pip may have put the engine of this package."""
    # With "pip install --target", next to the package.
    yield Path(__file__).parent.parent / "bin" / _NAME
    try:
        distribution = metadata.distribution("ratlla")
    except metadata.PackageNotFoundError:
        return
    for file in distribution.files or ():
        if file.name == _NAME and file.parent.name in ("bin", "Scripts"):
            yield Path(str(file.locate())).resolve()
