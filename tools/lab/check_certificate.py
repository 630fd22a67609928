#!/usr/bin/env python3
"""Check certificates of Conecta-4 BOOM: python3 check_certificate.py FILE...

Written from docs/certificates.md and the rules; shares nothing with the engine or `ratlla-lab`.
"""

import hashlib
import sys
from functools import lru_cache

# A position is the number of the next move and the columns: seven strings of pieces from the bottom.


def ensure(condition, message):
    if not condition:
        raise ValueError(message)


def mover(number):
    return 1 if number // 2 % 2 == 0 else 2


def has_bomb(columns, player):
    return any(str(player + 3) in column for column in columns)


def legal_moves(number, columns):
    drops = [str(i + 1) for i in range(7) if len(columns[i]) < 7]
    return drops + ["boom"] * has_bomb(columns, mover(number))


def play(number, columns, move):
    player = mover(number)
    own, bomb, enemy, enemy_bomb = (str(n) for n in (player, player + 3, 3 - player, 6 - player))
    if move == "boom":
        row = next(column.index(bomb) for column in columns if bomb in column)
        gone = (bomb, enemy, enemy_bomb)
        after = [c[:row] + c[row + 1 :] if c[row : row + 1] in gone else c for c in columns]
    else:
        is_bomb = (number // 4 + 1) % 4 == 0 and not has_bomb(columns, player)
        after = list(columns)
        after[int(move) - 1] += bomb if is_bomb else own
    return number + 1, tuple(after)


@lru_cache(maxsize=None)
def bits(column, player):
    own = (str(player), str(player + 3))
    return sum(1 << row for row, piece in enumerate(column) if piece in own)


def has_line(columns, player):
    # Eight bits per column: the eighth stays empty and keeps the columns apart.
    cells = sum(bits(column, player) << 8 * i for i, column in enumerate(columns))
    pairs = [(cells & cells >> step, step) for step in (1, 7, 8, 9)]
    return any(pair & pair >> 2 * step for pair, step in pairs)


def winner(number, columns):
    last = mover(number - 1)
    for player in (last, 3 - last):
        if has_line(columns, player):
            return player
    return None if legal_moves(number, columns) else 3 - mover(number)


def is_met(claim, number, columns):
    """Whether the claim is met; None while that is open."""
    player, goal, limit = claim
    won_by = winner(number, columns)
    if won_by:
        return won_by == player
    if goal == "wins by":
        return False if number > limit else None
    return True if number >= limit else None


def is_met_within(plies, claim, position):
    met = is_met(claim, *position)
    if met is not None or plies == 0:
        return met is True
    results = (is_met_within(plies - 1, claim, play(*position, m)) for m in legal_moves(*position))
    return any(results) if mover(position[0]) == claim[0] else all(results)


def read(data):
    signed, _, checksum = data.rpartition(b"sha256 ")
    ensure(checksum == hashlib.sha256(signed).hexdigest().encode() + b"\n", "wrong checksum")
    magic, game, position, claim, count, *lines = signed.decode().splitlines()
    ensure((magic, game) == ("ratlla certificate 1", "game boom"), "not a certificate of boom")
    start = (1, ("",) * 7)
    for move in position.removeprefix("position startpos").split()[1:]:
        ensure(not winner(*start) and move in legal_moves(*start), f"illegal move {move}")
        start = play(*start, move)
    word, player, verb, preposition, limit = claim.split()
    goal = f"{verb} {preposition}"
    is_goal = goal in ("wins by", "unbeaten before")
    ensure(word == "claim" and player in ("p1", "p2") and is_goal, "not a claim")
    entries = {}
    for number, columns, move in (line.split(" ") for line in lines):
        entries[int(number), tuple(columns.split("/"))] = move
    ensure(count == f"entries {len(entries)}" == f"entries {len(lines)}", "wrong number of entries")
    words = f"{player} {goal} {limit} from {position.removeprefix('position ')}"
    return words, (int(player[1]), goal, int(limit)), start, entries


def check(claim, start, entries):
    seen, used, todo = set(), 0, [start]
    while todo:
        position = number, columns = todo.pop()
        mirrored = number, columns[::-1]
        met = is_met(claim, *position)
        ensure(met is not False, f"the claim does not hold in {position}")
        if met or position in seen or mirrored in seen:
            continue
        seen.add(position)
        moves = legal_moves(*position)
        if mover(number) == claim[0]:
            move = entries.get(min(position, mirrored))
            if move is None:
                ensure(is_met_within(3, claim, position), f"no entry for {position}")
                continue
            if mirrored < position and move != "boom":
                move = str(8 - int(move))
            ensure(move in moves, f"illegal move {move} in {position}")
            used, moves = used + 1, [move]
        todo += [play(*position, move) for move in moves]
    ensure(used == len(entries), "entries for positions that do not occur")
    return f"{used} entries, {len(seen)} positions"


for name in sys.argv[1:]:
    with open(name, "rb") as file:
        try:
            words, *certificate = read(file.read())
            print(f"{name}: {words}, {check(*certificate)}")
        except ValueError as error:
            sys.exit(f"{name} proves nothing: {error}")
