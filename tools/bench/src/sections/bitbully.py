"""Measures the solver of the package bitbully.

Reads lines "<moves> <score>" and prints the mean CPU time per position in seconds, with warm and
with cold caches. Every score is checked. Of the solver's two search methods the faster one counts.
"""

import sys
import time

from bitbully.bitbully_core import BitBullyCore, BoardCore

FLUSH_BYTES = 128 << 20


def read(line):
    moves, score = line.split()
    board = BoardCore()
    assert board.setBoard([int(digit) - 1 for digit in moves]), f"invalid position {moves}"
    return moves, board, int(score)


def mean_time(solver, search, cases, before):
    total = 0
    for moves, board, score in cases:
        solver.resetTranspositionTable()
        before()
        started = time.thread_time_ns()
        found = search(board)
        total += time.thread_time_ns() - started
        assert found == score, f"{moves}: expected score {score}, got {found}"
    return total / len(cases) / 1e9


def main():
    cases = [read(line) for line in sys.stdin]
    solver = BitBullyCore()
    source, buffer = bytes(FLUSH_BYTES), bytearray(FLUSH_BYTES)

    def flush():
        buffer[:] = source

    searches = [lambda board: solver.mtdf(board, 0), solver.nullWindow]
    for before in (lambda: None, flush):
        print(min(mean_time(solver, search, cases, before) for search in searches))


main()
