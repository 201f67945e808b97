"""How many drafted tokens are accepted: sun2025 Figure 3, sun2024 Figure 2."""

import lab
from matplotlib.ticker import MultipleLocator


def sun2025_fig3(rows, expected):
    figure, (ax,) = lab.panels(1, 2.6)
    closed_forms = {"token": "sun2024.theorem2", "block": "sun2025.lemma3", "greedy-block": "sun2024.theorem1"}
    ends = []
    for verifier, claim in closed_forms.items():
        color, marker, name = lab.VERIFIERS[verifier]
        tail = {"quantity": "iteration.tail", "verifier": verifier}
        exact = lab.line(ax, rows.pick(task="exact", claim=claim, **tail), "index", color=color)
        lab.points(ax, rows.pick(task="simulated", **tail), "index", color, marker)
        ends.append((exact.get_ydata()[-1], name, color))
    ax.set(xlabel="i, drafted tokens", ylabel="P(\u03c4 \u2265 i)", xlim=(0.5, 10.3), ylim=(0, 0.9))
    ax.set_xticks(range(1, 11))
    lab.key(ax, exact="closed form", loc="upper right")
    lab.label_ends(ax, ends)
    return figure


def sun2024_fig2(rows, expected):
    figure, axes = lab.panels(2, 3.1, sharey=True)
    panels = [("token verification", "token", "token.expected_accepted"),
              ("block-level optimum (greedy block)", "greedy-block", "block.expected_accepted")]
    labels = []
    drafts = rows.pick(task="corrected").values("draft")
    for ax, (title, verifier, quantity) in zip(axes, panels):
        ends = []
        for color, marker, draft in zip(lab.SEQUENCE, lab.MARKERS, drafts):
            which = {"draft": draft, "quantity": quantity}
            true = lab.line(ax, rows.pick(task="corrected", **which), "gamma", color=color)
            lab.line(ax, rows.pick(task="printed", **which), "gamma", color=color, linestyle=":", linewidth=1.1)
            lab.points(ax, rows.pick(task="simulated", verifier=verifier, draft=draft), "gamma", color,
                       marker)
            ends.append((true.get_ydata()[-1], "draft Ber(" + draft + ")", color))
        ax.set(title=title, xlabel="L, drafted tokens", xlim=(0.5, 20.3))
        ax.xaxis.set_major_locator(MultipleLocator(4))
        labels.append(ends)
    axes[0].set_ylim(bottom=0)
    for ax, ends in zip(axes, labels):
        lab.label_ends(ax, ends)
    for ax in axes if lab.narrow else axes[:1]:
        ax.set_ylabel("E[\u03c4], accepted tokens")
    dotted = lab.plt.Line2D([], [], color=lab.GREY, linestyle=":", linewidth=1.1)
    lab.key(axes[0], exact="sum from i = 1 (true)", loc="upper left",
            more=[(dotted, "sum from i = 0, as printed")])
    return figure


FIGURES = {"sun2025-fig3": sun2025_fig3, "sun2024-fig2": sun2024_fig2}
