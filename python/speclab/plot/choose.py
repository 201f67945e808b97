"""Choosing what a picture of a table draws: which number, which lines, and what distinguishes them."""

import dataclasses
import difflib
import math

from .rows import FOUND, HOW, Rows, family, number, numeric

# Numbers with a column of their own, and the columns of their intervals.
COLUMNS = {"speedup": ("low", "high"), "difference": ("low", "high"), "acceptance_length": None, "tv": None,
           "rejections": None, "tv_to_target": None, "trials_saved_by_pairing": None}


class Wrong(LookupError):
    """A choice that the file cannot answer; its text names what to choose."""


@dataclasses.dataclass
class Choice:
    """What to draw: x and y, what distinguishes series (`by`) and panels (`facet`), and how."""
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
    """The rows, where they are a CSV of ours that has numbers to draw. Raises LookupError for another."""
    columns = set(rows.rows[0]) if rows.rows else set()
    long = {"quantity", "value"} <= columns
    if not columns or not (long or ("pair" in columns and columns & set(COLUMNS))):
        raise LookupError(f"{rows.name} holds no table of speclab's that has numbers to draw; exact, simulate, advise, optimum "
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
        raise Wrong(f"name the x axis with --x; there are: {listed(found or mine.names())}")
    return found[0]


def with_numbers(rows, word):
    """The lines that contain y, and its name; each with `number`, `low`, `high` (nan: no interval) of y."""
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
        raise Wrong(f"{rows.name} has no column or variable '{word}' ({option}){near(word, names)} Those that "
                    f"vary or name the lines are: {listed(names)}".replace(") Those", "); those"))
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
    """Several lines at one place of one series; empty where every place has one."""
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
