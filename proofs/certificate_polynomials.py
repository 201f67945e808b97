"""Polynomials with whole coefficients, for certificate.py."""

from functools import reduce
from math import gcd
import itertools

MINUS, ZERO, PLUS = 1, 2, 4
SIGNS = {"<": MINUS, "=": ZERO, ">": PLUS, "<=": MINUS | ZERO, ">=": ZERO | PLUS, "!=": MINUS | PLUS}
RELATIONS = {signs: relation for relation, signs in SIGNS.items()}


class Wrong(Exception):
    """The certificate is wrong."""


class Unanswered(Exception):
    """The solver did not answer."""


# A polynomial is a dict from exponents (a tuple, one for each parameter) to a whole number, not 0.


def add(p, q, factor=1):
    total = dict(p)
    for powers, coefficient in q.items():
        total[powers] = total.get(powers, 0) + factor * coefficient
        if total[powers] == 0:
            del total[powers]
    return total


def times(p, q):
    total = {}
    for (a, x), (b, y) in itertools.product(p.items(), q.items()):
        powers = tuple(map(sum, zip(a, b)))
        total[powers] = total.get(powers, 0) + x * y
    return {powers: coefficient for powers, coefficient in total.items() if coefficient}


def divided(p, q):
    """The quotient, or None where there is a remainder."""
    lead = max(q)
    quotient = {}
    while p:
        top = max(p)
        powers = tuple(a - b for a, b in zip(top, lead))
        if min(powers) < 0 or p[top] % q[lead]:
            return None
        quotient[powers] = p[top] // q[lead]
        p = add(p, times({powers: quotient[powers]}, q), -1)
    return quotient


def monic_in(p):
    """The first parameter whose highest power has the coefficient 1 or -1, alone in its term and in no other;
    or None."""
    for i in range(len(max(p))):
        degree = max(powers[i] for powers in p)
        top = [(powers, c) for powers, c in p.items() if powers[i] == degree]
        if degree > 0 and len(top) == 1 and sum(top[0][0]) == degree and abs(top[0][1]) == 1:
            return i
    return None


def remainder(p, q, i):
    """Of the division by q, monic in parameter i: equal to p wherever q is zero."""
    degree = max(powers[i] for powers in q)
    lead = q[tuple(degree * (i == k) for k in range(len(max(q))))]
    while True:
        quotient = {tuple(k - degree * (i == j) for j, k in enumerate(powers)): lead * c
                    for powers, c in p.items() if powers[i] >= degree}
        if not quotient:
            return p
        p = add(p, times(quotient, q), -1)


def primitive(p):
    """(whole number, polynomial without a common divisor and with a positive first coefficient)."""
    content = reduce(gcd, p.values(), 0)
    if p[max(p)] < 0:
        content = -content
    return content, {powers: coefficient // content for powers, coefficient in p.items()}


def frozen(p):
    return tuple(sorted(p.items()))


def flipped(signs):
    return signs & ZERO | (PLUS if signs & MINUS else 0) | (MINUS if signs & PLUS else 0)


def condition(p, signs):
    """In lowest terms: (frozen polynomial, signs)."""
    content, p = primitive(p)
    return frozen(p), flipped(signs) if content < 0 else signs
