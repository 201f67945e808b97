"""A picture of any table of results: y over x, a series for each value of `by`, a panel for each of `facet`.

What is exact is a line. What is estimated are marks with 95% intervals, joined by a thin line; where the file holds a
closed form for them and nothing exact, it is a dashed line.
"""

import dataclasses
import difflib
import math

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from . import look, marks
from .rows import FOUND, HOW, Rows, family, number, numeric
from .specs import told_apart

MOST_SERIES, MOST_PANELS = len(look.SEQUENCE) * len(look.DASHES), 16
ERRORS = ("bars", "band", "none")
# A number that stands in a column of its own, with the columns of its interval.
COLUMNS = {"speedup": ("low", "high"), "difference": ("low", "high"), "acceptance_length": None, "tv": None,
           "rejections": None, "tv_to_target": None, "trials_saved_by_pairing": None}
AXES = {"gamma": "\u03b3, draft length", "trials": "trials", "horizon": "T, tokens of a decode", "K": "K, drafts",
        "drafts": "K, drafts", "index": "index", "M": "M, drafts in the batch", "eps": "\u03b5",
        "rejections": "rejections", "iterations": "iterations"}
INDICES = {"accepted_law": "\u03c4, accepted tokens", "tail": "i, drafted tokens", "position_rates": "i, drafted tokens",
           "expected_tokens": "i, iterations"}


class Wrong(LookupError):
    """A choice that the file cannot answer; its text names the mend."""


@dataclasses.dataclass
class Choice:
    """What to draw: x and y, what tells series (`by`) and panels (`facet`) apart, and how."""
    x: str
    y: str
    by: tuple = ()
    facet: str = ""
    where: tuple = ()    # (name, value) pairs that lines must have
    log: str = ""        # "x", "y" or "xy"
    errors: str = "bars"


def near(word, names):
    """", did you mean 'gamma'" where a name is close."""
    last = {name.rsplit(".", 1)[-1]: name for name in names}
    close = difflib.get_close_matches(word, list(names), 1, 0.6) or [
        last[name] for name in difflib.get_close_matches(word, list(last), 1, 0.7)]
    return f"; did you mean '{close[0]}'?" if close else ""


def listed(names):
    return ", ".join(names)


def checked(rows):
    """The rows, where they are a CSV of ours that has numbers to draw."""
    columns = set(rows.rows[0]) if rows.rows else set()
    long = {"quantity", "value"} <= columns
    if not columns or not (long or ("pair" in columns and columns & set(COLUMNS))):
        raise Wrong(f"{rows.name} holds no table of speclab's that has numbers to draw; exact, simulate, advise, optimum "
                    "and run write such tables (--format csv)" if columns else f"{rows.name} has no line under its heading")
    return rows


def numbers(rows):
    """What --y can name: quantities, and columns of numbers."""
    quantities = [name for name in rows.values("quantity") if name] if "quantity" in rows.rows[0] else []
    return quantities, [name for name in COLUMNS if name in rows.rows[0] and any(numeric(row[name]) for row in rows)]


def usual_x(rows, y):
    """The index of a law, or else the only coordinate of numbers that varies. Raises Wrong where there are several."""
    _, mine = with_numbers(rows.pick(need=False), y)
    if any(row.get("index") for row in mine):
        return "index"
    found = [name for name in differing(mine.rows, ("seed",)) if all(numeric(str(word)) for word in mine.values(name))]
    if len(found) != 1:
        raise Wrong(f"say with --x what goes across; there are: {listed(found or mine.names())}")
    return found[0]


def with_numbers(rows, word):
    """The lines that hold y, and its name; each with `number`, `low`, `high` (nan: no interval) of y."""
    quantities, own = numbers(rows)
    if word in quantities or word not in own:
        found = [name for name in quantities if name == word] or [
            name for name in quantities if name.rsplit(".", 1)[-1] == word]
        if len(found) > 1:
            raise Wrong(f"--y {word} is the last part of {listed(found)}; write one of them whole")
        if not found:
            raise Wrong(f"{rows.name} has no quantity '{word}'{near(word, quantities + own)} There are: "
                        f"{listed(quantities + own)}".replace("' There", "'; there"))
        word, column = found[0], "value" if "value" in rows.rows[0] else "difference"
        mine = [row for row in rows if row["quantity"] == word]
    else:
        column, mine = word, list(rows)
    low, high = ("ci95_low", "ci95_high") if column == "value" else COLUMNS[column] or ("", "")
    made = [{**row, "number": number(row[column]), "low": float(row.get(low) or "nan"),
             "high": float(row.get(high) or "nan")} for row in mine if numeric(row[column])]
    return word, Rows(made, rows.name, rows.picked)


def known(rows, option, word):
    """A column or variable that the lines have."""
    names = rows.names()
    if word not in names and not (word in FOUND and word in rows.rows[0]):
        names = [name for name in names if len(rows.values(name)) > 1 or name in ("gamma", "verifier", "pair")]
        names = [name for name in names if name not in ("number", "low", "high")]
        raise Wrong(f"{rows.name} has no column or variable '{word}' ({option}){near(word, names)} There are: "
                    f"{listed(names)}".replace(") There", "); there"))
    return word


def chosen(rows, choice):
    """The lines to draw and the choice in the file's own words. Raises Wrong."""
    checked(rows)
    for name, value in choice.where:
        known(rows, "--where", name)
        held = sorted({str(word) for word in rows.values(name)})
        if value not in held and not (name in ("pair", "verifier") and value in map(family, held)):
            raise Wrong(f"{rows.name} has no line with {name}={value} (--where); it has {listed(held)}")
    where = dict(choice.where)
    if choice.x == "trials":
        where.setdefault("trials", "all")
    rows = rows.pick(need=False, **where)
    if not rows.rows:
        raise Wrong(f"{rows.name} has no line with {listed(f'{name}={value}' for name, value in choice.where)} (--where)")
    y, rows = with_numbers(rows, choice.y)
    if not rows.rows:
        raise Wrong(f"{rows.name} has no number of {y} there")
    for option, words in (("--x", (choice.x,)), ("--by", choice.by), ("--facet", (choice.facet,) * bool(choice.facet))):
        for word in words:
            known(rows, option, word)
    lacking = [row for row in rows if not rows.coordinate(row, choice.x)]
    if len(lacking) == len(rows):
        raise Wrong(f"{rows.name}: no line of {y} has a '{choice.x}' (--x); choose another, such as "
                    f"{listed(differing(rows.rows, ()) or ['verifier'])}")
    rows = Rows([row for row in rows if rows.coordinate(row, choice.x)], rows.name, True)
    return rows, dataclasses.replace(choice, y=y, by=choice.by or found_by(rows, choice))


def estimated(row):
    """Whether a line is an estimate, which has an interval."""
    return not math.isnan(row["low"]) or bool(row.get("stderr"))


def differing(rows, besides):
    """The coordinates that lines differ in, the likeliest to part series first."""
    names = Rows(list(rows), "").names()
    order = ["verifier", "first", "second", "pair", "drafts", "gamma"]
    names = sorted((name for name in names if name not in besides and name not in HOW
                    and name not in ("number", "low", "high", "quantity", "p_value")),
                   key=lambda name: order.index(name) if name in order else
                   len(order) + (name in ("task", "index", "seed", "horizon")))
    return [name for name in names if len({Rows.coordinate(row, name) for row in rows}) > 1]


def crowded(rows, names):
    """Lines that stand at one place of one series; none where every place has one."""
    places = {}
    for row in rows:
        key = tuple(Rows.coordinate(row, name) for name in names) + (estimated(row),)
        places.setdefault(key, []).append(row)
    return next((lines for lines in places.values() if len(lines) > 1), [])


def found_by(rows, choice):
    """The fewest coordinates, in `differing`'s order, that leave one line a place."""
    by, besides = [], [choice.x, choice.facet] if choice.facet else [choice.x]
    while lines := crowded(rows, besides + by):
        more = differing(lines, besides + by)
        if not more:
            return tuple(by)
        by.append(more[0])
    return tuple(by)


def check_places(rows, choice):
    """Refuses several lines at one place of one series."""
    names = [choice.x, *choice.by] + [choice.facet] * bool(choice.facet)
    lines = crowded(rows, names)
    if not lines:
        return
    more = differing(lines, names)
    at = listed(f"{name}={Rows.coordinate(lines[0], name)}" for name in names)
    if not more:
        raise Wrong(f"{rows.name} has {len(lines)} lines of {choice.y} at {at} that differ in nothing; is a result twice in it?")
    raise Wrong(f"{rows.name} has {len(lines)} lines of {choice.y} at {at}, which differ in {listed(more)}; add --by "
                f"{more[0]}, --facet {more[0]} or --where {more[0]}={Rows.coordinate(lines[0], more[0])}")


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
    """'block', 'rrs, K = 2': what tells series apart, in words."""
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
            raise Wrong(f"{count} {what} are more than can be told apart ({most}); choose some with --where NAME=VALUE")
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
