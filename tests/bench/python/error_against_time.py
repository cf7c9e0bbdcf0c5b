#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the chart of performance.md, "A million rows", from the figures of its tables.

    ./semblance python tests/bench/python/error_against_time.py
"""
from pathlib import Path

import matplotlib
matplotlib.use("Agg")
from matplotlib import pyplot

PICTURE = Path(__file__).parents[3] / "docs" / "error_against_time.png"
#: Processor seconds and error in %, on 100,000 rows; BE-SVM by the number of bases.
FIGURES = {
    "COVTYPE's shape": (3, (19.1, 8.2), {1000: (6.4, 15.8), 2000: (15.1, 13.9), 5000: (43, 13.0)}),
    "HIGGS's shape": (22, (21.6, 22.5), {1000: (1.4, 24.1), 2000: (3.5, 23.0), 5000: (8.8, 22.7),
                                         10000: (29, 22.5), 20000: (61, 22.5)}),
}

with pyplot.style.context(["default", "tableau-colorblind10"]):
    figure, panels = pyplot.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
    for panel, (name, (bayes, machine, bases)) in zip(panels, FIGURES.items()):
        panel.plot(*zip(*bases.values()), "o-", label="BE-SVM, by bases")
        for count, place in bases.items():
            panel.annotate(f"{count:,}", place, xytext=(3, 5), textcoords="offset points", fontsize=8)
        panel.plot(*machine, "s", label="Gaussian machine")
        panel.axhline(bayes, color="grey", linestyle=":", label="Bayes error")
        panel.set(title=name, xscale="log", xlabel="processor time [s]", ylabel="error [%]",
                  ylim=(20.5, 25) if bayes > 10 else (0, 18))
        ticks = [1, 2, 5, 10, 20, 50]
        panel.set_xticks(ticks, ticks)
        panel.set_xticks([], minor=True)
        panel.set_xlim(1, 90)
        panel.legend(fontsize=8, loc="lower left" if bayes > 10 else "center left")
    figure.savefig(PICTURE, dpi=80)
