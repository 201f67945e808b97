"""Compares the laws that the extracted rules compute with those of `speclab exact`.

usage: extraction.py LAWS PROGRAM [PAIRS [RULE|VERIFIER]]

On PAIRS random pairs a rule (default 200), in fractions: the laws of the tokens after one and after two
iterations. RULE|VERIFIER compares that rule alone, against another verifier of the program (to see the test fail).
Exit code 1 where a law differs."""

import json
import os
import random
import subprocess
import sys
import tempfile
from fractions import Fraction

# The rule's name, K, and the verifier of the program.
RULES = [
    ("token", 1, "token"),
    ("block", 1, "block"),
    ("target-only", 1, "sample-match"),
    ("target-only", 2, "target-only(K=2)"),
    ("rrs", 2, "rrs(K=2)"),
    ("naive-tree", 2, "naive-tree(K=2)"),
    ("rrs-without", 2, "rrs-without(K=2)"),
    ("greedy-block", 1, "greedy-block"),
    ("batch", 2, "batch(M=2)"),
    ("kseq", 2, "kseq(K=2)"),
    ("slot-block", 2, "slot-block(K=2)"),
    ("spectr-coupled", 2, "spectr-coupled(K=2)"),
    ("traversal", 2, "traversal(K=2)"),
    ("traversal-merged", 2, "traversal-merged(K=2)"),
    ("traversal-without", 2, "traversal-without(K=2)"),
    ("lazy-block:1/4", 1, "lazy-block"),
    ("spectr-gbv", 2, "spectr-gbv(K=2)"),
    ("lenient:1/2", 1, "lenient(l=1/2)"),
    ("biased:1/10", 1, "biased(eps=1/10)"),
    ("biased-target:1/10", 1, "biased(eps=1/10,residual=target)"),
    ("biased-draft:1/10", 1, "biased(eps=1/10,residual=draft)"),
    ("biased-standard:1/10", 1, "biased(eps=1/10,residual=standard)"),
    ("rule:1/2", 1, "rule(share=1/2)"),
    ("ensemble:1/3", 1, "relaxed(pi=ensemble,weight=1/3)"),
    ("ensemble-bonus:1/3", 1, "relaxed(pi=ensemble,weight=1/3,bonus=relaxed)"),
    ("fuzzy:2/5", 1, "relaxed(pi=fuzzy,divergence=tv,threshold=2/5)"),
    ("cascade-opt:1/2", 1, "relaxed(pi=cascade-opt,alpha=1/2)"),
    ("cascade-top:1/2", 1, "relaxed(pi=cascade-top,alpha=1/2)"),
    ("sprinter:1/3:3/4", 1, "sprinter(fp=1/3,tp=3/4)"),
]


def random_law(draws, vocabulary):
    """Fractions with small denominators, zeros among them."""
    while True:
        weights = [draws.choice([0, 0, 1, 1, 2, 3, 5]) for _ in range(vocabulary)]
        if sum(weights):
            return [str(Fraction(w, sum(weights))) for w in weights]


def random_pair(draws, vocabulary, depth, unlike=False):
    """A tree of laws: the prefixes of up to `depth` tokens have rows of their own."""
    level, prefixes = [()], [()]
    for _ in range(depth):
        level = [p + (x,) for p in level for x in range(vocabulary)]
        prefixes += level
    names = [",".join(map(str, p)) for p in prefixes]
    draft = {name: random_law(draws, vocabulary) for name in names}
    # A row in five is the draft's own.
    target = {name: draft[name] if draws.random() < 0.2 else random_law(draws, vocabulary) for name in names}
    for name in names:
        while unlike and target[name] == draft[name]:
            target[name] = random_law(draws, vocabulary)
    return {"vocabulary": vocabulary, "kind": "tree", "draft": draft, "target": target}


# (V, gamma) of the pairs; a rule whose outcomes are many is compared at the small ones.
SIZES = [(2, 1), (2, 2), (3, 1), (3, 2), (2, 3)]
SMALL = {"spectr-coupled": SIZES[:3], "spectr-gbv": [(2, 1), (3, 1)]}
# Where a row of the target is the draft's, spectr-gbv as printed draws from 0/0.
UNLIKE = ("spectr-gbv",)


def cases_of(pairs, sizes, unlike):
    draws = random.Random(1)
    for at in range(pairs):
        vocabulary, gamma = sizes[at % len(sizes)]
        yield gamma, random_pair(draws, vocabulary, 3, unlike)


def text_of(name, rule, k, gamma, pair):
    lines = [f"case {name} {rule} {k} {gamma} {pair['vocabulary']}"]
    for letter, model in (("d", "draft"), ("t", "target")):
        lines += [f"{letter} {prefix or '-'} {' '.join(law)}" for prefix, law in pair[model].items()]
    return "\n".join(lines + ["end"])


def program_laws(program, folder, verifier, cases):
    """The laws by `speclab exact`, one run a draft length."""
    found = {}
    for gamma in sorted({gamma for gamma, _ in cases}):
        command, names = [program, "exact", "--verifier", verifier, "--gamma", str(gamma)], []
        for at, (g, pair) in enumerate(cases):
            if g != gamma:
                continue
            path = os.path.join(folder, f"{at}.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump(pair, file)
            command += ["--pair", f"file({path})"]
            names.append(at)
        command += ["--iterations", "2", "--law", "--format", "json"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"extraction.py: {verifier}: {done.stderr.strip()}")
        for at, result in zip(names, json.loads(done.stdout)["results"]):
            found[at] = [[q["value"] if q["exact"] is None else Fraction(q["exact"]) for q in law]
                         for law in result["iterations"]["law"]]
    return found


def equal(printed, expected):
    """A fraction too long to be printed is given as a double."""
    if isinstance(printed, float):
        return abs(printed - float(expected)) <= 2**-50
    return printed == expected


def main(laws, program, pairs=200, fault=""):
    replaced, _, by = fault.partition("|")
    differing = 0
    for rule, k, verifier in RULES:
        if replaced:
            if replaced != verifier:
                continue
            verifier = by
        cases = list(cases_of(int(pairs), SMALL.get(rule, SIZES), rule in UNLIKE))
        text = "\n".join(text_of(at, rule, k, gamma, pair) for at, (gamma, pair) in enumerate(cases))
        done = subprocess.run([laws], input=text + "\n", capture_output=True, text=True, check=True)
        with tempfile.TemporaryDirectory() as folder:
            found = program_laws(program, folder, verifier, cases)
        unequal = []
        for line in done.stdout.splitlines():
            name, *parts = line.split(" : ")
            expected = [[Fraction(q) for q in part.split()] for part in parts]
            pairs_of = [zip(*laws, strict=True) for laws in zip(found[int(name)], expected, strict=True)]
            if not all(equal(a, b) for both in pairs_of for a, b in both):
                unequal.append(int(name))
        differing += len(unequal)
        print(f"{verifier}: {len(cases) - len(unequal)} of {len(cases)} pairs agree")
        if unequal:
            gamma, pair = cases[unequal[0]]
            print(f"  first difference: gamma {gamma}, {json.dumps(pair)}")
    return 1 if differing else 0


if __name__ == "__main__":
    if not 3 <= len(sys.argv) <= 5:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
