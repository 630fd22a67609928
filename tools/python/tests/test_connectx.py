"""The ConnectX agent, called as the environment calls it."""

from __future__ import annotations

import unittest
from functools import cache

from ratlla.connectx import grid, make_agent
from ratlla.small_board import SmallBoard

agent = make_agent(movetime=30)


def choose(cells: list[int], mark: int, rows: int, columns: int, inarow: int) -> int:
    configuration: dict[str, int | float] = {
        "rows": rows,
        "columns": columns,
        "inarow": inarow,
        "actTimeout": 2,
    }
    return agent({"board": cells, "mark": mark}, configuration)


def board(*rows: str) -> list[int]:
    return [int(cell) for row in rows for cell in row]


class ConnectX(unittest.TestCase):
    def test_grids_list_rows_from_the_top(self) -> None:
        cells = board("00000", "00000", "00100", "00210")
        self.assertEqual(grid(cells, 5, 2), "grid 00000/00000/00100/00210 p2")

    def test_wins_and_blocks_on_all_board_sizes(self) -> None:
        default = board("0000000", "0000000", "0000000", "0000000", "0220000", "0111000")
        for mark, cells, size, expected in [
            (1, default, (6, 7, 4), {0, 4}),
            (2, board("0000000", *["0000000"] * 4, "0111200"), (6, 7, 4), {0}),
            (1, board(*["00000"] * 3, "11022"), (4, 5, 3), {2}),
            (2, board(*["000000000"] * 4, "211110000"), (5, 9, 5), {5}),
            # Not supported by the engine.
            (1, board("000", "020", "112"), (3, 3, 3), {0, 1, 2}),
            (1, board("000", "220", "110"), (3, 3, 3), {2}),
            (2, board("000", "000", "110"), (3, 3, 3), {2}),
            (1, board("0000000", "0022000", "0111000"), (3, 7, 4), {0, 1, 4, 5}),
            (1, [0, 0, 0], (1, 3, 1), {0, 1, 2}),
            (2, board("10", "12"), (2, 2, 9), {1}),
        ]:
            with self.subTest(size=size, mark=mark):
                self.assertIn(choose(cells, mark, *size), expected)

    def test_full_columns_are_never_chosen(self) -> None:
        cells = board("1000", "2000", "1000", "2000")
        for _ in range(3):
            self.assertIn(choose(cells, 1, 4, 4, 4), {1, 2, 3})

    def test_small_boards_are_played_perfectly(self) -> None:
        """3x3 with three in a row: every position against a full minimax."""
        seen: set[Cells] = set()
        pending: list[Cells] = [(0,) * 9]
        while pending:
            cells = pending.pop()
            if cells in seen or has_line(cells) or 0 not in cells:
                continue
            seen.add(cells)
            scores = {column: -value(dropped(cells, column)) for column in open_columns(cells)}
            chosen = SmallBoard(list(cells), mover(cells), 3, 3, 3).best_move(60)
            self.assertEqual(scores[chosen], max(scores.values()), cells)
            pending += [dropped(cells, column) for column in scores]
        self.assertGreater(len(seen), 300)


# An independent implementation of 3x3.

Cells = tuple[int, ...]
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def mover(cells: Cells) -> int:
    return 1 if cells.count(1) == cells.count(2) else 2


def open_columns(cells: Cells) -> list[int]:
    return [column for column in range(3) if cells[column] == 0]


def dropped(cells: Cells, column: int) -> Cells:
    cell = max(cell for cell in (column, column + 3, column + 6) if cells[cell] == 0)
    return (*cells[:cell], mover(cells), *cells[cell + 1 :])


def has_line(cells: Cells) -> bool:
    return any(cells[a] == cells[b] == cells[c] != 0 for a, b, c in LINES)


@cache
def value(cells: Cells) -> int:
    """1, 0 or -1 for the side to move."""
    if has_line(cells):
        return -1
    return max((-value(dropped(cells, column)) for column in open_columns(cells)), default=0)


if __name__ == "__main__":
    unittest.main()
