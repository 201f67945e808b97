#!/usr/bin/env python3
"""Checks a certificate of `speclab prove` (docs/formats.md) without any part of speclab.

usage: certificate.py [--solver z3|cvc5] [--seconds S] FILE ...

1. The cover: the conditions of the tree's branches leave no pair out.
2. Each branch that is called empty: its query asserts conditions of the branch and of laws, no other,
   and a solver answers "unsat".
3. The identities, where rules.py has the verifiers: they are run again on rational
   functions of the probabilities. The solver shows that a cell's conditions decide each comparison
   that is not the sign of a product of their polynomials, and that no pair of the cell fails.

Prints one JSON object a file. Exit code 0 where all is confirmed, 1 where something is wrong, 4 where
the solver did not answer, 77 where the solver is missing. z3: python3-z3; cvc5: cvc5 (Debian).
"""

import argparse
import itertools
import json
import re
import sys
import time
from functools import reduce

from certificate_polynomials import PLUS, SIGNS, ZERO, Unanswered, Wrong, add, condition, frozen, primitive, times
from certificate_rules import Cell, check_goal, goals, program_of
from certificate_solvers import SOLVERS


class Family:
    """All pairs of a size: the parameters and the conditions that all of them meet."""

    def __init__(self, document):
        self.names = document["parameters"]
        self.places = {name: i for i, name in enumerate(self.names)}
        self.vocabulary, self.gamma = document["vocabulary"], document["gamma"]
        self.models = document["models"]
        self.certain = (self.vocabulary - 1,)  # of "any": the draft of this first token is certain
        # (the tokens before it, the draft length) of each iteration whose outcome is compared
        self.runs = [(self.certain, 1), ((), 2)] if self.models == "any" else [((), self.gamma)]
        self.one = {(0,) * len(self.names): 1}
        self.always, self.first = [], []
        for node in self.nodes():
            draft, target = self.law("draft", node), self.law("target", node)
            gaps = [add(t, d, -1) for t, d in zip(target, draft)]
            self.first += [frozen(primitive(p)[1]) for p in filter(self.varies, draft + target + gaps)]
            positive = draft + target
            if document["ordered"]:
                positive += [add(a, b, -1) for a, b in zip(gaps, gaps[1:])]
                positive += [gaps[0], add({}, gaps[-1], -1)]
            self.always += [condition(p, ZERO | PLUS) for p in filter(self.varies, positive)]

    def varies(self, polynomial):
        return any(powers not in self.one for powers in polynomial)

    def nodes(self):
        if self.models == "any":
            return [(), self.certain, ("later",), ("other",)]
        depths = range(1 if self.models == "iid" else self.gamma + 1)
        return [n for k in depths for n in itertools.product(range(self.vocabulary), repeat=k)]

    def place(self, tokens):
        """The node whose laws hold after these tokens."""
        if self.models == "iid":
            return ()
        if self.models == "tree" or tokens in ((), self.certain):
            return tokens
        return ("later",) if tokens[:1] == self.certain else ("other",)

    def law(self, model, node):
        """Polynomials: the probabilities of the tokens after a node."""
        after = "" if self.models == "iid" else "(" + ",".join(map(str, node)) + ")"
        law = [self.variable(f"{model}{after}[{x}]") for x in range(self.vocabulary - 1)]
        if self.models == "any" and node == ():  # the draft of the last token is certain, the target of it and of 0
            law = [law[0] if model == "target" else {}] + [{} for _ in law[1:]]
        if node == ("other",):
            law = [{} for _ in law]
        return law + [reduce(lambda p, q: add(p, q, -1), law, self.one)]

    def variable(self, name):
        return {tuple(int(i == self.places[name]) for i in range(len(self.names))): 1}

    def read(self, text):
        """'2*draft[0] - 1 >= 0'"""
        left, relation, right = text.rsplit(" ", 2)
        words = left.split()
        if right != "0" or relation not in SIGNS or len(words) % 2 == 0 or not set(words[1::2]) <= {"+", "-"}:
            raise Wrong(f"'{text}' is not a condition such as 2*draft[0] - 1 >= 0")
        total = {}
        for word, between in zip(words[::2], ["+"] + words[1::2]):
            sign = 1 if between == "+" else -1
            term = {powers: sign * (-1 if word[0] == "-" else 1) for powers in self.one}
            for part in word.lstrip("-").split("*"):
                name, _, power = part.partition("^")
                for _ in range(int(power or 1)):
                    p = self.variable(name) if name in self.places else {k: int(name) for k in self.one}
                    term = times(term, p)
            total = add(total, term)
        return condition(total, SIGNS[relation])

    def read_smt(self, script):
        """The conditions that a script asserts."""
        words = re.findall(r"\|[^|]*\||[()]|[^\s()|]+", script)
        found = []

        def expression(at):
            if words[at] != "(":
                return words[at], at + 1
            parts, at = [], at + 1
            while words[at] != ")":
                part, at = expression(at)
                parts.append(part)
            return parts, at + 1

        def value(e):
            if isinstance(e, str):
                whole = {k: int(e) for k in self.one} if e.isdigit() and int(e) else {}
                return self.variable(e.strip("|")) if e[0] == "|" else whole
            parts = [value(part) for part in e[1:]]
            if e[0] == "-" and len(parts) == 1:
                return add({}, parts[0], -1)
            return reduce({"+": add, "*": times}[e[0]], parts)

        at = 0
        while at < len(words):
            command, at = expression(at)
            if command[0] == "assert":
                e = command[1]
                e, relation = (e[1], "!=") if e[0] == "not" else (e, e[0])
                found.append(condition(add(value(e[1]), value(e[2]), -1), SIGNS[relation]))
            elif command[0] not in ("set-logic", "declare-const", "check-sat"):
                raise Wrong(f"a query with the command {command[0]}")
        return found


def check_tree(family, document, read):
    """That the branches leave no pair out, given that the empty ones are."""
    given = {}
    for kind in ("cells", "splits", "empty"):
        for entry in document[kind]:
            given[tuple(map(read, entry["branch"]))] = (kind, entry)
    for kind in ("pending", "undecided"):
        for branch in document[kind]:
            given[tuple(map(read, branch))] = (kind, None)
    reached, waiting, seen = [], [()], set()
    while waiting:
        branch = waiting.pop()
        if branch not in given or branch in seen:
            raise Wrong(f"a branch of {len(branch)} conditions is missing")
        seen.add(branch)
        kind, entry = given[branch]
        reached.append((kind, branch, entry))
        if kind not in ("cells", "splits"):
            continue
        known = {}
        for p, signs in family.always + list(branch):
            known[p] = known.get(p, 7) & signs
        path = branch
        for p, signs in map(read, entry["comparisons"]):
            waiting.append(path + ((p, known.get(p, 7) & ~signs),))
            known[p] = known.get(p, 7) & signs
            path += ((p, signs),)
        if kind == "splits":
            waiting.append(path)
    if len(seen) < len(given):
        raise Wrong("a branch is that of no comparison")
    return reached


def check(document, solver):
    if document["schema"] != 3:
        raise Wrong(f"its format is of version {document['schema']}, and 3 is read")
    if document["models"] not in ("iid", "tree", "any"):
        raise Wrong(f"its models are iid, tree or any, not '{document['models']}'")
    every = document["models"] == "any"
    claim, _, other = document["property"].partition(":")
    if every != (document["gamma"] == "all"):
        raise Wrong("the models \"any\" go with the draft length \"all\", and with no other")
    if every and (claim != "lossless" or document["verifier"] not in ("token", "block")):
        raise Wrong("the induction over draft lengths is of token and block, and of losslessness")
    family = Family(document)
    read = [family.read(text) for text in document["conditions"]].__getitem__
    programs = [program_of(spec) for spec in [document["verifier"]] + [other] * bool(other)]
    known = claim in ("lossless", "equals", "at-least") and None not in programs
    result = {"empty": 0, "cells": 0, "identities": known, "unanswered": 0, "finished": True}
    for kind, branch, entry in check_tree(family, document, read):
        try:
            if kind == "empty":
                query = family.read_smt(entry["query"]) if entry.get("query") else family.always + list(branch)
                if not set(query) <= set(family.always) | set(branch):
                    raise Wrong("a query asserts what its branch does not")
                if not solver.excludes(family.names, query):
                    raise Wrong("a branch that is called empty has a pair")
                result["empty"] += 1
            elif kind == "cells":
                path = list(branch) + list(map(read, entry["comparisons"]))
                cell = Cell(family, path, entry["sample"], solver)
                for difference, wanted in goals(cell, claim, programs) if known else []:
                    check_goal(cell, difference, wanted)
                result["cells"] += 1
            else:
                result["finished"] = result["finished"] and kind == "splits"
        except Unanswered:
            result["unanswered"] += 1
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--solver", choices=list(SOLVERS), default="z3")
    parser.add_argument("--seconds", type=float, default=30, help="for one query (default 30)")
    parser.add_argument("files", nargs="+", metavar="FILE")
    options = parser.parse_args()
    try:
        solver = SOLVERS[options.solver](options.seconds)
    except ImportError as error:
        print(f"skipped: {error}")
        return 77
    code = 0
    for path in options.files:
        began = time.monotonic()
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
        found = {"file": path} | {key: document.get(key) for key in
                                  ("verifier", "property", "vocabulary", "gamma", "models")}
        solver.queries = 0
        try:
            found |= check(document, solver)
            found["verdict"] = "unanswered" if found["unanswered"] else "confirmed"
            code = max(code, 4 if found["unanswered"] else 0)
        except (Wrong, KeyError, ValueError, IndexError) as error:
            found |= {"verdict": "wrong", "fault": str(error)}
            code = 1
        found |= {"solver": options.solver, "queries": solver.queries,
                  "seconds": round(time.monotonic() - began, 2)}
        print(json.dumps(found), flush=True)
    return code


if __name__ == "__main__":
    sys.exit(main())
