#!/usr/bin/env python3
"""An engine for a game without a view: take one or two sticks; who takes the last one wins."""
import json
import sys

sticks, start, played = 7, 7, []


def left():
    return start - sum(int(move) for move in played)


def side():
    return "p1" if len(played) % 2 == 0 else "p2"


def result():
    if left() > 0:
        return "none"
    return "p2win" if side() == "p1" else "p1win"


def moves():
    return [str(take) for take in (1, 2) if take <= left()]


for line in sys.stdin:
    words = line.split()
    if not words:
        continue
    if words[0] == "games":
        print("game nim parameter sticks type spin default 7 min 3 max 21")
    elif words[0] == "newgame":
        start, played = int(words[2]) if len(words) > 2 else 7, []
    elif words[0] == "position":
        played = words[words.index("moves") + 1:] if "moves" in words else []
    elif words[0] == "state":
        print("state", json.dumps({
            "game": f"nim {start}",
            "position": f"sticks {left()}",
            "side": side(),
            "result": result(),
            "ending": None,
            "moves": [{"move": move, "side": side(), "again": False} for move in moves()],
            "last": {"move": played[-1]} if played else None,
            "solver": False,
            "drawing": [" |" * left() or " nothing left"],
        }))
    elif words[0] == "go":
        best = next((take for take in moves() if (left() - int(take)) % 3 == 0), "1")
        print(f"info depth 1 score cp 0 nodes 1 nps 1 time 0 pv {best}")
        print(f"bestmove {best}")
    elif words[0] == "setoption":
        print("error setoption: this engine has no options")
    elif words[0] == "isready":
        print("readyok")
    elif words[0] == "quit":
        break
    sys.stdout.flush()
