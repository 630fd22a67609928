"""A copy of the tree with all mutants behind the switch. What does not compile there is left out."""

import json
import os
import subprocess
from pathlib import Path

HERE = Path(__file__).parent
SWITCH = '\n#[allow(missing_docs)]\n#[path = "{}"]\npub(crate) mod mutant_switch;\n'


class Copy:
    """A folder with the sources of a git tree, its own `target`, and `state.json`: what was left out, and why."""

    def __init__(self, tree, folder):
        self.tree, self.folder = Path(tree).resolve(), Path(folder).resolve()
        self.folder.mkdir(parents=True, exist_ok=True)
        self.texts = {}
        names = subprocess.run(["git", "ls-files", "-z"], cwd=self.tree, check=True, capture_output=True, text=True)
        for name in names.stdout.split("\0"):
            path = self.tree / name
            if name and path.is_file() and not name.startswith("tools/mutants/"):
                self.texts[name] = path.read_bytes()

    def write(self, changed):
        """Brings the copy to the tree's state with some files changed. Touches only what differs."""
        old = self.folder / "files.json"
        for name in set(json.loads(old.read_text()) if old.exists() else []) - set(self.texts):
            (self.folder / name).unlink(missing_ok=True)
        old.write_text(json.dumps(sorted(self.texts)))
        for name, text in (self.texts | changed).items():
            path = self.folder / name
            if not path.exists() or path.read_bytes() != text:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(text)
                path.chmod((self.tree / name).stat().st_mode)

    def encode(self, rows):
        """Rewrites the sources for the rows; answers the regions of the new texts, and who was not found."""
        stage = self.folder / "stage"
        for name in {row["file"] for row in rows}:
            path = stage / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(self.texts[name])
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        program = HERE / "target/release/ratlla-mutants"
        answer = json.loads(
            subprocess.run([program, stage], input=lines, check=True, capture_output=True, text=True).stdout
        )
        changed = {name: (stage / name).read_bytes() for name in answer["regions"]}
        switch = SWITCH.format(HERE / "switch.rs").encode()
        for name in self.texts:
            if is_root(name):
                changed[name] = changed.get(name, self.texts[name]) + switch
        self.write(changed)
        return answer["regions"], answer["not_found"]


def is_root(name):
    parts = Path(name).parts
    if parts[0] == "tools" and len(parts) > 2:
        parts = parts[2:]
    return parts in [("src", "lib.rs"), ("src", "main.rs")] or (parts[:2] == ("src", "bin") and len(parts) == 3)


def compile_all(copy, rows, log):
    """Leaves out, round by round, what the compiler refuses. Answers the rows that compile; the others get a reason."""
    subprocess.run(["cargo", "build", "--quiet", "--release", "--manifest-path", HERE / "Cargo.toml"], check=True)
    rows = list(rows)
    refused = {}
    for count in range(40):
        regions, not_found = copy.encode(rows)
        for id in not_found:
            refused[id] = "not compiled on this system"
        errors = [] if not_found else check(copy.folder)
        for error in errors:
            for id in blamed(error, regions):
                refused.setdefault(id, error["what"])
        kept = [row for row in rows if row["id"] not in refused]
        log(f"round {count}: {len(rows)} mutants, {len(errors)} errors, {len(rows) - len(kept)} left out")
        if not errors and not not_found:
            return rows, refused
        if len(kept) == len(rows):
            raise SystemExit("errors that are no mutant's: " + json.dumps(errors[:5], indent=1))
        rows = kept
    raise SystemExit("still errors")


def check(folder):
    command = ["cargo", "check", "--workspace", "--all-targets", "--keep-going", "--message-format=json"]
    output = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    errors = []
    for line in output.splitlines():
        message = json.loads(line).get("message")
        if isinstance(message, dict) and message["level"] == "error" and message["spans"]:
            code = (message["code"] or {}).get("code", "")
            errors.append({"what": f"{code} {message['message']}".strip(), "spans": message["spans"]})
    return errors


def blamed(error, regions):
    """The mutants of the smallest region that the error is in, or of the nearest one in its file."""
    spans = sorted(error["spans"], key=lambda span: not span["is_primary"])
    spans = [site for span in spans for site in outermost(span)]
    inside = []
    for span in spans:
        for region in regions.get(span["file_name"], []):
            if region["start"] <= span["byte_start"] and span["byte_end"] <= region["end"]:
                inside.append((not span["is_primary"], region["end"] - region["start"], region["ids"]))
    if inside:
        return min(inside)[2]
    near = []
    for span in spans:
        for region in regions.get(span["file_name"], []):
            distance = max(region["start"] - span["byte_end"], span["byte_start"] - region["end"])
            near.append((distance, region["ids"]))
    return min(near)[1] if near else []


def outermost(span):
    """A span within a macro's text, and where the macro is used."""
    sites = [span]
    while span.get("expansion"):
        span = span["expansion"]["span"]
        sites.append(span | {"is_primary": sites[0]["is_primary"]})
    return sites
