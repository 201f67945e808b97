#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks an implementation of speculative sampling against a file of conformance vectors.

    python3 check.py token.json my_module:my_function [--uniforms]
    python3 check.py token.json --controls token.controls.json
    my_function(draft_tokens, draft_rows, target_rows, count) -> `count` lists of tokens

draft_tokens is [gamma], draft_rows [gamma][V], target_rows [gamma + 1][V], each with [K] before it of a
rule of K drafts; a list is the accepted tokens and the one after them. An array [count][gamma + 1], of NumPy
or torch, is padded with -1. With --uniforms the function receives (..., coins, draws) in place of count and
returns one list. Exit code 0: all cases pass; 1: a case does not; 2: wrong use. Needs Python 3.8 alone."""
import argparse
import importlib
import json
import random
import sys
import traceback
from collections import Counter


class Wrong(Exception):
    """What is wrong with an answer, or with a file."""


def load(path, kind):
    with open(path, encoding="utf-8") as file:
        vectors = json.load(file)
    if not isinstance(vectors, dict) or vectors.get("format") != "speclab conformance " + kind:
        raise Wrong("%s is no file of %s" % (path, kind))
    return vectors


def arguments_of(case, single):  # tokens, and rows as V numbers; of one chain without the outer list
    names = list(map(str, range(case["vocabulary"])))  # rows of a large one are written by token, without zeros
    read = lambda row: [float(row.get(x, 0)) for x in names] if isinstance(row, dict) else list(map(float, row))
    rows = ([list(map(read, chain)) for chain in case[key]] for key in ("draft_rows", "target_rows"))
    return [each[0] if single else each for each in (case["drafts"], *rows)]


def plain(answer):
    return answer.tolist() if hasattr(answer, "tolist") else answer


def outcome_of(case, tokens):
    """A returned list as a tuple of whole numbers, without padding and what follows the end."""
    try:
        found = list(tokens)
        while found and found[-1] == -1:
            found.pop()
        if any(int(token) != token or not 0 <= token < case["vocabulary"] for token in found):
            raise ValueError
    except (TypeError, ValueError, OverflowError):
        last = case["vocabulary"] - 1
        raise Wrong("returned %.60r, where a list of tokens from 0 to %d is due" % (tokens, last)) from None
    return tuple(map(int, found[:(found + [case.get("eos")]).index(case.get("eos")) + 1]))


def judge(case, counts, band):
    """What is wrong with these counts: texts, the worst first."""
    lengths, wrong, total = Counter(), [], sum(counts.values())
    names = {tuple(each["tokens"]): each["accepted"] for each in case["outcomes"]}
    for tokens, count in counts.items():
        if tokens not in names:
            return ["%s is impossible, and came %d times" % (list(tokens), count)]
        lengths[names[tokens]] += count
    rows = [("%d accepted" % each["accepted"], lengths[each["accepted"]], each[band]) for each in case["lengths"]]
    rows += [(str(each["tokens"]), counts[tuple(each["tokens"])], each[band]) for each in case["outcomes"]]
    for name, count, (least, most) in rows:
        if not least <= count <= most:
            text = "%s came %d times in %d, %d to %d pass" % (name, count, total, least, most)
            wrong.append((max(least - count, count - most), text))
    return [text for _, text in sorted(wrong, reverse=True)]


def sample(case, draw, sizes):
    """Counts a case's outcomes in two parts, gross faults end early; the reasons why it fails."""
    counts, sizes = Counter(), {**sizes, **case}  # a case may have its own
    for count, band in ((sizes["early"], "early"), (sizes["samples"] - sizes["early"], "count")):
        answers = plain(draw(count))
        if not isinstance(answers, (list, tuple)) or len(answers) != count:
            return ["returned %.60r, where %d lists are due" % (answers, count)]
        keys = (tuple(each) if isinstance(each, (list, tuple)) else repr(each) for each in map(plain, answers))
        for tokens, number in Counter(keys).items():
            counts[outcome_of(case, tokens)] += number
        wrong = judge(case, counts, band)
        if wrong:
            return wrong
    return []


def decide(case, function, arguments):
    """The decisions on given uniform numbers that differ."""
    wrong = []
    for each in case["uniforms"]:
        found = outcome_of(case, plain(function(*arguments, each["coins"], each["draws"])))
        if found != tuple(each["tokens"]):
            wrong.append("coins {coins}, draws {draws}: {0} where the rule has {tokens}".format(list(found), **each))
    return wrong


def check_case(vectors, case, function, uniforms=False):
    """The reasons why one case fails; none: it passes."""
    try:
        given = arguments_of(case, vectors["drafts"] == 1)
        return (decide(case, function, given) if uniforms else
                sample(case, lambda count: function(*given, count), vectors))
    except Exception as error:  # whatever the implementation raises is a finding
        at = traceback.extract_tb(error.__traceback__)[-1]
        raised = "raised %.200r at %s:%d" % (error, at.filename, at.lineno)
        return [str(error) if isinstance(error, Wrong) else raised]


def reject(vectors, controls):  # draws from each wrong law: (control, whether its case rejects it)
    rng = random.Random(1)
    for control in controls["controls"]:
        case, answers = vectors["cases"][control["case"] - 1], iter(control.get("decisions", ()))
        law = [(each["tokens"], each["probability"]) for each in control.get("law", ())]
        yield control, bool(sample(case, lambda count: rng.choices(*zip(*law), k=count), vectors) if law else
                            decide(case, lambda *_: next(answers), ()))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("vectors")
    parser.add_argument("function", nargs="?", metavar="MODULE:FUNCTION", default="")
    parser.add_argument("--uniforms", action="store_true", help="the function takes coins and draws")
    parser.add_argument("--controls", metavar="FILE", help="check the vectors: draw from wrong laws")
    given = parser.parse_args()
    try:
        vectors = load(given.vectors, "vectors")
        if given.controls:
            verdicts = reject(vectors, load(given.controls, "controls"))
            rows = [(row["fault"], [] if seen else ["it was not rejected"]) for row, seen in verdicts]
        else:
            sys.path.insert(0, ".")
            module, _, name = given.function.partition(":")
            function = getattr(importlib.import_module(module), name)
            rows = [("case %d (%s)" % (case["id"], case["flag"]), check_case(vectors, case, function, given.uniforms))
                    for case in vectors["cases"]]
    except Exception as error:  # a file or a module that is not there, or is none
        return print("check.py: %s: %s" % (type(error).__name__, error), file=sys.stderr) or 2
    for name, wrong in (row for row in rows if row[1]):
        print("FAIL %s: %s%s" % (name, wrong[0], "; and more" * (len(wrong) > 1)))
    print("%s: %d of %d pass" % (vectors["rule"], sum(not wrong for _, wrong in rows), len(rows)))
    return int(any(wrong for _, wrong in rows))


if __name__ == "__main__":
    sys.exit(main())
