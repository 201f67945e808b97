"""Draws the figures of experiments: see --help."""

import acceptance
import batches
import drafts
import efficiency
import lab
import pareto
import printed
import rejections
import sprinter

SCRIPTS = (acceptance, batches, drafts, efficiency, pareto, printed, rejections, sprinter)
FIGURES = {name: draw for script in SCRIPTS for name, draw in script.FIGURES.items()}

if __name__ == "__main__":
    lab.main(FIGURES)
