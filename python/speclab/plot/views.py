"""Pictures of advice, audits and proofs. Each takes what the program wrote as JSON, or an advice as CSV."""

import ast
import csv
import io
import operator
import re
import textwrap

import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from . import look, marks
from .rows import number
from .specs import told_apart

MOST_FINDINGS, SQUARE = 30, 401


def advice_of_csv(text, name):
    """{pair: candidates} of `advise --format csv`, in the order of the file, without those that draft nothing."""
    pairs = {}
    for row in csv.DictReader(io.StringIO(text)):
        if "choice" not in row:
            raise LookupError(f"{name} is not what speclab advise --format csv writes")
        if row["gamma"]:
            pairs.setdefault(row["pair"], []).append({**row, **{key: float(row[key]) for key in ("speedup", "low", "high")}})
    return pairs


def advice_of_json(document):
    """The same of `advise --format json`."""
    pairs = {}
    for result in document["results"]:
        pairs[result["pair"]] = [
            {"verifier": row["verifier"], "gamma": row["gamma"], "choice": row["choice"], "speedup": row["speedup"]["mean"],
             "low": row["speedup"]["ci95"][0], "high": row["speedup"]["ci95"][1]}
            for row in result["table"] if row["gamma"]]
    return pairs


def advice_panel(ax, pair, rows):
    ax.axhline(1, color=look.GREY, linestyle="--", linewidth=1)
    names = list(dict.fromkeys(row["verifier"] for row in rows))
    ends = []
    for at, (verifier, name) in enumerate(zip(names, told_apart(names))):
        mine = [row for row in rows if row["verifier"] == verifier]
        color, marker = look.SEQUENCE[at % 7], look.MARKERS[at % 7]
        across = [float(row["gamma"]) for row in mine]
        ax.vlines(across, [row["low"] for row in mine], [row["high"] for row in mine], color=color, linewidth=1.3)
        ax.plot(across, [row["speedup"] for row in mine], color=color, marker=marker, markerfacecolor="white", markersize=4.5,
                linestyle=look.DASHES[at // 7 % 3])
        for choice, style in (("best", {"markerfacecolor": color, "markersize": 7}),
                              ("tie", {"markerfacecolor": "none", "markersize": 9})):
            found = [row for row in mine if row["choice"] == choice]
            ax.plot([float(row["gamma"]) for row in found], [row["speedup"] for row in found], color=color,
                    marker=marker, linestyle="none", zorder=5, **style)
        ends.append((mine[-1]["speedup"], name, color))
    ax.set(xlabel="\u03b3, draft length", ylabel="speedup, modelled", title="\n".join(textwrap.wrap(pair, 56)[:3]))
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    marks.label_ends(ax, ends, gap=11, size=8)


def advice(pairs):
    """The speedup over the draft length with 95% intervals, a panel a pair. The best choice is a filled mark; those not
    distinguished from it are ringed; the dashed line is decoding without a draft, above which speculation pays."""
    if not any(pairs.values()):
        raise LookupError("the advice holds no candidate that drafts; there is nothing to draw")
    figure, axes = look.panels(len(pairs), 1, (5.4, 3.4 * len(pairs)))
    for ax, (pair, rows) in zip(axes[:, 0], pairs.items()):
        advice_panel(ax, pair, rows)
    mark = {"marker": "o", "linestyle": "none", "color": look.GREY}
    axes[-1, 0].legend(handles=[
        Line2D([], [], **mark, markersize=7, label="best"),
        Line2D([], [], **mark, markerfacecolor="none", markersize=9, label="not distinguished from it"),
        Line2D([], [], color=look.GREY, linestyle="--", linewidth=1, label="no draft")],
        loc="upper left", bbox_to_anchor=(0, -0.2), ncol=3, borderaxespad=0)
    return figure


def audit(document):
    """The decisions whose law differs, the most distant at the top; for a pass, that there are none."""
    findings = sorted(document["findings"], key=lambda finding: -(finding["tv"] or 0))
    shown = findings[:MOST_FINDINGS]
    figure, axes = look.panels(1, 1, (7.0, 1.6 + 0.3 * max(len(shown), 3)))
    ax = axes[0, 0]
    left = f" ({len(findings) - len(shown)} more, nearer to it)" if len(findings) > len(shown) else ""
    decisions = f"{document['trials']:,} decisions of " if document["trials"] else ""
    figure.suptitle(f"audit of {document['rule']}: {document['verdict']}; {decisions}{len(document['cases'])} cases", fontsize=10, fontweight="bold", x=0.01, ha="left")
    if not shown:
        ax.axis("off")
        ax.text(0.5, 0.5, "no decision is off its law", ha="center", va="center", transform=ax.transAxes)
        return figure
    heights = [-at for at in range(len(shown))]
    ax.hlines(heights, 0, [finding["tv"] for finding in shown], color=look.VERMILLION, linewidth=1.5)
    ax.plot([finding["tv"] for finding in shown], heights, marker="o", color=look.VERMILLION, linestyle="none")
    for at, finding in zip(heights, shown):
        chance = "p < 1e-300" if finding["p_value"] == 0 else f"p = {finding['p_value']:.0e}"
        ax.annotate(chance, (finding["tv"], at), xytext=(7, 0), textcoords="offset points", va="center", fontsize=7.5,
                    color=look.GREY)
    ax.set_yticks(heights, [f"{finding['case']}: {finding['decision']}" for finding in shown], fontsize=8)
    ax.grid(axis="y", visible=False)
    ax.set(xlabel=f"TV(decisions made, their law){left}", xlim=(0, 1.25 * shown[0]["tv"]))
    return figure


def audit_of_csv(text, name):
    """The same of `audit --format csv`, which has no number of decisions."""
    rows = list(csv.DictReader(io.StringIO(text)))
    if any(None in row.values() or None in row for row in rows):
        raise LookupError(f"{name} is not what speclab audit --format csv writes")
    findings = [{**row, "tv": float(row["tv"]), "p_value": float(row["p_value"])} for row in rows if row["decision"]]
    return {"rule": rows[0]["rule"] if rows else "", "verdict": "fail" if findings else "pass", "trials": None,
            "findings": findings, "cases": sorted({row["case"] for row in rows if row["case"]})}


OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Pow: operator.pow,
             ast.Div: operator.truediv, ast.USub: operator.neg}
RELATIONS = {"<": np.less, ">": np.greater, "<=": np.less_equal, ">=": np.greater_equal}


def polynomial(text, values):
    """'2*draft[0]^2 - target[0]' at values, {'draft[0]': array}. Raises LookupError for anything else than a polynomial."""
    names = {name: f"_{at}" for at, name in enumerate(sorted(values, key=len, reverse=True))}
    for name, stand_in in names.items():
        text = text.replace(name, stand_in)
    arrays = {stand_in: values[name] for name, stand_in in names.items()}

    def value(node):
        if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
            return OPERATORS[type(node.op)](value(node.left), value(node.right))
        if isinstance(node, ast.UnaryOp) and type(node.op) in OPERATORS:
            return OPERATORS[type(node.op)](value(node.operand))
        if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
            return node.value
        if isinstance(node, ast.Name) and node.id in arrays:
            return arrays[node.id]
        raise LookupError(f"'{text}' is no polynomial in {', '.join(values)}")
    try:
        return value(ast.parse(text.replace("^", "**"), mode="eval").body)
    except SyntaxError:
        raise LookupError(f"'{text}' is no condition of a certificate") from None


def inside(conditions, values):
    """Where all conditions of an open cell are satisfied; None for a cell with an equality, which has no area."""
    holds = np.True_
    for condition in conditions:
        parts = re.fullmatch(r"(.+) (<|>|<=|>=|=|!=) 0", condition)
        if parts is None:
            raise LookupError(f"'{condition}' is no condition of a certificate")
        if parts[2] == "=":
            return None
        if parts[2] != "!=":
            holds = holds & RELATIONS[parts[2]](polynomial(parts[1], values), 0)
    return holds


def plane(ax, document, names):
    """Cells of two parameters: areas in turning colours; cells without an area by their samples."""
    steps = (np.arange(SQUARE) + 0.5) / SQUARE
    across, up = np.meshgrid(steps, steps)
    area = np.full((SQUARE, SQUARE), np.nan)
    for at, cell in enumerate(document["cells"]):
        holds = inside(cell["conditions"], {names[0]: across, names[1]: up})
        if holds is not None:
            area[np.broadcast_to(holds, area.shape)] = at % 4
    colors = ListedColormap(["#cfe3f1", "#f6d9c8", "#cdeadf", "#efe0ea"])
    ax.imshow(area, origin="lower", extent=(0, 1, 0, 1), cmap=colors, vmin=-0.5, vmax=3.5, interpolation="nearest")
    for conditions in document["pending"] + document["undecided"]:
        holds = inside(conditions, {names[0]: across, names[1]: up})
        if holds is not None and np.any(holds):
            ax.contourf(across, up, np.broadcast_to(holds, area.shape).astype(float), levels=[0.5, 1.5], colors="none",
                        hatches=["////"])


def cells(document, x="", y=""):
    """A certificate's cells: of two parameters the plane itself, of more the samples of the cells over two of them."""
    parameters = document["parameters"]
    for option, name in (("--x", x), ("--y", y)):
        if name and name not in parameters:
            raise LookupError(f"the certificate has no parameter '{name}' ({option}); there are: {', '.join(parameters)}")
    if len(parameters) < 2:
        raise LookupError("the certificate has fewer than two parameters; there is no plane to draw")
    names = [x or parameters[0], y or next(name for name in parameters[::-1] if name != (x or parameters[0]))]
    figure, axes = look.panels(1, 2, (8.4, 4.4), gridspec_kw={"width_ratios": (1.4, 1)})
    ax, counts = axes[0]
    if len(parameters) == 2:
        plane(ax, document, names)
    at = [parameters.index(name) for name in names]
    samples = [[number(cell["sample"][i]) for i in at] for cell in document["cells"] if cell["sample"]]
    ax.plot(*zip(*samples), marker="o", linestyle="none", color=look.BLACK, markerfacecolor="white", markersize=4,
            clip_on=False, zorder=3)
    ax.set(xlabel=names[0], ylabel=names[1], xlim=(0, 1), ylim=(0, 1), aspect="equal",
           title=f"{document['verifier']}, {document['property']}: V = {document['vocabulary']}, \u03b3 = {document['gamma']}, "
                 f"{document['models']}")
    ways = {**document["by"], "pending": len(document["pending"]), "undecided": len(document["undecided"])}
    heights = [-i for i in range(len(ways))]
    counts.barh(heights, list(ways.values()), color=[look.VERMILLION if way in ("pending", "undecided") else look.BLUE
                                                     for way in ways], height=0.6)
    for height, count in zip(heights, ways.values()):
        counts.annotate(f"{count:,}", (count, height), xytext=(4, 0), textcoords="offset points", va="center", fontsize=8)
    counts.set_yticks(heights, [way.replace("_", "\n", 1).replace("_", " ") for way in ways])
    counts.grid(axis="y", visible=False)
    counts.set(title="settled by", xlabel="cells", xlim=(0, 1.25 * max([1, *ways.values()])))
    counts.xaxis.set_major_locator(MaxNLocator(4, integer=True))
    note = f"{len(document['cells']):,} cells, each with its sample (circle)"
    note += "; the white half is the other with its tokens' names exchanged" if document["ordered"] and len(parameters) == 2 else ""
    figure.supxlabel(note, fontsize=8, color=look.GREY)
    return figure


def proofs(document):
    """For each theorem the number of cells settled, undecided and pending."""
    results = document["results"]
    figure, axes = look.panels(1, 1, (6.4, 1.4 + 0.5 * len(results)))
    ax = axes[0, 0]
    heights = [-at for at in range(len(results))]
    start = np.zeros(len(results))
    for key, color, hatch in (("cells", look.BLUE, ""), ("undecided", look.ORANGE, "//"), ("pending", look.VERMILLION, "xx")):
        width = np.array([float(result[key]) for result in results])
        ax.barh(heights, width, left=start, color=color, hatch=hatch, edgecolor="white", height=0.6,
                label={"cells": "settled", "pending": "not looked into"}.get(key, key))
        start += width
    for height, result, end in zip(heights, results, start):
        ax.annotate(f"{result['verdict']}, {result['cells']:,} cells", (end, height), xytext=(4, 0), textcoords="offset points",
                    va="center", fontsize=8)
    ax.set_yticks(heights, [f"{result['verifier']} {result['property']}\nV = {result['vocabulary']}, \u03b3 = {result['gamma']}, "
                            f"{result['models']}" for result in results], fontsize=8)
    ax.grid(axis="y", visible=False)
    ax.set(xlabel="cells of pairs", xlim=(0, 1.4 * max(start.max(), 1)))
    ax.legend(loc="upper left", bbox_to_anchor=(0, -0.35), ncol=3, borderaxespad=0)
    return figure


def of_json(document, name, x="", y=""):
    """The picture of a JSON document of ours. Raises LookupError for another."""
    keys = set(document) if isinstance(document, dict) else set()
    results = document.get("results") if "results" in keys else None
    first = results[0] if isinstance(results, list) and results and isinstance(results[0], dict) else {}
    if {"cells", "parameters", "by"} <= keys:
        return cells(document, x, y)
    picture = (audit if {"findings", "cases", "rule"} <= keys else
               proofs if {"property", "verdict", "cells"} <= set(first) else
               (lambda advised: advice(advice_of_json(advised))) if {"table", "costs"} <= set(first) else None)
    if picture and (x or y):
        raise LookupError(f"{name}: --x and --y choose of a table or of a proof's certificate alone")
    if picture:
        return picture(document)
    if {"pair", "verifier"} <= set(first):
        raise LookupError(f"{name} is a result in JSON; write it with --format csv, and choose --x and --y")
    raise LookupError(f"{name} is no JSON that speclab plot knows: an audit's, an advice's, a proof's or its certificate")
