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
#: Processor seconds and error in %, on 100,000 rows; BE-SVM by the number of bases, with C chosen by
#: hand and by cross-validation; the Gaussian machine's C and gamma by cross-validation.
FIGURES = {
    "COVTYPE's shape": (3, (17.6, 8.4), {1000: (6.4, 15.8), 2000: (15.1, 13.9), 5000: (43, 13.0)},
                        {1000: (6.4, 14.5), 2000: (17.9, 11.4), 5000: (77, 9.6)}),
    "HIGGS's shape": (22, (17.7, 22.3), {1000: (1.4, 24.1), 2000: (3.5, 23.0), 5000: (8.8, 22.7),
                                         10000: (29, 22.5), 20000: (61, 22.5)},
                      {1000: (3.8, 22.4), 2000: (6.6, 22.3), 5000: (87, 22.3)}),
}

with pyplot.style.context(["default", "tableau-colorblind10"]):
    figure, panels = pyplot.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
    for panel, (name, (bayes, machine, by_hand, chosen)) in zip(panels, FIGURES.items()):
        for label, bases in (("C by hand", by_hand), ("C by cross-validation", chosen)):
            panel.plot(*zip(*bases.values()), "o-", label=f"BE-SVM, by bases, {label}")
            for count, place in bases.items():
                panel.annotate(f"{count:,}", place, xytext=(3, 5 if bases is by_hand else -11),
                               textcoords="offset points", fontsize=8)
        panel.plot(*machine, "ks", label="Gaussian machine, C and gamma by cross-validation")
        panel.axhline(bayes, color="grey", linestyle=":", label="Bayes error")
        panel.set(title=name, xscale="log", xlabel="processor time [s]", ylabel="error [%]",
                  ylim=(20.5, 26.5) if bayes > 10 else (0, 18))
        ticks = [1, 2, 5, 10, 20, 50]
        panel.set_xticks(ticks, ticks)
        panel.set_xticks([], minor=True)
        panel.set_xlim(1, 130)
    panel.legend(fontsize=8, loc="upper right")
    figure.savefig(PICTURE, dpi=80)
