# SPDX-License-Identifier: MIT
"""What each part of pipelines/series/best.yaml gives and costs: a table and the picture of docs/series.md.

    ./semblance ablate pipelines/series/best.yaml --data DIR --out OUT
    ./semblance python tests/bench/python/series_parts.py OUT --data DIR --draw docs/series.png

Wins, ties and losses are against the machine `ridge`, the recipe, with Wilcoxon's p. The time is the processor
time of training and testing on two sets, each machine alone, on one thread, without the store.
"""

import argparse
import os
import resource
import subprocess
import tempfile

import numpy as np

from ucr_published import compared, measured

RECIPE = "ridge"
#: 500 + 625 short series, and 250 + 250 long ones.
TIMED = ("SwedishLeaf", "Computers")


def processor_seconds(program, pipeline, data):
    with tempfile.TemporaryDirectory() as out:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([program, "run", pipeline, "--data", data, "--out", os.path.join(out, "run"), "--no-cache",
                        "--threads", "1", "--quiet"], check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def seconds_of(study, machine, program, data):
    return sum(processor_seconds(program, os.path.join(study, "variants", f"machine={machine},data={name}",
                                                       "pipeline.yaml"), data) for name in TIMED)


def draw(rows, file):
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    figure, axes = plt.subplots(figsize=(7, 4))
    last = (0.0, np.inf)  # the point above
    for name, error, time in sorted(rows, key=lambda row: -row[1]):
        chosen, close = name == RECIPE, abs(last[0] - time) < 2 and last[1] - error < 0.1
        axes.plot(time, error, "o", color="C3" if chosen else "C0")
        axes.annotate("the recipe" if chosen else name, (time, error), xytext=(6, -12 if close else 4),
                      textcoords="offset points", weight="bold" if chosen else "normal")
        last = time, error
    axes.set_xlabel(f"processor time of {' and '.join(TIMED)} [s]")
    axes.set_ylabel("mean test error of the sets [%]")
    axes.set_xlim(left=0, right=1.25 * max(row[2] for row in rows))
    axes.grid(alpha=0.3)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    figure.tight_layout()
    figure.savefig(file, dpi=110)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("study", help="its folder")
    parser.add_argument("--data", required=True, help="the folder with ucr/NAME")
    parser.add_argument("--program", default="build/release/bin/semblance")
    parser.add_argument("--draw", help="the picture to write")
    given = parser.parse_args()
    errors = measured(given.study)
    sets = list(errors[RECIPE])
    ours = np.array([errors[RECIPE][one] for one in sets])
    rows = []
    print("| machine | mean error | wins, ties, losses | p | seconds |\n|---|---|---|---|---|")
    for name, values in errors.items():
        theirs = np.array([values[one] for one in sets])
        wins, ties, losses, p = compared(theirs, ours)
        time = seconds_of(given.study, name, given.program, given.data)
        rows.append((name, 100 * theirs.mean(), time))
        print(f"| {name} | {100 * theirs.mean():.2f} | " +
              (" | |" if name == RECIPE else f"{wins} / {ties} / {losses} | {p:.3f} |") + f" {time:.1f} |", flush=True)
    if given.draw:
        draw(rows, given.draw)


if __name__ == "__main__":
    main()
