"""Acceptance length: sun2025 Figures 4 and 5, Tables 2, 4 and 5."""

import lab
from matplotlib.ticker import MaxNLocator, MultipleLocator, PercentFormatter

DRAFTERS = {"2": (lab.BLUE, "o", "order 2 draft"), "1": (lab.VERMILLION, "s", "order 1 draft")}
PERCENT = PercentFormatter(1.0, decimals=0)


def stars(ax, expected, x, color, **where):
    """The numbers that the paper prints for its language models, in the colour of the series."""
    for row in lab.printed(expected, **where):
        if not lab.Rows.coordinate(row, x):
            continue  # of all its values
        lab.mark_printed(ax, lab.number(lab.Rows.coordinate(row, x)), lab.number(row["printed"]), markerfacecolor=color)


def curve(ax, rows, x, color, marker, **style):
    """Estimates joined by a thin line; returns the last one."""
    joined = lab.line(ax, rows, x, color=color, linewidth=0.9, **style)
    lab.points(ax, rows, x, color, marker)
    return joined.get_ydata()[-1]


def sun2025_fig5(rows, expected):
    figure, axes = lab.plt.subplots(1, 3, figsize=(lab.PAGE, 2.8))
    for ax, drafter, letter in zip(axes, DRAFTERS, "ab"):
        ends = []
        for verifier in ("token", "block"):
            color, marker, name = lab.VERIFIERS[verifier]
            which = {"task": "text", "verifier": verifier, "drafter": drafter, "quantity": "decode.acceptance_length"}
            ends.append((curve(ax, rows.pick(**which), "gamma", color, marker), name, color))
            stars(ax, expected, "gamma", color, **which)
        ax.set(title=f"({letter}) text, {DRAFTERS[drafter][2]}", xlabel="\u03b3, draft length")
        ax.margins(y=0.12)
        lab.label_ends(ax, ends)
    axes[0].set_ylabel("acceptance length, tokens per target call")
    series = [(*DRAFTERS[drafter], {"task": "text-improvement", "drafter": drafter}) for drafter in DRAFTERS]
    series.append((lab.GREEN, "^", "chain", {"task": "chain-improvement"}))
    ends = []
    for color, marker, name, which in series:
        ends.append((curve(axes[2], rows.pick(quantity="decode.acceptance_length", **which), "gamma", color, marker),
                     name.replace(" draft", ""), color))
        stars(axes[2], expected, "gamma", color, quantity="decode.acceptance_length", **which)
    axes[2].set(title="(c) block over token", xlabel="\u03b3, draft length", ylim=(0, None))
    axes[2].yaxis.set_major_formatter(PERCENT)
    lab.label_ends(axes[2], ends)
    lab.key(axes[2], exact=None, simulated="simulated, 95%", paper="paper, PALM-2", loc="upper left")
    for ax in axes:
        ax.set_xticks([2, 4, 6, 8, 12])
    return figure


def sun2025_table2(rows, expected):
    figure, ax = lab.plt.subplots(figsize=(lab.COLUMN, 2.6))
    ends = []
    for drafter, (color, marker, name) in DRAFTERS.items():
        which = {"task": "improvement", "quantity": "decode.acceptance_length", "drafter": drafter}
        ends.append((curve(ax, rows.pick(**which), "temperature", color, marker), name, color))
        stars(ax, expected, "temperature", lab.YELLOW, **which)
    ax.set(xlabel="temperature of both models", ylabel="block over token verification")
    ax.yaxis.set_major_formatter(PERCENT)
    ax.yaxis.set_major_locator(MultipleLocator(0.05))
    ax.margins(y=0.12)
    lab.key(ax, exact=None, paper="paper, Vicuna models", loc="upper left")
    lab.label_ends(ax, ends)
    return figure


def dot_plot(ax, expected, groups):
    """GROUPS: (name, [(rows, verifier, choice of printed numbers or None)]), from the top down."""
    at, ticks, names = 0.0, [], []
    for name, entries in groups:
        top = at
        for rows, verifier, where in entries:
            color, marker, label = lab.VERIFIERS[verifier]
            lab.dots(ax, rows, at, color, marker)
            ticks.append(at)
            names.append(label)
            for row in lab.printed(expected, **where) if where else []:
                lab.mark_printed(ax, lab.number(row["printed"]), at, markerfacecolor="none", markersize=6)
            at -= 1
        ax.annotate(name, (1, top + 0.45), xycoords=("axes fraction", "data"), ha="right", va="bottom", fontsize=7,
                    fontweight="bold", color=lab.GREY)
        at -= 1
    ax.set_yticks(ticks, names)
    ax.set_ylim(at + 1.3, 1.3)
    ax.grid(axis="y", visible=False)


def sun2025_table4(rows, expected):
    figure, (ahead, long) = lab.plt.subplots(1, 2, figsize=(lab.PAGE, 3.2), gridspec_kw={"width_ratios": (1, 1.5)})
    ends = []
    difference = rows.pick(task="ahead", quantity="iterations.expected_tokens")
    for gamma, color, marker in zip(difference.values("gamma"), (lab.BLUE, lab.VERMILLION), "os"):
        drawn = lab.line(ahead, difference.pick(gamma=gamma), "index", color=color, marker=marker)
        ends.append((drawn.get_ydata()[-1], "\u03b3 = " + gamma, color))
    ahead.axhline(0, color=lab.GREY, linewidth=0.8)
    ahead.annotate("greedy block ahead", (0.97, 0.97), xycoords="axes fraction", ha="right", va="top", fontsize=7,
                   color=lab.GREY)
    ahead.annotate("block ahead", (0.03, 0.03), xycoords="axes fraction", fontsize=7, color=lab.GREY)
    ahead.set(title="(a) toy models, exact", xlabel="i, iterations",
              ylabel="E[N(i)], greedy block less block")
    ahead.xaxis.set_major_locator(MaxNLocator(integer=True))
    lab.label_ends(ahead, ends)
    verifiers = ("token", "block", "greedy-block")
    groups = [("toy models", [(rows.pick(task="toy", verifier=v, quantity="decode.acceptance_length"), v, None)
                              for v in verifiers])]
    for drafter, (_, _, name) in sorted(DRAFTERS.items()):
        groups.append(("text, " + name, [
            (rows.pick(task="text", drafter=drafter, verifier=v, quantity="decode.acceptance_length"), v,
             {"task": "text", "drafter": drafter, "verifier": v}) for v in verifiers]))
    dot_plot(long, expected, groups)
    long.set(title="(b) runs of 128 tokens, \u03b3 = 8", xlabel="acceptance length, tokens per target call")
    ring = lab.plt.Line2D([], [], marker="*", markerfacecolor="none", markeredgecolor=lab.BLACK, markeredgewidth=0.5,
                          linestyle="none", markersize=6)
    lab.key(long, exact=None, simulated="simulated, 95%", more=[(ring, "paper, PALM-2, eight data sets")],
            loc="upper center", bbox_to_anchor=(0.4, -0.17), ncol=2)
    return figure


def sun2025_table5(rows, expected):
    figure, axes = lab.plt.subplots(1, 2, figsize=(lab.PAGE, 3.2), sharey=True)
    order = [("one-draft", "token"), ("one-draft", "block"), ("two-drafts", "rrs"), ("two-drafts", "kseq")]
    for ax, suffix in zip(axes, ("", "-per-position")):
        groups = []
        for drafter, (_, _, name) in sorted(DRAFTERS.items()):
            groups.append(("text, " + name, [
                (rows.pick(task=task + suffix, verifier=v, drafter=drafter, quantity="decode.acceptance_length"), v,
                 {"task": task + suffix, "verifier": v, "drafter": drafter}) for task, v in order]))
        dot_plot(ax, expected, groups)
    axes[0].set(title="(a) tokens per target call", xlabel="acceptance length")
    axes[1].set(title="(b) tokens per position evaluated", xlabel="acceptance length / (K (\u03b3 + 1))",
                xlim=(0, None))
    axes[0].set_yticklabels([name.get_text() + (", K = 2" if name.get_text() in ("rrs", "kseq") else "")
                             for name in axes[0].get_yticklabels()])
    ring = lab.plt.Line2D([], [], marker="*", markerfacecolor="none", markeredgecolor=lab.BLACK, markeredgewidth=0.5,
                          linestyle="none", markersize=6)
    lab.key(axes[0], exact=None, simulated="simulated, 95%", more=[(ring, "paper, PALM-2")], loc="upper center",
            bbox_to_anchor=(0.5, -0.17), ncol=2)
    return figure


FIGURES = {"sun2025-fig5": sun2025_fig5, "sun2025-table2": sun2025_table2, "sun2025-table4": sun2025_table4,
           "sun2025-table5": sun2025_table5}

if __name__ == "__main__":
    lab.main(FIGURES)
