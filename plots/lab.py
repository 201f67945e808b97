"""What all figures share: reading the results of `speclab run`, one look, and saving.

Nothing is computed here: every number drawn stands in a CSV file that `speclab run` wrote.
Colours are Okabe and Ito's, which colour-blind readers tell apart; series are labelled where they end.
"""

import argparse
import csv
import os
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402

BLACK, ORANGE, SKY, GREEN = "#000000", "#E69F00", "#56B4E9", "#009E73"
BLUE, VERMILLION, PURPLE, YELLOW = "#0072B2", "#D55E00", "#CC79A7", "#F0E442"
GREY = "#666666"
SEQUENCE = [BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY, BLACK]
MARKERS = ["o", "s", "^", "D", "v", "P", "X"]
VERIFIERS = {
    "token": (BLUE, "o", "token"),
    "block": (VERMILLION, "s", "block"),
    "greedy-block": (GREEN, "^", "greedy block"),
    "rrs": (ORANGE, "v", "rrs"),
    "kseq": (SKY, "P", "kseq"),
    "spectr-gbv": (PURPLE, "D", "spectr-gbv, as printed"),
    "slot-block": (BLACK, "X", "slot-block"),
    "spectr-coupled": (PURPLE, "D", "spectr-coupled"),
    "sprinter": (VERMILLION, "s", "sprinter"),
    "autoregressive": (GREY, ".", "autoregressive"),
}
COLUMN, PAGE = 3.5, 7.0  # widths in inches: one column of a paper, and both

plt.rcParams.update({
    "font.family": "DejaVu Sans",
    "font.size": 8,
    "axes.labelsize": 8,
    "axes.titlesize": 8,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "legend.fontsize": 7,
    "legend.frameon": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#e6e6e6",
    "grid.linewidth": 0.6,
    "axes.axisbelow": True,
    "lines.linewidth": 1.4,
    "lines.markersize": 4,
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
    "figure.constrained_layout.use": True,
    "svg.fonttype": "path",
    "svg.hashsalt": "speclab",
})


def number(text):
    """A coordinate of the CSV as a float: '0.25', '1/3', '20'; 'inf' stays infinite."""
    if "/" in text:
        above, below = text.split("/")
        return float(above) / float(below)
    return float(text)


def family(spec):
    """'kseq(K=2)' -> 'kseq'."""
    return spec.split("(")[0]


def combination(row):
    """What results after several numbers of trials have in common."""
    return tuple(row.get(name, "") for name in ("task", "pair", "verifier", "gamma", "horizon", "iterations",
                                                "arithmetic")) + tuple(row["vary"].items())


def closed_form(row):
    """A line with the closed form of its claim as its number."""
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
        with open(path, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        for row in rows:
            row["vary"] = dict(word.split("=", 1) for word in row.get("vary", "").split())
        return Rows(rows, os.path.basename(path))

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
        if "claim" in where:
            rows = [closed_form(row) for row in rows]
        if need and not rows:
            raise LookupError(f"{self.name}: no line with {where}")
        return Rows(rows, self.name, picked=True)

    @staticmethod
    def coordinate(row, key):
        """A column, or the value of a variable; None where there is no such variable."""
        return row[key] if key in row else row["vary"].get(key)

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


def printed(expected, **where):
    """The lines of the .expected.csv with a number that the paper prints, of these or of other models, among these."""
    return [row for row in expected.pick(need=False, **where)
            if row["relation"] in ("equals", "printed") and row["printed"]]


def line(ax, rows, x, **style):
    """An exact law or a closed form: a line."""
    at, value, _, _ = rows.xy(x)
    return ax.plot(at, value, **style)[0]


def points(ax, rows, x, color, marker="o", offset=0.0, **style):
    """Estimates with their 95% intervals. `offset` moves the marks aside, in points, where they would hide."""
    at, value, low, high = rows.xy(x)
    move = matplotlib.transforms.ScaledTranslation(offset / 72, 0, ax.figure.dpi_scale_trans)
    ax.vlines(at, low, high, color=color, linewidth=1.1, transform=ax.transData + move, zorder=3)
    style = {"markersize": 3.6, "markeredgewidth": 0.9, "zorder": 4, **style}
    ax.plot(at, value, linestyle="none", marker=marker, markerfacecolor="white", markeredgecolor=color,
            transform=ax.transData + move, **style)
    ax.update_datalim(np.column_stack([at, np.where(np.isnan(low), value, low)]))
    ax.update_datalim(np.column_stack([at, np.where(np.isnan(high), value, high)]))
    ax.autoscale_view()


def dots(ax, rows, at, color, marker):
    """One estimate in a dot plot, at the height `at`, with its 95% interval."""
    (row,) = rows
    if row["ci95_low"]:
        ax.hlines(at, float(row["ci95_low"]), float(row["ci95_high"]), color=color, linewidth=1.3, zorder=3)
    ax.plot(float(row["value"]), at, marker=marker, color=color, markerfacecolor="white", markersize=4.5,
            markeredgewidth=1, zorder=4)


def mark_printed(ax, x, y, **style):
    """A number that the paper prints: a yellow star, in yellow or in the colour of its series."""
    style = {"markersize": 7, "markerfacecolor": YELLOW, **style}
    ax.plot(x, y, linestyle="none", marker="*", markeredgecolor=BLACK, markeredgewidth=0.5, zorder=5, **style)


def label_ends(ax, entries, gap=9.5):
    """Names each series at the right edge, (y, text, colour), moved apart by at least `gap` points."""
    labels = [ax.annotate(text, (1, y), xycoords=ax.get_yaxis_transform(), textcoords="offset points", xytext=(5, 0),
                          color=color, fontsize=7, va="center", annotation_clip=False) for y, text, color in entries]
    ax.figure.canvas.draw()  # the layout now knows how wide the labels are
    home = [ax.transData.transform((ax.get_xlim()[0], y))[1] * 72 / ax.figure.dpi for y, _, _ in entries]
    # Labels that would touch form a group, which is spread evenly around its middle.
    groups = [[i] for i in sorted(range(len(entries)), key=lambda i: home[i])]
    def ends(group):
        middle, half = sum(home[i] for i in group) / len(group), (len(group) - 1) / 2 * gap
        return middle - half, middle + half
    at = 0
    while at + 1 < len(groups):
        if ends(groups[at + 1])[0] - ends(groups[at])[1] < gap:
            groups[at:at + 2] = [groups[at] + groups[at + 1]]
            at = max(at - 1, 0)
        else:
            at += 1
    for group in groups:
        for step, i in enumerate(group):
            labels[i].xyann = (5, ends(group)[0] + step * gap - home[i])


def key(ax, exact="exact", simulated="simulation, 95% interval", paper=None, more=(), **place):
    """The key of what lines and marks are, in grey; colours are named at the lines themselves."""
    handles = []
    if exact:
        handles.append(plt.Line2D([], [], color=GREY, label=exact))
    if simulated:
        handles.append(plt.Line2D([], [], color=GREY, marker="o", markerfacecolor="white", linestyle="none",
                                  markersize=3.6, label=simulated))
    for handle, text in more:
        handle.set_label(text)
        handles.append(handle)
    if paper:
        handles.append(plt.Line2D([], [], marker="*", markerfacecolor=YELLOW, markeredgecolor=BLACK,
                                  markeredgewidth=0.6, linestyle="none", markersize=7, label=paper))
    place = {"loc": "best", "handlelength": 1.6, "borderaxespad": 0.2, **place}
    return ax.legend(handles=handles, **place)


def save(figure, path):
    """Writes an SVG or a PNG, the same bytes each time."""
    metadata = {"Date": None, "Creator": "speclab"} if path.endswith(".svg") else {"Software": "speclab"}
    figure.savefig(path, dpi=200, metadata=metadata)


def main(figures):
    """Draws a script's FIGURES, {experiment: function(rows, expected) -> figure}, of the results at hand."""
    parser = argparse.ArgumentParser(description="Draws " + ", ".join(figures) + " from the CSV files of speclab run.")
    parser.add_argument("experiment", nargs="*", help="default: all of this script whose results are there")
    parser.add_argument("--results", default="results", help="folder of speclab run's CSV files")
    parser.add_argument("--output", default="results/figures", help="folder for ID.svg and ID.png")
    parser.add_argument("--list", action="store_true", help="name this script's experiments")
    arguments = parser.parse_args()
    if arguments.list:
        print("\n".join(figures))
        return
    for name in arguments.experiment:
        if name not in figures:
            parser.error(f"{name} is not drawn here; this script has {', '.join(figures)}")
    os.makedirs(arguments.output, exist_ok=True)
    for name, draw in figures.items():
        results = os.path.join(arguments.results, name + ".csv")
        if arguments.experiment and name not in arguments.experiment:
            continue
        if not arguments.experiment and not os.path.exists(results):
            continue
        try:
            expected = os.path.join(arguments.results, name + ".expected.csv")
            figure = draw(Rows.read(results), Rows.read(expected))
        except (OSError, LookupError) as error:
            sys.exit(f"{os.path.basename(sys.argv[0])}: {name}: {error}")
        for end in (".svg", ".png"):
            save(figure, os.path.join(arguments.output, name + end))
        plt.close(figure)
        print(os.path.join(arguments.output, name + ".svg"))
