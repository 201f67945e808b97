"""Pictures of speclab's results. Needs matplotlib.

    figure = speclab.plot.draw("rates.csv", x="gamma", y="acceptance_length", by="verifier")
    speclab.plot.save(figure, "rates.pdf")

`speclab plot FILE.csv --x gamma --y acceptance_length --by verifier` is the same from a shell, and
`python -m speclab.plot` where only the Python package is installed. docs/commands/plot.md says what can be drawn.
"""

import json
import os

from . import choose, look, table, views
from .choose import Choice, Wrong
from .harmless import harmless
from .look import save
from .rows import Rows

__all__ = ["Choice", "Rows", "Wrong", "draw", "look", "picture", "save"]


def words_of(value):
    """'verifier' or 'verifier,pair' or a list of names as a tuple."""
    return tuple(word for word in value.split(",") if word) if isinstance(value, str) else tuple(value)


def picture(text, name, choice=None, paper=False):
    """The figure of a file's content, and its caption. Without a choice, the file's default.

    @raises LookupError (Wrong where a choice is) saying what to choose
    """
    text = harmless(text, "\N{REPLACEMENT CHARACTER}")
    with look.style(paper):
        if text.lstrip()[:1] in ("{", "["):
            try:
                document = harmless(json.loads(text), "\N{REPLACEMENT CHARACTER}")
            except ValueError as error:
                raise LookupError(f"{name} is no JSON: {error}; was it cut?") from None
            except RecursionError:
                raise LookupError(f"{name} is no JSON of ours: its lists are nested too deeply") from None
            if choice and (choice.by or choice.facet or choice.where or choice.log):
                raise LookupError(f"{name}: --by, --facet, --where and --log choose of a table; this is JSON")
            try:
                return views.of_json(document, name, choice.x if choice else "", choice.y if choice else ""), ""
            except (KeyError, TypeError, IndexError, AttributeError) as error:
                if isinstance(error, LookupError) and not isinstance(error, (KeyError, IndexError)):
                    raise
                raise LookupError(f"{name} is not whole: {type(error).__name__} {error}; write it anew") from None
        rows = Rows.parse(text, name)
        if not (choice and (choice.x or choice.y)) and rows.rows and "choice" in rows.rows[0]:
            return views.advice(views.advice_of_csv(text, name)), ""
        if not (choice and (choice.x or choice.y)) and rows.rows and {"decision", "tv", "rule"} <= set(rows.rows[0]):
            return views.audit(views.audit_of_csv(text, name)), ""
        choose.checked(rows)
        choice = choice or Choice("", "")
        if not choice.y:
            raise Wrong("say with --y which number to draw; there are: " + ", ".join(sum(choose.numbers(rows), [])))
        if not choice.x:
            choice.x = choose.usual_x(rows, choice.y)
        return table.draw(rows, choice, paper)


def draw(source, x="", y="", *, by=(), facet="", where=None, log="", errors="bars", paper=False):
    """The matplotlib figure of a CSV or JSON file of ours, or of what speclab.exact and speclab.simulate answer.

    @param x, by, facet  columns of the CSV or variables of an experiment; by: one name or several
    @param y             a quantity's id, its last part where only one ends so, or a column of numbers
    @param where         {name: value} that lines must have
    @param log           "x", "y" or "xy"
    @param errors        95% intervals as "bars", "band" or "none"
    @param paper         one column of a paper, serif letters, no title
    """
    if hasattr(source, "to_csv"):
        text, name = source.to_csv(), "the answers"
    else:
        with open(source, newline="", encoding="utf-8") as file:
            text, name = file.read(), os.path.basename(source)
    pairs = tuple((str(key), str(value)) for key, value in (where or {}).items())
    return picture(text, name, Choice(x, y, words_of(by), facet, pairs, log, errors), paper)[0]
