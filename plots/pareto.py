"""Rejection against bias: yin2024 Figure 4 (a, b, c)."""

import lab

RESIDUALS = {"optimal": (lab.BLACK, "o"), "standard": (lab.GREEN, "x"), "target": (lab.VERMILLION, "s"),
             "draft": (lab.BLUE, "^")}


def yin2024_fig4(rows, expected):
    figure, (plane, curves) = lab.panels(2, 3.0)
    rejection, loss = "decode.rejections", "output.tv_to_target"
    distance = rows.pick(task="line", quantity="tv").one()
    plane.plot([0, distance], [distance, 0], color=lab.GREY, linewidth=1)
    ends = []
    for residual, (color, marker) in RESIDUALS.items():
        law = rows.pick(task="biased", residual=residual)
        _, across, _, _ = law.pick(quantity=rejection).xy("eps")
        _, up, _, _ = law.pick(quantity=loss).xy("eps")
        # The two optimal residuals lie on each other: a cross inside a ring.
        plane.plot(across, up, linestyle="none" if residual in ("optimal", "standard") else "-", linewidth=0.8,
                   marker=marker, color=color, markerfacecolor="none", markeredgewidth=0.9,
                   markersize=6 if residual == "optimal" else 4)
        if residual != "standard":
            ends.append((up[0], residual if residual != "optimal" else "optimal \u25cb and\nstandard \u00d7", color))
    plane.set(title="(a) each residual, exact", xlabel="P(reject)", ylabel="TV(output, target)", xlim=(0, None),
              ylim=(-0.006, None))
    plane.annotate("the line\nP(reject) + TV = TV(d, t):\nno residual lies below it", (0.04, 0.06),
                   xycoords="axes fraction", fontsize=7, color=lab.GREY)
    lab.label_ends(plane, ends)

    ends = []
    for quantity, color, marker, claim, name in [
            (rejection, lab.VERMILLION, "s", "yin2024.theorem5", "P(reject)"),
            (loss, lab.BLUE, "o", "yin2024.theorem4", "Loss*")]:
        curve = lab.line(curves, rows.pick(task="biased", residual="optimal", claim=claim, quantity=quantity), "eps",
                         color=color)
        lab.points(curves, rows.pick(task="simulated", quantity=quantity), "eps", color, marker)
        ends.append((curve.get_ydata()[-1], name, color))
    curves.axhline(distance, color=lab.GREY, linewidth=1, linestyle=":")
    curves.annotate("TV(d, t)", (0.99, distance), xycoords=("axes fraction", "data"), ha="right", va="bottom",
                    textcoords="offset points", xytext=(0, 2), fontsize=7, color=lab.GREY)
    curves.set(title="(b) optimal residual", xlabel="\u03b5, in b = min(1, (t + \u03b5) / d)",
               ylabel="probability; distance", ylim=(-0.004, None))
    lab.key(curves, exact="Theorems 4 and 5", loc="center right", bbox_to_anchor=(1, 0.62))
    curves.annotate("at \u03b5 = 0 a simulated\nTV is too large on\naverage: its interval\nreaches to 0 for that",
                    (0.99, 0.12), xycoords="axes fraction", fontsize=7, color=lab.BLUE, ha="right", va="bottom")
    lab.label_ends(curves, ends)
    return figure


FIGURES = {"yin2024-fig4": yin2024_fig4}
