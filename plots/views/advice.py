#!/usr/bin/env python3
"""Draws what `speclab advise --format csv` says: the speedup over the draft length, a panel a pair.

usage: advice.py ADVICE.csv PICTURE.svg|png|pdf

Each verifier is a line with 95% intervals; the best choice is a filled mark, those not told apart from it are ringed.
The dashed line is decoding without a draft, above which speculation pays.
"""
import csv
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import lab  # noqa: E402


def read(path):
    """{pair: rows}, in the order of the file, without the rows that draft nothing."""
    pairs = {}
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if "choice" not in row:
                raise LookupError(f"{path}: not what speclab advise --format csv writes")
            if row["gamma"]:
                pairs.setdefault(row["pair"], []).append(row)
    if not pairs:
        raise LookupError(f"{path}: no candidate")
    return pairs


def panel(ax, rows):
    ax.axhline(1, color=lab.GREY, linestyle="--", linewidth=1)
    ends = []
    for at, verifier in enumerate(dict.fromkeys(row["verifier"] for row in rows)):
        mine = [row for row in rows if row["verifier"] == verifier]
        color, marker = lab.SEQUENCE[at % len(lab.SEQUENCE)], lab.MARKERS[at % len(lab.MARKERS)]
        gammas, speeds, low, high = ([float(row[name]) for row in mine] for name in ("gamma", "speedup", "low", "high"))
        ax.vlines(gammas, low, high, color=color, linewidth=1.3)
        ax.plot(gammas, speeds, color=color, marker=marker, markerfacecolor="white", markersize=4.5)
        for choice, style in (("best", {"markerfacecolor": color, "markersize": 7}),
                              ("tie", {"markerfacecolor": "none", "markersize": 9})):
            chosen = [row for row in mine if row["choice"] == choice]
            ax.plot([float(row["gamma"]) for row in chosen], [float(row["speedup"]) for row in chosen], color=color,
                    marker=marker, linestyle="none", zorder=5, **style)
        ends.append((speeds[-1], verifier, color))
    ax.set(xlabel="draft length \u03b3", ylabel="speedup, modelled", title=rows[0]["pair"][:60])
    ax.xaxis.set_major_locator(lab.plt.MaxNLocator(integer=True))
    lab.label_ends(ax, ends)


def draw(path):
    pairs = read(path)
    figure, axes = lab.plt.subplots(len(pairs), 1, figsize=(lab.COLUMN + 1, 2.6 * len(pairs)), squeeze=False)
    for ax, rows in zip(axes[:, 0], pairs.values()):
        panel(ax, rows)
    return figure


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] in ("-h", "--help"):
        print(__doc__.strip(), file=sys.stdout if "--help" in sys.argv or "-h" in sys.argv else sys.stderr)
        sys.exit(0 if len(sys.argv) == 2 else 2)
    try:
        lab.save(draw(sys.argv[1]), sys.argv[2])
    except (OSError, LookupError, ValueError) as error:
        sys.exit(f"advice.py: {error}")
