"""Runs the tests: once without a fault, to see what each reaches, and then on each fault those that reach it."""

import concurrent.futures
import json
import os
import pathlib
import queue
import re
import resource
import signal
import subprocess
import threading

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MEMORY = 6 << 30
_ENDED_BY_TIME = {-signal.SIGXCPU, -signal.SIGKILL, 128 + signal.SIGXCPU, 128 + signal.SIGKILL}


class Tests:
    """The test cases of the linked programs. Of claims there are two: the verdict at the least effort, and
    the numbers on record at standard effort, which is tried where nothing else found a fault."""

    def __init__(self, work, programs, count, jobs):
        self.work, self.count, self.jobs = work, count, jobs
        self.commands, self.slow, self.slow_times = {}, {}, {}  # by name
        self.folders = queue.SimpleQueue()  # of the tests that run at a time, one each
        for job in range(jobs):
            folder = work / f"scratch-{job}"
            folder.mkdir(exist_ok=True)
            self.folders.put(folder)
        for program in programs:
            if program.name == "speclab":
                self.add_claims(program)
                continue
            for name in self.output([program, "--list-test-names-only"]).splitlines():
                escaped = re.sub(r"([\\,\[\]])", r"\\\1", name)
                room = program.name.removeprefix("test_")
                self.commands[f"{room}: {name}"] = [str(program), escaped]

    def add_claims(self, program):
        listed = self.output([program, "list", "claims", "--format", "json"])
        for claim in json.loads(listed)["claims"]:
            name = claim["claim"]
            self.commands[f"claim: {name}"] = [str(program), "verify", "--quick", "--claim", name]
            self.slow[f"claim: {name}"] = ["bash", str(ROOT / "tests/measured.sh"), "--check",
                                           "--program", str(program), name]

    def output(self, command):
        return subprocess.run(command, capture_output=True, text=True, cwd=self.work).stdout

    def run(self, command, number, seconds, reached=None):
        """Runs a test with a fault, 0 for none, within so much processor time: the exit code or "time", and
        the processor time it took. The faults it reaches, where `reached` is a list, are added to that."""
        folder, seconds = self.folders.get(), int(seconds) + 1
        file = folder / "reached"
        environment = dict(os.environ, SPECLAB_MUTANT=str(number), TMPDIR=str(folder), OMP_NUM_THREADS="2")
        if reached is not None:
            file.write_bytes(bytes(self.count + 1))
            environment["SPECLAB_REACHED"] = str(file)

        def limit():
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        process = subprocess.Popen(command, cwd=folder, env=environment, preexec_fn=limit,
                                   start_new_session=True, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        code, used = ended(process, 20 * seconds + 60)  # it may wait for ever without working
        if reached is not None:
            reached += [k for k, flag in enumerate(file.read_bytes()) if flag]
        self.folders.put(folder)
        return "time" if code in _ENDED_BY_TIME else code, used

    def each(self, work, items):
        """work(item) of every item, so many at a time as there are jobs; (item, result) as they end."""
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            asked = {pool.submit(work, item): item for item in items}
            for done in concurrent.futures.as_completed(asked):
                yield asked[done], done.result()

    def reach(self, most, kept, say):
        """For each test without a fault: the processor time and the faults it reaches, none where it takes
        over `most` seconds. What the file `kept` knows is taken from there. The tests that fail without a
        fault."""
        lines = kept.read_text().splitlines() if kept.exists() else []
        table, failed = {}, []
        for name, used, reached in map(json.loads, lines):
            if reached is not None or used >= most:
                table[name] = (used, reached)

        def one(name):
            reached = []
            code, used = self.run(self.commands[name], -1, most, reached)
            return code, used, reached

        left = [name for name in self.commands if name not in table]
        for done, (name, (code, used, reached)) in enumerate(self.each(one, left), 1):
            if code == "time":
                say(f"left out, it takes over {most} s: {name}")
            elif code != 0:
                failed.append(name)
            table[name] = (used, None if code == "time" else reached if code == 0 else [])
            if name not in failed:
                with open(kept, "a") as opened:
                    opened.write(json.dumps([name, *table[name]]) + "\n")
            if done % 100 == 0:
                say(f"reached by {done} of {len(left)} tests")
        return {name: (table[name][0], table[name][1] or []) for name in self.commands}, failed


def ended(process, seconds):
    """Waits for a process, at most so long, then kills it: its exit code, and the processor time of it
    and its children."""
    late = threading.Timer(seconds, lambda: os.killpg(process.pid, signal.SIGKILL))
    late.start()
    _, status, used = os.wait4(process.pid, 0)
    late.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, used.ru_utime + used.ru_stime


class Trial:
    """What becomes of one fault: killed, timed out or survived."""

    def __init__(self, tests, table, number, room, budget):
        self.tests, self.number, self.budget = tests, number, budget
        self.ran, self.spent, self.fate, self.by = 0, 0, "survived", ""
        own = "claim" if room == "claims" else room + ": "
        reaching = sorted((not name.startswith(own), used, name) for name, (used, reached) in table.items()
                          if number in reached)
        slow = [name for _, _, name in reaching if name in tests.slow]
        self.of = len(reaching) + len(slow)
        if any(self.ends(name, tests.commands[name], used) for _, used, name in reaching):
            return
        for name in slow:
            if self.spent < budget and self.ends(f"{name}, as measured", tests.slow[name], self.used(name)):
                return

    def used(self, name):
        """The time that a claim's numbers take without a fault."""
        known = self.tests.slow_times
        if name not in known:
            known[name] = self.tests.run(self.tests.slow[name], 0, 60)
        return known[name][1] if known[name][0] == 0 else None

    def ends(self, name, command, used):
        """Tries one test; whether it finds the fault."""
        if used is None or self.spent > self.budget:
            return False
        code, took = self.tests.run(command, self.number, 10 * used + 3)
        self.ran += 1
        self.spent += took
        if code != 0:
            self.fate, self.by = "timed out" if code == "time" else "killed", name
        return code != 0

    def row(self):
        return {"fate": self.fate, "by": self.by, "ran": self.ran, "of": self.of, "seconds": round(self.spent, 1)}
