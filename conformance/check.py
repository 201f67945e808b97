#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks an implementation of speculative sampling against a file of conformance vectors.

    python3 check.py token.json my_module:my_function [--uniforms]
    python3 check.py token.json --controls token.controls.json

    my_function(draft_tokens, draft_rows, target_rows, count) -> `count` lists of tokens

draft_tokens is [gamma], draft_rows [gamma][V], target_rows [gamma + 1][V], each with [K] before it
of a rule of K drafts; a list is the accepted tokens and the one after them, tau + 1 tokens.
With --uniforms it receives (..., coins, draws) in place of count and returns one list. Exit code
0: all cases pass; 1: a case does not; 2: wrong use. Needs Python 3.8 and nothing else.
"""
import argparse
import importlib
import json
import random
import sys
from collections import Counter


def refuse(message):
    sys.exit(print("check.py: " + message, file=sys.stderr) or 2)


def load(path, kind):
    try:
        with open(path, encoding="utf-8") as file:
            vectors = json.load(file)
        if vectors["format"] == "speclab conformance " + kind:
            return vectors
    except (OSError, ValueError, TypeError, KeyError) as error:
        refuse("%s: %s" % (path, error))
    return refuse("%s is no file of %s" % (path, kind))


def arguments_of(case, single):
    """Tokens and rows of a case as numbers; of one chain without the outer list."""
    every = [case["drafts"]] + [[[[float(p) for p in row] for row in chain] for chain in case[key]]
                                for key in ("draft_rows", "target_rows")]
    return [each[0] for each in every] if single else every


def outcome_of(case, tokens):
    """A returned list as a tuple of whole numbers; ValueError says what is wrong with it."""
    try:
        found = tuple(int(token) for token in tokens)
        if any(a != b or not 0 <= b < case["vocabulary"] for a, b in zip(tokens, found)):
            raise ValueError
    except (TypeError, ValueError, OverflowError):
        raise ValueError("returned %.60r, where a list of tokens from 0 to %d is due"
                         % (tokens, case["vocabulary"] - 1)) from None
    return found


def judge(case, counts, band):
    """What is wrong with these counts: texts, the worst first."""
    lengths, wrong, total = Counter(), [], sum(counts.values())
    names = {tuple(each["tokens"]): each["accepted"] for each in case["outcomes"]}
    for tokens, count in counts.items():
        if tokens not in names:
            return ["%s is impossible, and came %d times" % (list(tokens), count)]
        lengths[names[tokens]] += count
    rows = [("%d accepted" % each["accepted"], lengths[each["accepted"]], each[band])
            for each in case["lengths"]]
    rows += [(str(each["tokens"]), counts[tuple(each["tokens"])], each[band])
             for each in case["outcomes"]]
    for name, count, (least, most) in rows:
        if not least <= count <= most:
            wrong.append((max(least - count, count - most), "%s came %d times in %d, %d to %d pass"
                          % (name, count, total, least, most)))
    return [text for _, text in sorted(wrong, reverse=True)]


def sample(case, draw, sizes):
    """Counts a case's outcomes in two parts; the reasons why it fails."""
    counts = Counter()
    for count, band in ((sizes["early"], "early"), (sizes["samples"] - sizes["early"], "count")):
        answers = list(draw(count))
        if len(answers) != count:
            return ["returned %d lists where %d were asked for" % (len(answers), count)]
        counts.update(outcome_of(case, tokens) for tokens in answers)
        if wrong := judge(case, counts, band):
            return wrong
    return []


def decide(case, function, arguments):
    """The decisions on given uniform numbers that differ."""
    wrong = []
    for each in case["uniforms"]:
        found = outcome_of(case, function(*arguments, each["coins"], each["draws"]))
        if found != tuple(each["tokens"]):
            wrong.append("coins %s, draws %s: %s where the rule has %s"
                         % (each["coins"], each["draws"], list(found), each["tokens"]))
    return wrong


def check(vectors, function, uniforms=False):
    """Yields (case, reasons) for each case; no reasons: it passes."""
    single = vectors["drafts"] == 1
    for case in vectors["cases"]:
        try:
            arguments = arguments_of(case, single)
            yield case, (decide(case, function, arguments) if uniforms else
                         sample(case, lambda count: function(*arguments, count), vectors))
        except Exception as error:  # whatever the implementation raises is a finding
            yield case, ["%s: %.200s" % (type(error).__name__, str(error).split("\n")[0])]


def reject(vectors, controls):
    """Draws from each wrong law and yields (control, whether its case rejects it)."""
    rng = random.Random(1)
    for control in controls["controls"]:
        if control["power"] >= 0.999:
            law = [(each["tokens"], each["probability"]) for each in control["law"]]
            yield control, bool(sample(vectors["cases"][control["case"] - 1], lambda count: (
                rng.choices(*zip(*law), k=count)), vectors))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("vectors")
    parser.add_argument("function", nargs="?", metavar="MODULE:FUNCTION")
    parser.add_argument("--uniforms", action="store_true", help="the function takes coins and draws")
    parser.add_argument("--controls", metavar="FILE", help="check the vectors: draw from wrong laws")
    given = parser.parse_args()
    vectors = load(given.vectors, "vectors")
    if given.controls:
        rows = [(row["fault"], [] if seen else ["it was not rejected"])
                for row, seen in reject(vectors, load(given.controls, "controls"))]
    else:
        module, _, name = (given.function or "").partition(":")
        sys.path.insert(0, ".")
        try:
            function = getattr(importlib.import_module(module), name)
        except (ImportError, AttributeError, ValueError) as error:
            refuse("no function '%s': %s" % (given.function, error))
        rows = [("case %d (%s)" % (case["id"], case["flag"]), wrong)
                for case, wrong in check(vectors, function, given.uniforms)]
    for name, wrong in (row for row in rows if row[1]):
        print("FAIL %s: %s%s" % (name, wrong[0], "; and more" * (len(wrong) > 1)))
    passed = sum(not wrong for _, wrong in rows)
    print("%s: %d of %d pass" % (vectors["rule"], passed, len(rows)))
    return int(passed < len(rows))


if __name__ == "__main__":
    sys.exit(main())
