"""Several drafts at once: lin2026 Figures 2a and 3a with Tables 1 and 3 to 5, the audit of its theorems, and
what its carry costs."""

import lab
from matplotlib.ticker import MaxNLocator


def lin2026_audit(rows, expected):
    figure, axes = lab.plt.subplots(1, 3, figsize=(lab.PAGE, 2.9))
    printed, slots = lab.VERIFIERS["spectr-gbv"], lab.VERIFIERS["slot-block"]
    accepted = {"task": "exact", "quantity": "iteration.expected_accepted"}
    for ax, gamma, letter in zip(axes, ("1", "2"), "ab"):
        ends = []
        which = {**accepted, "gamma": gamma}
        for verifier, claim, style, name in [
                ("slot-block", {}, {"marker": slots[1]}, "slot-block"),
                ("spectr-gbv", {"claim": "lin2026.theorem5.3"}, {"linestyle": "--"}, "bound of\nTheorem 5.3"),
                ("spectr-gbv", {}, {"marker": printed[1]}, "spectr-gbv\nas printed")]:
            color = lab.VERIFIERS[verifier][0]
            curve = lab.line(ax, rows.pick(verifier=verifier, **claim, **which), "K", color=color, **style)
            ends.append((curve.get_ydata()[-1], name, color))
        ax.axhline(rows.pick(verifier="spectr-gbv", K=1, **which).one(), color=lab.GREY, linewidth=0.8, linestyle=":")
        ax.set(title=f"({letter}) exact, L = {gamma}", xlabel="K, drafts")
        ax.margins(y=0.15)
        lab.label_ends(ax, ends, gap=18)
    axes[0].set_ylabel("E[\u03c4], accepted tokens")
    axes[1].annotate("one draft", (3, rows.pick(gamma=2, verifier="spectr-gbv", K=1, **accepted).one()),
                     ha="right", va="top", textcoords="offset points", xytext=(0, -7), fontsize=7, color=lab.GREY)
    ends = []
    for verifier, gamma, linestyle in [("spectr-gbv", "1", "-"), ("spectr-gbv", "2", "--"), ("slot-block", "2", "-")]:
        color, marker, name = lab.VERIFIERS[verifier]
        curve = lab.line(axes[2], rows.pick(task="exact", verifier=verifier, gamma=gamma,
                                            quantity="output.tv_to_target"), "K", color=color, marker=marker,
                         linestyle=linestyle)
        ends.append((curve.get_ydata()[-1],
                     "slot-block" if verifier == "slot-block" else f"spectr-gbv\nL = {gamma}", color))
    axes[2].set(title="(c) exact bias, two tokens", xlabel="K, drafts", ylabel="TV(output, target)")
    axes[2].margins(y=0.15)
    lab.label_ends(axes[2], ends, gap=18)
    for ax in axes:
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    return figure


def lin2026_fig2(rows, expected):
    figure, grid = lab.plt.subplots(2, 3, figsize=(lab.PAGE, 5.4), gridspec_kw={"width_ratios": (1, 1, 0.8)})
    many = ("rrs", "kseq", "spectr-gbv", "slot-block")
    for (drafts, lengths, _), family, name in zip(grid, ("ngram", "zipf"), ("text", "Zipf laws")):
        ends = []
        for verifier in many:
            color, marker, label = lab.VERIFIERS[verifier]
            found = rows.pick(task="drafts", pair=family, verifier=verifier,
                              quantity="iteration.expected_accepted")
            joined = lab.line(drafts, found, "K", color=color, linewidth=0.9)
            lab.points(drafts, found, "K", color, marker)
            ends.append((joined.get_ydata()[-1], label.replace(", as printed", ""), color))
        drafts.set(title=f"{name}, L = 8", xlabel="K, drafts", ylabel="E[\u03c4], accepted tokens", xticks=[1, 3, 5, 7])
        lab.label_ends(drafts, ends)
        ends = []
        for task, verifier in [("lengths-one", v) for v in ("token", "block", "greedy-block")] + \
                              [("lengths", v) for v in many]:
            color, marker, label = lab.VERIFIERS[verifier]
            which = {"task": task, "pair": family, "verifier": verifier, "quantity": "decode.acceptance_length"}
            found = rows.pick(**which)
            joined = lab.line(lengths, found, "gamma", color=color, linewidth=0.9)
            lab.points(lengths, found, "gamma", color, marker)
            ends.append((joined.get_ydata()[-1], label.replace(", as printed", ""), color))
            for row in lab.printed(expected, **which):
                lab.mark_printed(lengths, float(row["gamma"]), lab.number(row["printed"]), markersize=5.5,
                                 markerfacecolor=color)
        lengths.set(title=f"{name}, K = 3 or 1", xlabel="L, drafted tokens", ylabel="tokens per target call",
                    xticks=[4, 8, 12, 16, 20, 24])
        lab.label_ends(lengths, ends)
    lab.key(grid[0, 1], exact=None, simulated="simulated, 95%", paper="paper, DeepSeek", loc="upper left")
    bias, undefined = grid[0, 2], grid[1, 2]
    for verifier in many:
        color, marker, _ = lab.VERIFIERS[verifier]
        lab.line(bias, rows.pick(task="bias", verifier=verifier, quantity="output.tv_to_target"), "K",
                 color=color, marker=marker)
    bias.annotate("spectr-gbv", (0.05, 0.9), xycoords="axes fraction", fontsize=7, color=lab.VERIFIERS["spectr-gbv"][0])
    bias.annotate("the others: 0", (0.95, 0.08), xycoords="axes fraction", fontsize=7, ha="right", color=lab.GREY)
    bias.set(title="bias, toy models", xlabel="K, drafts", ylabel="exact TV of two tokens, L = 2")
    bias.xaxis.set_major_locator(MaxNLocator(integer=True))
    for family, linestyle, name in (("ngram", "-", "text"), ("zipf", "--", "Zipf laws")):
        found = rows.pick(task="drafts", verifier="spectr-gbv", quantity="undefined_trials", pair=family)
        lab.line(undefined, found, "K", color=lab.VERIFIERS["spectr-gbv"][0], marker="D", linestyle=linestyle,
                 label=name)
    trials = ", ".join(dict.fromkeys(row["trials"] for row in found))
    undefined.set(title="met a 0/0", xlabel="K, drafts", ylabel=f"runs of {trials}, spectr-gbv",
                  xticks=[1, 3, 5, 7], ylim=(0, None))
    undefined.legend()
    return figure


def lin2026_carry(rows, expected):
    figure, axes = lab.plt.subplots(1, 3, figsize=(lab.PAGE, 2.9))
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
        ax.margins(y=0.15)
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
        lab.label_ends(ax, ends, gap=10)
    axes[0].set_ylabel("E[\u03c4], accepted tokens")
    axes[1].set_ylabel("tokens a target call")
    return figure


FIGURES = {"lin2026-audit": lin2026_audit, "lin2026-carry": lin2026_carry, "lin2026-fig2": lin2026_fig2}

if __name__ == "__main__":
    lab.main(FIGURES)
