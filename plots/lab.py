"""What the papers' figures share: reading the results of `speclab run`, and saving. Marks and looks are speclab.plot's.

Nothing is computed here: every number drawn stands in a CSV file that `speclab run` wrote.
"""

import argparse
import os
import sys
import tomllib

import matplotlib

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "python", "speclab"))
matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
from plot.look import (BLACK, BLUE, COLUMN, GREEN, GREY, INK, MARKERS, ORANGE, PAGE, PAPER, PURPLE, SEQUENCE,  # noqa: E402, F401
                       VERIFIERS, VERMILLION, save)
from plot.marks import dots, key, key_above, label_ends, line, mark_of_estimates, points, series_mark  # noqa: E402, F401
from plot.rows import Rows, family, number  # noqa: E402, F401

plt.rcParams.update(PAPER)
narrow = False  # panels one below the other, as a phone shows them


def panels(count, height, widths=None, columns=0, **grid):
    """A figure of as many axes, side by side in `columns` columns (default: all), `height` inches a line.

    For a phone they stand one below the other, as wide as a column of a paper.
    """
    columns = 1 if narrow else columns or count
    lines = -(-count // columns)
    wide = COLUMN if columns == 1 else PAGE
    if widths and columns > 1:
        grid["gridspec_kw"] = {"width_ratios": widths}
    figure, axes = plt.subplots(lines, columns, figsize=(wide, height * lines), squeeze=False, **grid)
    for ax in list(axes.flat):
        ax.tick_params(labelleft=True)
    return figure, list(axes.flat)


def printed(expected, **where):
    """The lines of the .expected.csv with a number that the paper prints of these very models, among these. What it
    prints of other models (relation `printed`) is never drawn on our axes: the report has it in a table."""
    return [row for row in expected.pick(need=False, **where) if row["relation"] == "equals" and row["printed"]]


def most(trials):
    """The largest of a task's numbers of trials: 20000, [100, 1000] or "1e5"."""
    return max(int(float(value)) for value in (trials if isinstance(trials, list) else [trials]))


def shortfall(rows, experiment):
    """'quick run: 512 of 20,000 trials' where a simulation has fewer trials than its experiment asks for, the task that
    is shortest of them; "" where none has."""
    worst = None
    for task in experiment.get("task", []):
        done = [int(row["trials"]) for row in rows if row["task"] == task["name"] and row["trials"]]
        if "trials" not in task or not done:
            continue
        if (part := max(done) / most(task["trials"])) < 1 and (worst is None or part < worst[0]):
            worst = part, max(done), most(task["trials"])
    return f"quick run: {worst[1]:,} of {worst[2]:,} trials" if worst else ""


def origin(rows, experiment, name):
    """What a picture is drawn from, for the file: 'speclab run sun2025-fig3, a full run (trials: simulated 1,000,000)'."""
    tasks = [f"{task['name']} {most(task['trials']):,}" for task in experiment.get("task", []) if "trials" in task]
    what = shortfall(rows, experiment) or "a full run" + (f" (trials: {', '.join(tasks)})" if tasks else "")
    return f"speclab run {name}, {what}"


def mark_quick(figure, text):
    """The visible mark of a figure that is not of a full run."""
    figure.supxlabel(text.upper(), fontsize=8, fontweight="bold", color=VERMILLION, x=0.01, ha="left")


def experiment_of(name, folder):
    """The experiment file of that name, parsed."""
    with open(os.path.join(folder, name + ".toml"), "rb") as file:
        return tomllib.load(file)


def made(draw, results, name, experiments):
    """({end of the file's name: figure}, its origin): for a page, and for a phone where that is another."""
    global narrow
    rows, expected = (Rows.read(os.path.join(results, name + end)) for end in (".csv", ".expected.csv"))
    experiment = experiment_of(name, experiments)
    short = shortfall(rows, experiment)
    figures = {}
    for narrow, ends in ((False, (".svg", ".png")), (True, (".narrow.svg", ".narrow.png"))):
        figure = draw(rows, expected)
        if short:
            mark_quick(figure, short)
        figures.update(dict.fromkeys(ends, figure))
        if len(figure.axes) == 1:
            break
    narrow = False
    return figures, origin(rows, experiment, name)


def main(figures):
    """Draws figures, {experiment: function(rows, expected) -> figure}, of the results at hand."""
    parser = argparse.ArgumentParser(description="Draws " + ", ".join(figures) + " from the CSV files of speclab run.")
    parser.add_argument("experiment", nargs="*", help="default: all whose results are there")
    parser.add_argument("--results", default="results", help="folder of speclab run's CSV files")
    parser.add_argument("--experiments", default=os.path.join(ROOT, "experiments"), help="folder of the experiments")
    parser.add_argument("--output", default="results/figures",
                        help="folder for ID.svg and ID.png, and for a phone ID.narrow.svg and .png")
    arguments = parser.parse_args()
    for name in arguments.experiment:
        if name in figures:
            continue
        if not os.path.exists(os.path.join(arguments.experiments, name + ".toml")):
            parser.error(f"there is no experiment {name}; those with a figure are {', '.join(figures)}")
        print(f"{name} has no figure", file=sys.stderr)
    os.makedirs(arguments.output, exist_ok=True)
    for name, draw in figures.items():
        results = os.path.join(arguments.results, name + ".csv")
        if arguments.experiment and name not in arguments.experiment:
            continue
        if not arguments.experiment and not os.path.exists(results):
            continue
        try:
            drawn, source = made(draw, arguments.results, name, arguments.experiments)
        except (OSError, LookupError) as error:
            sys.exit(f"{os.path.basename(sys.argv[0])}: {name}: {error}")
        for end, figure in drawn.items():
            save(figure, os.path.join(arguments.output, name + end), source)
        plt.close("all")
        print(os.path.join(arguments.output, name + ".svg"))
