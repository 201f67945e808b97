#!/usr/bin/env python3
"""How many planted faults the tests find: see --help.

The faults are single-line changes of the sources of the rooms below. All of them are compiled at once,
each behind a switch, and one at a time is switched on (faults.py says how). A fault in a header is in
every right verifier of the list, in the sources of the rooms and of the room answer, and in the tests of
TEST_ROOMS (build.py); the rest of the program and of the tests are those of the finished build. With a
compiled plan, a run that was ended goes on; --room takes a room at a time.

Each test runs once without a fault, and what it reaches is noted. A fault is tried on the tests that
reach it, those of its own room first, the fastest first, until one fails (killed) or takes ten times its
time (timed out, counted as killed). What none of them finds survives; survivors.toml has the reasons.
"""

import argparse
import collections
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import random
import re
import resource
import sys

if sys.version_info < (3, 11):
    print("skipped: Python 3.11 or later is needed")
    sys.exit(77)

import build
import faults
import report
import source
import trials

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# How many faults a room gets; a file gets its share by its size, at least one.
ROOMS = {"model": 75, "draft": 25, "theory": 60, "verifiers": 95, "exact": 60, "simulate": 60, "claims": 85}
# Rooms above them whose tests are tried too, in a run of all rooms.
WIDER = ["answer", "optimum", "prove", "experiment", "audit", "report", "apps"]
# Those of them that are compiled with the faults of headers.
HEADERS_TOO = ["answer"]
# Two faults of each of these are what --check tries.
CHECKED = ["src/model/filter.cc", "src/model/families/json_law.cc", "src/draft/source.cc", "src/theory/leviathan2023.cc",
           "src/theory/sun2024.cc"]
# The share of tests that may fail in this build without a fault, as those of time and memory do.
MOST_FAILING = 0.02
# Faulty verifiers.
FAULTY = ROOT / "src/verifiers/faults"
CONTROL = "nothing changed (control)"


def say(text):
    print(f"[{children():6.0f} s] {text}", flush=True)


def children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


# --- The faults.


def mutated_files():
    """The sources and headers of the rooms, but for the faulty verifiers."""
    for room in ROOMS:
        for path in sorted((ROOT / "src" / room).rglob("*.*")):
            if path.suffix in (".h", ".cc") and FAULTY not in path.parents:
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
    missing = [name for name in only if ROOT / name not in found]
    if missing:
        raise SystemExit(f"mutants: no fault can be planted in {', '.join(missing)}")
    plan = []
    for path, sites in found.items():
        room, name = path.relative_to(ROOT / "src").parts[0], str(path.relative_to(ROOT))
        if only and name not in only:
            continue
        count = each or max(1, round(scale * ROOMS[room] * len(sites) / sizes[room]))
        for site in faults.sample(sites, count, random.Random(f"{seed} {name}")):
            plan.append((name, site))
    plan.append(control(found, plan))
    return {number: row for number, row in enumerate(plan, 1)}


def control(found, plan):
    """A number of the first source that has one, apart from its faults; it stays what it is."""
    for name in dict.fromkeys(name for name, _ in plan if name.endswith(".cc")):
        taken = [site for other, site in plan if other == name]
        for site in found[ROOT / name]:
            if site.kind == "number off by one" and all(
                    site.end <= other.begin or other.end <= site.begin for other in taken):
                number = (ROOT / name).read_text()[site.begin:site.end]
                return name, dataclasses.replace(site, kind=CONTROL, make=lambda n: (
                    f"(::speclab_mutant::on({n}) ? {number} : {number})"))
    raise SystemExit("mutants: no source has a number for the control")


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

    def __init__(self, made, plan, jobs):
        self.made, self.plan, self.jobs, self.file = made, plan, jobs, made.work / "compiled.json"
        self.state = [f"{name}:{site.line}:{site.says}" for name, site in plan.values()]
        known = json.loads(self.file.read_text()) if self.file.exists() else {}
        if known.get("state") != self.state:
            for file in ("reach.jsonl", "results.jsonl"):
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
            left = [path for path in sources if str(path) not in self.ready]
            try:
                precompile(self.made, any(path.parent.name == "listed" for path in left))
            except build.Failed as failed:
                self.blame("a header", str(failed), must=True)
                continue
            self.compile_left(left)

    def compile_left(self, left):
        """Compiles what is left; ends early where a fault in a header is none, as the precompiled headers are
        then no longer what they say."""
        blamed = False
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            asked = {pool.submit(self.made.compile, path): path for path in left}
            for done, compiled in enumerate(concurrent.futures.as_completed(asked), 1):
                path = asked[compiled]
                if done % 20 == 0:
                    say(f"compiled {done} of {len(left)}")
                try:
                    compiled.result()
                    self.ready.add(str(path))
                    self.keep()
                except concurrent.futures.CancelledError:
                    continue
                except build.Failed as failed:
                    # What two sources say of one fault is counted once.
                    names = self.blame(path.name, str(failed), must=not blamed)
                    blamed = True
                    if any(name.endswith(".h") for name in names):
                        for other in asked:
                            other.cancel()

    def blame(self, what, message, must):
        """Takes out the faults that a message is about, at least one where it must; their files."""
        blamed = drop_faulty(self.made, self.plan, message)
        if must and not blamed:
            raise SystemExit(f"mutants: {what} does not compile:\n{message[:4000]}")
        say(f"{what}: {len(blamed)} faults do not compile")
        self.dropped |= blamed.keys()
        self.keep()
        return set(blamed.values())


# --- The run.


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
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="tests and compilers at a time (default: the cores)")
    parser.add_argument("--again", action="store_true", help="tries survivors of the last run once more")
    parser.add_argument("--stop-after", choices=["list", "compile", "reach"], help="ends early")
    return parser.parse_args()


def try_all(tests, table, plan, results, log, budget):
    """Tries the faults of the plan that have no result yet."""
    def one(number):
        return trials.Trial(tests, table, number, plan[number][0].split("/")[1], budget).row()

    left = [number for number in plan if number not in results]
    for done, (number, row) in enumerate(tests.each(one, left), 1):
        name, site = plan[number]
        row = results[number] = {"number": number} | row
        with open(log, "a") as opened:
            opened.write(json.dumps(row) + "\n")
        if row["fate"] == "survived" and site.kind != CONTROL:
            say(f"survived: {name}:{site.line}: {site.kind}: {site.says} ({row['ran']} of {row['of']} tests)")
        if done % 50 == 0:
            say(f"tried {done} of {len(left)}")


def main():
    asked = arguments()
    work = (ROOT / (asked.work or ("build/mutants-check" if asked.check else "build/mutants"))).resolve()
    made = build.Build(ROOT, (ROOT / asked.build).resolve(), work)
    only = CHECKED if asked.check else asked.file
    plan = make_plan(asked.seed, asked.scale, only, 2 if asked.check else 0)
    count = max(plan)
    if asked.stop_after == "list":
        for number, (name, site) in plan.items():
            print(f"{number:4} {name}:{site.line}: {site.kind}: {site.says}")
        return 0
    made.switch(count)
    rooms = {name.split("/")[1] for name in CHECKED} if asked.check else asked.room or list(ROOMS)
    every = [ROOT / name for name in CHECKED] if asked.check else made.sources([*ROOMS, *HEADERS_TOO])
    sources = [path for path in every if made.room(path) in rooms or (
        made.room(path) == "listed" and {"verifiers", "exact", "simulate", "claims"} & set(rooms)) or (
        made.room(path) in WIDER and set(rooms) == set(ROOMS))]
    say(f"{count} faults, {len(sources)} sources")
    compiled = Compiled(made, plan, asked.jobs)
    compiled.compile(sources)
    say(f"{len(compiled.dropped)} faults do not compile")
    if asked.stop_after == "compile":
        return 0
    ready = [path for path in every if str(path) in compiled.ready]
    programs = [f"tests/test_{room}" for room in ROOMS if room in rooms]
    programs += ["speclab"] if "claims" in rooms else []
    programs += [f"tests/test_{room}" for room in WIDER if set(rooms) == set(ROOMS)]
    tests = trials.Tests(work, [made.link(program, ready) for program in programs], count, asked.jobs)
    say(f"{len(tests.commands)} tests")
    table, failed = tests.reach(asked.most, work / "reach.jsonl", say)
    if failed:
        print("\n".join(["mutants: these tests fail without a fault, and judge none:", *failed]))
    if len(failed) > MOST_FAILING * len(tests.commands):
        return 1
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
    return 0 if report.report(rows, compiled.dropped) else 1


if __name__ == "__main__":
    sys.exit(main())
