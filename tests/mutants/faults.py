"""The faults: where a source could hold one of them, and the source that holds many, each behind its
own switch.

`a < b` becomes `(on(17) ? (a <= b) : (a < b))`, a statement `f(x);` becomes `if (!on(17)) { f(x); }`.
on(17) is true where the environment says SPECLAB_MUTANT=17, and never in a constant expression.
"""

import dataclasses

_SWAPS = {
    "<": ("a bound shifted", "<="), "<=": ("a bound shifted", "<"),
    ">": ("a bound shifted", ">="), ">=": ("a bound shifted", ">"),
    "==": ("equality turned", "!="), "!=": ("equality turned", "=="),
    "+": ("+ and - swapped", "-"), "-": ("+ and - swapped", "+"),
    "*": ("* and / swapped", "/"), "/": ("* and / swapped", "*"),
    "&&": ("&& and || swapped", "||"), "||": ("&& and || swapped", "&&"),
    "+=": ("+ and - swapped", "-="), "-=": ("+ and - swapped", "+="),
    "*=": ("* and / swapped", "/="), "/=": ("* and / swapped", "*="),
    "++": ("++ and -- swapped", "--"), "--": ("++ and -- swapped", "++"),
}
_ASSIGNS = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="}
_LOGIC = {"&&", "||"}
_NOT_AN_EXPRESSION = {
    "return", "break", "continue", "if", "for", "while", "do", "switch", "case", "default", "else", "try",
    "throw", "using", "static", "const", "constexpr", "auto", "typename", "template", "struct", "class",
    "enum", "goto", "static_assert", "delete", "bool", "int", "double", "co_return",
}
_EMPTY = {"", "{ }", "0", "false", "nullptr", "std :: nullopt", '""'}
KINDS = sorted({kind for kind, _ in _SWAPS.values()} | {
    "! dropped", "condition negated", "number off by one", "index off by one", "true and false swapped",
    "min and max swapped", "statement deleted", "break or continue dropped", "empty value returned"})


@dataclasses.dataclass
class Site:
    """A place and its fault: the text from begin to end becomes before + text + after, made of the
    switch's number."""

    kind: str
    line: int
    begin: int
    end: int
    says: str  # what the line says with the fault, or what is left out
    make: object  # number -> the new text
    last_line: int = 0


def _flat(source, first, last, changed=None, by=""):
    """Tokens first..last on one line, one of them changed."""
    return " ".join(by if k == changed else source.says[k] for k in range(first, last + 1))


def _on(number):
    return f"::speclab_mutant::on({number})"


class _Finder:
    def __init__(self, source):
        self.source = source
        self.sites = []

    def add(self, kind, i, begin, end, make, change):
        """`change`: from, to and the new text within the line of token i, for the list."""
        text = self.source.text
        start = text.rfind("\n", 0, self.source.at[i]) + 1
        stop = text.find("\n", start)
        stop = len(text) if stop < 0 else stop
        a, b, new = change
        says = " ".join((text[start:a] + new + text[min(b, stop):stop]).split())
        if not new and b - a > 1:
            says = "without " + " ".join(text[a:b].split())
        self.sites.append(Site(kind, self.source.line(i), begin, end, says, make,
                               text.count("\n", 0, end) + 1))

    def choice(self, kind, i, first, last, by):
        """The expression first..last with token i changed."""
        source = self.source
        begin, end = source.at[first], source.end(last)
        original, changed = source.text[begin:end], _flat(source, first, last, i, by)
        self.add(kind, i, begin, end,
                 lambda n: f"({_on(n)} ? ({changed}) : ({original}))",
                 (source.at[i], source.end(i), by))

    def operator(self, i):
        source, says = self.source, self.source.says[i]
        kind, by = _SWAPS[says]
        if says not in ("++", "--") and not source.spaced[i]:
            return
        if says in ("++", "--") and not (source.touches(i + 1) or source.touches(i)):
            return
        ends = set() if says in _LOGIC else set(_LOGIC)
        if says not in _ASSIGNS:
            ends |= _ASSIGNS
        first, last = source.region(i, ends)
        if first < i or (says in ("++", "--") and last > i):
            self.choice(kind, i, first, last, by)

    def negation(self, i):
        """Both ways are made true or false: an optional number and its negation have the optional in common."""
        source = self.source
        first, last = source.region(i, _LOGIC | _ASSIGNS)
        if first != i:
            return
        begin, end = source.at[first], source.end(last)
        original, changed = source.text[begin:end], _flat(source, first + 1, last)
        self.add("! dropped", i, begin, end,
                 lambda n: f"({_on(n)} ? static_cast<bool>({changed}) : static_cast<bool>({original}))",
                 (begin, begin + 1, ""))

    def word(self, i):
        source, says = self.source, self.source.says[i]
        begin, end = source.at[i], source.end(i)
        if says in ("true", "false"):
            by = "false" if says == "true" else "true"
            self.add("true and false swapped", i, begin, end, lambda n: f"({_on(n)} != {says})",
                     (begin, end, by))
        elif says in ("min", "max") and source.said(i - 1) == "::" and source.said(i - 2) == "std":
            first, last = source.region(i, _LOGIC | _ASSIGNS)
            self.choice("min and max swapped", i, first, last, "max" if says == "min" else "min")
        elif says in ("if", "while") and source.said(i + 1) == "(" and source.said(i - 1) != "}":
            self.condition(i + 1)

    def condition(self, opened):
        source = self.source
        closed = source.match[opened]
        first = opened + 1
        for k in range(opened + 1, closed):
            if source.parent[k] == opened and source.says[k] == ";":
                first = k + 1
        if any(source.says[k] == "=" and source.parent[k] == opened for k in range(first, closed)):
            return
        begin, end = source.at[first], source.end(closed - 1)
        original = source.text[begin:end]
        self.add("condition negated", opened, begin, end,
                 lambda n: f"{_on(n)} != static_cast<bool>({original})",
                 (begin, end, f"!({_flat(source, first, closed - 1)})"))

    def number(self, i):
        says = self.source.says[i]
        digits = says.rstrip("uUlLzZ")
        if not digits.isdigit() or self.source.said(i - 1) == "." or len(digits) > 9:
            return
        by = str(int(digits) + 1) + says[len(digits):]
        begin, end = self.source.at[i], self.source.end(i)
        self.add("number off by one", i, begin, end, lambda n: f"({_on(n)} ? {by} : {says})", (begin, end, by))

    def index(self, i):
        source = self.source
        if source.captures(i) or i not in source.match or source.match[i] == i + 1:
            return
        closed = source.match[i]
        begin, end = source.at[i + 1], source.end(closed - 1)
        original, flat = source.text[begin:end], _flat(source, i + 1, closed - 1)
        self.add("index off by one", i, begin, end, lambda n: f"{_on(n)} ? ({flat}) + 1 : ({original})",
                 (begin, end, flat + " + 1"))

    def statement(self, i):
        source = self.source
        last = source.last(i)
        if last == i:
            return
        begin, end, says = source.at[i], source.end(last), source.says[i]
        text = source.text[begin:end]
        if says in ("break", "continue"):
            self.add("break or continue dropped", i, begin, end, lambda n: f"{{ if (!{_on(n)}) {text} }}",
                     (begin, end, ""))
        elif says == "return" and _flat(source, i + 1, last - 1) not in _EMPTY:
            self.add("empty value returned", i, begin, end,
                     lambda n: f"{{ if ({_on(n)}) return {{}}; {text} }}", (begin, end, "return {};"))
        elif self.is_expression(i, last):
            self.add("statement deleted", i, begin, end, lambda n: f"{{ if (!{_on(n)}) {{ {text} }} }}",
                     (begin, end, ""))

    def is_expression(self, i, last):
        """Whether the statement is a call or an assignment, and no declaration."""
        source = self.source
        if source.says[i] in ("++", "--"):
            return True
        if source.kind[i] != "name" or source.says[i] in _NOT_AN_EXPRESSION:
            return False
        k = i + 1
        while k < last:
            says = source.says[k]
            if says in ("(", "[", "<") and k in source.match:
                k = source.match[k]
            elif says in ("::", ".", "->"):
                k += 1
            else:
                break
            k += 1
        return k == last and source.says[last - 1] == ")" or source.said(k) in _ASSIGNS | {"++", "--"}


def sites(source):
    """Every fault that the source could hold, in its order."""
    finder = _Finder(source)
    for i, says in enumerate(source.says):
        if source.skipped[i] or not source.inside(i):
            continue
        if source.begins(i):
            finder.statement(i)
        if source.kind[i] == "op":
            if says in _SWAPS:
                finder.operator(i)
            elif says == "!" and not source.spaced[i]:
                finder.negation(i)
            elif says == "[":
                finder.index(i)
        elif source.kind[i] == "name":
            finder.word(i)
        elif source.kind[i] == "number":
            finder.number(i)
    return finder.sites


def sample(found, count, random):
    """At most `count` of the sites, of as many kinds as there are, none within another."""
    by_kind = {}
    for site in found:
        by_kind.setdefault(site.kind, []).append(site)
    kinds = sorted(by_kind)
    random.shuffle(kinds)
    for kind in kinds:
        random.shuffle(by_kind[kind])
    taken = []
    while len(taken) < count and any(by_kind.values()):
        for kind in kinds:
            while by_kind[kind]:
                site = by_kind[kind].pop()
                if all(site.end <= other.begin or other.end <= site.begin for other in taken):
                    taken.append(site)
                    break
            if len(taken) == count:
                break
    return sorted(taken, key=lambda site: site.begin)


def rewritten(text, numbered):
    """The text with the sites' faults behind their switches; lines keep their numbers."""
    for number, site in sorted(numbered, key=lambda pair: -pair[1].begin):
        text = text[:site.begin] + site.make(number) + text[site.end:]
    return '#include "base/mutant.h"\n#line 1\n' + text
