"""Reading what speclab writes: the lines of one CSV, and choosing among them."""

import csv
import io
import os
import sys

import numpy as np

# Columns of results; every other column is a coordinate.
FOUND = frozenset("""value exact stderr ci95_low ci95_high predicted predicted_exact claim z verdict relation bound bound_exact
    difference speedup low high acceptance_length trials_saved_by_pairing choice rejections tv""".split())
# Columns of how a number was obtained, not of what: no two series differ by them alone.
HOW = frozenset("experiment arithmetic method trials seed vary".split())


def number(text):
    """A coordinate of the CSV as a float: '0.25', '1/3', '20'; 'inf' stays infinite."""
    if "/" in text:
        above, below = text.split("/")
        return float(above) / float(below)
    return float(text)


def numeric(text):
    """Whether `number` reads it."""
    try:
        number(text)
    except (ValueError, ZeroDivisionError):
        return False
    return True


def family(spec):
    """'kseq(K=2)' -> 'kseq'."""
    return spec.split("(")[0]


def combination(row):
    """The common part of results with several numbers of trials."""
    return tuple(row.get(name, "") for name in ("task", "pair", "verifier", "gamma", "horizon", "iterations",
                                                "arithmetic")) + tuple(row["vary"].items())


def closed_form(row):
    """A line with the closed form of its claim, or its bound, as its number."""
    if row.get("bound"):
        return {**row, "value": row["bound"], "exact": row["bound_exact"]}
    if not row.get("predicted"):
        return row
    empty = dict.fromkeys(("stderr", "ci95_low", "ci95_high", "predicted", "predicted_exact"), "")
    return {**row, **empty, "method": "closed-form", "value": row["predicted"], "exact": row["predicted_exact"]}


class Rows:
    """Lines of one results CSV, each a dict by column; `vary` is a dict of its own."""

    def __init__(self, rows, name, picked=False):
        self.rows = rows
        self.name = name
        self.picked = picked

    @staticmethod
    def read(path):
        """Of a file, or of standard input for '-'. Raises LookupError, saying what to give, for anything but speclab's CSV."""
        if path == "-":
            text, name = sys.stdin.read(), "standard input"
        else:
            with open(path, newline="", encoding="utf-8") as file:
                text, name = file.read(), os.path.basename(path)
        return Rows.parse(text, name)

    @staticmethod
    def parse(text, name):
        if not text.strip():
            raise LookupError(f"{name} is empty; write it with --format csv of a command, or with speclab run")
        rows = list(csv.DictReader(io.StringIO(text)))
        for place, row in enumerate(rows, 2):
            if None in row or None in row.values():
                raise LookupError(f"{name}: line {place} has not as many fields as the first; was it cut?")
            row["vary"] = dict(word.split("=", 1) for word in row.get("vary", "").split())
        return Rows(rows, name)

    def __len__(self):
        return len(self.rows)

    def __iter__(self):
        return iter(self.rows)

    def pick(self, need=True, **where):
        """The lines that a selector chooses: column = value, one dialect with the experiments' [[derived]] and
        [[expected]] (docs/experiments.md; src/experiment/selector.h). A name that is no column is a variable's.

        `pair` and `verifier` may be a family alone. `claim` chooses the closed form of that claim and its number.
        Without `claim` and `method`, lines that are a closed form or a bound alone are left out; without
        trials="all", results after fewer trials than the most. Picking again narrows what was picked. With
        need=False an empty choice is an answer."""
        def fits(row, key, value):
            if key in ("pair", "verifier"):
                return value in (row[key], family(row[key]))
            return (key, value) == ("trials", "all") or self.coordinate(row, key) == str(value)
        rows = [row for row in self.rows if all(fits(row, key, value) for key, value in where.items())]
        if not self.picked and "claim" not in where and "method" not in where:
            rows = [row for row in rows if row.get("method") not in ("closed-form", "bound")]
        if not self.picked and where.get("trials") != "all":
            most = {}
            for row in self.rows:
                key = combination(row)
                most[key] = max(most.get(key, 0), int(row.get("trials") or 0))
            rows = [row for row in rows if int(row.get("trials") or 0) == most[combination(row)]]
        if "claim" in where or where.get("method") == "bound":
            rows = [closed_form(row) for row in rows]
        if need and not rows:
            raise LookupError(f"{self.name}: no line with {where}")
        return Rows(rows, self.name, picked=True)

    @staticmethod
    def coordinate(row, key):
        """A column, or the value of a variable; None where there is no such variable."""
        return row[key] if key in row else row["vary"].get(key)

    def names(self):
        """The columns and variables that can distinguish lines, in the file's order."""
        names = {}
        for row in self.rows:
            names.update(dict.fromkeys(name for name in row if name not in FOUND and name != "vary"))
            names.update(dict.fromkeys(row["vary"]))
        return list(names)

    def values(self, key):
        """The different values of a coordinate, in order of their first line."""
        return list(dict.fromkeys(self.coordinate(row, key) for row in self.rows))

    def xy(self, x):
        """Arrays by a coordinate x: x, value, low, high (the 95% interval; nan where there is none)."""
        rows = sorted(self.rows, key=lambda row: number(self.coordinate(row, x)))

        def column(name):
            return np.array([float(row[name]) if row[name] else np.nan for row in rows])
        return (np.array([number(self.coordinate(row, x)) for row in rows]),
                column("value"), column("ci95_low"), column("ci95_high"))

    def one(self):
        """The value of the only line."""
        if len(self.rows) != 1:
            raise LookupError(f"{self.name}: {len(self.rows)} lines where one is needed")
        return float(self.rows[0]["value"])
