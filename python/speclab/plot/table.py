"""A picture of any table of results: y over x, a series for each value of `by`, a panel for each of `facet`.

What is exact is a line. What is estimated are marks with 95% intervals, joined by a thin line; where the file holds a
closed form for them and nothing exact, it is a dashed line.
"""

import math

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from . import look, marks
from .choose import Wrong, check_places, chosen, estimated
from .rows import Rows, family, number, numeric
from .specs import told_apart

MOST_SERIES, MOST_PANELS = len(look.SEQUENCE) * len(look.DASHES), 16
ERRORS = ("bars", "band", "none")
AXES = {"gamma": "\u03b3, draft length", "trials": "trials", "horizon": "T, tokens of a decode", "K": "K, drafts",
        "drafts": "K, drafts", "index": "index", "M": "M, drafts in the batch", "eps": "\u03b5",
        "rejections": "rejections", "iterations": "iterations"}
INDICES = {"accepted_law": "\u03c4, accepted tokens", "tail": "i, drafted tokens", "position_rates": "i, drafted tokens",
           "expected_tokens": "i, iterations"}


class Across:
    """The x axis: numbers, or words in the file's order where a value is none or infinite."""

    def __init__(self, words, log=False):
        words = list(dict.fromkeys(map(str, words)))
        self.numbers = all(numeric(word) and math.isfinite(number(word)) for word in words)
        self.words = words
        if log and not (self.numbers and all(number(word) > 0 for word in words)):
            raise Wrong("--log x needs positive numbers on the x axis")

    def at(self, word):
        return number(word) if self.numbers else float(self.words.index(word))

    def finish(self, ax, name, log):
        ax.set_xlabel(name)
        if not self.numbers:
            texts = told_apart(self.words)
            upright = max(map(len, texts)) > 60 // len(texts)
            ax.set_xticks(range(len(texts)), texts, rotation=45 if upright else 0, ha="right" if upright else "center")
            ax.set_xlim(-0.5, len(texts) - 0.5)
        elif not log and all(number(word) == int(number(word)) for word in self.words):
            ax.xaxis.set_major_locator(MaxNLocator(integer=True))


def draw_series(ax, rows, across, choice, color, marker, dash):
    """One series; returns the height of its end."""
    layers = {kind: sorted((row for row in rows if estimated(row) == kind),
                           key=lambda row: across.at(Rows.coordinate(row, choice.x))) for kind in (False, True)}
    end = 0.0

    def column(lines, name):
        return np.array([float(row[name]) for row in lines])
    for kind, lines in layers.items():
        if not lines:
            continue
        at = np.array([across.at(Rows.coordinate(row, choice.x)) for row in lines])
        value, low, high = (column(lines, name) for name in ("number", "low", "high"))
        joined = {"color": color, "linestyle": dash if across.numbers else "none"}
        if not kind:
            ax.plot(at, value, **joined, marker=marker if len(at) < 40 else None)
        else:
            closed = [number(row["predicted"]) if row.get("predicted") else math.nan for row in lines]
            if not layers[False] and across.numbers and not np.isnan(closed).all() and choice.y == lines[0].get("quantity"):
                ax.plot(at, closed, color=color, linestyle=(0, (4, 2)), linewidth=1.2)
            elif not layers[False]:
                ax.plot(at, value, **joined, linewidth=0.9)
            if choice.errors == "band" and across.numbers:
                ax.fill_between(at, low, high, color=color, alpha=0.2, linewidth=0)
            if choice.errors != "bars" or not across.numbers and np.isnan(low).all():
                low = high = np.full_like(value, np.nan)
            marks.estimates(ax, at, value, low, high, color, marker, markersize=4.5)
        end = value[-1]
    return end


def series_look(keys, by):
    """Colour, mark and dash of each series; a verifier's own where each series is another verifier."""
    families = [family(key[0]) for key in keys] if by == ("verifier",) else []
    if families and len(set(families)) == len(keys) and all(name in look.VERIFIERS for name in families):
        styles = [look.VERIFIERS[name][:2] + ("-",) for name in families]
        if len({color for color, _, _ in styles}) == len(keys):
            return styles
    count = len(look.SEQUENCE)
    return [(look.SEQUENCE[i % count], look.MARKERS[i % count], look.DASHES[i // count]) for i in range(len(keys))]


def series_names(keys, by):
    """'block', 'rrs, K = 2': what distinguishes series, in words."""
    columns = []
    for name, words in zip(by, zip(*keys)):
        words = told_apart(list(map(str, words)))
        columns.append([f"{name} = {word}" if numeric(word) else word for word in words])
    return [", ".join(dict.fromkeys(words)) for words in zip(*columns)]


def key_of(ax, rows, choice, entries):
    """Names of series at their ends where they are short, else in a key below; and what marks and lines are."""
    direct = [entry for entry in entries if entry["name"]]
    short = direct and all(len(entry["name"]) <= 24 for entry in direct) and len(direct) <= 7 and entries[0]["numbers"]
    kinds = []
    if any(map(estimated, rows)):
        said = {"bars": "estimate, 95% interval", "band": "estimate, 95% band", "none": "estimate"}[choice.errors]
        kinds.append(marks.mark_of_estimates(said))
        closed = any(row.get("predicted") for row in rows) and choice.y == rows.rows[0].get("quantity")
        if closed and all(map(estimated, rows)):
            kinds.append(Line2D([], [], color=look.GREY, linestyle=(0, (4, 2)), linewidth=1.2, label="closed form"))
        elif not all(map(estimated, rows)):
            kinds.append(Line2D([], [], color=look.GREY, label="exact"))
    handles = kinds if short else [Line2D([], [], color=entry["color"], marker=entry["marker"], linestyle=entry["dash"],
                                          label=entry["name"]) for entry in direct] + kinds
    if handles:
        columns = 1 if any(len(handle.get_label()) > 30 for handle in handles) else min(2, len(handles))
        ax.legend(handles=handles, loc="upper left", bbox_to_anchor=(0, -0.22), ncol=columns, borderaxespad=0)
    return short


def draw_panel(ax, rows, choice, across, styles, last):
    """One panel; returns what label_ends wants."""
    ends = []
    for key, (color, marker, dash, name) in styles.items():
        mine = [row for row in rows if tuple(Rows.coordinate(row, part) for part in choice.by) == key]
        if mine:
            ends.append((draw_series(ax, mine, across, choice, color, marker, dash), name, color))
    across.finish(ax, (INDICES if choice.x == "index" else AXES).get(
        choice.y.rsplit(".", 1)[-1] if choice.x == "index" else choice.x, choice.x) if last else "", "x" in choice.log)
    if "x" in choice.log:
        ax.set_xscale("log")
    if "y" in choice.log:
        if any(row["number"] <= 0 for row in rows):
            raise Wrong(f"--log y needs positive numbers; {choice.y} is {min(row['number'] for row in rows):g} somewhere")
        ax.set_yscale("log", nonpositive="clip")
    ax.margins(0.05, 0.08)
    return ends


def draw(rows, choice, paper=False):
    """The figure of a choice among rows. @returns it and a caption: what all that is drawn has in common"""
    rows, choice = chosen(rows, choice)
    check_places(rows, choice)
    keys = list(dict.fromkeys(tuple(rows.coordinate(row, name) for name in choice.by) for row in rows))
    facets = rows.values(choice.facet) if choice.facet else [None]
    for count, most, what in ((len(keys), MOST_SERIES, "series"), (len(facets), MOST_PANELS, "panels")):
        if count > most:
            raise Wrong(f"{count} {what} are more than can be distinguished ({most}); choose some with --where NAME=VALUE")
    names = series_names(keys, choice.by) if choice.by else [""] * len(keys)
    styles = {key: (*style, name) for key, style, name in zip(keys, series_look(keys, choice.by), names)}
    across = Across([rows.coordinate(row, choice.x) for row in rows], "x" in choice.log)
    columns = min(len(facets), 3 if len(facets) > 4 else 2)
    lines = math.ceil(len(facets) / columns)
    wide = (look.COLUMN if len(facets) == 1 else look.PAGE) if paper else (6.4 if len(facets) == 1 else 4.2 * columns)
    figure, axes = look.panels(lines, columns, (wide, lines * (2.6 if paper else 3.4) + 0.4), sharey=True)
    said = told_apart([str(value) for value in facets])
    entries = [{"name": name, "color": color, "marker": marker, "dash": dash, "numbers": across.numbers}
               for color, marker, dash, name in styles.values()]
    every = []
    for place, (ax, value) in enumerate(zip(axes.flat, facets)):
        mine = Rows([row for row in rows if value is None or rows.coordinate(row, choice.facet) == value], rows.name, True)
        every.append(draw_panel(ax, mine, choice, across, styles, last=place + columns >= len(facets)))
        if value is not None:
            ax.set_title(f"{choice.facet} = {value}" if numeric(str(value)) else said[place])
    for ax in list(axes.flat)[len(facets):]:
        ax.set_visible(False)
    for ax in axes[:, 0]:
        ax.set_ylabel(choice.y.replace("_", " ").replace(".", ": "))
    if key_of(axes[-1, 0], rows, choice, entries):
        for ax, ends in zip(axes.flat, every):
            marks.label_ends(ax, ends, gap=9.5 if paper else 12, size=7 if paper else 9)
    return figure, caption(rows, choice)


def caption(rows, choice):
    """'bernoulli(...), horizon = 16; 2,048 trials; seed 1': what every line has in common."""
    said = []
    for name in rows.names():
        values = rows.values(name)
        if name in (choice.x, choice.facet, *choice.by, "quantity", "method", "arithmetic", "number", "low", "high", "task",
                    "experiment") or len(values) != 1 or not values[0] or values[0] == "0":
            continue
        said.append(values[0] if name in ("pair", "verifier") else f"{int(values[0]):,} trials" if name == "trials" else
                    f"{name} = {values[0]}")
    return "; ".join(said)
