"""Connect Four in Python: plain alpha-beta with iterative deepening.

For boards and line lengths that the engine does not support, which are small, and for machines on
which the engine does not run.
"""

from __future__ import annotations

import time

_WIN = 1_000_000


class _OutOfTime(Exception):
    pass


class SmallBoard:
    """A position in ConnectX's terms: ``cells`` row by row from the top (0 empty, 1, 2), the
    ``mark`` of the side to move, and the winning line length ``inarow``."""

    def __init__(self, cells: list[int], mark: int, rows: int, columns: int, inarow: int) -> None:
        self.cells = list(cells)
        self.mark = mark
        self.rows, self.columns, self.inarow = rows, columns, inarow

    def legal_moves(self) -> list[int]:
        """The columns that are not full, counted from 0, central ones first."""
        columns = [column for column in range(self.columns) if self.cells[column] == 0]
        return sorted(columns, key=lambda column: abs(2 * column - self.columns + 1))

    def best_move(self, seconds: float) -> int:
        """The best column that a search of this time finds. The game must not be over."""
        deadline = time.monotonic() + seconds
        best = self.legal_moves()[0]
        for depth in range(1, self.cells.count(0) + 1):
            # On a copy: a search that times out does not undo its moves.
            board = SmallBoard(self.cells, self.mark, self.rows, self.columns, self.inarow)
            try:
                scores = {
                    move: board._score_move(move, depth, -_WIN, _WIN, deadline)
                    for move in board.legal_moves()
                }
            except _OutOfTime:
                break
            best = max(scores, key=lambda move: scores[move])
        return best

    def _negamax(self, depth: int, alpha: int, beta: int, deadline: float) -> int:
        """The score of the position for the side to move."""
        best = -_WIN
        for move in self.legal_moves():
            best = max(best, self._score_move(move, depth, max(alpha, best), beta, deadline))
            if best >= beta:
                break
        return best

    def _score_move(self, move: int, depth: int, alpha: int, beta: int, deadline: float) -> int:
        """The score of a move for the side that plays it."""
        if time.monotonic() > deadline:
            raise _OutOfTime
        cell = self._drop(move)
        if self._completes_line(cell):
            score = _WIN // 2 + self.cells.count(0)  # Faster wins score higher.
        elif depth <= 1 or 0 not in self.cells:
            score = 0
        else:
            self.mark = 3 - self.mark
            score = -self._negamax(depth - 1, -beta, -alpha, deadline)
            self.mark = 3 - self.mark
        self.cells[cell] = 0
        return score

    def _drop(self, column: int) -> int:
        """Fills the lowest empty cell of a column and returns it."""
        cell = column
        while cell + self.columns < len(self.cells) and self.cells[cell + self.columns] == 0:
            cell += self.columns
        self.cells[cell] = self.mark
        return cell

    def _completes_line(self, cell: int) -> bool:
        row, column = divmod(cell, self.columns)
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            length = 1
            for sign in (1, -1):
                step = sign
                while self._mark_at(row + step * down, column + step * right) == self.mark:
                    length += 1
                    step += sign
            if length >= self.inarow:
                return True
        return False

    def _mark_at(self, row: int, column: int) -> int | None:
        inside = 0 <= row < self.rows and 0 <= column < self.columns
        return self.cells[row * self.columns + column] if inside else None
