"""Measures the solver of the package bitbully.

Reads lines "<moves> <score>" and prints the mean processor time for one position in seconds, with
caches as they are and with cold ones. Every score is checked. The solver has two ways of searching;
the faster one counts.
"""

import sys
import time

from bitbully.bitbully_core import BitBullyCore, BoardCore

LITTER_BYTES = 128 << 20


def read(line):
    moves, score = line.split()
    board = BoardCore()
    assert board.setBoard([int(digit) - 1 for digit in moves]), f"{moves} is no position"
    return moves, board, int(score)


def mean_time(solver, search, cases, before):
    total = 0
    for moves, board, score in cases:
        solver.resetTranspositionTable()
        before()
        started = time.thread_time_ns()
        found = search(board)
        total += time.thread_time_ns() - started
        assert found == score, f"{moves}: the score is {score}, not {found}"
    return total / len(cases) / 1e9


def main():
    cases = [read(line) for line in sys.stdin]
    solver = BitBullyCore()
    clean, litter = bytes(LITTER_BYTES), bytearray(LITTER_BYTES)

    def spread():
        litter[:] = clean

    searches = [lambda board: solver.mtdf(board, 0), solver.nullWindow]
    for before in (lambda: None, spread):
        print(min(mean_time(solver, search, cases, before) for search in searches))


main()
