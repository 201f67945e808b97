#!/usr/bin/env python3
"""How many planted faults the tests find: see --help.

The faults are single-line changes of the sources of the rooms below. All of them are compiled at once,
each behind a switch, and one at a time is switched on (faults.py says how). A fault in a header is in
every right verifier of the list, in the sources of the rooms and in the tests of TEST_ROOMS (build.py);
the rest of the program and of the tests are those of the finished build. With a compiled plan, a run that
was ended goes on; --room takes a room at a time.

Each test runs once without a fault, and what it reaches is noted. A fault is tried on the tests that
reach it, those of its own room first, the fastest first, until one fails (killed) or takes ten times its
time (timed out, counted as killed). What none of them finds survives; survivors.toml has the reasons.
"""

import argparse
import collections
import dataclasses
import json
import mmap
import os
import pathlib
import random
import re
import resource
import signal
import subprocess
import sys

import build
import faults
import source

try:
    import tomllib
except ImportError:
    print("skipped: Python 3.11 or later is needed")
    sys.exit(77)

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
# How many faults a room gets; a file gets its share by its size, at least one.
ROOMS = {"model": 75, "draft": 25, "theory": 60, "verifiers": 95, "exact": 60, "simulate": 60, "claims": 85}
# Rooms above them whose tests are tried too, in a run of all rooms.
WIDER = ["answer"]
MEMORY = 6 << 30
# Two faults of each of these are what --check tries.
CHECKED = ["src/model/filter.cc", "src/model/json_law.cc", "src/draft/source.cc", "src/theory/leviathan2023.cc",
           "src/theory/sun2024.cc"]
CONTROL = "nothing changed (control)"


def say(text):
    print(f"[{children():6.0f} s] {text}", flush=True)


def children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


# --- The faults.


def mutated_files():
    """The sources and headers of the rooms, but for the verifiers that are wrong on purpose."""
    for room in ROOMS:
        for path in sorted((ROOT / "src" / room).glob("*.*")):
            if path.suffix in (".h", ".cc") and not path.name.startswith("wrong"):
                yield room, path


def make_plan(seed, scale, only, each):
    """The list of faults, numbered from 1, always the same for a seed; the last one is the control.
    `each`: so many a file, 0 for its share of the room's."""
    sizes, found = collections.Counter(), {}
    for room, path in mutated_files():
        sites = faults.sites(source.Source(path.read_text()))
        if sites:
            found[path] = sites
            sizes[room] += len(sites)
    plan = []
    for path, sites in found.items():
        room, name = path.parent.name, str(path.relative_to(ROOT))
        if only and name not in only:
            continue
        count = each or max(1, round(scale * ROOMS[room] * len(sites) / sizes[room]))
        for site in faults.sample(sites, count, random.Random(f"{seed} {name}")):
            plan.append((name, site))
    plan.append(control(found, plan))
    return {number: row for number, row in enumerate(plan, 1)}


def control(found, plan):
    """A number of the first source, apart from its faults, that stays what it is."""
    name = next(name for name, _ in plan if name.endswith(".cc"))
    taken = [site for other, site in plan if other == name]
    for site in found[ROOT / name]:
        if site.kind == "number off by one" and all(
                site.end <= other.begin or other.end <= site.begin for other in taken):
            number = (ROOT / name).read_text()[site.begin:site.end]
            return name, dataclasses.replace(site, kind=CONTROL, make=lambda n: (
                f"(::speclab_mutant::on({n}) ? {number} : {number})"))
    raise SystemExit(f"mutants: {name} has no number for the control")


def write_sources(made, plan):
    """A copy of src/ with the faults of the plan."""
    by_file = collections.defaultdict(list)
    for number, (name, site) in plan.items():
        by_file[name].append((number, site))
    for path in (ROOT / "src").rglob("*"):
        if path.suffix in (".h", ".cc", ".inc"):
            text, name = path.read_text(), str(path.relative_to(ROOT))
            if name in by_file:
                text = faults.rewritten(text, by_file[name])
            made.write(made.made / path.relative_to(ROOT / "src"), text)


def drop_faulty(made, plan, message):
    """Takes out the faults that a compiler's message is about: their numbers and files."""
    spans = collections.defaultdict(list)
    for number, (name, site) in plan.items():
        spans[name].append((number, site.line, site.last_line))
    pattern = re.compile(re.escape(str(made.made)) + r"/(\S+?):(\d+)")
    for lines in ([x for x in message.splitlines() if "error:" in x], message.splitlines()):
        blamed = {number for line in lines for name, at in pattern.findall(line)
                  for number, first, last in spans[f"src/{name}"] if first <= int(at) <= last}
        if blamed:
            break
    return {number: plan.pop(number)[0] for number in blamed}


def precompile(made, listed):
    common = (made.ready / "CMakeFiles/speclab_precompiled.dir/cmake_pch.hxx").read_text()
    like = ROOT / "src/model/pair.cc"
    made.precompile("common", common, like)
    if listed:
        made.precompile("listed", common + '#include "answer/instantiate.h"\n', like)


class Compiled:
    """What was compiled of a plan, kept in a file so that a run goes on where it ended."""

    def __init__(self, made, plan):
        self.made, self.plan, self.file = made, plan, made.work / "compiled.json"
        self.state = [f"{name}:{site.line}:{site.says}" for name, site in plan.values()]
        known = json.loads(self.file.read_text()) if self.file.exists() else {}
        if known.get("state") != self.state:
            for file in ("reach.json", "results.jsonl"):
                (made.work / file).unlink(missing_ok=True)
            known = {"dropped": [], "ready": []}
        self.dropped, self.ready = set(known["dropped"]), set(known["ready"])
        for number in self.dropped:
            del plan[number]

    def keep(self):
        self.file.write_text(json.dumps(
            {"state": self.state, "dropped": sorted(self.dropped), "ready": sorted(self.ready)}))

    def compile(self, sources):
        """Compiles until all faults left in the plan compile. An object that has a fault which another
        source then shows to be none keeps it: it is never switched on."""
        while any(str(path) not in self.ready for path in sources):
            write_sources(self.made, self.plan)
            try:
                left = [path for path in sources if str(path) not in self.ready]
                precompile(self.made, any(path.parent.name == "listed" for path in left))
                self.compile_left(left)
            except build.Failed as failed:
                self.blame("a header", str(failed))

    def compile_left(self, left):
        for done, path in enumerate(left, 1):
            if done % 20 == 0:
                say(f"compiled {done} of {len(left)}")
            try:
                self.made.compile(path)
                self.ready.add(str(path))
                self.keep()
            except build.Failed as failed:
                if self.blame(path.name, str(failed)):
                    return  # the precompiled headers are no longer what they say

    def blame(self, what, message):
        """Takes out the faults that a message is about; whether one is in a header."""
        blamed = drop_faulty(self.made, self.plan, message)
        if not blamed:
            raise SystemExit(f"mutants: {what} does not compile:\n{message[:4000]}")
        say(f"{what}: {len(blamed)} faults do not compile")
        self.dropped |= blamed.keys()
        self.keep()
        return any(name.endswith(".h") for name in blamed.values())


# --- The tests.


class Tests:
    """The test cases of the linked programs. Of claims there are two: the verdict at the least effort, and
    the numbers on record at standard effort, which is tried where nothing else found a fault."""

    def __init__(self, work, programs, count):
        self.work, self.count = work, count
        self.commands, self.slow, self.slow_times = {}, {}, {}  # by name
        for program in programs:
            if program.name == "speclab":
                listed = self.output([program, "list", "claims", "--format", "json"])
                for claim in json.loads(listed)["claims"]:
                    name = claim["claim"]
                    self.commands[f"claim: {name}"] = [str(program), "verify", "--quick", "--claim", name]
                    self.slow[f"claim: {name}"] = ["bash", str(ROOT / "tests/measured.sh"), "--check",
                                                   "--program", str(program), name]
                continue
            for name in self.output([program, "--list-test-names-only"]).splitlines():
                escaped = re.sub(r"([\\,\[\]])", r"\\\1", name)
                room = program.name.removeprefix("test_")
                self.commands[f"{room}: {name}"] = [str(program), escaped]

    def output(self, command):
        return subprocess.run(command, capture_output=True, text=True, cwd=self.work).stdout

    def run(self, command, number, seconds, reached=None):
        """Runs a test with a fault, 0 for none, within so much processor time: the exit code, "time",
        and the processor time it took."""
        environment = dict(os.environ, SPECLAB_MUTANT=str(number), TMPDIR=str(self.work / "scratch"))
        if reached is not None:
            environment["SPECLAB_REACHED"] = str(reached)
        seconds = int(seconds) + 1

        def limit():
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        before = children()
        process = subprocess.Popen(command, cwd=self.work / "scratch", env=environment,
                                   preexec_fn=limit, start_new_session=True, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            code = process.wait(timeout=20 * seconds + 60)  # it may wait for ever without working
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            code = "time"
        if code in (-signal.SIGXCPU, -signal.SIGKILL, 128 + signal.SIGXCPU, 128 + signal.SIGKILL):
            code = "time"
        return code, children() - before

    def reach(self, most, kept):
        """For each test without a fault: the processor time and the faults it reaches. What the file
        `kept` knows is taken from there."""
        file, table = self.work / "reached", json.loads(kept.read_text()) if kept.exists() else {}
        for done, (name, command) in enumerate(self.commands.items(), 1):
            if name in table:
                continue
            file.write_bytes(bytes(self.count + 1))
            code, used = self.run(command, -1, most, file)
            with open(file, "r+b") as opened, mmap.mmap(opened.fileno(), 0) as mapped:
                reached = [k for k in range(1, self.count + 1) if mapped[k]]
            if code == "time":
                say(f"left out, it takes over {most} s: {name}")
                reached = []
            elif code != 0:
                say(f"LEFT OUT, it fails without a fault: {name}")
                reached = []
            table[name] = (used, reached)
            kept.write_text(json.dumps(table))
            if done % 100 == 0:
                say(f"reached by {done} of {len(self.commands)} tests")
        return {name: table[name] for name in self.commands}


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


# --- The report.


def reasons():
    with open(HERE / "survivors.toml", "rb") as opened:
        rows = tomllib.load(opened).get("survivor", [])
    return {(row["file"], row["kind"], row["line"]): row for row in rows}


def report(results, dropped):
    """The tables in Markdown; whether every survivor has its reason."""
    known, unknown = reasons(), []
    for row in results:
        if row["fate"] == "survived":
            reason = known.get((row["file"], row["kind"], row["says"]))
            row["fate"] = reason["verdict"] if reason else "unexplained"
            if not reason:
                unknown.append(row)
    fates = ["killed", "timed out", "equivalent", "argued", "unexplained"]
    for title, key in (("Room", lambda row: row["file"].split("/")[1]), ("Fault", lambda row: row["kind"])):
        counts = collections.defaultdict(collections.Counter)
        for row in results:
            counts[key(row)][row["fate"]] += 1
            counts["all"][row["fate"]] += 1
        print(f"\n| {title} | Faults | " + " | ".join(fate.capitalize() for fate in fates) + " |")
        print("| --- " * (len(fates) + 2) + "|")
        for name in sorted(counts, key=lambda name: (name == "all", name)):
            row = counts[name]
            print(f"| {name} | {sum(row.values())} | " + " | ".join(str(row[fate]) for fate in fates) + " |")
    total = counts["all"]
    killed = total["killed"] + total["timed out"]
    print(f"\n{killed} of {sum(total.values())} killed ({100 * killed / max(1, sum(total.values())):.1f}%), "
          f"{total['equivalent']} of the others are equivalent; {len(dropped)} more did not compile")
    for row in unknown:
        print(f"survived without a reason: {row['file']}:{row['line']}: {row['kind']}: {row['says']} "
              f"({row['ran']} of {row['of']} tests)")
    return not unknown


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build/release", help="a finished build (default: build/release)")
    parser.add_argument("--work", help="where everything is made and kept (default: build/mutants)")
    parser.add_argument("--check", action="store_true", help="ten faults of five sources only, to see that this works")
    parser.add_argument("--seed", default="1", help="chooses the faults")
    parser.add_argument("--scale", type=float, default=1, help="so many times the number of faults")
    parser.add_argument("--room", action="append", choices=list(ROOMS), help="only this room's; the others stay")
    parser.add_argument("--file", action="append", default=[], help="only faults of this file, e.g. src/model/law.h")
    parser.add_argument("--most", type=float, default=20, help="processor seconds that a test may take without a fault")
    parser.add_argument("--budget", type=float, default=60, help="processor seconds of tests that a fault gets")
    parser.add_argument("--again", action="store_true", help="tries survivors of the last run once more")
    parser.add_argument("--stop-after", choices=["list", "compile", "reach"], help="ends early")
    return parser.parse_args()


def try_all(tests, table, plan, results, log, budget):
    """Tries the faults of the plan that have no result yet."""
    for number, (name, site) in plan.items():
        if number in results:
            continue
        row = {"number": number} | Trial(tests, table, number, name.split("/")[1], budget).row()
        results[number] = row
        with open(log, "a") as opened:
            opened.write(json.dumps(row) + "\n")
        if row["fate"] == "survived" and site.kind != CONTROL:
            say(f"survived: {name}:{site.line}: {site.kind}: {site.says} ({row['ran']} of {row['of']} tests)")


def main():
    asked = arguments()
    work = (ROOT / (asked.work or ("build/mutants-check" if asked.check else "build/mutants"))).resolve()
    made = build.Build(ROOT, (ROOT / asked.build).resolve(), work)
    (work / "scratch").mkdir(exist_ok=True)
    only = CHECKED if asked.check else asked.file
    plan = make_plan(asked.seed, asked.scale, only, 2 if asked.check else 0)
    count = max(plan)
    if asked.stop_after == "list":
        for number, (name, site) in plan.items():
            print(f"{number:4} {name}:{site.line}: {site.kind}: {site.says}")
        return 0
    made.switch(count)
    rooms = {name.split("/")[1] for name in CHECKED} if asked.check else asked.room or list(ROOMS)
    every = [ROOT / name for name in CHECKED] if asked.check else made.sources(ROOMS)
    sources = [path for path in every if path.parent.name in rooms or (
        path.parent.name == "listed" and {"verifiers", "exact", "simulate", "claims"} & set(rooms))]
    say(f"{count} faults, {len(sources)} sources")
    compiled = Compiled(made, plan)
    compiled.compile(sources)
    say(f"{len(compiled.dropped)} faults do not compile")
    if asked.stop_after == "compile":
        return 0
    ready = [path for path in every if str(path) in compiled.ready]
    programs = [f"tests/test_{room}" for room in ROOMS if room in rooms]
    programs += ["speclab"] if "claims" in rooms else []
    programs += [f"tests/test_{room}" for room in WIDER if set(rooms) == set(ROOMS)]
    tests = Tests(work, [made.link(program, ready) for program in programs], count)
    say(f"{len(tests.commands)} tests")
    table = tests.reach(asked.most, work / "reach.json")
    if asked.stop_after == "reach":
        return 0
    plan = {number: row for number, row in plan.items() if row[0].split("/")[1] in rooms or number == count}
    log = work / "results.jsonl"
    rows = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
    results = {row["number"]: row for row in rows if not (asked.again and row["fate"] == "survived")}
    try_all(tests, table, plan, results, log, asked.budget)
    control = results.pop(count, {"fate": "not tried", "by": ""})
    if control["fate"] != "survived" or control["of"] == 0:
        print(f"mutants: the control, which changes nothing, was {control['fate']} ({control['by']})")
        return 1
    rows = [results[number] | {"file": name, "line": site.line, "kind": site.kind, "says": site.says}
            for number, (name, site) in plan.items() if number in results]
    return 0 if report(rows, compiled.dropped) else 1


if __name__ == "__main__":
    sys.exit(main())
