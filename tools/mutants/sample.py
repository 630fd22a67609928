"""The sample: which mutants are drawn, and where they stand in a tree whose sources have changed since."""

import difflib
import fnmatch
import json
import random
import subprocess
from pathlib import Path

SEED = 31
# How many are judged, and how many are drawn, so that one that does not compile is replaced by the next.
SIZES = {"rooms": (150, 260), "anywhere": (400, 640)}
# How much of an edited line must be as it was.
LIKE = 0.6
# Where a mistake becomes a false claim.
ROOMS = """
src/bound_table/*
src/games/book_file.rs src/games/*/book.rs src/games/*/book/* src/games/*/book_probe.rs
src/endgames.rs src/games/endgame_file.rs src/games/*/endgame/*
tools/lab/src/boom_certificate/*
src/limits.rs src/limits/* src/search/soft_time.rs
src/session/*
src/any_game.rs src/any_game/*
tools/arena/src/game_loop.rs tools/arena/src/worker.rs tools/arena/src/adjudication.rs
tools/arena/src/match_state.rs tools/arena/src/stats/* tools/arena/src/settings/*
""".split()


def listed(tree):
    """All mutants of the tree as cargo-mutants lists them, in the order of the sources, each with its key."""
    command = ["cargo", "mutants", "--list", "--json", "--workspace"]
    output = subprocess.run(command, cwd=tree, check=True, capture_output=True, text=True).stdout
    mutants = json.loads(output)
    mutants.sort(key=lambda m: (m["file"], at(m["span"]["start"]), at(m["span"]["end"]), m["genre"], m["replacement"]))
    lines, seen = {}, {}
    for mutant in mutants:
        file = mutant["file"]
        if file not in lines:
            lines[file] = (Path(tree) / file).read_text().split("\n")
        mutant["source"] = lines[file][mutant["span"]["start"]["line"] - 1].strip()
        mutant["from"] = original(mutant, lines[file])
        key = (file, function(mutant), mutant["genre"], mutant["source"], mutant["from"], mutant["replacement"])
        if mutant["genre"] == "FnValue":  # whatever its body is now
            key = (file, function(mutant), mutant["genre"], "", "", mutant["replacement"])
        seen[key] = seen.get(key, 0) + 1
        mutant["key"] = (*key, seen[key])
    return mutants


def at(place):
    return place["line"], place["column"]


def function(mutant):
    return (mutant["function"] or {}).get("function_name", "")


def original(mutant, lines):
    """What is replaced, on one line."""
    if mutant["genre"] == "FnValue":
        return ""
    (first, start), (last, end) = at(mutant["span"]["start"]), at(mutant["span"]["end"])
    if first == last:
        return lines[first - 1][start - 1 : end - 1]
    return " ".join([lines[first - 1][start - 1 :], *lines[first : last - 1], lines[last - 1][: end - 1]]).strip()


def draw(tree):
    """Both samples, with the spares: rows in random order, a mutant in both of them once."""
    everything = listed(tree)
    rows = {}
    for name, (_, count) in SIZES.items():
        pool = everything
        if name == "rooms":
            pool = [m for m in everything if any(fnmatch.fnmatch(m["file"], room) for room in ROOMS)]
        print(f"{name}: {count} of {len(pool)}")
        for rank, mutant in enumerate(random.Random(f"{SEED} {name}").sample(pool, min(count, len(pool))), 1):
            row = rows.setdefault(mutant["key"], {
                "id": len(rows) + 1, "rank": {}, "file": mutant["file"], "function": function(mutant),
                "genre": mutant["genre"], "source": mutant["source"], "from": mutant["from"],
                "to": mutant["replacement"], "nth": mutant["key"][-1],
            })
            row["rank"][name] = rank
    return list(rows.values())


def key(row):
    if row["genre"] == "FnValue":
        return (row["file"], row["function"], row["genre"], "", "", row["to"], row["nth"])
    return (row["file"], row["function"], row["genre"], row["source"], row["from"], row["to"], row["nth"])


def located(rows, tree):
    """The rows that the tree still has, with their spans there, and those that it has no longer."""
    places = {mutant["key"]: mutant for mutant in listed(tree)}
    taken = {key(row): places.get(key(row)) for row in rows}
    free = [mutant for place, mutant in places.items() if place not in taken]
    found, gone = [], []
    for row in rows:
        mutant = taken[key(row)] or nearest(row, free)
        if mutant is None:
            gone.append(row)
            continue
        name = mutant["name"].split(": ", 1)[1]
        now = {"source": mutant["source"], "from": mutant["from"], "nth": mutant["key"][-1]}
        found.append(row | now | {"span": mutant["span"], "name": name})
    return found, gone


def nearest(row, mutants):
    """The same change of a line that was edited meanwhile, if there is one much like it."""
    same = lambda mutant: (mutant["file"], function(mutant), mutant["genre"], mutant["replacement"])
    wanted = (row["file"], row["function"], row["genre"], row["to"])
    alike = lambda mutant: difflib.SequenceMatcher(None, mutant["source"], row["source"]).ratio()
    near = [mutant for mutant in mutants if same(mutant) == wanted and is_same_operator(mutant, row)]
    best = max(near, key=alike, default=None)
    if best is None or alike(best) < LIKE:
        return None
    mutants.remove(best)
    return best


def is_same_operator(mutant, row):
    return mutant["genre"] not in ("BinaryOperator", "UnaryOperator") or mutant["from"] == row["from"]


def judged(rows, name):
    """The first rows of a sample that compile. Once it is judged, what is drawn stays, also where the line is gone."""
    mine = sorted((row for row in rows if name in row["rank"]), key=lambda row: row["rank"][name])
    return [row for row in mine if row.get("outcome") != "unviable"][: SIZES[name][0]]
