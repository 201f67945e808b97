"""What papers print of language models: their tables against themselves, and predictions by fitted pairs."""

import lab
from matplotlib.ticker import MultipleLocator, PercentFormatter

FAMILIES = {"memoryless": ("noise", lab.GREEN, "memoryless"), "mild": ("error", lab.ORANGE, "mild"),
            "sharp": ("error", lab.BLUE, "sharp")}
QUANTITY = "decode.acceptance_length"
TABLES = {"4": ("sun2025-table6", "sun2025-table8"), "6": ("sun2025-table7", "sun2025-table9"),
          "8": ("sun2025-table1", "sun2025-table10")}


def curves(ax, rows, gamma, derived, tables, verifier):
    """The improvement against the efficiency of token verification: every pair of the ensembles, and what is printed."""
    for family, (along, color, _) in FAMILIES.items():
        tokens = rows.pick(task=family, verifier="token", gamma=gamma, method="simulate")
        gains = rows.pick(task=f"{family}-{derived}", gamma=gamma)
        for member in tokens.values("member"):
            _, x, _, _ = tokens.pick(member=member).xy(along)
            _, y, _, _ = gains.pick(member=member).xy(along)
            ax.plot(x, y, color=color, linewidth=0.8, alpha=0.8, zorder=2)
    for table in tables:
        printed = rows.pick(method="printed", task="memoryless", table=table)
        labels = printed.pick(verifier=verifier).values("row")
        for label in labels:
            ax.plot(printed.pick(verifier="token", row=label, index="fitted").one(), printed.pick(verifier=verifier, row=label).one(),
                    linestyle="none", marker="o", markersize=3, color=lab.BLACK, zorder=4)
    ax.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))


def calibrated(rows, expected):
    figure, axes = lab.plt.subplots(2, 2, figsize=(lab.PAGE, 4.8), sharex=True)
    for ax, gamma, letter in zip(axes.flat, TABLES, "abc"):
        curves(ax, rows, gamma, "block-over-token", TABLES[gamma], "block")
        ax.set(title=f"({letter}) block over token, \u03b3 = {gamma}", ylim=(0, 0.32))
    curves(axes[1][1], rows, "8", "greedy-over-token", ("sun2025-table4",), "greedy-block")
    axes[1][1].set(title="(d) greedy block over token, \u03b3 = 8", ylim=(-0.02, 0.16))
    for ax in axes.flat:
        ax.set(xlim=(1.8, 5))
        ax.xaxis.set_major_locator(MultipleLocator(1))
    for ax in axes[1]:
        ax.set_xlabel("tokens per target call, token verification")
    for row in axes:
        row[0].set_ylabel("gain in tokens per call")
    handles = [lab.plt.Line2D([], [], color=color, label=f"{name} pairs") for _, color, name in FAMILIES.values()]
    handles.append(lab.plt.Line2D([], [], color=lab.BLACK, marker="o", markersize=3, linestyle="none", label="printed, a data set"))
    axes[0][0].legend(handles=handles, loc="upper left", borderaxespad=0.2, handlelength=1.4)
    return figure


def printed_tables(rows, expected):
    figure, axes = lab.plt.subplots(1, 2, figsize=(lab.PAGE, 2.9), sharex=True, sharey=True)
    colors = {"4": lab.BLUE, "6": lab.GREEN, "8": lab.VERMILLION}
    markers = {"token": "o", "block": "s"}
    for ax, verifier, letter in zip(axes, markers, "ab"):
        for gamma, tables in TABLES.items():
            for table, filled in zip(tables, (True, False)):
                which = rows.pick(method="printed", task=table, verifier=verifier)
                for label in which.values("row"):
                    one = which.pick(row=label)
                    ax.plot(one.pick(quantity="efficiency").one(), one.pick(quantity="speedup").one(), linestyle="none",
                            marker=markers[verifier], markersize=4, markeredgecolor=colors[gamma],
                            markerfacecolor=colors[gamma] if filled else "white")
        ax.set(title=f"({letter}) {verifier} verification", xlabel="block efficiency, printed")
    axes[0].set_ylabel("wall-clock speedup, printed")
    handles = [lab.plt.Line2D([], [], color=color, marker="o", linestyle="none", label=f"\u03b3 = {gamma}")
               for gamma, color in colors.items()]
    handles.append(lab.plt.Line2D([], [], color=lab.GREY, marker="o", markerfacecolor="white", linestyle="none",
                                  label="smaller drafter"))
    axes[0].legend(handles=handles, loc="upper left", borderaxespad=0.2, handlelength=1)
    return figure


FIGURES = {"calibrated": calibrated, "printed-tables": printed_tables}

if __name__ == "__main__":
    lab.main(FIGURES)
