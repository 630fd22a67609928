"""Messages and progress on stderr."""

from __future__ import annotations

import sys
from typing import Any

from tqdm import tqdm


def message(text: str) -> None:
    """Prints a message without breaking the progress bar."""
    tqdm.write(f"ratlla-cluster: {text}", file=sys.stderr)


def progress_bar(total: int, done: int, unit: str) -> Any:
    """A progress bar; hidden unless stderr is a terminal."""
    return tqdm(total=total, initial=done, unit=f" {unit}", disable=None, dynamic_ncols=True)
