#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks an implementation of speculative sampling against a file of conformance vectors.

    python3 check.py token.json my_module:my_function
    python3 check.py token.json my_module:my_function --uniforms
    python3 check.py token.json --controls token.controls.json

The function receives the drafts of one iteration and the rows along them:

    my_function(draft_tokens, draft_rows, target_rows, count) -> `count` lists of tokens

    draft_tokens   [gamma] tokens; [K][gamma] of a rule of K drafts
    draft_rows     [gamma][V] probabilities; [K][gamma][V]
    target_rows    [gamma + 1][V]; [K][gamma + 1][V]
    a list         the accepted tokens and the one after them: tau + 1 tokens

It draws its own random numbers. With --uniforms it receives (..., coins, draws) in place of count
and returns one list: the numbers in [0, 1) that its decisions use in order, coins for acceptance
and draws for tokens by the inverse of the cumulated row.

How it judges: the file has, for every accepted length and every outcome, the counts that pass.
A right implementation fails with a probability of `false_alarm` at most. Exit code 0: all cases
pass; 1: a case does not; 2: wrong use. Needs Python 3.8 and nothing else.
"""
import argparse
import importlib
import json
import random
import sys
from collections import Counter


def load(path, kind):
    try:
        with open(path, encoding="utf-8") as file:
            vectors = json.load(file)
    except (OSError, ValueError) as error:
        sys.exit(usage("%s: %s" % (path, error)))
    if not isinstance(vectors, dict) or vectors.get("format") != "speclab conformance " + kind:
        sys.exit(usage("%s is no file of %s" % (path, kind)))
    return vectors


def usage(message):
    print("check.py: " + message, file=sys.stderr)
    return 2


def arguments_of(case, single):
    """Tokens and rows of a case as numbers; of one chain without the outer list."""
    rows = [[[[float(p) for p in row] for row in chain] for chain in case[key]]
            for key in ("draft_rows", "target_rows")]
    every = [case["drafts"]] + rows
    return [each[0] for each in every] if single else every


def outcome_of(case, tokens):
    """A returned list as a tuple of whole numbers; ValueError says what is wrong with it."""
    try:
        found = tuple(int(token) for token in tokens)
        exact = all(token == whole for token, whole in zip(tokens, found))
    except (TypeError, ValueError, OverflowError):
        raise ValueError("returned %.60r, which is no list of tokens" % (tokens,)) from None
    if not exact or any(not 0 <= token < case["vocabulary"] for token in found):
        raise ValueError("returned %.60r: a token is no whole number from 0 to %d"
                         % (list(tokens), case["vocabulary"] - 1))
    return found


def judge(case, counts, band):
    """What is wrong with these counts: texts, the worst first."""
    lengths, wrong = Counter(), []
    names = {tuple(each["tokens"]): each["accepted"] for each in case["outcomes"]}
    for tokens, count in counts.items():
        if tokens not in names:
            return ["(%s) is impossible, and came %d times" % (",".join(map(str, tokens)), count)]
        lengths[names[tokens]] += count
    total = sum(counts.values())
    rows = [("%d accepted" % each["accepted"], lengths[each["accepted"]], each[band])
            for each in case["lengths"]]
    rows += [("(%s)" % ",".join(map(str, each["tokens"])), counts[tuple(each["tokens"])],
              each[band]) for each in case["outcomes"]]
    for name, count, (least, most) in rows:
        if not least <= count <= most:
            off = max(least - count, count - most)
            wrong.append((off, "%s came %d times in %d, %d to %d pass"
                          % (name, count, total, least, most)))
    return [text for _, text in sorted(wrong, reverse=True)]


def sample(case, draw, samples, early):
    """Counts a case's outcomes in two parts; the reasons why it fails."""
    counts = Counter()
    for count, band in ((early, "early"), (samples - early, "count")):
        answers = list(draw(case, count))
        if len(answers) != count:
            return ["returned %d lists where %d were asked for" % (len(answers), count)]
        counts.update(outcome_of(case, tokens) for tokens in answers)
        wrong = judge(case, counts, band)
        if wrong:
            return wrong
    return []


def decide(case, function, arguments):
    """The decisions on given uniform numbers that differ."""
    wrong = []
    for each in case["uniforms"]:
        found = outcome_of(case, function(*arguments, each["coins"], each["draws"]))
        if found != tuple(each["tokens"]):
            wrong.append("coins %s, draws %s: (%s) where the rule has (%s)"
                         % (each["coins"], each["draws"], ",".join(map(str, found)),
                            ",".join(map(str, each["tokens"]))))
    return wrong


def check(vectors, function, uniforms=False):
    """Yields (case, reasons) for each case; no reasons: it passes."""
    single = vectors["drafts"] == 1
    for case in vectors["cases"]:
        try:
            arguments = arguments_of(case, single)
            if uniforms:
                yield case, decide(case, function, arguments)
            else:
                yield case, sample(case, lambda _, count: function(*arguments, count),
                                   vectors["samples"], vectors["early"])
        except Exception as error:  # whatever the implementation raises is a finding
            yield case, ["%s: %.200s" % (type(error).__name__, str(error).split("\n")[0])]


def reject(vectors, controls):
    """Draws from each wrong law and yields (control, whether its case rejects it)."""
    rng = random.Random(1)
    cases = {case["id"]: case for case in vectors["cases"]}
    for control in controls["controls"]:
        if control["power"] >= 0.999:
            tokens = [each["tokens"] for each in control["law"]]
            weights = [each["probability"] for each in control["law"]]
            yield control, bool(sample(
                cases[control["case"]],
                lambda _, count: rng.choices(tokens, weights, k=count),
                vectors["samples"], vectors["early"]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("vectors")
    parser.add_argument("function", nargs="?", metavar="MODULE:FUNCTION")
    parser.add_argument("--uniforms", action="store_true", help="the function takes coins and draws")
    parser.add_argument("--controls", metavar="FILE", help="check the vectors: draw from wrong laws")
    given = parser.parse_args()
    vectors = load(given.vectors, "vectors")
    if given.controls:
        rows = [("control " + control["fault"], [] if seen else ["it was not rejected"])
                for control, seen in reject(vectors, load(given.controls, "controls"))]
    else:
        module, _, name = (given.function or "").partition(":")
        sys.path.insert(0, ".")
        try:
            function = getattr(importlib.import_module(module), name)
        except (ImportError, AttributeError, ValueError) as error:
            return usage("no function '%s': %s" % (given.function, error))
        rows = [("case %d (%s)" % (case["id"], case["flag"]), wrong)
                for case, wrong in check(vectors, function, given.uniforms)]
    for name, wrong in rows:
        if wrong:
            print("FAIL %s: %s%s" % (name, wrong[0], "" if len(wrong) == 1 else
                                     "; and %d more" % (len(wrong) - 1)))
    failed = sum(1 for _, wrong in rows if wrong)
    print("%s: %d of %d pass" % (vectors["rule"], len(rows) - failed, len(rows)))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
