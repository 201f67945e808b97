"""Solvers of nonlinear real arithmetic, for certificate.py."""

import shutil
import subprocess
import time
from fractions import Fraction
from math import prod

from certificate_polynomials import MINUS, PLUS, RELATIONS, ZERO, Unanswered, frozen, monic_in, remainder

DIGITS = 40  # of numbers near to irrational ones


class Solver:
    """Answers whether no pair meets conditions."""

    def __init__(self, seconds):
        self.seconds, self.queries, self.unanswered = seconds, 0, 0

    def excludes(self, names, conditions):
        """conditions: (frozen polynomial in the parameters `names`, signs)"""
        self.queries += 1
        answer = self.answer(names, conditions)
        if answer not in ("sat", "unsat"):
            self.unanswered += 1
            raise Unanswered("a query has no answer in time")
        return answer == "unsat"


class Z3(Solver):
    """What an answer takes depends on how it is asked for, by factors of thousands: all ways are tried by
    turns, with limits on the solver's steps that grow."""

    # (all conditions at once, not one by one; modulo an equality; the parameters in reverse order)
    AT_ONCE = (True, False, False)
    WAYS = ((False, False, False), (False, True, False), (False, False, True), AT_ONCE, (True, False, True))
    FIRST_STEPS, GROWTH = 40_000, 4

    def __init__(self, seconds):
        super().__init__(seconds)
        import z3
        self.z3, self.made = z3, {}

    def answer(self, names, conditions):
        end = time.monotonic() + self.seconds
        conditions = merged(conditions)
        if not all(signs for _, signs in conditions):
            return "unsat"
        steps = self.FIRST_STEPS
        answer = self.attempt(names, conditions, self.AT_ONCE, steps, end)  # most are simple
        if answer != "unknown":
            return answer
        asked = {False: conditions, True: modulo_an_equality(conditions)}
        ways = [way for way in self.WAYS if not way[1] or asked[True] != conditions]
        while answer == "unknown":
            for way in ways:
                if time.monotonic() >= end:
                    return answer
                answer = self.attempt(names, asked[way[1]], way, steps, end)
                if answer != "unknown":
                    break
            steps *= self.GROWTH
        return answer

    def attempt(self, names, conditions, way, steps, end):
        """Asserts the equalities and then, until there is an answer, one condition at a time that a point near
        the one found does not meet; without such a condition the answer is not known."""
        z3 = self.z3
        at_once, _, backwards = way
        variables = z3.Reals(names)
        asserted = [c for c in conditions if at_once or c[1] == ZERO]
        while True:
            solver = z3.Tactic("qfnra-nlsat").solver()
            solver.set("timeout", max(1, int(1000 * (end - time.monotonic()))), "rlimit", steps)
            # Parameters are probabilities; what is asserted first decides their order.
            solver.add([x >= 0 for x in (reversed(variables) if backwards else variables)])
            solver.add([self.compared(names, variables, c) for c in asserted])
            answer = str(solver.check())
            if at_once or answer != "sat":
                return answer
            point = [self.near(solver.model().eval(x, True)) for x in variables]
            missed = next((c for c in conditions if not c[1] & sign_near(c[0], point)), None)
            if missed is None:
                return "unknown"
            asserted.append(missed)

    def near(self, value):
        return (value.approx(DIGITS) if self.z3.is_algebraic_value(value) else value).as_fraction()

    def compared(self, names, variables, one):
        key = tuple(names), one
        if key not in self.made:
            polynomial, signs = one
            value = sum(coefficient * prod(x for x, k in zip(variables, powers) for _ in range(k))
                        for powers, coefficient in polynomial) + self.z3.RealVal(0)
            self.made[key] = {MINUS: value < 0, ZERO: value == 0, PLUS: value > 0, MINUS | ZERO: value <= 0,
                              ZERO | PLUS: value >= 0, MINUS | PLUS: value != 0}[signs]
        return self.made[key]


class Cvc5(Solver):
    def __init__(self, seconds):
        super().__init__(seconds)
        if not shutil.which("cvc5"):
            raise ImportError("cvc5 is not installed")

    def answer(self, names, conditions):
        done = subprocess.run(["cvc5", "--lang", "smt2", f"--tlimit={int(1000 * self.seconds)}", "-"],
                              input=script(names, conditions), capture_output=True, text=True, check=False)
        return done.stdout.strip() or "unknown"


def sign_near(polynomial, point):
    """The sign at a point; any, where it is within rounding of 0."""
    value = sum(coefficient * prod(x**k for x, k in zip(point, powers)) for powers, coefficient in polynomial)
    return MINUS | ZERO | PLUS if abs(value) < Fraction(1, 10**(DIGITS // 2)) else PLUS if value > 0 else MINUS


def merged(conditions):
    """One condition a polynomial; without signs where its conditions contradict each other."""
    known = {}
    for polynomial, signs in conditions:
        known[polynomial] = known.get(polynomial, MINUS | ZERO | PLUS) & signs
    return list(known.items())


def modulo_an_equality(conditions):
    """The conditions, modulo the first equality that is monic in a parameter."""
    for polynomial, signs in conditions:
        parameter = monic_in(dict(polynomial)) if signs == ZERO else None
        if parameter is not None:
            return [(p if p == polynomial else frozen(remainder(dict(p), dict(polynomial), parameter)), s)
                    for p, s in conditions]
    return conditions


def script(names, conditions):
    """SMT-LIB of conditions."""
    lines = ["(set-logic QF_NRA)"] + [f"(declare-const |{name}| Real)" for name in names]
    for p, signs in conditions:
        terms = ["(* " + " ".join([f"(- {-c})" if c < 0 else str(c)] +
                                  [f"|{n}|" for n, k in zip(names, powers) for _ in range(k)]) + " 1)"
                 for powers, c in p]
        text = f"(= (+ {' '.join(terms)} 0) 0)"
        text = f"(not {text})" if signs == MINUS | PLUS else text.replace("=", RELATIONS[signs], 1)
        lines.append(f"(assert {text})")
    return "\n".join(lines + ["(check-sat)\n"])


SOLVERS = {"z3": Z3, "cvc5": Cvc5}
