# SPDX-License-Identifier: MIT
"""What Python adds to the command line: training on MNIST's files and predicting its test rows by
both, in turns; and predicting one row.

    SEMBLANCE_DATA=DIR ./semblance python tests/bench/python/overhead.py [--rows N] [--rounds N]
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from mnist import C, GAMMA, data
from side_by_side import data_folder

PIPELINE = """
name: overhead
nodes:
  data: {{is: source/npy, path: X.npy, labels: y.npy, test_path: X_test.npy, test_labels: y_test.npy}}
  svm:  {{is: solver/kernel_svm, kernel: {{is: similarity/rbf, gamma: {gamma}}}, C: {C}, from: data}}
  test: {{is: evaluator/classification, from: svm}}
"""

TRAIN = """
import json, sys, time
start = time.perf_counter()
import numpy as np
from semblance import KernelSVM
from semblance.similarity import RBF
imported = time.perf_counter() - start, time.process_time()
X, y, X_test, y_test = (np.load(f"{name}.npy") for name in ("X", "y", "X_test", "y_test"))
svm = KernelSVM(kernel=RBF(gamma=float(sys.argv[1])), C=float(sys.argv[2])).fit(X, y)
accuracy = (svm.predict(X_test) == y_test).mean()
print(json.dumps({"accuracy": accuracy, "imported": imported}))
"""


def command(folder, program):
    return [program, "run", "p.yaml", "--no-cache", "--quiet", "--out", "out", "--data", "."]


def took(words, folder):
    """Wall and processor time of a process, and what it printed."""
    start = time.perf_counter()
    process = subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE, text=True)
    printed = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{words[0]} ended with {os.waitstatus_to_exitcode(status)}:\n{printed}")
    return time.perf_counter() - start, used.ru_utime + used.ru_stime, printed


def whole_processes(folder, program, rounds):
    found = {"semblance run": [], "Python": []}
    accuracy, imports = {}, []
    for _ in range(rounds):
        wall, processor, _ = took(command(folder, program), folder)
        metrics = json.loads((Path(folder) / "out" / "metrics.json").read_text())
        accuracy["semblance run"] = metrics["nodes"]["test"]["accuracy"]
        found["semblance run"].append((wall, processor))
        wall, processor, printed = took([sys.executable, "-c", TRAIN, str(GAMMA), str(C)], folder)
        accuracy["Python"] = json.loads(printed)["accuracy"]
        imports.append(json.loads(printed)["imported"])  # wall, processor
        found["Python"].append((wall, processor))
    medians = {}
    for name, times in found.items():
        medians[name] = [statistics.median(column) for column in zip(*times)]
        print(f"{name:16}accuracy {accuracy[name]:.4f}  {medians[name][0]:7.3f} s  "
              f"processor {medians[name][1]:7.3f} s")
    for k, what in enumerate(("wall", "processor")):
        run, python = medians["semblance run"][k], medians["Python"][k]
        importing = statistics.median(times[k] for times in imports)
        print(f"Python adds {100 * (python / run - 1):+.1f} % of {what} time; without starting it "
              f"and importing scikit-learn, {importing:.2f} s, "
              f"{100 * ((python - importing) / run - 1):+.1f} %")


def one_row(X, y):
    """Of fitted estimators, the median time of predict() for one row of float32."""
    from semblance import KernelSVM, LinearSVM
    from semblance.similarity import RBF
    for machine in (LinearSVM(), KernelSVM(kernel=RBF(gamma=GAMMA), C=C)):
        machine.fit(X, y)
        row = X[:1]
        times = []
        for _ in range(2000):
            start = time.perf_counter()
            machine.predict(row)
            times.append(time.perf_counter() - start)
        print(f"{type(machine).__name__:16}predict of one row: median "
              f"{1e6 * statistics.median(times):.0f} us, 99 % under "
              f"{1e6 * np.quantile(times, 0.99):.0f} us")


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--rows", type=int, default=60000)
    options.add_argument("--rounds", type=int, default=3)
    given = options.parse_args()
    folder = data_folder("mnist")
    if folder is None:
        return
    from semblance import _native
    program = str(Path(_native.__file__).resolve().parents[2] / "bin" / "semblance")
    X, y, X_test, y_test = data(folder, given.rows)
    with tempfile.TemporaryDirectory() as work:
        for name, values in [("X", X), ("y", y.astype(np.int64)), ("X_test", X_test),
                             ("y_test", y_test.astype(np.int64))]:
            np.save(Path(work) / f"{name}.npy", values)
        (Path(work) / "p.yaml").write_text(PIPELINE.format(gamma=GAMMA, C=C))
        whole_processes(work, program, given.rounds)
    one_row(X[:2000], y[:2000])


if __name__ == "__main__":
    main()
