"""Acceptance length: sun2025 Figures 4 and 5, Tables 2, 4 and 5."""

import lab
from matplotlib.ticker import MaxNLocator, MultipleLocator, PercentFormatter

DRAFTERS = {"2": (lab.BLUE, "o", "order 2 draft"), "1": (lab.VERMILLION, "s", "order 1 draft")}
PERCENT = PercentFormatter(1.0, decimals=0)


def curve(ax, rows, x, color, marker, offset=0.0, **style):
    """Estimates joined by a thin line; returns the last one."""
    joined = lab.line(ax, rows, x, offset, color=color, linewidth=0.9, **style)
    lab.points(ax, rows, x, color, marker, offset)
    return joined.get_ydata()[-1]


def sun2025_fig5(rows, expected):
    figure, axes = lab.panels(3, 2.8)
    for ax, drafter, letter in zip(axes, DRAFTERS, "ab"):
        ends = []
        for verifier in ("token", "block"):
            color, marker, name = lab.VERIFIERS[verifier]
            which = {"task": "text", "verifier": verifier, "drafter": drafter, "quantity": "decode.acceptance_length"}
            ends.append((curve(ax, rows.pick(**which), "gamma", color, marker), name, color))
        ax.set(title=f"({letter}) text, {DRAFTERS[drafter][2]}", xlabel="\u03b3, draft length",
               ylabel="tokens per target call")
        ax.margins(y=0.12)
        lab.label_ends(ax, ends)
    series = [(*DRAFTERS[drafter], {"task": "text-improvement", "drafter": drafter}) for drafter in DRAFTERS]
    series.append((lab.GREEN, "^", "chain", {"task": "chain-improvement"}))
    ends = []
    for offset, (color, marker, name, which) in zip((-2.5, 0, 2.5), series):
        ends.append((curve(axes[2], rows.pick(quantity="decode.acceptance_length", **which), "gamma", color, marker, offset),
                     name.replace(" draft", ""), color))
    axes[2].set(title="(c) block over token", xlabel="\u03b3, draft length", ylabel="gain in tokens per call", ylim=(0, None))
    axes[2].yaxis.set_major_formatter(PERCENT)
    lab.label_ends(axes[2], ends)
    lab.key(axes[2], exact=None, simulated="simulated, 95%\ninterval", loc="upper left")
    for ax in axes:
        ax.set_xticks([2, 4, 6, 8, 12])
    return figure


def sun2025_table2(rows, expected):
    figure, (ax,) = lab.panels(1, 2.6)
    ends = []
    for offset, (drafter, (color, marker, name)) in zip((-2.5, 2.5), DRAFTERS.items()):
        which = {"task": "improvement", "quantity": "decode.acceptance_length", "drafter": drafter}
        ends.append((curve(ax, rows.pick(**which), "temperature", color, marker, offset), name, color))
    ax.axhline(0, color=lab.GREY, linewidth=0.8)
    ax.set(xlabel="temperature of both models", ylabel="gain of block over token")
    ax.yaxis.set_major_formatter(PERCENT)
    ax.yaxis.set_major_locator(MultipleLocator(0.05))
    ax.margins(y=0.12)
    lab.key(ax, exact=None, loc="upper left")
    lab.label_ends(ax, ends)
    return figure


def dot_plot(ax, groups):
    """GROUPS: (name, [(rows, verifier)]), from the top down."""
    at, ticks, names = 0.0, [], []
    for name, entries in groups:
        top = at
        for rows, verifier in entries:
            color, marker, label = lab.VERIFIERS[verifier]
            lab.dots(ax, rows, at, color, marker)
            ticks.append(at)
            names.append(label)
            at -= 1
        ax.annotate(name, (1, top + 0.45), xycoords=("axes fraction", "data"), ha="right", va="bottom", fontsize=7,
                    fontweight="bold", color=lab.GREY)
        at -= 1
    ax.set_yticks(ticks, names)
    ax.set_ylim(at + 1.3, 1.3)
    ax.grid(axis="y", visible=False)


def sun2025_table4(rows, expected):
    figure, (ahead, long) = lab.panels(2, 3.2, widths=(1, 1.5))
    difference = rows.pick(task="ahead", quantity="iterations.expected_tokens")
    for gamma, color, marker in zip(difference.values("gamma"), (lab.BLUE, lab.VERMILLION), "os"):
        lab.line(ahead, difference.pick(gamma=gamma), "index", color=color, marker=marker, label="\u03b3 = " + gamma)
    ahead.axhline(0, color=lab.GREY, linewidth=0.8)
    ahead.annotate("greedy block ahead", (0.97, 0.97), xycoords="axes fraction", ha="right", va="top", fontsize=7,
                   color=lab.GREY)
    ahead.annotate("block ahead", (0.03, 0.03), xycoords="axes fraction", fontsize=7, color=lab.GREY)
    ahead.set(title="(a) toy models, exact", xlabel="i, iterations",
              ylabel="E[N(i)], greedy block less block")
    ahead.xaxis.set_major_locator(MaxNLocator(integer=True))
    ahead.legend(loc="center left", bbox_to_anchor=(0, 0.3))
    verifiers = ("token", "block", "greedy-block")
    groups = [("toy models", [(rows.pick(task="toy", verifier=v, quantity="decode.acceptance_length"), v)
                              for v in verifiers])]
    for drafter, (_, _, name) in sorted(DRAFTERS.items()):
        groups.append(("text, " + name, [
            (rows.pick(task="text", drafter=drafter, verifier=v, quantity="decode.acceptance_length"), v)
            for v in verifiers]))
    dot_plot(long, groups)
    long.set(title="(b) runs of 128 tokens, \u03b3 = 8", xlabel="tokens per target call (no draft: 1)", xlim=(1, None))
    lab.key(long, exact=None, loc="upper right", bbox_to_anchor=(1, -0.17))
    return figure


def sun2025_table5(rows, expected):
    figure, axes = lab.panels(2, 3.2, sharey=True)
    order = [("one-draft", "token"), ("one-draft", "block"), ("two-drafts", "rrs"), ("two-drafts", "kseq")]
    for ax, suffix in zip(axes, ("", "-per-position")):
        groups = []
        for drafter, (_, _, name) in sorted(DRAFTERS.items()):
            groups.append(("text, " + name, [
                (rows.pick(task=task + suffix, verifier=v, drafter=drafter, quantity="decode.acceptance_length"), v)
                for task, v in order]))
        dot_plot(ax, groups)
    axes[0].set(title="(a) a call of the target", xlabel="tokens per target call (no draft: 1)", xlim=(1, None))
    axes[1].set(title="(b) a position that the target evaluates", xlabel="tokens per call / (K (\u03b3 + 1))",
                xlim=(0, None))
    axes[0].set_yticklabels([name.get_text() + (", K = 2" if name.get_text() in ("rrs", "kseq") else "")
                             for name in axes[0].get_yticklabels()])
    lab.key(axes[0], exact=None, loc="upper right", bbox_to_anchor=(1, -0.17))
    return figure


FIGURES = {"sun2025-fig5": sun2025_fig5, "sun2025-table2": sun2025_table2, "sun2025-table4": sun2025_table4,
           "sun2025-table5": sun2025_table5}
