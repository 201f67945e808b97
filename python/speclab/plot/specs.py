"""Spec texts such as rrs(K=2) for people: only what distinguishes them."""

from .rows import family


def parameters(spec):
    """'rrs(K=2,at=[1,2])' -> ['K=2', 'at=[1,2]']: cut at commas outside of brackets."""
    inside, depth, parts = spec[len(family(spec)) + 1:-1], 0, [""]
    for letter in inside:
        depth += (letter in "([") - (letter in ")]")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part for part in parts if part]


def told_apart(specs):
    """['ngram(a=1,b=2)', 'ngram(a=1,b=3)', 'zipf(c=1)'] -> ['ngram, b = 2', 'ngram, b = 3', 'zipf']."""
    made = []
    for spec in specs:
        if not spec.endswith(")") or "(" not in spec:
            made.append(spec)
            continue
        kin = [set(parameters(other)) for other in specs if family(other) == family(spec)]
        own = [part for part in parameters(spec) if not all(part in other for other in kin)]
        made.append(", ".join([family(spec)] + [part.replace("=", " = ", 1) for part in own]))
    return made if len(set(made)) == len(set(specs)) else list(specs)
