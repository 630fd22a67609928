"""Which tests reach a mutant, and whether one of them fails with it."""

import json
import os
import re
import resource
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

# Tests that cannot judge Rust code built here: they compile other trees or targets, read the sources, or look
# at the page, at Python or at JavaScript.
NOT_BUILT = ["ratlla-workspace", "ratlla-web", "ratlla-bench"]
NOT_RUN = re.compile(r"^ratlla-gui::(page|shell|idle|pictures|screens|views|views_pictures|layout|firefox|everybody|sharing)$|::architecture$")
BATCH_SECONDS, BATCH_TESTS = 4.0, 40


def compile_tests(copy):
    """Builds all tests; answers the test programs, by name."""
    command = ["cargo", "test", "--workspace", "--no-run", "--message-format=json"]
    command += [f"--exclude={package}" for package in NOT_BUILT]
    environment = os.environ | {"CARGO_INCREMENTAL": "0", "CARGO_PROFILE_DEV_DEBUG": "none"}
    output = subprocess.run(
        command, cwd=copy.folder, env=environment, check=True, stdout=subprocess.PIPE, text=True
    ).stdout
    programs = {}
    for line in output.splitlines():
        message = json.loads(line)
        if message.get("executable") and message.get("profile", {}).get("test"):
            package = message["manifest_path"]
            name = re.sub(r"^path\+file.*?([^/#]+?)(#(?P<name>[a-z-]+)@.*|#[0-9.]+)$", lambda m: m["name"] or m[1], message["package_id"])
            kind, target = message["target"]["kind"][0], message["target"]["name"]
            name = Path(package).parent.name if name == "" else name
            label = {"test": target, "lib": "lib", "bin": f"bin-{target}"}.get(kind, f"{kind}-{target}")
            programs[f"{name}::{label}"] = {"exe": message["executable"], "folder": str(Path(package).parent)}
    return {name: program for name, program in sorted(programs.items()) if not NOT_RUN.search(name)}


def list_tests(programs):
    tests = []
    for name, program in programs.items():
        output = subprocess.run([program["exe"], "--list", "--format=terse"], cwd=program["folder"], capture_output=True, text=True).stdout
        ignored = subprocess.run([program["exe"], "--list", "--format=terse", "--ignored"], cwd=program["folder"], capture_output=True, text=True).stdout.splitlines()
        tests += [(name, line[: -len(": test")]) for line in output.splitlines() if line.endswith(": test") and line not in ignored]
    return tests


class Runner:
    """Runs tests of the copy, each run with a folder of its own for temporary files."""

    def __init__(self, programs):
        self.programs = programs
        self.scratch = Path(tempfile.mkdtemp(prefix="mutants-"))
        self.count = 0
        self.lock = threading.Lock()

    def run(self, program, names, limit, mutant=None, record=None):
        """Runs tests of one program: their end ("passed", "failed", "hung"), the names of those that failed, seconds."""
        with self.lock:
            self.count += 1
            token = f"{os.getpid()}-{self.count}"
        folder = self.scratch / token
        folder.mkdir()
        environment = os.environ | {"TMPDIR": str(folder), "MUTANT_RUN": token, "CARGO_MANIFEST_DIR": self.programs[program]["folder"]}
        environment.pop("MUTANT", None)
        if mutant is not None:
            environment["MUTANT"] = str(mutant)
        if record is not None:
            environment["MUTANT_RECORD"] = str(record)
        start = time.monotonic()
        with open(folder / "output", "w+b") as output:
            process = subprocess.Popen(
                [self.programs[program]["exe"], "--exact", *names, "--test-threads=1"],
                cwd=self.programs[program]["folder"], env=environment, stdin=subprocess.DEVNULL,
                stdout=output, stderr=subprocess.STDOUT, start_new_session=True, preexec_fn=limits,
            )
            try:
                end = "passed" if process.wait(limit) == 0 else "failed"
            except subprocess.TimeoutExpired:
                end = "hung"
            seconds = time.monotonic() - start
            # Also those that the tests have started and left.
            end_all(token, process)
            output.seek(0)
            text = output.read(2_000_000).decode(errors="replace")
        shutil.rmtree(folder, ignore_errors=True)
        listed = {line.strip() for line in text.rpartition("\nfailures:\n")[2].splitlines()}
        failed = [name for name in names if name in listed]  # none if the program crashed
        return end, (failed or names) if end == "failed" else names if end == "hung" else [], seconds


def limits():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (12 << 30, resource.RLIM_INFINITY))


def end_all(token, process):
    if process.poll() is None:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    process.wait()
    mark = f"MUTANT_RUN={token}".encode()
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            try:
                if mark in Path(entry.path, "environ").read_bytes().split(b"\0"):
                    os.kill(int(entry.name), signal.SIGKILL)
            except OSError:
                pass


def record(folder, programs, tests, workers, log, limit=300):
    """Runs every test alone without a mutant: its time, and which mutants it reaches. Can be resumed."""
    path = folder / "tests.jsonl"
    done = {(row["program"], row["test"]): row for row in read(path)}
    done = {test: row for test, row in done.items() if row["end"] != "hung" or row["limit"] >= limit}
    runner, lock = Runner(programs), threading.Lock()
    notes = folder / "notes"
    notes.mkdir(exist_ok=True)

    def one(number, program, test):
        note = notes / f"{os.getpid()}-{number}"
        end, _, seconds = runner.run(program, [test], limit, record=note)
        reached = sorted({int(line) for line in note.read_text().split()}) if note.exists() else []
        row = {"program": program, "test": test, "end": end, "seconds": round(seconds, 3), "limit": limit, "reached": reached}
        with lock, open(path, "a") as file:
            file.write(json.dumps(row) + "\n")
        done[program, test] = row

    open_tests = [(n, *test) for n, test in enumerate(tests) if tuple(test) not in done]
    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(lambda test: one(*test), open_tests))
    shutil.rmtree(runner.scratch, ignore_errors=True)
    bad = [test for test in done if done[test]["end"] != "passed"]
    log(f"{len(done)} tests, {len(bad)} do not pass without a mutant: " + ", ".join("::".join(test) for test in bad))
    return list(done.values())


def read(path):
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


class Judge:
    """Runs for each mutant the tests that reach it, cheapest first, until one fails."""

    def __init__(self, folder, programs, rows, tests):
        self.path = folder / "results.jsonl"
        self.runner = Runner(programs)
        self.rows = {row["id"]: row for row in rows}
        self.tests = {(test["program"], test["test"]): test for test in tests if test["end"] == "passed"}
        self.reaching = {id: [] for id in self.rows}
        # Tests that take too long to be run, as far as they came.
        self.slow = {id: {test["test"] for test in tests if test["end"] == "hung" and id in test["reached"]} for id in self.rows}
        for test in self.tests.values():
            for id in test["reached"]:
                if id in self.reaching:
                    self.reaching[id].append(test)
        self.caught, self.tried, self.lock = {}, {id: set() for id in self.rows}, threading.Lock()
        for result in read(self.path):
            if result["id"] not in self.rows:
                continue
            if result["end"] == "caught":
                self.caught[result["id"]] = result
            else:
                self.tried[result["id"]].update(map(tuple, result["tests"]))

    def note(self, result):
        with self.lock, open(self.path, "a") as file:
            file.write(json.dumps(result) + "\n")

    def left(self, id):
        """The tests that reach a mutant and were not yet run with it: those of its module first, then the fast ones."""
        module = re.sub(r"/mod$|/lib$|/main$", "", self.rows[id]["file"].removesuffix(".rs").split("src/", 1)[1]).replace("/", "::")
        near = lambda test: test["program"].endswith("::lib") and test["test"].startswith(module + "::")
        tests = [test for test in self.reaching[id] if (test["program"], test["test"]) not in self.tried[id]]
        return sorted(tests, key=lambda test: (not near(test), test["seconds"]))

    def judge(self, id, budget):
        """Runs tests for about `budget` seconds (as they took alone)."""
        spent = 0.0
        tests = self.left(id)
        while tests and id not in self.caught and spent < budget:
            batch, cost = [tests[0]], tests[0]["seconds"]
            for test in tests[1:]:
                if test["program"] == batch[0]["program"] and len(batch) < BATCH_TESTS and cost + test["seconds"] < BATCH_SECONDS:
                    batch.append(test)
                    cost += test["seconds"]
            spent += cost
            self.batch(id, batch, cost)
            done = {(test["program"], test["test"]) for test in batch}
            tests = [test for test in tests if (test["program"], test["test"]) not in done]

    def batch(self, id, batch, cost):
        program, names = batch[0]["program"], [test["test"] for test in batch]
        limit = max(20, 5 * cost)
        end, failed, _ = self.runner.run(program, names, limit, mutant=id)
        if end != "passed":
            # Once more, and once without the mutant: a test may also fail because the machine is busy.
            again, _, seconds = self.runner.run(program, failed[:3], limit, mutant=id)
            without, _, _ = self.runner.run(program, failed[:3], limit)
            if again != "passed" and without == "passed":
                self.caught[id] = result = {"id": id, "end": "caught", "how": again, "by": f"{program}::{failed[0]}"}
                self.note(result)
                return
        self.tried[id].update((program, name) for name in names)
        self.note({"id": id, "end": "tried", "tests": [[program, name] for name in names]})
