"""What is drawn into axes: lines, estimates with their intervals, names at the ends of lines, keys."""

import matplotlib
import numpy as np
from matplotlib.lines import Line2D

from .look import BLACK, GREY, INK, YELLOW


def aside(ax, offset):
    """The data of axes, some points to the right."""
    return ax.transData + matplotlib.transforms.ScaledTranslation(offset / 72, 0, ax.figure.dpi_scale_trans)


def line(ax, rows, x, offset=0.0, **style):
    """An exact law or a closed form: a line. With an offset it joins the estimates of that offset."""
    at, value, _, _ = rows.xy(x)
    if offset:
        style["transform"] = aside(ax, offset)
    return ax.plot(at, value, **style)[0]


def estimates(ax, at, value, low, high, color, marker="o", offset=0.0, **style):
    """Estimates with their 95% intervals. `offset` moves the marks aside, in points, where they would hide."""
    known = ~np.isnan(low)
    ax.vlines(at[known], low[known], high[known], color=color, linewidth=1.1, transform=aside(ax, offset), zorder=3)
    style = {"markersize": 3.6, "markeredgewidth": 0.9, "zorder": 4, **style}
    ax.plot(at, value, linestyle="none", marker=marker, markerfacecolor="white", markeredgecolor=color,
            transform=aside(ax, offset), **style)
    ax.update_datalim(np.column_stack([at, np.where(np.isnan(low), value, low)]))
    ax.update_datalim(np.column_stack([at, np.where(np.isnan(high), value, high)]))
    ax.autoscale_view()


def points(ax, rows, x, color, marker="o", offset=0.0, **style):
    """The estimates among rows; see `estimates`."""
    estimates(ax, *rows.xy(x), color, marker, offset, **style)


def dots(ax, rows, at, color, marker):
    """One estimate in a dot plot, at the height `at`, with its 95% interval."""
    (row,) = rows
    if row["ci95_low"]:
        ax.hlines(at, float(row["ci95_low"]), float(row["ci95_high"]), color=color, linewidth=1.3, zorder=3)
    ax.plot(float(row["value"]), at, marker=marker, color=color, markerfacecolor="white", markersize=4.5,
            markeredgewidth=1, zorder=4)


def mark_printed(ax, x, y, **style):
    """A number that a paper prints of these very models: a yellow star."""
    style = {"markersize": 7, "markerfacecolor": YELLOW, **style}
    ax.plot(x, y, linestyle="none", marker="*", markeredgecolor=BLACK, markeredgewidth=0.5, zorder=5, **style)


def spread(home, gap, low, high):
    """Heights near `home`, at least `gap` apart and, where there is room, from `low` to `high`: what would touch forms a
    group, spread around its middle."""
    groups = [[i] for i in sorted(range(len(home)), key=lambda i: home[i])]

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
    heights = list(home)
    for group in groups:
        for step, i in enumerate(group):
            heights[i] = ends(group)[0] + step * gap
    order = sorted(range(len(home)), key=lambda i: heights[i])
    for edge, order, sign in ((high, order[::-1], 1), (low, order, -1)):
        for i in order:
            heights[i] = min(heights[i], edge) if sign > 0 else max(heights[i], edge)
            edge = heights[i] - sign * gap
    return heights


def label_ends(ax, entries, gap=9.5, size=None):
    """Names each series at the right edge, (y, text, colour), moved apart by at least `gap` points.

    A thin line leads from a name that was moved to the end of its series.
    """
    labels = [ax.annotate(text, (1, y), xycoords=ax.get_yaxis_transform(), textcoords="offset points", xytext=(5, 0),
                          color=INK.get(color, color), fontsize=size or 7, va="center", annotation_clip=False)
              for y, text, color in entries]
    ax.figure.canvas.draw()  # the layout now knows how wide the labels are
    home = [ax.transData.transform((ax.get_xlim()[0], y))[1] * 72 / ax.figure.dpi for y, _, _ in entries]
    inside = [edge * 72 / ax.figure.dpi for edge in (ax.bbox.y0, ax.bbox.y1)]
    lines = max(text.count("\n") for _, text, _ in entries) + 1 if entries else 1
    moved = spread(home, gap, inside[0] + 4.5 * lines - 4, inside[1] - 4.5 * lines + 4)
    away = 11 if any(abs(new - old) > 3 for new, old in zip(moved, home)) else 5
    for label, old, new, (y, _, color) in zip(labels, home, moved, entries):
        label.xyann = (away, new - old)
        if away > 5:
            ax.annotate("", (1, y), xycoords=ax.get_yaxis_transform(), textcoords="offset points",
                        xytext=(away, new - old), annotation_clip=False,
                        arrowprops={"arrowstyle": "-", "color": color, "linewidth": 0.5, "shrinkA": 1, "shrinkB": 1})


def key(ax, exact="exact", simulated="simulation, 95% interval", paper=None, more=(), **place):
    """The key of what lines and marks are, in grey; colours are named at the lines themselves."""
    handles = []
    if exact:
        handles.append(Line2D([], [], color=GREY, label=exact))
    if simulated:
        handles.append(mark_of_estimates(simulated))
    for handle, text in more:
        handle.set_label(text)
        handles.append(handle)
    if paper:
        handles.append(Line2D([], [], marker="*", markerfacecolor=YELLOW, markeredgecolor=BLACK,
                              markeredgewidth=0.6, linestyle="none", markersize=7, label=paper))
    place = {"loc": "best", "handlelength": 1.6, "borderaxespad": 0.2, **place}
    return ax.legend(handles=handles, **place)


def series_mark(name, style):
    """The entry of a key for a series of estimates joined by a line: (colour, mark) as they are drawn."""
    color, marker = style[:2]
    return Line2D([], [], color=color, marker=marker, markerfacecolor="white", linewidth=0.9, markersize=4.5, label=name)


def key_above(figure, handles, columns):
    """A key for all panels, above them, in so many columns."""
    rows = -(-len(handles) // columns)
    high = (0.17 * rows + 0.08) / figure.get_figheight()
    figure.get_layout_engine().set(rect=(0, 0, 1, 1 - high))
    figure.legend(handles=handles, loc="upper left", ncol=columns, bbox_to_anchor=(0.01, 1), borderaxespad=0.2,
                  handlelength=2, columnspacing=1.4)


def mark_of_estimates(text):
    """The entry of a key for marks with an interval."""
    return Line2D([], [], color=GREY, marker="o", markerfacecolor="white", linestyle="none", markersize=3.6, label=text)
