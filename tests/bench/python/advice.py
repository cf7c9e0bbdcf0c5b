# SPDX-License-Identifier: MIT
"""What `semblance suggest` advises, beside scikit-learn's gradient boosting, on tables that neither has seen:

    ./semblance python tests/bench/python/advice.py --classes DIR/classification/*.gz
    ./semblance python tests/bench/python/advice.py --numbers DIR/regression/*.gz

Three quarters of each table's rows, drawn at random, are given to `suggest`; the pipeline that it advises is trained
on them, and so is HistGradientBoosting with its default settings. The other rows test both. Times are processor
seconds; that of the advice counts the search and the training. p is Wilcoxon's."""

import argparse
import csv
import gzip
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from scipy.stats import wilcoxon
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

TREE = Path(__file__).resolve().parents[3]


def divided(file, seed, most):
    """(header, training rows, test rows), as text; None for tables of more than `most` rows."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        header, *rows = [line.rstrip("\n").split("\t") for line in lines]
    if len(rows) > most:
        return None
    order = np.random.RandomState(seed).permutation(len(rows))
    tests = -(-len(rows) // 4)
    return header, [rows[i] for i in order[tests:]], [rows[i] for i in order[:tests]]


def written(folder, name, header, rows):
    with open(folder / name, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([header] + rows)
    return folder / name


def spent(measure):
    """(result, processor seconds of this process and those that it started)"""
    def seconds():
        return sum(usage.ru_utime + usage.ru_stime for usage in
                   (resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)))
    before = seconds()
    return measure(), seconds() - before


def advised(program, train, test, folder, numbers):
    """(name of the method, its error on the test rows)"""
    kind = "--target" if numbers else "--label"
    subprocess.run([program, "suggest", train, kind, "target", "--as", "table", "--out", folder / "advice", "--quiet"],
                   check=True)
    method = json.loads((folder / "advice/suggestion.json").read_text())["best"]
    subprocess.run([program, "run", folder / "advice/pipelines" / f"{method}.yaml", "--out", folder / "run", "--quiet",
                    "--no-cache", "--set", f"nodes.data.path={train}", "--set", f"nodes.data.test_path={test}",
                    "--set", "nodes.data.test_fraction=0"], check=True)
    figures = json.loads((folder / "run/metrics.json").read_text())["nodes"]["test"]
    return method, figures["rmse"] if numbers else figures["error_rate"]


def boosted(train, test, header, numbers):
    at = header.index("target")

    def arrays(rows):
        inputs = np.array([[float(value) if value else np.nan for k, value in enumerate(row) if k != at]
                           for row in rows])
        return inputs, np.array([row[at] for row in rows], dtype=float if numbers else None)
    machine = (HistGradientBoostingRegressor if numbers else HistGradientBoostingClassifier)(random_state=0)
    said, (inputs, true) = machine.fit(*arrays(train)).predict(arrays(test)[0]), arrays(test)
    return np.sqrt(np.mean((said - true) ** 2)) if numbers else np.mean(said != true)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    kind = parser.add_mutually_exclusive_group(required=True)
    kind.add_argument("--classes", nargs="+", type=Path, metavar="FILE")
    kind.add_argument("--numbers", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--seed", type=int, default=23654)
    parser.add_argument("--most", type=int, default=5000, metavar="ROWS", help="tables of more rows are left out")
    parser.add_argument("--program", default=str(TREE / "build/release/bin/semblance"))
    options = parser.parse_args()
    numbers = options.numbers is not None
    results = []
    for file in options.numbers or options.classes:
        parts = divided(file, options.seed, options.most)
        if parts is None:
            continue
        header, train, test = parts
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            paths = [written(folder, f"{part}.csv", header, rows) for part, rows in (("train", train), ("test", test))]
            try:
                (method, ours), our_time = spent(lambda: advised(options.program, *paths, folder, numbers))
            except subprocess.CalledProcessError:
                print(f"{file.name}: no advice", flush=True)
                continue
        theirs, their_time = spent(lambda: boosted(train, test, header, numbers))
        if numbers:  # R2
            true = np.array([float(row[header.index("target")]) for row in test])
            ours, theirs = (1 - (error / true.std()) ** 2 for error in (ours, theirs))
        else:  # accuracy
            ours, theirs = 1 - ours, 1 - theirs
        print(f"{file.name.split('.')[0]} {len(train)} rows: {method} {ours:.4f} in {our_time:.1f} s, "
              f"boosting {theirs:.4f} in {their_time:.1f} s", flush=True)
        results.append((ours, theirs, our_time, their_time))
    ours, theirs, our_time, their_time = np.array(results).T
    p = 1 if (ours == theirs).all() else wilcoxon(ours, theirs, method="approx").pvalue
    figure = "R2" if numbers else "accuracy"
    print(f"\n{len(ours)} tables: {figure} in the mean {ours.mean():.4f} and {theirs.mean():.4f}, "
          f"median {np.median(ours):.4f} and {np.median(theirs):.4f}; the advice is better on {(ours > theirs).sum()}, "
          f"worse on {(ours < theirs).sum()}, p = {p:.2g}; "
          f"median time {np.median(our_time):.1f} and {np.median(their_time):.1f} s")


if __name__ == "__main__":
    sys.exit(main())
