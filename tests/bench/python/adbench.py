# SPDX-License-Identifier: MIT
"""Novelty detectors on sets of ADBench beside published areas: the tables of docs/benchmarks/adbench.md.

    ./semblance python tests/bench/python/adbench.py prepare DIR/novelty DATA
    ./semblance ablate pipelines/novelty/adbench.yaml --data DATA --out OUT
    ./semblance python tests/bench/python/adbench.py compare OUT DIR/novelty/published.csv

`prepare` writes DATA/adbench/NAME for every NAME.npz (X and y; 1 is an anomaly): the first half of the normal rows,
in the order of the file, trains; the others and all anomalies test. A set of fewer than 1,000 rows is also there as
NAME_1, NAME_2 and NAME_3: 1,000 rows drawn with replacement, then divided in the same way. Published areas of such
sets come from rows drawn like that, so that copies of test rows train.

`compare` takes `published.csv`: a row per set and a column per detector, areas in %, each with its deviation in
brackets. A set that was drawn counts with its mean area over the draws.
"""

import argparse
import csv
import os

import numpy as np
from scipy.stats import rankdata

from ucr_published import compared, holm, measured

ENOUGH, DRAWS = 1000, 3


def write(folder, rows, novel):
    usual = np.flatnonzero(novel == 0)
    half = len(usual) // 2
    os.makedirs(folder, exist_ok=True)
    rows = rows.astype(np.float64)
    train, rest = rows[usual[:half]], np.r_[usual[half:], np.flatnonzero(novel == 1)]
    # Training rows must have every class. Their mean is called an anomaly, from which no detector learns, and which
    # changes no z-score but by one factor for all.
    for name, values in (("train", np.r_[train, train.mean(axis=0)[np.newaxis]]), ("test", rows[rest]),
                         ("train_labels", np.r_[np.zeros(half, np.int64), 1]), ("test_labels", novel[rest])):
        np.save(os.path.join(folder, f"{name}.npy"), values)


def prepare(sets, out):
    for file in sorted(os.listdir(sets)):
        name, end = os.path.splitext(file)
        if end != ".npz":
            continue
        with np.load(os.path.join(sets, file)) as arrays:
            rows, novel = arrays["X"], arrays["y"]
        write(os.path.join(out, "adbench", name), rows, novel)
        for draw in range(DRAWS if len(rows) < ENOUGH else 0):
            chosen = np.random.RandomState(draw).choice(len(rows), ENOUGH)
            write(os.path.join(out, "adbench", f"{name}_{draw + 1}"), rows[chosen], novel[chosen])


def published(file):
    with open(file, encoding="utf-8") as lines:
        return {row.pop("set"): {name: float(text.split("(")[0]) for name, text in row.items()}
                for row in csv.DictReader(lines)}


def as_published(areas, name):
    """The area in % of a set, over its draws if there are any."""
    drawn = [areas[one] for draw in range(DRAWS) if (one := f"{name}_{draw + 1}") in areas]
    return round(100 * float(np.mean(drawn or [areas[name]])), 2)


def table(ours, theirs, names):
    """Mean areas and ranks of published detectors and one of ours, and tests against each."""
    own = np.array([as_published(ours, name) for name in names])
    others = {peer: np.array([theirs[name][peer] for name in names]) for peer in theirs[names[0]]}
    ranks = np.mean([rankdata([-own[k]] + [-values[k] for values in others.values()]) for k in range(len(names))],
                    axis=0)
    # compared() is for errors: the smaller one wins.
    tests = [compared(-own, -values) for values in others.values()]
    print("| | mean area | mean rank | wins, ties, losses of ours | p |\n|---|---|---|---|---|")
    print(f"| **ours** | **{own.mean():.2f}** | **{ranks[0]:.2f}** | | |")
    rows = list(zip(others, ranks[1:], tests, holm([test[-1] for test in tests])))
    for peer, rank, (wins, ties, losses, _), p in sorted(rows, key=lambda row: row[1]):
        print(f"| {peer} | {others[peer].mean():.2f} | {rank:.2f} | {wins} / {ties} / {losses} | {p:.3f} |")


def compare(study, file):
    theirs, detectors = published(file), measured(study)
    for detector, ours in detectors.items():
        names = [name for name in theirs if name in ours or f"{name}_1" in ours]
        whole = [name for name in names if f"{name}_1" not in ours]
        print(f"\n## {detector}: all {len(names)} sets, small ones drawn\n")
        table(ours, theirs, names)
        print(f"\n## {detector}: the {len(whole)} sets that are not drawn\n")
        table(ours, theirs, whole)
    print("\n| set | " + " | ".join(detectors) + " |\n|---|" + "---|" * len(detectors))
    for name in next(iter(detectors.values())):
        print(f"| {name} | " + " | ".join(f"{100 * areas[name]:.2f}" for areas in detectors.values()) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("do", choices=["prepare", "compare"])
    parser.add_argument("first", help="the folder of the .npz files, or of a finished study")
    parser.add_argument("second", help="the folder for the data, or published.csv")
    given = parser.parse_args()
    (prepare if given.do == "prepare" else compare)(given.first, given.second)


if __name__ == "__main__":
    main()
