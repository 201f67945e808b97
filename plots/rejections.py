"""Rejections: yin2024 Figure 2 (a, b, c) and Figure 5."""

import lab


def runs(ax, rows, verifier, claim, color, marker, text, offset=0.0):
    """Simulated means after growing numbers of runs, and where they have to go. Returns entries for a key."""
    every = rows.pick(task="runs", verifier=verifier, trials="all")
    lab.points(ax, every, "trials", color, marker, offset)
    theory = rows.pick(task="runs", verifier=verifier, claim=claim).one()
    mark = lab.plt.Line2D([], [], color=color, marker=marker, markerfacecolor="white", markersize=3.6)
    ax.axhline(theory, color=color)
    return (mark, f"{text}: {theory:.6f}")


def against_batch(ax, rows, marked):
    """E[N_rej] against M, with the limit that it cannot go below."""
    lab.line(ax, rows.pick(task="theory-batch", claim="yin2024.theorem3"), "M", color=lab.BLACK, marker=".",
             markersize=3)
    limit = rows.pick(task="theory-batch", claim="yin2024.proposition1", M="1").one()
    ax.axhline(limit, color=lab.PURPLE, linestyle="--")
    ax.set(xscale="log", xlabel="M, drafts in the batch", ylabel="E[rejections]")
    ax.annotate(f"limit of M \u2192 \u221e: {limit:.6f}", (0.97, limit), xycoords=("axes fraction", "data"),
                ha="right", va="top", textcoords="offset points", xytext=(0, -3), fontsize=7,
                color=lab.INK[lab.PURPLE])
    ax.margins(y=0.12)
    for row in rows.pick(task="theory-batch", claim="yin2024.theorem3"):
        if row["vary"]["M"] not in marked:
            continue
        ax.plot(float(row["vary"]["M"]), float(row["value"]), "o", color=lab.BLACK, markersize=3.5)
        ax.annotate("M = " + row["vary"]["M"], (float(row["vary"]["M"]), float(row["value"])), fontsize=7,
                    textcoords="offset points", xytext=(5, 0 if row["vary"]["M"] == "5" else 4))


def finish_runs(ax, title, entries):
    ax.set(title=title, xscale="log", xlabel="number of simulated runs")
    if entries:
        lab.key(ax, exact=None, simulated=None, more=entries, loc="upper right")


def in_margin(ax, value):
    """A mark at a height of the right margin: a number that is not of what the axes show."""
    mark, = ax.plot([1.015], [value], linestyle="", marker="<", color=lab.BLACK, markersize=4, clip_on=False,
                    transform=ax.get_yaxis_transform())
    return mark


def yin2024_fig2(rows, expected):
    figure, (one, close, batch, size) = lab.panels(4, 2.6, columns=2)
    for ax in (one, close):
        entries = [runs(ax, rows, "token", "yin2024.theorem1", lab.BLUE, "o", "simulated; Theorem 1")]
        for row in lab.printed(expected, task="theory"):
            entries.append((in_margin(ax, lab.number(row["printed"])),
                            f"printed, of a chain that is not given: {row['printed']}"))
    finish_runs(one, "(a) one draft", entries)
    one.set_ylabel("mean rejections in 50 tokens")
    finish_runs(close, "(a) the last of them, enlarged", [])
    last = list(rows.pick(task="runs", verifier="token", trials="all"))[-5:]
    ends = min(float(row["ci95_low"]) for row in last), max(float(row["ci95_high"]) for row in last)
    room = 0.05 * (ends[1] - ends[0])
    close.set(xlim=(0.6 * int(last[0]["trials"]), 1.6 * int(last[-1]["trials"])), ylim=(ends[0] - room, ends[1] + room))
    if lab.narrow:
        close.set_ylabel("mean rejections in 50 tokens")
    entries = [runs(batch, rows, f"batch(M={count})", "yin2024.theorem3", color, marker, f"M = {count}; Theorem 3",
                    offset)
               for count, color, marker, offset in (("4", lab.VERMILLION, "s", -1.5), ("5", lab.GREEN, "^", 1.5))]
    finish_runs(batch, "(b) batches of M drafts", entries)
    batch.margins(y=0.25)
    batch.set_ylabel("mean rejections in 50 tokens")
    against_batch(size, rows, ("1", "4", "5"))
    size.set_title("(c) closed form against M")
    return figure


def yin2024_fig5(rows, expected):
    figure, (one, size) = lab.panels(2, 2.8, widths=(1.3, 1))
    entries = [runs(one, rows, *series) for series in (
        ("token", "yin2024.theorem1", lab.BLUE, "o", "token; Theorem 1"),
        ("batch(M=2)", "yin2024.theorem3", lab.VERMILLION, "s", "batch of 2; Theorem 3"))]
    finish_runs(one, "one draft, and batches of two", entries)
    one.margins(y=0.2)
    one.set_ylabel("mean rejections in 100 tokens")
    against_batch(size, rows, ("1", "2"))
    size.set_title("closed form against M")
    return figure


FIGURES = {"yin2024-fig2": yin2024_fig2, "yin2024-fig5": yin2024_fig5}
