"""What papers print of language models: their tables against themselves, and predictions by fitted pairs."""

import lab
from matplotlib.ticker import MultipleLocator, PercentFormatter

# The parameter of an ensemble, and how its members are drawn.
FAMILIES = {"memoryless": ("noise", lab.GREEN, "--"), "mild": ("error", lab.ORANGE, ":"), "sharp": ("error", lab.BLUE, "-")}
TABLES = {"4": ("sun2025-table6", "sun2025-table8"), "6": ("sun2025-table7", "sun2025-table9"),
          "8": ("sun2025-table1", "sun2025-table10")}


def curves(ax, rows, gamma, derived, tables, verifier):
    """The improvement against the efficiency of token verification: every pair of the ensembles, and what is printed."""
    for family, (along, color, dashes) in FAMILIES.items():
        tokens = rows.pick(task=family, verifier="token", gamma=gamma, method="simulate")
        gains = rows.pick(task=f"{family}-{derived}", gamma=gamma)
        for member in tokens.values("member"):
            _, x, _, _ = tokens.pick(member=member).xy(along)
            _, y, _, _ = gains.pick(member=member).xy(along)
            ax.plot(x, y, color=color, linewidth=0.9, linestyle=dashes, alpha=0.85, zorder=2)
    for table in tables:
        printed = rows.pick(method="printed", task="memoryless", table=table)
        labels = printed.pick(verifier=verifier).values("row")
        for label in labels:
            ax.plot(printed.pick(verifier="token", row=label, index="fitted").one(), printed.pick(verifier=verifier, row=label).one(),
                    linestyle="none", marker="o", markersize=3, color=lab.BLACK, zorder=4)
    ax.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))


def calibrated(rows, expected):
    figure, axes = lab.panels(4, 2.4, columns=2, sharex=True)
    for ax, gamma, letter in zip(axes, TABLES, "abc"):
        curves(ax, rows, gamma, "block-over-token", TABLES[gamma], "block")
        ax.set(title=f"({letter}) block over token, \u03b3 = {gamma}", ylim=(0, 0.32))
    curves(axes[3], rows, "8", "greedy-over-token", ("sun2025-table4",), "greedy-block")
    axes[3].set(title="(d) greedy block over token, \u03b3 = 8", ylim=(-0.02, 0.16))
    axes[3].yaxis.set_major_locator(MultipleLocator(0.05))
    for ax in axes:
        ax.set(xlim=(1.8, 5), ylabel="gain in tokens per call")
        ax.tick_params(labelbottom=True)
        ax.xaxis.set_major_locator(MultipleLocator(1))
    for ax in axes if lab.narrow else axes[2:]:
        ax.set_xlabel("tokens per target call, token verification")
    handles = [lab.plt.Line2D([], [], color=color, linestyle=dashes, linewidth=0.9, label=f"{name} pairs, one a line")
               for name, (_, color, dashes) in FAMILIES.items()]
    handles.append(lab.plt.Line2D([], [], color=lab.BLACK, marker="o", markersize=3, linestyle="none",
                                  label="printed, of PALM-2 on a data set"))
    lab.key_above(figure, handles, 1 if lab.narrow else 4)
    return figure


def printed_tables(rows, expected):
    figure, axes = lab.panels(2, 2.9, sharex=True, sharey=True)
    series = {"4": (lab.BLUE, "o"), "6": (lab.GREEN, "^"), "8": (lab.VERMILLION, "s")}
    for ax, verifier, letter in zip(axes, ("token", "block"), "ab"):
        for gamma, tables in TABLES.items():
            color, marker = series[gamma]
            for table, filled in zip(tables, (True, False)):
                which = rows.pick(method="printed", task=table, verifier=verifier)
                for label in which.values("row"):
                    one = which.pick(row=label)
                    ax.plot(one.pick(quantity="efficiency").one(), one.pick(quantity="speedup").one(), linestyle="none",
                            marker=marker, markersize=4, markeredgecolor=color, markerfacecolor=color if filled else "white")
        ax.set(title=f"({letter}) {verifier} verification", xlabel="block efficiency, printed",
               ylabel="wall-clock speedup, printed")
        ax.tick_params(labelbottom=True)
    handles = [lab.plt.Line2D([], [], color=color, marker=marker, linestyle="none", label=f"\u03b3 = {gamma}")
               for gamma, (color, marker) in series.items()]
    handles.append(lab.plt.Line2D([], [], color=lab.GREY, marker="o", markerfacecolor="white", linestyle="none",
                                  label="not filled: the smaller drafter"))
    lab.key_above(figure, handles, 2 if lab.narrow else 4)
    return figure


FIGURES = {"calibrated": calibrated, "printed-tables": printed_tables}
