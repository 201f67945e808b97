#!/usr/bin/env python3
"""Makes of what llvm-cov exports, the lines and branches that tests ran, what gcovr counts and shows.

usage: coverage.py ROOT OUTPUT VERSION <export.json

The export is that of `llvm-cov export --skip-functions --skip-expansions`. Writes to the folder OUTPUT
coverage.json, a trace of gcovr's format VERSION, and missed.txt, a line each stretch of lines that did
not run and each condition that had one outcome alone.

A condition has two branches: it held, it did not. What the instantiations of a template did counts
together. A condition that the compiler decides has none.
"""

import json
import os
import sys
from collections import defaultdict


def lines_run(segments):
    """For each line with code, whether it ran: llvm's own rule (LineCoverageStats)."""
    starts = defaultdict(list)
    for line, _, count, has_count, is_entry, is_gap in segments:
        starts[line].append((count, has_count, is_entry, is_gap))
    run, before = {}, None
    for line in range(segments[0][0], segments[-1][0] + 1) if segments else ():
        entries = [s[0] for s in starts[line] if s[1] and s[2] and not s[3]]
        skipped = starts[line] and not starts[line][0][1] and starts[line][0][2]
        if not skipped and (entries or (before and before[1])):
            run[line] = max(entries + ([before[0]] if before else [])) > 0
        if starts[line]:
            before = starts[line][-1]
    return run


def conditions(file):
    """Of each condition that is decided when the program runs: (line, column) -> (held, did not)."""
    evaluated = {(s[0], s[1]) for s in file["segments"] if s[3] and s[2] > 0}
    seen = defaultdict(lambda: [0, 0])
    for line, column, _, _, held, failed, *_ in file["branches"]:
        seen[line, column][0] += held
        seen[line, column][1] += failed
    # It was reached and had no outcome: the compiler had decided it.
    return {at: both for at, both in seen.items() if any(both) or at not in evaluated}


def stretches(lines):
    """Runs of neighbours: [3, 4, 7] -> (3, 4), (7, 7)."""
    found = []
    for line in lines:
        if found and found[-1][1] == line - 1:
            found[-1][1] = line
        else:
            found.append([line, line])
    return found


def missed(name, run, branches):
    for first, last in stretches(sorted(line for line, ran in run.items() if not ran)):
        yield f"{name}:{first}: {last - first + 1} lines did not run"
    for (line, column), (held, failed) in sorted(branches.items()):
        if not held or not failed:
            which = "never held" if failed else "always held" if held else "was never asked"
            yield f"{name}:{line}:{column}: {which}"


def traced(run, branches):
    """The lines of a file as gcovr keeps them, each with the branches of its conditions."""
    of_line = defaultdict(list)
    for (line, _), both in sorted(branches.items()):
        of_line[line] += [{"count": count, "fallthrough": False, "throw": False} for count in both]
    return [{"line_number": line, "count": int(ran), "branches": of_line[line], "gcovr/noncode": False,
             "gcovr/excluded": False} for line, ran in sorted(run.items())]


def main():
    if len(sys.argv) != 4 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    root, output, version = os.path.realpath(sys.argv[1]), sys.argv[2], sys.argv[3]
    trace = {"gcovr/format_version": version, "files": []}
    with open(os.path.join(output, "missed.txt"), "w", encoding="utf-8") as misses:
        for file in sorted(json.load(sys.stdin)["data"][0]["files"], key=lambda f: f["filename"]):
            name = os.path.relpath(file["filename"], root)
            if not name.startswith(("src/", "apps/")):
                continue
            run, branches = lines_run(file["segments"]), conditions(file)
            trace["files"].append({"file": name, "lines": traced(run, branches), "functions": []})
            misses.writelines(f"{line}\n" for line in missed(name, run, branches))
    if not trace["files"]:
        sys.exit("coverage.py: the export names no file of src/ or apps/")
    with open(os.path.join(output, "coverage.json"), "w", encoding="utf-8") as traces:
        json.dump(trace, traces)


main()
