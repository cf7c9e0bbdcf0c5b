# SPDX-License-Identifier: MIT
"""The recipe for tables beside published figures: the tables of docs/benchmarks/tables.md.

    ./semblance ablate pipelines/tables/classes.yaml --data DIR --out OUT
    ./semblance python tests/bench/python/tables.py DIR/classification/published.csv OUT

    ./semblance python tests/bench/python/tables.py DIR/regression --divide DATA
    ./semblance ablate pipelines/tables/numbers.yaml --data DATA/1 --out OUT/1     (and 2, 3, up to 10)
    ./semblance python tests/bench/python/tables.py DIR/regression/published.csv OUT/*

PUBLISHED has a row per table and a column per method: accuracies, or R2. Of several studies, as of several divisions,
the median of each table counts. Ranks are among the published methods and one of ours. p is Wilcoxon's, after Holm's
correction. `--half 0` and `--half 1` count every second table, by name, alone.
"""

import argparse
import csv
import gzip
import json
import os

import numpy as np
from scipy.stats import rankdata

from ucr_published import compared, holm, measured

#: Of scikit-learn's train_test_split(train_size=0.75), as SRBench divides.
SEEDS = (23654, 15795, 860, 5390, 29802, 21575, 11964, 11284, 6265, 16850)


def divide(sets, out):
    for file in sorted(os.listdir(sets)):
        name, end = file.split(".", 1)
        if end != "tsv.gz":
            continue
        with gzip.open(os.path.join(sets, file), "rt", encoding="utf-8") as lines:
            header, *rows = lines.read().splitlines()
        for k, seed in enumerate(SEEDS, 1):
            order = np.random.RandomState(seed).permutation(len(rows))
            test = int(np.ceil(0.25 * len(rows)))
            train = int(0.75 * len(rows))
            os.makedirs(os.path.join(out, str(k)), exist_ok=True)
            for part, chosen in (("test", order[:test]), ("train", order[test:test + train])):
                with open(os.path.join(out, str(k), f"{name}_{part}.csv"), "w", encoding="utf-8") as file:
                    for line in [header] + [rows[i] for i in chosen]:
                        file.write(line.replace("\t", ",") + "\n")


def published(file):
    with open(file, encoding="utf-8") as lines:
        return {row.pop("set"): {name.lstrip("*"): float(text) for name, text in row.items() if text}
                for row in csv.DictReader(lines)}


def medians(studies):
    """{machine: {set: median over the studies}}, accuracies in place of errors."""
    values, lower = {}, True
    for study in studies:
        with open(os.path.join(study, "study.json"), encoding="utf-8") as file:
            lower = "error_rate" in json.load(file)["metric"]
        for machine, sets in measured(study).items():
            for name, value in sets.items():
                values.setdefault(machine, {}).setdefault(name, []).append(value)
    return {machine: {name: 1 - np.median(one) if lower else np.median(one) for name, one in sets.items()}
            for machine, sets in values.items()}


def table(ours, theirs):
    names = [name for name in theirs if name in ours]
    own = np.array([ours[name] for name in names])
    peers = sorted(set.intersection(*(set(theirs[name]) for name in names)))
    others = {peer: np.array([theirs[name][peer] for name in names]) for peer in peers}
    ranks = np.mean([rankdata(-np.round(row, 4)) for row in zip(own, *others.values())], axis=0)
    tests = [compared(-own, -values) for values in others.values()]
    print("| | mean | median | mean rank | wins, ties, losses of ours | p |\n|---|---|---|---|---|---|")
    print(f"| **ours** | **{own.mean():.4f}** | **{np.median(own):.4f}** | **{ranks[0]:.2f}** | | |")
    rows = zip(others, ranks[1:], tests, holm([test[-1] for test in tests]))
    for peer, rank, (wins, ties, losses, _), p in sorted(rows, key=lambda row: row[1]):
        print(f"| {peer} | {others[peer].mean():.4f} | {np.median(others[peer]):.4f} | {rank:.2f} "
              f"| {wins} / {ties} / {losses} | {p:.3f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("published", help="published.csv or, with --divide, the folder of the tables")
    parser.add_argument("studies", nargs="*", help="the folder of a finished study, or of several")
    parser.add_argument("--divide", metavar="DATA", help="write the divisions of SRBench to DATA/1 ... DATA/10")
    parser.add_argument("--half", type=int, choices=[0, 1], help="see above")
    given = parser.parse_args()
    if given.divide:
        return divide(given.published, given.divide)
    theirs = published(given.published)
    if given.half is not None:
        theirs = {name: theirs[name] for name in sorted(theirs)[given.half::2]}
    for machine, ours in medians(given.studies).items():
        print(f"\n## {machine}, {len(set(ours) & set(theirs))} tables\n")
        table(ours, theirs)


if __name__ == "__main__":
    main()
