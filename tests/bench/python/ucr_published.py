# SPDX-License-Identifier: MIT
"""A machine's errors on sets of the UCR archive beside published ones: the tables of docs/benchmarks/ucr_archive.md.

    ./semblance ablate pipelines/series/best.yaml --data DIR --out OUT
    ./semblance python tests/bench/python/ucr_published.py OUT DIR/ucr_results/accuracy_given_split.csv

RESULTS has a row per set and a column per classifier, as tsml-eval publishes them. Its rows NAME_eq and
NAME_nmv are of padded and filled-in copies, and stand for NAME. A set that was tested on several resamples
counts with its mean error. p is Wilcoxon's, after Holm's correction.
"""

import argparse
import csv
import json
import os

import numpy as np
from scipy.stats import rankdata, wilcoxon

PEERS = ("HC2", "MR-Hydra", "MR", "H-InceptionTime", "RIST", "TS-CHIEF", "RDST", "WEASEL-2", "QUANT", "Hydra",
         "FreshPRINCE", "PF")
#: Accuracies are published with six.
DIGITS = 5


def published(file):
    """{set: {classifier: error}}"""
    with open(file, encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    return {row["set"]: {name: 1 - float(value) for name, value in row.items() if name != "set" and value}
            for row in rows}


def of_set(errors, name):
    return next((errors[name + end] for end in ("", "_eq", "_nmv") if name + end in errors), {})


def measured(out):
    """{machine: {set: mean error}} of a finished study over data sets."""
    with open(os.path.join(out, "study.json"), encoding="utf-8") as file:
        study = json.load(file)
    return {method["name"].split("=")[-1]: {
        name: one["value"] for name, one in zip(study["blocks"], method["measurements"])
        if one["value"] is not None} for method in study["methods"]}


def compared(ours, theirs):
    """Wins, ties and losses of ours, and Wilcoxon's p."""
    difference = np.round(ours - theirs, DIGITS)
    changed = difference[difference != 0]
    p = wilcoxon(changed).pvalue if len(changed) else 1.0
    return (difference < 0).sum(), (difference == 0).sum(), (difference > 0).sum(), p


def holm(values):
    order = np.argsort(values)
    corrected, largest = np.empty(len(values)), 0.0
    for place, k in enumerate(order):
        largest = max(largest, min(1.0, values[k] * (len(values) - place)))
        corrected[k] = largest
    return corrected


def table(machine, errors):
    rows = []
    for peer in PEERS:
        sets = [name for name in machine if peer in of_set(errors, name)]
        if not sets:
            continue
        ours = np.array([machine[name] for name in sets])
        theirs = np.array([of_set(errors, name)[peer] for name in sets])
        rows.append((peer, len(sets), 100 * ours.mean(), 100 * theirs.mean(), *compared(ours, theirs)))
    common = [name for name in machine if all(row[0] in of_set(errors, name) for row in rows)]
    values = np.array([[machine[name]] + [of_set(errors, name)[row[0]] for row in rows] for name in common])
    ranks = np.mean([rankdata(np.round(row, DIGITS)) for row in values], axis=0)
    print(f"| | sets | ours | theirs | wins, ties, losses | p | rank on {len(common)} sets |")
    print("|---|---|---|---|---|---|---|")
    print(f"| ours | | | | | | {ranks[0]:.2f} |")
    for row, p, rank in zip(rows, holm([row[-1] for row in rows]), ranks[1:]):
        peer, count, ours, theirs, wins, ties, losses, _ = row
        print(f"| {peer} | {count} | {ours:.2f} | {theirs:.2f} | {wins} / {ties} / {losses} | {p:.3f} "
              f"| {rank:.2f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("studies", nargs="+", help="the folder of a study that is over data sets, or of several")
    parser.add_argument("results", help="RESULTS, a .csv file")
    given = parser.parse_args()
    errors, machines = published(given.results), {}
    for study in given.studies:
        for name, sets in measured(study).items():
            machines.setdefault(name, {}).update(sets)
    names = list(machines)
    for name in names:
        print(f"\n{name}: mean error {100 * np.mean(list(machines[name].values())):.2f} % on "
              f"{len(machines[name])} sets")
        table(machines[name], errors)
    for k, name in enumerate(names):
        for other in names[:k]:
            sets = [one for one in machines[other] if one in machines[name]]
            wins, ties, losses, p = compared(np.array([machines[name][one] for one in sets]),
                                             np.array([machines[other][one] for one in sets]))
            print(f"{name} against {other}: {wins} / {ties} / {losses}, p = {p:.3g}")


if __name__ == "__main__":
    main()
