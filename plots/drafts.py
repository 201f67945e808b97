"""Several drafts at once: lin2026 Figures 2a and 3a with Tables 1 and 3 to 5, the audit of its theorems, and
what its carry costs."""

import lab
from matplotlib.ticker import MaxNLocator, PercentFormatter


def lin2026_audit(rows, expected):
    figure, axes = lab.panels(3, 2.9)
    accepted = {"task": "exact", "quantity": "iteration.expected_accepted"}
    for ax, gamma, letter in zip(axes, ("1", "2"), "ab"):
        ends = []
        which = {**accepted, "gamma": gamma}
        bound = lab.line(ax, rows.pick(verifier="spectr-gbv", claim="lin2026.theorem5.3", **which), "K", color=lab.GREY,
                         linestyle="--", linewidth=1.2)
        ends.append((bound.get_ydata()[-1], "bound, which\nspectr-coupled\nattains", lab.VERIFIERS["spectr-coupled"][0]))
        for verifier, style, name in [("slot-block", {}, "slot-block"), ("spectr-gbv", {}, "spectr-gbv,\nas printed"),
                                      ("spectr-coupled", {"linestyle": "none", "markersize": 6}, "")]:
            color, marker, _ = lab.VERIFIERS[verifier]
            curve = lab.line(ax, rows.pick(verifier=verifier, **which), "K", color=color, marker=marker,
                             markerfacecolor="white", **style)
            if name:
                ends.append((curve.get_ydata()[-1], name, color))
        one = rows.pick(verifier="spectr-gbv", K=1, **which).one()
        ax.axhline(one, color=lab.GREY, linewidth=0.8, linestyle=":")
        ax.annotate("one draft", (0.97, one), xycoords=("axes fraction", "data"), ha="right", va="top",
                    textcoords="offset points", xytext=(0, -11 if gamma == "2" else -3), fontsize=7, color=lab.GREY)
        ax.set(title=f"({letter}) L = {gamma}, exact", xlabel="K, drafts", ylabel="E[\u03c4], accepted tokens")
        ax.margins(y=0.15)
        lab.label_ends(ax, ends, gap=22)
    ends = []
    for verifier, gamma, fill in [("spectr-gbv", "1", "white"), ("spectr-gbv", "2", None), ("slot-block", "2", "white")]:
        color, marker, name = lab.VERIFIERS[verifier]
        curve = lab.line(axes[2], rows.pick(task="exact", verifier=verifier, gamma=gamma,
                                            quantity="output.tv_to_target"), "K", color=color, marker=marker,
                         markerfacecolor=fill or color)
        ends.append((curve.get_ydata()[-1], "slot-block,\nspectr-coupled" if verifier == "slot-block" else
                     f"spectr-gbv,\nL = {gamma}", color))
    lab.line(axes[2], rows.pick(task="exact", verifier="spectr-coupled", gamma=2, quantity="output.tv_to_target"), "K",
             color=lab.VERIFIERS["spectr-coupled"][0], marker="h", linestyle="none", markerfacecolor="none", markersize=7)
    axes[2].set(title="(c) bias of two tokens, exact", xlabel="K, drafts", ylabel="TV(output, target)")
    axes[2].margins(y=0.15)
    lab.label_ends(axes[2], ends, gap=18)
    for ax in axes:
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    return figure


MANY = ("kseq", "rrs", "spectr-gbv", "slot-block", "spectr-coupled")
# Beside each other, in points, where intervals would hide each other.
ASIDE = {name: 1.6 * at for at, name in enumerate(MANY, -2)} | {"token": -4.8, "block": 4.8, "greedy-block": 6.4}
# The steps of the printed order SD < GBV < SpecTr < SpecTr-GBV, and the repairs beside them.
STEPS = (("greedy-over-token", "greedy-block", "greedy block over token"), ("kseq-over-greedy", "kseq", "kseq over greedy block"),
         ("printed-over-kseq", "spectr-gbv", "spectr-gbv over kseq"), ("coupled-over-kseq", "spectr-coupled", "spectr-coupled over kseq"),
         ("slots-over-block", "slot-block", "slot-block over block"))


def several(ax, rows, x, series, **where):
    """Estimates of several verifiers, joined, each a little aside."""
    for task, verifier in series:
        color, marker, _ = lab.VERIFIERS[verifier]
        found = rows.pick(task=task, verifier=verifier, **where)
        lab.line(ax, found, x, ASIDE[verifier], color=color, linewidth=0.9)
        lab.points(ax, found, x, color, marker, ASIDE[verifier])


def printed_order(ax, rows, family):
    """Each step of the printed order as a relative gain, with the line of no gain."""
    ax.axhline(0, color=lab.GREY, linewidth=0.8)
    ends = []
    for task, verifier, name in STEPS:
        color, marker, _ = lab.VERIFIERS[verifier]
        found = rows.pick(task=task, pair=family, quantity="decode.acceptance_length")
        joined = lab.line(ax, found, "gamma", ASIDE[verifier] / 2, color=color, linewidth=0.9)
        lab.points(ax, found, "gamma", color, marker, ASIDE[verifier] / 2)
        ends.append((joined.get_ydata()[-1], name.replace(" over ", "\nover "), color))
    ax.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    lab.label_ends(ax, ends, gap=19)


def exact_bias(ax, rows):
    for verifier in MANY:
        color, marker, _ = lab.VERIFIERS[verifier]
        lab.line(ax, rows.pick(task="bias", verifier=verifier, quantity="output.tv_to_target"), "K", color=color,
                 marker=marker, markerfacecolor="none")
    ax.annotate("all the others: 0", (0.95, 0.12), xycoords="axes fraction", fontsize=7, ha="right", color=lab.GREY)
    ax.set(title="(g) bias on the toy models, L = 2", xlabel="K, drafts", ylabel="exact TV of two tokens")
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))


def undefined_decodes(ax, rows):
    color, marker, _ = lab.VERIFIERS["spectr-gbv"]
    for family, fill, name in (("ngram", color, "text"), ("zipf", "none", "Zipf laws")):
        found = rows.pick(task="drafts", verifier="spectr-gbv", quantity="undefined_trials", pair=family)
        lab.line(ax, found, "K", color=color, marker=marker, markerfacecolor=fill, label=name)
    trials = ", ".join(dict.fromkeys(f"{int(row['trials']):,}" for row in found))
    ax.set(title="(h) spectr-gbv meets a 0/0", xlabel="K, drafts", ylabel=f"decodes of {trials}", xticks=[1, 3, 5, 7],
           ylim=(0, max(1, ax.get_ylim()[1])))
    ax.yaxis.set_major_locator(MaxNLocator(4, integer=True))
    ax.legend()


def lin2026_fig2(rows, expected):
    met = rows.pick(task="drafts", verifier="spectr-gbv", quantity="undefined_trials")
    any_met = any(float(row["value"]) > 0 for row in met)
    figure, axes = lab.panels(8 if any_met or not lab.narrow else 7, 2.3, columns=2)
    for place, (family, name) in enumerate((("ngram", "text"), ("zipf", "Zipf laws"))):
        drafts, lengths, steps = axes[place:6:2]
        several(drafts, rows, "K", [("drafts", verifier) for verifier in MANY], pair=family,
                quantity="iteration.expected_accepted")
        drafts.set(title=f"({'ab'[place]}) {name}, L = 8", xlabel="K, drafts", ylabel="E[\u03c4], accepted tokens",
                   xticks=[1, 3, 5, 7], xlim=(0.6, 7.4))
        series = [("lengths-one", verifier) for verifier in ("token", "block", "greedy-block")]
        several(lengths, rows, "gamma", series + [("lengths", verifier) for verifier in MANY], pair=family,
                quantity="decode.acceptance_length")
        lengths.set(title=f"({'cd'[place]}) {name}, K = 3 or one draft", ylabel="tokens per target call")
        printed_order(steps, rows, family)
        steps.set(title=f"({'ef'[place]}) {name}, each step of the order",
                  ylabel="gain in tokens per call")
        for ax in (lengths, steps):
            ax.set(xlabel="L, drafted tokens", xticks=[4, 8, 12, 16, 20, 24], xlim=(2.6, 25.8))
    exact_bias(axes[6], rows)
    if any_met:
        undefined_decodes(axes[7], rows)
    elif not lab.narrow:
        axes[7].axis("off")
        decodes = " and ".join(sorted({f"{int(row['trials']):,}" for row in met}))
        axes[7].text(0, 0.95, f"In {decodes} decodes of each K on (a) and (b)\nspectr-gbv met no 0/0.", fontsize=7, va="top",
                     color=lab.GREY, transform=axes[7].transAxes)
    shown = ("token", "block", "greedy-block") + MANY
    handles = [lab.series_mark(lab.VERIFIERS[name][2], lab.VERIFIERS[name]) for name in shown]
    lab.key_above(figure, handles + [lab.mark_of_estimates("simulated, 95% interval")], 2 if lab.narrow else 5)
    return figure


def lin2026_carry(rows, expected):
    figure, axes = lab.panels(3, 2.9)
    shown = ("block", "greedy-block", "slot-block", "spectr-coupled")
    panels = [("iteration", "bernoulli", "iteration.expected_accepted", "(a) one iteration, exact"),
              ("decodes", "bernoulli", "decode.acceptance_length", "(b) decodes, two tokens"),
              ("decodes", "markov", "decode.acceptance_length", "(c) decodes, seven states")]
    for ax, (task, pair, quantity, title) in zip(axes, panels):
        ends = []
        for verifier in shown:
            color, marker, label = lab.VERIFIERS[verifier]
            found = rows.pick(task=task, pair=pair, verifier=verifier, quantity=quantity)
            curve = lab.line(ax, found, "gamma", color=color, linewidth=0.9)
            lab.points(ax, found, "gamma", color, marker)
            ends.append((curve.get_ydata()[-1], label, color))
        ax.set(title=title, xlabel="L, draft length")
        ax.set_xticks([int(gamma) for gamma in found.values("gamma")])
        ax.margins(y=0.15)
        lab.label_ends(ax, ends, gap=10)
    axes[0].set_ylabel("E[\u03c4], accepted tokens")
    lab.key(axes[1], exact=None, simulated="simulated,\n95% interval", loc="lower right")
    for ax in axes[1:]:
        ax.set_ylabel("tokens per target call")
    return figure


FIGURES = {"lin2026-audit": lin2026_audit, "lin2026-carry": lin2026_carry, "lin2026-fig2": lin2026_fig2}
