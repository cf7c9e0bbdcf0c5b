# SPDX-License-Identifier: MIT
"""What Python adds to the command line: training on MNIST's files and predicting its test rows by
the program, by semblance.run(), and by an estimator, in turns; and predicting one row. The estimator
needs scikit-learn, whose import is measured apart: `import sklearn.base` takes what all of it takes.

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
  data: {{is: source/npy, path: X.npy, label: y.npy, test_path: X_test.npy, test_label: y_test.npy}}
  svm:  {{is: solver/kernel_svm, kernel: {{is: similarity/rbf, gamma: {gamma}}}, C: {C}, from: data}}
  test: {{is: evaluator/classification, from: svm}}
"""

START = """
import json, sys, time
import numpy as np
arrays = [np.load(f"{name}.npy") for name in ("X", "y", "X_test", "y_test")]
start = time.perf_counter(), time.process_time()
"""

RUN = START + """
import semblance
imported = time.perf_counter() - start[0], time.process_time() - start[1]
result = semblance.run("p.yaml", data={"data": tuple(arrays)}, data_folder=".", out="out",
                       cache=False)
print(json.dumps({"accuracy": result.figures["test"]["accuracy"], "imported": imported}))
"""

TRAIN = START + """
from semblance import KernelSVM
from semblance.similarity import RBF
imported = time.perf_counter() - start[0], time.process_time() - start[1]
X, y, X_test, y_test = arrays
svm = KernelSVM(kernel=RBF(gamma=float(sys.argv[1])), C=float(sys.argv[2])).fit(X, y)
accuracy = (svm.predict(X_test) == y_test).mean()
print(json.dumps({"accuracy": accuracy, "imported": imported}))
"""


def command(folder, program):
    return [program, "run", "p.yaml", "--no-cache", "--quiet", "--out", "out", "--data", "."]


def took(words, folder):
    """Wall and processor time of a process, and what it printed."""
    # Modules are compiled once, as for users, whatever the environment says.
    environment = {name: value for name, value in os.environ.items()
                   if name != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPYCACHEPREFIX"] = str(Path(folder) / "compiled")
    start = time.perf_counter()
    process = subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE, text=True,
                               env=environment)
    printed = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{words[0]} ended with {os.waitstatus_to_exitcode(status)}:\n{printed}")
    return time.perf_counter() - start, used.ru_utime + used.ru_stime, printed


PROGRAM, FUNCTION, ESTIMATOR = "semblance run", "semblance.run()", "KernelSVM"


def whole_processes(folder, program, rounds):
    words = {PROGRAM: command(folder, program), FUNCTION: [sys.executable, "-c", RUN],
             ESTIMATOR: [sys.executable, "-c", TRAIN, str(GAMMA), str(C)]}
    took([sys.executable, "-c", START + "import semblance; semblance.KernelSVM"], folder)
    accuracy, times, imports = {}, {name: [] for name in words}, {name: [] for name in words}
    for _ in range(rounds):
        for name, what in words.items():
            wall, processor, printed = took(what, folder)
            times[name].append((wall, processor))
            if name == PROGRAM:
                metrics = json.loads((Path(folder) / "out" / "metrics.json").read_text())
                accuracy[name] = metrics["nodes"]["test"]["accuracy"]
            else:
                told = json.loads(printed)
                accuracy[name] = told["accuracy"]
                imports[name].append(told["imported"])
    medians = {name: [statistics.median(column) for column in zip(*found)]
               for name, found in times.items()}
    for name, (wall, processor) in medians.items():
        print(f"{name:16}accuracy {accuracy[name]:.4f}  {wall:7.3f} s  processor {processor:7.3f} s")
    for name in (FUNCTION, ESTIMATOR):
        for k, what in enumerate(("wall", "processor")):
            run, python = medians[PROGRAM][k], medians[name][k]
            importing = statistics.median(found[k] for found in imports[name])
            print(f"{name} adds {100 * (python / run - 1):+.1f} % of {what} time; without its "
                  f"imports, {importing:.2f} s, {100 * ((python - importing) / run - 1):+.1f} %")


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
