"""Outcomes, figures, and the page about them."""

from collections import Counter

import sample

MARK = "<!-- From here on written by tools/mutants/run. -->\n"


def outcome(row, court):
    """What the tests say of a mutant, as far as they were run."""
    if row["id"] in court.caught:
        return "caught"
    return "open" if court.left(row["id"]) else "survived"


def change(row):
    """A mutant in a few words."""
    match row["genre"]:
        case "FnValue":
            return f"return `{row['to']}`"
        case "MatchArm":
            return f"without the arm `{row['from'][:60]}`"
        case "StructField":
            return f"without the field `{row['from'][:60]}`"
        case "UnaryOperator":
            return f"without `{row['from']}` in `{row['source']}`"
        case "MatchArmGuard":
            return f"guard `{row['from']}` is `{row['to']}`"
        case _:
            return f"`{row['from']}` is `{row['to']}` in `{row['source']}`"


def figures(rows):
    """A line for each sample."""
    lines = []
    for name in sample.SIZES:
        mine = sample.judged(rows, name)
        now, before = (Counter(row.get(key, "open") for row in mine) for key in ["outcome", "before"])
        there = len(mine) - now["gone"]
        lines.append(
            f"| {name} | {len(mine)} | {share(before['caught'], len(mine))} | {share(now['caught'], there)} "
            f"| {now['survived']} | {now['open']} | {now['gone']} |"
        )
    return lines


def share(part, whole):
    return f"{part} ({100 * part / whole:.1f} %)" if whole else "0"


def survivors(rows):
    return [row for row in rows if row.get("outcome") in ("survived", "open")]


def report(rows):
    """The part of the page with the figures and the survivors."""
    lines = ["| sample | mutants | caught at first | caught now | survive | not judged | line gone |", "| --- " * 7 + "|"]
    lines += figures(rows)
    lines += ["", "| | file | function | change | why it survives |", "| --- " * 5 + "|"]
    escaped = lambda text: text.replace("|", "\\|")
    for row in sorted(survivors(rows), key=lambda row: (row["file"], row["id"])):
        cells = [str(row["id"]), row["file"], f"`{row['function']}`", change(row), row.get("reason", "")]
        lines.append("| " + " | ".join(map(escaped, cells)) + " |")
    return "\n".join(lines) + "\n"


def write(path, rows):
    """Replaces that part of the page, if there is a page."""
    if path.exists():
        text, mark, _ = path.read_text().partition(MARK)
        path.write_text(text + mark + "\n" + report(rows))
