"""One Markdown table from what compare.sh measured: table.py DIRECTORY."""

import json
import pathlib
import re
import sys


class Benchmarks:
    """Repetitions of the benchmarks by name."""

    def __init__(self, path):
        self.runs = {}
        for run in json.loads(path.read_text())["benchmarks"]:
            if run["run_type"] != "iteration":
                continue
            if run.get("error_occurred"):
                # A verifier that refuses this vocabulary has no entry.
                if run["run_name"].startswith("vocabulary/"):
                    continue
                raise SystemExit(f"{run['run_name']}: {run['error_message']}")
            name = re.sub("/(iterations:[0-9]+|repeats:[0-9]+|real_time)", "", run["run_name"])
            self.runs.setdefault(name, []).append(run)

    def ns(self, name, unit):
        """Nanoseconds a unit in the fastest run."""
        return 1e9 * min(run[unit] for run in self.runs[name])

    def seconds(self, name):
        """Processor seconds of the fastest run of the whole, or nothing where it was left out."""
        if name not in self.runs:
            return None
        return min(run["cpu_time"] for run in self.runs[name]) / 1e3


def figure(value):
    """Three significant digits, thousands marked."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def table(bench, numpy, memory):
    """Rows (case, measured, against, ratio, aim)."""
    for gamma in ("8", "49", "inf"):
        token = bench.ns(f"chain/{gamma}/engine", "token")
        case = f"{'(a) ' if gamma == '8' else ''}token, chain of 7 states, T = 50, gamma {gamma}"
        yield (f"{case}: **engine**", f"{figure(token)} ns/token", "", None,
               {"8": "3 ns", "49": "3 ns", "inf": "2.5 ns"}[gamma])
        for name, label in (("scalar-loop", "plain C++ loop"),
                            ("kernel/scalar", "the kernel without wide vectors"),
                            ("engine-one-by-one", "steps one by one"),
                            ("engine-own-decisions", "the verifier's own decisions")):
            other = bench.ns(f"chain/{gamma}/{name}", "token")
            yield (label, f"{figure(other)} ns/token", "engine", other / token, "")
    for name in ("plain", "vectorised"):
        yield (f"NumPy, {name}, gamma inf", f"{figure(numpy[name])} ns/token", "engine",
               numpy[name] / token, "")
    loop = bench.ns("chain/8/scalar-loop", "token")
    for name in ("lenient(l=1/2)", "sample-match", "target-only(K=1)", "block"):
        other = bench.ns(f"chain/8/{name}", "token")
        aim = "45 ns, 0.15 us an iteration" if name == "block" else "5 ns"
        yield (f"{name}, chain, gamma 8", f"{figure(other)} ns/token", "plain loop of token",
               other / loop, aim)

    iteration = bench.ns("toy/token", "drafted")
    drawn = bench.ns("toy/token", "drawn")
    yield ("(b) toy pair, gamma 8, own decisions one by one: token",
           f"{figure(iteration)} ns/drafted token", "", None, "")
    yield ("token, only the drafts it looks at", f"{figure(drawn)} ns/drafted token", "", None, "")
    for name in ("block", "greedy-block"):
        mine = bench.ns(f"toy/{name}", "drafted")
        aim = "at most 2" if name == "block" else ""
        yield (name, f"{figure(mine)} ns/drafted token", "token", mine / iteration, aim)
        yield (name, "", "token, drafts looked at", mine / drawn, "")

    eight = bench.ns("toy/block", "drafted")
    for gamma in (2, 4, 16, 32):
        mine = bench.ns(f"gamma/block/{gamma}", "drafted")
        yield (f"block, gamma {gamma}", f"{figure(mine)} ns/drafted token", "gamma 8", mine / eight, "")

    thousand = bench.ns("zipf/block/1024", "drafted")
    for vocabulary in (128, 1024, 8192, 131072):
        mine = bench.ns(f"zipf/block/{vocabulary}", "drafted")
        aim = "at most 3" if vocabulary == 131072 else ""
        case = f"{'(c) ' if vocabulary == 128 else ''}block, zipf, V = {vocabulary}"
        yield (case, f"{figure(mine)} ns/drafted token", "V = 1024", mine / thousand, aim)
    listing = numpy["listing/131072"]
    yield ("NumPy listing, V = 131072", f"{figure(listing)} ns/drafted token", "engine",
           listing / bench.ns("zipf/block/131072", "drafted"), "20,000")
    listing = numpy["listing/7"]
    yield ("NumPy listing, V = 7", f"{figure(listing)} ns/drafted token", "engine, V = 128",
           listing / bench.ns("zipf/block/128", "drafted"), "")

    for name in ("rrs", "kseq", "slot-block", "spectr-gbv"):
        one = bench.ns(f"drafts/{name}/1", "token")
        for drafts in (2, 4, 8):
            mine = bench.ns(f"drafts/{name}/{drafts}", "token")
            each = bench.ns(f"drafts/{name}/{drafts}", "drafted")
            case = f"{name}, zipf, V = 32, K = {drafts}"
            if (name, drafts) == ("rrs", 2):
                case = "(d) " + case
            yield (case, f"{figure(mine)} ns/token ({figure(each)} ns/drafted token)", "K = 1",
                   mine / one, "")

    for name in ("token", "block"):
        mine = bench.ns(f"ngram/{name}", "drafted")
        case = f"{'(e) ' if name == 'token' else ''}{name}, ngram of a 1 MB text, gamma 8"
        yield (case, f"{figure(mine)} ns/drafted token", f"{name}, toy pair",
               mine / bench.ns(f"toy/{name}", "drafted"), "")

    for case, name in (("(f) token, chain", "chain"), ("block, V = 131072", "zipf")):
        two = bench.ns(f"threads/{name}/2", "trial")
        yield (f"{case}, 2 threads, equal tallies", f"{figure(two)} ns/trial", "1 thread over it",
               bench.ns(f"threads/{name}/1", "trial") / two, "1.9")

    for case, name, aim in (
        ("(g) law of tau of block, chain, gamma 7, doubles: all paths", "paths/chain/7", ""),
        ("gamma 8", "paths/chain/8", "under 2 s"),
        ("gamma 7: all decisions, coins too", "enumerated/chain/7", ""),
        ("gamma 8: all decisions, coins too", "enumerated/chain/8", "under 2 s"),
        ("tree(vocabulary=3,depth=6), gamma 6, fractions: all paths", "paths/tree/6", "under 10 s"),
        ("all decisions, coins too", "enumerated/tree/6", "under 10 s"),
        ("(h) yin2024 recursion, V = 64, T = 1000, M = 8, pair and rows too", "recursion/chain",
         "under 1 s"),
    ):
        seconds = bench.seconds(name)
        if seconds is not None:
            yield (case, f"{figure(seconds)} s", "", None, aim)

    for case, name, base, aim in (
        ("peak memory of simulate, chain, 20,000 trials", "chain/20000", None, ""),
        ("2,000,000 trials", "chain/2000000", "chain/20000", "1"),
        ("block, zipf, V = 131072, 1,000 trials", "zipf/1000", None, "under 200 MB"),
        ("50,000 trials", "zipf/50000", "zipf/1000", "1"),
        ("block, ngram of a 1 MB text, 1,000 trials", "ngram/1000", None, ""),
    ):
        against = "" if base is None else "fewer trials"
        ratio = None if base is None else memory[name] / memory[base]
        yield (case, f"{figure(memory[name])} MB", against, ratio, aim)
    for blocks, case in ((32, "one random word, 32 blocks at a time"),
                         (8, "the first of each trial, 8 blocks at a time")):
        word = bench.ns(f"random/{blocks}", "word")
        yield (case, f"{figure(word)} ns", "", None, "")


VOCABULARIES = (1024, 32768, 131072)


def microseconds(seconds):
    return "" if seconds is None else figure(1e6 * seconds)


def vocabulary_table(bench, dense):
    """Rows of one iteration at gamma = 8, K = 4 on zipf pairs, in microseconds."""
    def times(name):
        names = [f"{name}/{vocabulary}" for vocabulary in VOCABULARIES]
        return [bench.ns(each, "iteration") / 1e9 if each in bench.runs else dense.get(each)
                for each in names]

    token = times("vocabulary/token")[1]
    names = {name.split("/")[1] for name in bench.runs if name.startswith("vocabulary/")}
    rows = [(name, times(f"vocabulary/{name}")) for name in sorted(names)]
    rows = sorted((row for row in rows if all(row[1])), key=lambda row: row[1][1])
    for rule in ("token", "block"):
        rows.append((f"{rule}, dense rows in C++, batch 64", times(f"dense/{rule}")))
        rows.append((f"{rule}, NumPy, batch 64", times(f"numpy/{rule}")))
        rows.append((f"{rule}, torch, batch 64", times(f"torch/{rule}")))
    for name, found in rows:
        if found[1] is not None:
            yield (name, *map(microseconds, found), figure(found[2] / found[0]),
                   figure(found[1] / token))


def decodes_table(bench):
    """Rows of whole decodes of 128 tokens at gamma = 8, V = 32,768, by time an iteration."""
    times = {name.split("/", 1)[1].rsplit("/", 1)[0]: bench.ns(name, "iteration") / 1e9
             for name in bench.runs if name.startswith("decodes/")}
    for name, seconds in sorted(times.items(), key=lambda row: row[1]):
        yield (name, microseconds(seconds), figure(seconds / times["token"]))


def main():
    directory = pathlib.Path(sys.argv[1])
    numpy, memory, dense = (json.loads((directory / name).read_text())
                            for name in ("baselines.json", "memory.json", "dense.json"))
    bench = Benchmarks(directory / "benchmarks.json")
    print("| case | measured | against | ratio | aim |\n|---|--:|---|--:|--:|")
    for case, measured, against, ratio, aim in table(bench, numpy, memory):
        print(f"| {case} | {measured} | {against} | {'' if ratio is None else figure(ratio)} | {aim} |")
    print("\n| one iteration, gamma 8, K = 4, zipf, in microseconds | "
          + " | ".join(f"V = {vocabulary}" for vocabulary in VOCABULARIES)
          + " | last over first | against token, V = 32768 |\n|---|--:|--:|--:|--:|--:|")
    for row in vocabulary_table(bench, dense):
        print("| " + " | ".join(row) + " |")
    print("\n| whole decodes of 128 tokens, gamma 8, zipf, V = 32768 | microseconds an iteration "
          "| against token |\n|---|--:|--:|")
    for row in decodes_table(bench):
        print("| " + " | ".join(row) + " |")


if __name__ == "__main__":
    main()
