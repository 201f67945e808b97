"""What one more draft in the batch saves: yin2024 Figure 3, right."""

import lab


def yin2024_fig3(rows, expected):
    figure, axes = lab.panels(2, 2.7)
    panels = [("target Ber(0.5), draft Ber(p)", "bernoulli", "draft", "p = {}"),
              ("target on 4 tokens, draft on n", "uniform", "tokens", "n = {}")]
    for ax, (title, task, variable, text) in zip(axes, panels):
        ends = []
        for color, marker, value in zip(lab.SEQUENCE, lab.MARKERS, rows.pick(task=task).values(variable)):
            which = {variable: value}
            curve = lab.line(ax, rows.pick(task=task, quantity="improvement", **which), "M", color=color,
                             marker=marker, markersize=3)
            for limit in rows.pick(need=False, task=task + "-tv", quantity="tv", **which):
                ax.axhline(float(limit["value"]), color=color, linestyle=":", linewidth=1)
            ends.append((curve.get_ydata()[-1], text.format(value), color))
        ax.set(title=title, xlabel="M, drafts in the batch", ylabel="improvement in P(accept)", ylim=(0, None),
               xlim=(0.5, 20.5))
        ax.set_xticks([1, 5, 10, 15, 20])
        lab.label_ends(ax, ends)
    dotted = lab.plt.Line2D([], [], color=lab.GREY, linestyle=":", linewidth=1)
    lab.key(axes[1], exact="closed form, section 3.2", simulated=None, loc="lower right", bbox_to_anchor=(1, 0.08),
            more=[(dotted, "limit TV(d, t)")])
    return figure


FIGURES = {"yin2024-fig3": yin2024_fig3}
