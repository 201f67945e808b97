"""Verifiers on rational functions of the probabilities, and what is claimed of them, for certificate.py."""

import re
from fractions import Fraction
from functools import reduce

from certificate_polynomials import (MINUS, PLUS, ZERO, Wrong, add, condition, divided, frozen,
                                     primitive, times)


class Cell:
    """Rational functions of the probabilities on one cell, and comparisons of them."""

    def __init__(self, family, path, sample, solver):
        self.family, self.path, self.solver = family, path, solver
        self.sample = sample and [Fraction(share) for share in sample]
        self.known, self.open, self.before = {}, set(), ()
        for p, signs in family.always + path:
            self.known[p] = self.known.get(p, 7) & signs
        self.base = list(dict.fromkeys(family.first + [p for p, _ in path]))
        self.laws = {(model, node): [self.ratio(p) for p in family.law(model, node)]
                     for model in ("draft", "target") for node in family.nodes()}

    def ratio(self, polynomial):
        """A polynomial as a product."""
        if not polynomial:
            return Ratio(self, Fraction(0), {})
        content, left = primitive(polynomial)
        powers = {}
        for p in self.base:
            while (quotient := divided(left, dict(p))) is not None:
                left, powers[p] = quotient, powers.get(p, 0) + 1
        if left != self.family.one:
            powers[frozen(left)] = 1
            self.base.append(frozen(left))
        return Ratio(self, Fraction(content), powers)

    def number(self, value):
        return Ratio(self, Fraction(value), {})

    def law(self, model, node):
        return self.laws[(model, self.family.place(self.before + node))]

    def sign(self, ratio):
        """The sign that a function has on the whole cell; None where it has several."""
        if ratio.coefficient == 0:
            return ZERO
        minus, odd = ratio.coefficient < 0, self.family.one
        for p, power in ratio.powers.items():
            signs = self.known.get(p, 7)
            if signs == ZERO:
                return ZERO
            if signs not in (MINUS, PLUS):
                odd = times(odd, dict(p) if power % 2 else times(dict(p), dict(p)))
            elif signs == MINUS and power % 2:
                minus = not minus
        if odd != self.family.one:
            p, _ = condition(odd, PLUS)
            if self.known.get(p, 7) not in (MINUS, ZERO, PLUS) and p not in self.open:
                self.known[p] = self.decided(p)
            if self.known[p] not in (MINUS, PLUS):
                return ZERO if self.known[p] == ZERO else None
            minus = minus != (self.known[p] == MINUS)
        return MINUS if minus else PLUS

    def has(self, ratio, signs):
        """Whether a function has one of these signs on the whole cell; else it has none of them."""
        sign = self.sign(ratio)
        if sign is None:
            p, wanted = self.numerator(ratio, signs)
            if self.excludes([(p, 7 & ~wanted)]):
                return True
            if not self.excludes([(p, wanted)]):
                raise Wrong("its conditions do not decide a comparison")
            return False
        return bool(sign & signs)

    def numerator(self, ratio, signs):
        """The condition on one polynomial that a function has one of these signs."""
        product = {k: 1 if ratio.coefficient > 0 else -1 for k in self.family.one}
        for p, power in ratio.powers.items():
            for _ in range(1 if power % 2 else 2):
                product = times(product, dict(p))
        return condition(product, signs)

    def decided(self, p):
        """The signs that pairs of the cell give a polynomial, where it is one; or else what is known."""
        guesses = [MINUS, ZERO, PLUS]
        if self.sample:
            value = sum(c * reduce(lambda a, b: a * b, map(pow, self.sample, powers), Fraction(1))
                        for powers, c in p)
            guesses.sort(key=lambda sign: sign != (MINUS if value < 0 else PLUS if value > 0 else ZERO))
        for guess in guesses:
            if self.excludes([(p, 7 & ~guess)]):
                return guess
        self.open.add(p)
        return self.known.get(p, 7)

    def excludes(self, conditions):
        return self.solver.excludes(self.family.names, self.family.always + self.path + conditions)


class Ratio:
    """coefficient * product of polynomial^power, powers of either sign."""

    def __init__(self, cell, coefficient, powers):
        self.cell, self.coefficient, self.powers = cell, coefficient, powers

    def __mul__(self, other, sign=1):
        if self.coefficient == 0 or other.coefficient == 0:
            return self.cell.number(0)
        powers = dict(self.powers)
        for p, power in other.powers.items():
            powers[p] = powers.get(p, 0) + sign * power
            if powers[p] == 0:
                del powers[p]
        return Ratio(self.cell, self.coefficient * other.coefficient ** sign, powers)

    def __truediv__(self, other):
        if self.cell.sign(other) not in (MINUS, PLUS):
            raise Wrong("a verifier divides by what may be 0")
        return self.__mul__(other, -1)

    def __add__(self, other):
        if self.coefficient == 0 or other.coefficient == 0:
            return other if self.coefficient == 0 else self
        shared = {p: min(self.powers.get(p, 0), other.powers.get(p, 0))
                  for p in {**self.powers, **other.powers}}
        scale = self.coefficient.denominator * other.coefficient.denominator
        total = {}
        for part in (self, other):
            p = {k: int(part.coefficient * scale) for k in self.cell.family.one}
            for factor, least in shared.items():
                for _ in range(part.powers.get(factor, 0) - least):
                    p = times(p, dict(factor))
            total = add(total, p)
        rest = Ratio(self.cell, Fraction(1, scale), {p: k for p, k in shared.items() if k})
        return self.cell.ratio(total) * rest

    def __sub__(self, other):
        return self + Ratio(self.cell, -other.coefficient, other.powers)

    def capped(self):
        """min(1, this)"""
        one = self.cell.number(1)
        return one if self.cell.has(self - one, ZERO | PLUS) else self

    def positive(self):
        """max(0, this)"""
        return self if self.cell.has(self, PLUS | ZERO) else self.cell.number(0)


class Choices:
    """Makes the decisions of one sequence: options that have no probability on the cell are left out."""

    def __init__(self, cell, script):
        self.cell, self.script, self.taken, self.others = cell, script, [], []
        self.weight = cell.number(1)

    def choose(self, weights):
        at = len(self.taken)
        if at == len(self.script):
            likely = [x for x, weight in enumerate(weights) if self.cell.sign(weight) != ZERO]
            self.others += [self.taken + [x] for x in likely[1:]]
            self.script = self.taken + likely[:1]
        self.taken.append(self.script[at])
        self.weight = self.weight * weights[self.taken[-1]]
        return self.taken[-1]

    def accept(self, probability):
        return self.choose([self.cell.number(1) - probability, probability]) == 1

    def correct(self, weights):
        total = reduce(Ratio.__add__, weights)
        return self.choose([weight / total for weight in weights])


def residual(cell, scale, target, node):
    return [(scale * t - d).positive() for t, d in zip(target, cell.law("draft", node))]


def token(cell, choices, gamma, lenience=1, slack=0):
    """Leviathan et al. 2023, and lenient of their appendix A.5; biased: yin2024 section 4"""
    lenience, slack = cell.number(lenience), cell.number(slack)
    out = ()
    while len(out) < gamma:
        draft, target = cell.law("draft", out), cell.law("target", out)
        x = choices.choose(draft)
        if not choices.accept(((target[x] + slack) / (lenience * draft[x])).capped()):
            return out + (choices.correct(residual(cell, cell.number(1), target, out)),)
        out += (x,)
    return out + (choices.choose(cell.law("target", out)),)


def block(cell, choices, gamma):
    """Sun et al. 2025, Algorithm 2"""
    path, weights, one = (), [cell.number(1)], cell.number(1)
    for _ in range(gamma):
        x = choices.choose(cell.law("draft", path))
        ratio = cell.law("target", path)[x] / cell.law("draft", path)[x]
        weights.append((weights[-1] * ratio).capped())
        path += (x,)
    if choices.accept(weights[gamma]):
        return path + (choices.choose(cell.law("target", path)),)
    for i in range(gamma - 1, -1, -1):
        node = path[:i]
        left = residual(cell, weights[i], cell.law("target", node), node)
        if i == 0:
            break
        total = reduce(Ratio.__add__, left)
        if choices.accept(total / (total + one - weights[i])):
            break
    return node + (choices.correct(left),)


def sample_match(cell, choices, gamma):
    """Emits the target's draws while they equal the draft's."""
    return target_only(cell, choices, gamma, 1)


def target_only(cell, choices, gamma, drafts):
    """Miao et al. 2023: emits the target's draws while one of the drafts has them."""
    out, playing = (), drafts
    while len(out) < gamma:
        drawn = [choices.choose(cell.law("draft", out)) for _ in range(playing)]
        x = choices.choose(cell.law("target", out))
        out, playing = out + (x,), drawn.count(x)
        if not playing:
            return out
    return out + (choices.choose(cell.law("target", out)),)


def rrs(cell, choices, gamma, drafts):
    """Miao et al. 2023, recursive rejection sampling, position by position"""
    out, playing = (), drafts
    while len(out) < gamma:
        draft, target = cell.law("draft", out), cell.law("target", out)
        drawn = [choices.choose(draft) for _ in range(playing)]
        for x in drawn:
            if choices.accept((target[x] / draft[x]).capped()):
                break
            left = residual(cell, cell.number(1), target, out)
            total = reduce(Ratio.__add__, left)
            target = [weight / total for weight in left]
        else:
            return out + (choices.correct(target),)
        out, playing = out + (x,), drawn.count(x)
    return out + (choices.choose(cell.law("target", out)),)


PROGRAMS = {"token": token, "block": block, "sample-match": sample_match, "target-only": target_only,
            "rrs": rrs}


def program_of(spec):
    if biased := re.fullmatch(r"lenient\(l=([0-9/]+)\)|biased\(eps=([0-9/]+),residual=standard\)", spec):
        lenience, slack = Fraction(biased[1] or 1), Fraction(biased[2] or 0)
        return lambda cell, choices, gamma: token(cell, choices, gamma, lenience, slack)
    name, _, rest = spec.partition("(")
    drafts = re.fullmatch(r"K=(\d+)(, ?draw=with)?\)", rest)
    if name not in PROGRAMS or bool(rest) != (name in ("rrs", "target-only")) or (rest and not drafts):
        return sample_match if spec == "sample-match(draft=sampled)" else None
    more = [int(drafts[1])] if rest else []
    return lambda cell, choices, gamma: PROGRAMS[name](cell, choices, gamma, *more)


def sequences(cell, program, gamma):
    """(tokens of one iteration, probability) of each sequence of decisions."""
    open_scripts = [[]]
    while open_scripts:
        choices = Choices(cell, open_scripts.pop())
        tokens = program(cell, choices, gamma)
        open_scripts += choices.others
        yield tokens, choices.weight


def accepted(cell, program):
    return reduce(Ratio.__add__, (cell.number(len(tokens) - 1) * weight
                                  for tokens, weight in sequences(cell, program, cell.family.gamma)))


def goals(cell, claim, programs):
    """(difference, signs that it must have)"""
    if claim != "lossless":
        less = accepted(cell, programs[0]) - accepted(cell, programs[1])
        return [(less, ZERO | PLUS if claim == "at-least" else ZERO)]
    found = [difference for before, gamma in cell.family.runs
             for difference in missed(cell, before, gamma, programs[0])]
    if cell.family.models == "any":  # as often as with one draft a first one is accepted with two
        cell.before = ()
        found.append(some_accepted(cell, programs[0], 2) - some_accepted(cell, programs[0], 1))
    return [(difference, ZERO) for difference in found]


def some_accepted(cell, program, gamma):
    """The probability that a drafted token is accepted."""
    return reduce(Ratio.__add__, (weight for tokens, weight in sequences(cell, program, gamma)
                                  if len(tokens) > 1), cell.number(0))


def missed(cell, before, gamma, program):
    """By how much the law of gamma + 1 tokens after those before is not the target's."""
    cell.before, length, differences = before, gamma + 1, {}

    def go_on(tokens, weight):
        if len(tokens) == length:
            differences[tokens] = differences.get(tokens, cell.number(0)) + weight
            return
        for x, t in enumerate(cell.law("target", tokens)):
            go_on(tokens + (x,), weight * t)

    go_on((), cell.number(-1))
    for tokens, weight in sequences(cell, program, gamma):
        go_on(tokens, weight)
    return list(differences.values())


def check_goal(cell, difference, wanted):
    if difference.coefficient == 0:
        return
    if not cell.excludes([cell.numerator(difference, 7 & ~wanted)]):
        raise Wrong("the statement fails on the cell")
