#!/usr/bin/env python3
"""The checker of conformance vectors: right implementations pass, wrong ones and controls fail.

Usage: python.py PROGRAM CHECKER. The implementations here are written apart from the program.
"""
import fractions
import importlib.util
import json
import pathlib
import random
import subprocess
import sys
import tempfile

PROGRAM, CHECKER = sys.argv[1:]
spec = importlib.util.spec_from_file_location("check", CHECKER)
check = importlib.util.module_from_spec(spec)
spec.loader.exec_module(check)
rng = random.Random(7)


def pick(weights):
    return rng.choices(range(len(weights)), weights)[0]


def token(drafts, draft, target, accept=None, residual=None):
    """Token verification (leviathan, chen): one iteration."""
    out = []
    for i, x in enumerate(drafts):
        ratio = target[i][x] / draft[i][x]
        if not (accept or (lambda r: rng.random() < r))(ratio):
            weights = (residual or (lambda t, d: [max(a - b, 0) for a, b in zip(t, d)]))(
                target[i], draft[i])
            return out + [pick(weights)]
        out.append(x)
    return out + [pick(target[len(drafts)])]


def block(drafts, draft, target):
    """Block verification, sun2025 Algorithm 2: the longest prefix that passes its own test."""
    weight, tau, weights = 1.0, 0, [1.0]
    for i, x in enumerate(drafts):
        weight = min(1.0, weight * target[i][x] / draft[i][x])
        weights.append(weight)
    for i in range(1, len(drafts) + 1):
        if i == len(drafts):
            passes = weights[i]
        else:
            left = sum(max(weights[i] * a - b, 0) for a, b in zip(target[i], draft[i]))
            below = 1 - weights[i] + left
            passes = left / below if below > 0 else 0
        if rng.random() < passes:
            tau = i
    out = list(drafts[:tau])
    if tau == len(drafts):
        return out + [pick(target[tau])]
    return out + [pick([max(weights[tau] * a - b, 0) for a, b in zip(target[tau], draft[tau])])]


def uniforms(drafts, draft, target, coins, draws):
    """token() on given numbers."""
    def inverse(weights, at):
        total, run = sum(weights), 0.0
        for x, weight in enumerate(weights):
            run += weight / total
            if at < run:
                return x
        return max(x for x, weight in enumerate(weights) if weight > 0)
    out = []
    for i, x in enumerate(drafts):
        if coins[i] >= target[i][x] / draft[i][x]:
            left = [max(a - b, 0) for a, b in zip(target[i], draft[i])]
            return out + [inverse(left, draws[0])]
        out.append(x)
    return out + [inverse(target[len(drafts)], draws[0])]


def many(one):
    return lambda *rows: [one(*rows[:-1]) for _ in range(rows[-1])]


def failing(vectors, function, **options):
    """The reasons of the cases that fail, by id."""
    found = {case["id"]: check.check_case(vectors, case, function, **options) for case in vectors["cases"]}
    return {case: wrong for case, wrong in found.items() if wrong}


def padded(folder):
    """Of the battery full those cases whose rows are written by token."""
    run = [PROGRAM, "vectors", "--rule", "token", "--battery", "full", "--output", folder + "/full"]
    subprocess.run(run, check=True, stdout=subprocess.DEVNULL)
    large = json.loads(pathlib.Path(folder, "full", "token.json").read_text())
    large["cases"] = [case for case in large["cases"] if isinstance(case["draft_rows"][0][0], dict)]
    assert [case["vocabulary"] for case in large["cases"]] == [131072] * 3
    for case in large["cases"]:
        arguments = check.arguments_of(case, True)
        for written, read in zip(case["draft_rows"][0] + case["target_rows"][0], arguments[1] + arguments[2]):
            assert len(read) == 131072 and sum(read) == 1 and not any(read[-64:])
            assert {str(x): p for x, p in enumerate(read) if p} == {x: float(p) for x, p in written.items()}
    return large


def cut(function, size):
    """A kernel that reads the first tokens of a row alone, 0 after them."""
    def rows(chain):
        return [row[:size] + [0.0] * (len(row) - size) for row in chain]
    return lambda drafts, draft, target, *rest: function(drafts, rows(draft), rows(target), *rest)


def vectorised(numpy):
    """token() on arrays: [count][gamma + 1] padded with -1."""
    random = numpy.random.default_rng(7)

    def draw(weights, count):
        return random.choice(len(weights), count, p=numpy.asarray(weights) / sum(weights))

    def verify(drafts, draft, target, count):
        gamma = len(drafts)
        rates = [target[i][x] / draft[i][x] for i, x in enumerate(drafts)]
        kept = random.random((count, gamma)) < rates
        tau = numpy.cumprod(kept, axis=1).sum(axis=1)
        out = numpy.where(numpy.arange(gamma + 1) < tau[:, None], drafts + [0], -1)
        for i in range(gamma + 1):
            at = numpy.flatnonzero(tau == i)
            left = numpy.maximum(numpy.subtract(target[i], draft[i]), 0) if i < gamma else target[i]
            if at.size:
                out[at, i] = draw(left, at.size)
        return out
    return verify


def main():
    with tempfile.TemporaryDirectory() as folder:
        run = [PROGRAM, "vectors", "--rule", "token", "--rule", "block", "--output"]
        subprocess.run(run + [folder], check=True, stdout=subprocess.DEVNULL)
        again = folder + "/again"
        subprocess.run(run + [again], check=True, stdout=subprocess.DEVNULL)
        files = {}
        for file in sorted(pathlib.Path(folder).glob("*.json")):
            text = file.read_text()
            assert text == (pathlib.Path(again) / file.name).read_text(), file
            files[file.stem] = json.loads(text)
        tokens, blocks = files["token"], files["block"]
        large = padded(folder)
        try:
            import jsonschema
            schema = json.loads(pathlib.Path(CHECKER).with_name("vectors.schema.json").read_text())
            for vectors in (tokens, blocks, large):
                jsonschema.validate(vectors, schema)
        except ImportError:
            print("the schema was not compared: no python3-jsonschema")
        # What is right passes, by samples and by given numbers.
        assert failing(tokens, many(token)) == {}
        assert failing(blocks, many(block)) == {}
        assert failing(tokens, uniforms, uniforms=True) == {}
        # A large vocabulary: what is right passes, a kernel that cuts it passes all other cases.
        for size in (32768, 65536):
            assert failing(tokens, cut(uniforms, size), uniforms=True) == {}
            assert failing(large, cut(uniforms, size), uniforms=True)
        last = large["cases"][:1]
        assert failing({**large, "cases": last}, uniforms, uniforms=True) == {}
        reasons = failing({**large, "cases": last}, lambda *a: [[131071]] * a[-1])
        assert "[131071] is impossible, and came 512 times" in reasons[last[0]["id"]][0], reasons
        # What is emitted after the end of a sequence is not looked at.
        ends = {case["id"]: case["eos"] for case in tokens["cases"] if "eos" in case}
        assert len(ends) == 2

        def ending(*a):
            ends_here = a[1][1:2] == [[1, 0, 0]]
            return [each[:each.index(0) + 1] if ends_here and 0 in each else each for each in many(token)(*a)]
        ended = [case for case in tokens["cases"] if "eos" in case]
        assert failing({**tokens, "cases": ended}, ending) == {}
        try:
            import numpy
            assert failing(tokens, vectorised(numpy)) == {}
            assert failing(tokens, lambda *a: vectorised(numpy)(*a)[:, ::-1])
            assert failing(large, vectorised(numpy)) == {}
            assert len(failing(large, cut(vectorised(numpy), 65536))) == 3
        except ImportError:
            print("arrays were not tried: no python3-numpy")
        assert sum(len(case["uniforms"]) for case in tokens["cases"]) > 100
        # Every control that is said to be rejected is, and there are some.
        for vectors, controls in ((tokens, files["token.controls"]),
                                  (blocks, files["block.controls"])):
            verdicts = [(row["fault"], seen) for row, seen in check.reject(vectors, controls)]
            assert len(verdicts) >= 20 and all(seen for _, seen in verdicts), verdicts
            assert any("decisions" in row for row in controls["controls"])
        # A control that is the rule itself is not rejected.
        right = tokens["cases"][0]
        same = {"fault": "none", "case": 1, "decisions": [each["tokens"] for each in right["uniforms"]]}
        law = [{"tokens": each["tokens"], "probability": float(fractions.Fraction(each["probability"]))}
               for each in right["outcomes"]]
        for control in (same, {"fault": "none", "case": 1, "law": law}):
            assert [seen for _, seen in check.reject(tokens, {"controls": [control]})] == [False], control
        # Another rule; and a shared coin, residuals of other kinds, off by one, bad shapes, each of
        # which a third of the cases shows.
        third, third_blocks = ({**each, "cases": each["cases"][1::3]} for each in (tokens, blocks))
        assert failing(third, many(block)) and failing(third_blocks, many(token))
        coin = [0.0]

        def shared(drafts, *rows):
            coin[0] = rng.random()
            return token(drafts, *rows, accept=lambda r: coin[0] < r)
        wrong = {
            "shared coin": many(shared),
            "corrects from the target": many(lambda *a: token(*a, residual=lambda t, d: t)),
            "corrects from |t - d|": many(
                lambda *a: token(*a, residual=lambda t, d: [abs(x - y) for x, y in zip(t, d)])),
            "no bonus": many(lambda *a: token(*a)[:len(a[0])] or [0]),
            "a list too few": lambda *a: many(token)(*a)[1:],
            "no lists": lambda *a: 7,
            "a token outside": lambda *a: [[10 ** 6]] * a[-1],
            "half a token": lambda *a: [[0.5]] * a[-1],
            "not a number": lambda *a: [[float("nan")]] * a[-1],
            "raises": lambda *a: 1 // 0,
        }
        said = {"no lists": "returned 7, where", "a token outside": "where a list of tokens from 0 to",
                "half a token": "returned (0.5,)", "not a number": "returned (nan,)",
                "a list too few": "lists are due", "raises": "python.py:", "no bonus": "is impossible"}
        for name, function in wrong.items():
            reasons = failing(third, function)
            assert reasons, name
            for wrong_there in reasons.values():
                assert said.get(name, "") in wrong_there[0] and "\n" not in wrong_there[0], wrong_there
        off = lambda *a: uniforms(*a[:3], [1 - c for c in a[3]], a[4])
        assert failing(tokens, off, uniforms=True)
        # Its command line.
        missing = subprocess.run([sys.executable, CHECKER, folder + "/none.json", "a:b"],
                                 capture_output=True, text=True)
        assert missing.returncode == 2 and missing.stderr.count("\n") == 1, missing
        held = subprocess.run([sys.executable, CHECKER, folder + "/token.json", "--controls",
                               folder + "/token.controls.json"], capture_output=True, text=True)
        assert held.returncode == 0, held
    print("passed")


if __name__ == "__main__":
    main()
