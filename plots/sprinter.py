"""SPRINTER: zhong2025 Figures 3, 5, 6, 12 and 13, Table 2 and Equations (5) and (6)."""

import lab
from matplotlib.ticker import MaxNLocator

RATES = {"0": (lab.BLUE, "o"), "0.5": (lab.VERMILLION, "s")}


def zhong2025_fig5(rows, expected):
    figure, (tokens, time) = lab.panels(2, 2.7)
    for ax, quantity, measured in ((tokens, "expected_accepted", "iteration.expected_accepted"),
                                   (time, "expected_stopping_time", "modelled_time.stop")):
        ends = []
        for rate, (color, marker) in RATES.items():
            curve = lab.line(ax, rows.pick(task="theory", quantity=quantity, fp=rate), "tp", color=color)
            ends.append((curve.get_ydata()[-1], "fp = " + rate, color))
            found = rows.pick(need=False, task="simulated", quantity=measured, fp=rate)
            if len(found):
                lab.points(ax, found, "tp", color, marker)
        ax.set(xlabel="true-positive rate tp", ylim=(0, None), xlim=(-0.02, 1.03))
        lab.label_ends(ax, ends)
    tokens.set(title="(a) Theorem 3.3, r = 5", ylabel="E[tokens passed]")
    time.set(title="(b) Theorem 3.4, r = 5, draft step 0.1", ylabel="E[stopping time], units of time")
    lab.key(tokens, exact="closed form", loc="upper left")
    return figure


def zhong2025_roc(rows, expected):
    figure, axes = lab.panels(3, 2.9, widths=(1, 1, 0.9))
    thresholds = rows.pick(task="roc").values("lambda")
    for ax, family, title in ((axes[0], "ngram", "(a) text"), (axes[1], "zipf", "(b) Zipf laws")):
        curves = rows.pick(task="roc", pair=family)
        keys = []
        ax.plot([0, 1], [0, 1], color=lab.GREY, linewidth=0.8, linestyle=":")
        for (color, marker), threshold in zip(((lab.BLUE, "o"), (lab.VERMILLION, "s"), (lab.GREEN, "^")), thresholds):
            which = curves.pick(**{"lambda": threshold})
            _, across, _, _ = which.pick(quantity="roc.false_positive").xy("index")
            _, up, _, _ = which.pick(quantity="roc.true_positive").xy("index")
            area = which.pick(quantity="roc.area").one()
            ax.plot(across, up, color=color, linewidth=1.1, zorder=3)
            ax.plot(which.pick(quantity="rates.false_positive").one(), which.pick(quantity="rates.true_positive").one(),
                    marker=marker, color=color, markerfacecolor="white", markersize=5, linestyle="none", zorder=4)
            keys.append(lab.plt.Line2D([], [], color=color, linewidth=1.1, marker=marker, markerfacecolor="white",
                                       label=f"\u03bb = {threshold}: area {area:.3f}"))
        ax.set(title=title, xlabel="false-positive rate", xlim=(0, 1), ylim=(0, 1.01))
        ax.legend(handles=keys, loc="lower right", borderaxespad=0.1, handlelength=1.8, title="mark: at the threshold used",
                  title_fontsize=7, alignment="left", frameon=True, framealpha=1, fancybox=False, edgecolor="none")
    for ax in axes[:2] if lab.narrow else axes[:1]:
        ax.set_ylabel("true-positive rate")
    ends = []
    for color, marker, name, which in [
            (lab.GREY, "v", "Theorem 3.1,\none rate a class", {"task": "roc", "quantity": "theorem3.1.tv"}),
            (lab.ORANGE, "^", "with [d \u2212 t]+\nweights",
             {"task": "roc", "quantity": "theorem3.1-by-token.tv"}),
            (lab.BLACK, "o", "exact law", {"task": "measured", "quantity": "output.tv_to_target"})]:
        curve = lab.line(axes[2], rows.pick(pair="zipf", **which), "lambda",
                         color=color, marker=marker)
        ends.append((curve.get_ydata()[-1], name, color))
    axes[2].set(title="(c) Zipf laws, one token", xlabel="\u03bb of the labels", ylabel="TV(output, target)", ylim=(0, None),
                xticks=[lab.number(threshold) for threshold in thresholds])
    axes[2].set_ylim(0, 1.25 * axes[2].get_ylim()[1])
    lab.label_ends(axes[2], ends, gap=19)
    return figure


def zhong2025_table2(rows, expected):
    figure, (passed, speed, flops) = lab.panels(3, 3.0)
    series = [("token", "token", {"gamma": gamma}, "token, \u03b3 = " + gamma)
              for gamma in rows.pick(task="token").values("gamma")]
    series += [("sprinter", spec, {}, spec.replace("(", ",\n").replace(")", "").replace(",tp", ", tp"))
               for spec in rows.pick(task="sprinter").values("verifier")]
    series.append(("sprinter-trained", "sprinter", {}, "sprinter,\ntrained"))
    for ax, quantity, left in ((passed, "decode.acceptance_length", 1), (speed, "modelled_time.decode_speedup", 0)):
        for at, (task, verifier, which, _) in enumerate(series):
            color, marker, _ = lab.VERIFIERS[lab.family(verifier)]
            lab.dots(ax, rows.pick(task=task, verifier=verifier, quantity=quantity, **which), -at, color,
                     marker)
        ax.set_yticks([-at for at in range(len(series))])
        ax.grid(axis="y", visible=False)
        ax.margins(x=0.1)
        ax.set(xlim=(left, None), ylim=(0.6 - len(series), 0.6))
        ax.set_yticklabels([name for _, _, _, name in series] if lab.narrow or ax is passed else [])
    speed.axvline(1, color=lab.GREY, linestyle="--", linewidth=1)
    passed.set(title="(a) whole decodes", xlabel="tokens per target call")
    speed.set(title="(b) whole decodes", xlabel="modelled speedup")
    speed.annotate("no draft", (1, 0.98), xycoords=("data", "axes fraction"), rotation=90, ha="right", va="top", fontsize=7,
                   color=lab.GREY, xytext=(-1, 0), textcoords="offset points")
    lab.key(passed, exact=None, loc="upper left", bbox_to_anchor=(-0.2, -0.2))
    ends = []
    for quantity, color, name in (("speculative.flops", lab.BLUE, "token"), ("sprinter.flops", lab.VERMILLION, "sprinter")):
        curve = lab.line(flops, rows.pick(task="flops", quantity=quantity), "gamma", color=color)
        ends.append((curve.get_ydata()[-1], name, color))
    flops.set(title="(c) Equations 5 and 6", xlabel="\u03b3, tokens", ylabel="FLOPs, unit of Figure 10",
              ylim=(0, None))
    flops.xaxis.set_major_locator(MaxNLocator(integer=True))
    lab.label_ends(flops, ends)
    return figure


FIGURES = {"zhong2025-fig5": zhong2025_fig5, "zhong2025-roc": zhong2025_roc, "zhong2025-table2": zhong2025_table2}
