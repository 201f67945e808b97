"""figures.py registry|golden|texts|gallery ROOT WORK, advice ROOT CSV: the parts of check.sh that read and draw."""

import csv
import glob
import html
import itertools
import os
import re
import sys

from matplotlib.text import Text


def scripts(root):
    """{experiment: draw} of every script; an experiment drawn twice is an error."""
    sys.path.insert(0, os.path.join(root, "plots"))
    import lab
    import draw
    assert len(draw.FIGURES) == sum(len(script.FIGURES) for script in draw.SCRIPTS), "an experiment is drawn twice"
    return lab, draw.FIGURES


def registry(root):
    _, figures = scripts(root)
    tomls = {os.path.basename(path)[:-5] for path in glob.glob(os.path.join(root, "experiments", "*.toml"))}
    assert tomls, "no experiment found"
    assert tomls == set(figures), f"without a figure: {tomls - set(figures)}; without a file: {set(figures) - tomls}"
    print(f"{len(tomls)} experiments, each with its figure")


def numbers(lab, *paths):
    """Every number in the files, coordinates included, but those that a paper prints of other models; and 0, 1 and the rows
    of dot plots, whole numbers."""
    found = set()
    for path in paths:
        with open(path, newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                names = ["value", "bound", "predicted", "ci95_low", "ci95_high", "gamma", "horizon", "trials", "index"]
                words = [row.get(name) or "" for name in names + ["printed"] * (row["relation"] == "equals")]
                words += [word.partition("=")[2] for word in row["vary"].split()]
                for word in words:
                    try:
                        found.add(lab.number(word))
                    except ValueError:
                        pass
    return found


def drawn(figure):
    """Coordinates of every curve, mark and interval that stands on the axes of data."""
    for ax in figure.axes:
        for curve in ax.lines:
            transform = curve.get_transform()
            moved = getattr(transform, "_a", None) is ax.transData  # aside by some points
            in_data = (True, True) if moved else transform.contains_branch_seperately(ax.transData)
            for part, values in zip(in_data, (curve.get_xdata(), curve.get_ydata())):
                # The ends of a line across the whole axes are no data.
                if part and not (len(values) == 2 and tuple(values) == (0, 1)):
                    yield from (float(value) for value in values)
        for collection in ax.collections:
            for segment in getattr(collection, "get_segments", list)():
                for x, y in segment:
                    yield float(x)
                    yield float(y)


def unknown(figure, found):
    return [value for value in drawn(figure) if value == value and value not in found and value != round(value)]


def golden(root, work):
    lab, figures = scripts(root)
    folder = os.path.join(root, "tests", "plots", "golden")
    for name, draw in figures.items():
        files = [os.path.join(folder, name + end) for end in (".csv", ".expected.csv")]
        found = numbers(lab, *files)
        bytes_drawn = []
        for attempt in range(2):
            figure = draw(lab.Rows.read(files[0]), lab.Rows.read(files[1]))
            for end in ("svg", "png"):
                path = os.path.join(work, f"{name}.{attempt}.{end}")
                lab.save(figure, path)
                with open(path, "rb") as file:
                    bytes_drawn.append(file.read())
            strangers = unknown(figure, found)
            assert not strangers, f"{name}: drawn, but in no file: {strangers[:5]}"
            total = sum(1 for _ in drawn(figure))
            lab.plt.close(figure)
        assert bytes_drawn[:2] == bytes_drawn[2:], f"{name}: other bytes the second time"
        # The check bites: a curve that was worked on is noticed.
        worked_on = False
        for curve in (curve for ax in figure.axes for curve in ax.lines):
            for values, change in ((curve.get_xdata(), curve.set_xdata), (curve.get_ydata(), curve.set_ydata)):
                if not worked_on and any(value not in (0, 1, round(value)) for value in map(float, values)):
                    change([float(value) * 1.001 for value in values])
                    worked_on = True
        assert total > 5 and unknown(figure, found), f"{name}: a number that was worked on is not noticed"
        print(f"{name}: {total} coordinates drawn")
    # What has gone from a results file is named.
    try:
        figures["sun2025-fig3"](lab.Rows([], "empty.csv"), lab.Rows([], "empty.csv"))
    except LookupError as error:
        assert "empty.csv" in str(error)
    else:
        raise AssertionError("an empty results file is drawn")


def check_mark(lab, name, experiment, rows, drawn):
    """The figures of a quick run are marked, and those of a full run are not. @returns whether the run is quick"""
    said = {figure._supxlabel.get_text() if figure._supxlabel else "" for figure in drawn.values()}
    tasks = experiment.get("task", [])
    full = {task["name"]: lab.most(task["trials"]) for task in tasks if "trials" in task}
    quick = any(row["trials"] and row["task"] in full and int(row["trials"]) < full[row["task"]] for row in rows)
    assert len(said) == 1, f"{name}: {said}"
    assert said.pop().startswith("QUICK RUN") == quick, f"{name}: a mark that does not fit the trials"
    for row in rows:
        if row["trials"] and row["task"] in full:
            row["trials"] = str(full[row["task"]])
    assert lab.shortfall(rows, experiment) == "", f"{name}: a full run is marked as quick"
    return quick


def texts(figure):
    """What is written in a figure, with the place of each: [(text, box in pixels)]."""
    figure.canvas.draw()
    renderer = figure.canvas.get_renderer()
    found = []
    for artist in figure.findobj(Text):
        box = artist.get_window_extent(renderer) if artist.get_visible() and artist.get_text().strip() else None
        axes = artist.axes
        if box is None or (axes is not None and not axes.get_visible()):
            continue
        found.append((artist, box))
    # Ticks beyond the limits of their axis are not shown.
    hidden = {label for ax in figure.axes for axis in (ax.xaxis, ax.yaxis) for tick in axis.get_major_ticks() +
              axis.get_minor_ticks() for label in (tick.label1, tick.label2)
              if tick not in axis._update_ticks() or not label.get_visible()}
    return [(artist.get_text(), box) for artist, box in found if artist not in hidden]


def collisions(figure):
    """Pairs of texts that lie on each other, and texts that leave the figure."""
    found = texts(figure)
    wide, high = figure.bbox.width, figure.bbox.height
    outside = [text for text, box in found if box.x0 < -1 or box.y0 < -1 or box.x1 > wide + 1 or box.y1 > high + 1]
    def meet(one, other):
        return (min(one.x1, other.x1) - max(one.x0, other.x0) > 1 and min(one.y1, other.y1) - max(one.y0, other.y0) > 2)
    return outside + [(text, other) for (text, box), (other, place) in itertools.combinations(found, 2) if meet(box, place)]


def written(root, _work):
    """No text of a figure lies on another or leaves the figure, on a page and on a phone; and quick runs are marked."""
    lab, figures = scripts(root)
    folder = os.path.join(root, "tests", "plots", "golden")
    wrong, marked = [], 0
    for name, draw in figures.items():
        drawn, origin = lab.made(draw, folder, name, os.path.join(root, "experiments"))
        experiment = lab.experiment_of(name, os.path.join(root, "experiments"))
        quick = check_mark(lab, name, experiment, lab.Rows.read(os.path.join(folder, name + ".csv")), drawn)
        assert ("a full run" not in origin) == quick, f"{name}: {origin}"
        marked += quick
        for end, figure in drawn.items():
            if end.endswith(".svg"):
                wrong += [f"{name}{end}: {found}" for found in collisions(figure)]
                sizes = {artist.get_fontsize() for artist in figure.findobj(Text) if artist.get_text().strip()}
                wrong += [f"{name}{end}: letters of {size} points" for size in sizes if size < 5]
        lab.plt.close("all")
    assert not wrong, "\n".join(wrong)
    assert marked > 8
    # The check bites: a text on another, and one that leaves the figure.
    for x, y in ((0.5, 0.5), (1.5, 0.5)):
        figure, (ax,) = lab.panels(1, 2.6)
        ax.text(0.5, 0.5, "here", transform=ax.transAxes)
        assert not collisions(figure)
        ax.text(x, y, "there", transform=ax.transAxes).set_in_layout(False)
        assert collisions(figure), f"a text at {x} is not noticed"
    print(f"{len(figures)} figures, no text on another")


def gallery(root, _work):
    """The gallery's figures are of full runs of the experiments as they are now; its page states it, and which lack."""
    lab, figures = scripts(root)
    folder = os.path.join(root, "plots", "gallery")
    with open(os.path.join(folder, "README.md"), encoding="utf-8") as file:
        page = file.read()
    wrong = [f"{path}: of no experiment" for path in os.listdir(folder) if path.endswith(".svg") and path[:-4] not in figures]
    for name in figures:
        experiment = lab.experiment_of(name, os.path.join(root, "experiments"))
        full = lab.origin([], experiment, name)
        path = os.path.join(folder, name + ".svg")
        if not os.path.exists(path):
            if f"- `{name}`: no full run was drawn yet" not in page:
                wrong.append(f"{name}: not in the gallery")
            continue
        with open(path, encoding="utf-8") as file:
            text = file.read()
        found = re.search("<dc:description>(.*?)</dc:description>", text)
        if not found or html.unescape(found[1]) != full:
            wrong.append(f"{name}.svg: drawn from {found and found[1]}; wanted: {full}")
        if len(text) > 250_000:
            wrong.append(f"{name}.svg: {len(text)} bytes")
        wrong += [f"README.md: {name}: lacks {part!r}" for part in (f"]({name}.svg)", experiment["title"], experiment["source"], full)
                  if part not in page]
    assert not wrong, "\n".join(wrong)
    print(f"{len(figures)} figures in the gallery")


def advice(root, path):
    """The picture of an advice holds each speedup of the file at its draft length, and its interval."""
    scripts(root)
    from plot import views
    with open(path, encoding="utf-8") as file:
        pairs = views.advice_of_csv(file.read(), path)
    figure = views.advice(pairs)
    points, ends = set(), set()
    for ax in figure.axes:
        for curve in ax.lines:
            points |= set(zip(map(float, curve.get_xdata()), map(float, curve.get_ydata())))
        for collection in ax.collections:
            ends |= {(float(x), float(y)) for segment in collection.get_segments() for x, y in segment}
    rows = [row for all_rows in pairs.values() for row in all_rows]
    assert len(rows) > 3
    for row in rows:
        gamma = float(row["gamma"])
        assert (gamma, float(row["speedup"])) in points, f"not drawn: {row}"
        assert {(gamma, float(row["low"])), (gamma, float(row["high"]))} <= ends, f"no interval: {row}"
        assert (gamma, float(row["speedup"]) * 1.001) not in points
    assert len(figure.axes) == len(pairs)


if __name__ == "__main__":
    what = sys.argv[1]
    {"registry": lambda: registry(sys.argv[2]), "golden": lambda: golden(*sys.argv[2:4]), "texts": lambda: written(*sys.argv[2:4]),
     "gallery": lambda: gallery(*sys.argv[2:4]), "advice": lambda: advice(*sys.argv[2:4])}[what]()
