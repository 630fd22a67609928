"""Connect Four on boards that are too small, or with lines too short, for the engine.

Such games are soon looked through: plain alpha-beta, as deep as the time allows.
"""

from __future__ import annotations

import time
from typing import List, Optional

_WIN = 1_000_000


class _OutOfTime(Exception):
    """The answer is due."""


class SmallBoard:
    """A position: ``cells`` row by row from the top, with 0, 1 and 2, and who is to move."""

    def __init__(self, cells: List[int], mark: int, rows: int, columns: int, line: int) -> None:
        self.cells = list(cells)
        self.mark = mark
        self.rows, self.columns, self.line = rows, columns, line

    def moves(self) -> List[int]:
        """The columns that take a stone, from 0, those in the middle first."""
        columns = [column for column in range(self.columns) if self.cells[column] == 0]
        return sorted(columns, key=lambda column: abs(2 * column - self.columns + 1))

    def best_move(self, seconds: float) -> int:
        """The best column, as far as it can be told in this time. The game is not over."""
        deadline = time.monotonic() + seconds
        best = self.moves()[0]
        for depth in range(1, self.cells.count(0) + 1):
            # A search that runs out of time leaves its stones behind.
            board = SmallBoard(self.cells, self.mark, self.rows, self.columns, self.line)
            try:
                values = {
                    move: board._after(move, depth, -_WIN, _WIN, deadline) for move in board.moves()
                }
            except _OutOfTime:
                break
            best = max(values, key=lambda move: values[move])
        return best

    def _value(self, depth: int, low: int, high: int, deadline: float) -> int:
        """What the position is worth to the side to move, within a window."""
        best = -_WIN
        for move in self.moves():
            best = max(best, self._after(move, depth, max(low, best), high, deadline))
            if best >= high:
                break
        return best

    def _after(self, move: int, depth: int, low: int, high: int, deadline: float) -> int:
        """What a stone in this column is worth to the side that drops it."""
        if time.monotonic() > deadline:
            raise _OutOfTime
        cell = self._drop(move)
        if self._makes_line(cell):
            value = _WIN // 2 + self.cells.count(0)  # The sooner the better.
        elif depth <= 1 or 0 not in self.cells:
            value = 0
        else:
            self.mark = 3 - self.mark
            value = -self._value(depth - 1, -high, -low, deadline)
            self.mark = 3 - self.mark
        self.cells[cell] = 0
        return value

    def _drop(self, column: int) -> int:
        """Puts a stone into the lowest empty cell of a column."""
        cell = column
        while cell + self.columns < len(self.cells) and self.cells[cell + self.columns] == 0:
            cell += self.columns
        self.cells[cell] = self.mark
        return cell

    def _makes_line(self, cell: int) -> bool:
        row, column = divmod(cell, self.columns)
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            length = 1
            for sign in (1, -1):
                step = sign
                while self._stone(row + step * down, column + step * right) == self.mark:
                    length += 1
                    step += sign
            if length >= self.line:
                return True
        return False

    def _stone(self, row: int, column: int) -> Optional[int]:
        inside = 0 <= row < self.rows and 0 <= column < self.columns
        return self.cells[row * self.columns + column] if inside else None
