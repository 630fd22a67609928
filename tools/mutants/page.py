"""Outcomes and figures."""

from collections import Counter


def outcome(row, court, state, gone, chosen):
    """What is known of a row now; what was known before stays if it was not judged this time."""
    id = row["id"]
    if any(row is other for other in gone):
        return "gone"
    if str(id) in state["refused"]:
        return "unviable"
    if id not in chosen or id not in court.rows:
        return row.get("outcome", "spare")
    if id in court.caught:
        return "caught"
    return "open" if court.left(id) else "survived"


def figures(rows):
    """For each of the samples: how many have which outcome."""
    return {name: Counter(row["outcome"] for row in rows if name in row["rank"]) for name in ["rooms", "anywhere"]}


def change(row):
    """A mutant in a few words."""
    match row["genre"]:
        case "FnValue":
            return f"return {row['to']}"
        case "MatchArm":
            return f"without the arm `{row['from'][:60]}`"
        case "StructField":
            return f"without the field `{row['from'][:60]}`"
        case "UnaryOperator":
            return f"without `{row['from']}`: `{row['source']}`"
        case "MatchArmGuard":
            return f"`{row['from']}` -> `{row['to']}`"
        case _:
            return f"`{row['from']}` -> `{row['to']}`: `{row['source']}`"


def report(rows, court):
    for name, counts in figures(rows).items():
        judged = counts["caught"] + counts["survived"]
        share = f"{100 * counts['caught'] / judged:.1f} %" if judged else "-"
        print(f"{name}: {counts['caught']} of {judged} caught ({share}); " + ", ".join(f"{n} {what}" for what, n in counts.items()))
    for row in rows:
        if row["outcome"] == "survived":
            reached = len(court.reaching.get(row["id"], []))
            print(f"  {row['id']} {row['file']} {row['function']}: {change(row)} ({reached} tests reach it)")
