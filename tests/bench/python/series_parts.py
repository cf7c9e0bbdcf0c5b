# SPDX-License-Identifier: MIT
"""What each part of pipelines/series/best.yaml gives and costs: a table and the picture of docs/series.md.

    ./semblance ablate pipelines/series/best.yaml --data DIR --out OUT
    ./semblance python tests/bench/python/series_parts.py OUT --draw docs/series.png

Wins, ties and losses are against the machine `ridge`, the recipe, with Wilcoxon's p. A machine's time is that of
its nodes, of all sets, and 1 is the recipe's. Nodes that a run takes from the store have no time in its trace:
name the folder of the run that computed them as well.
"""

import argparse
import collections
import json
import os
import re

import numpy as np

from ucr_published import compared, measured

RECIPE = "ridge"
#: The features of each machine: the nodes that only they need.
PARTS = {"multi": "multi_features multi_z multi", "hydra": "hydra_features hydra",
         "rdst": "rdst_features rdst_z rdst", "msm": "shapes bases msm_map msm", "dtw": "bases dtw_map dtw"}
MACHINES = {"MultiRocket": "multi", "Hydra": "hydra", "RDST": "rdst", "MultiRocket+Hydra": "multi hydra",
            "MultiRocket+RDST": "multi rdst", "Hydra+RDST": "hydra rdst", "linear_svm": "multi hydra rdst",
            RECIPE: "multi hydra rdst", "elastic": "multi hydra rdst msm dtw"}


def seconds(folders):
    """The time of each node of each variant: {(node, "machine,set" or "set"): seconds}."""
    found = {}
    for folder in folders:
        with open(os.path.join(folder, "trace.json"), encoding="utf-8") as file:
            events = json.load(file)["traceEvents"]
        times = collections.Counter()
        for event in events:
            node = re.match(r"(\w+)\[(.*?)\]: ", event.get("name", ""))
            if node and event.get("ph") == "X":
                times[node[1], node[2]] += event["dur"] / 1e6
        for key, time in times.items():
            found.setdefault(key, time)
    return found


def cost(machine, times):
    """The time of a machine over all sets. Its maps may be needed by it alone, and then bear its name."""
    nodes = {node for part in MACHINES[machine].split() for node in PARTS[part].split()}
    return sum(time for (node, variant), time in times.items()
               if (node in nodes and ("," not in variant or variant.split(",")[0] == machine))
               or (node == "fit" and variant.split(",")[0] == machine))


def draw(rows, file):
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    figure, axes = plt.subplots(figsize=(7, 4))
    for name, error, time in rows:
        chosen = name == RECIPE
        axes.plot(time, error, "o", color="C3" if chosen else "C0")
        axes.annotate("the recipe" if chosen else name, (time, error), xytext=(6, 4),
                      textcoords="offset points", weight="bold" if chosen else "normal")
    axes.set_xlabel("time of all 65 sets, the recipe's = 1")
    axes.set_ylabel("mean test error [%]")
    axes.set_xlim(left=0, right=1.25 * max(row[2] for row in rows))
    axes.grid(alpha=0.3)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    figure.tight_layout()
    figure.savefig(file, dpi=110)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("runs", nargs="+", help="the study's folder, and those of earlier runs")
    parser.add_argument("--draw", help="the picture to write")
    given = parser.parse_args()
    errors = measured(given.runs[0])
    times, sets = seconds(given.runs), list(errors[RECIPE])
    ours = np.array([errors[RECIPE][one] for one in sets])
    rows = []
    print("| machine | mean error | wins, ties, losses | p | time |\n|---|---|---|---|---|")
    for name, values in errors.items():
        theirs = np.array([values[one] for one in sets])
        wins, ties, losses, p = compared(theirs, ours)
        time = cost(name, times) / cost(RECIPE, times)
        rows.append((name, 100 * theirs.mean(), time))
        print(f"| {name} | {100 * theirs.mean():.2f} | " +
              (" | |" if name == RECIPE else f"{wins} / {ties} / {losses} | {p:.3f} |") + f" {time:.2f} |")
    if given.draw:
        draw(rows, given.draw)


if __name__ == "__main__":
    main()
