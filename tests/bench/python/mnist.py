# SPDX-License-Identifier: MIT
"""MNIST: semblance.KernelSVM beside sklearn.svm.SVC, each a whole process: reading, training and
predicting all test rows. Processor time of both, and where predictions differ whether it is a tie.

    SEMBLANCE_DATA=DIR ./semblance python tests/bench/python/mnist.py --rows 10000

All 60,000 rows take SVC about seven minutes of processor time.
"""

import argparse
import gzip
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from side_by_side import data_folder

GAMMA, C = 0.02, 10.0


def idx(folder, name):
    """An array of MNIST's files, compressed or not."""
    file = folder / name
    packed = folder / f"{name}.gz"
    content = gzip.decompress(packed.read_bytes()) if packed.is_file() else file.read_bytes()
    dimensions = content[3]
    shape = np.frombuffer(content, ">u4", dimensions, 4)
    return np.frombuffer(content, np.uint8, offset=4 + 4 * dimensions).reshape(shape)


def data(folder, rows):
    X, y = (idx(folder, f"train-{part}-ubyte") for part in ("images-idx3", "labels-idx1"))
    X_test, y_test = (idx(folder, f"t10k-{part}-ubyte") for part in ("images-idx3", "labels-idx1"))
    flat = [(values.reshape(len(values), -1) / np.float32(255)) for values in (X[:rows], X_test)]
    return flat[0], y[:rows], flat[1], y_test


def train(machine, folder, rows, out):
    X, y, X_test, _ = data(folder, rows)
    if machine == "SVC":
        from sklearn.svm import SVC
        svm = SVC(C=C, gamma=GAMMA, cache_size=1000).fit(X, y)
    else:
        from semblance import KernelSVM
        from semblance.similarity import RBF
        svm = KernelSVM(kernel=RBF(gamma=GAMMA), C=C).fit(X, y)
    np.save(out / f"{machine}.npy", svm.predict(X_test))
    if machine == "SVC":
        svm.decision_function_shape = "ovo"
        np.save(out / "values.npy", svm.decision_function(X_test))


def measured(machine, folder, rows, out):
    """Wall time, processor time and peak memory of a process of its own."""
    process = subprocess.Popen([sys.executable, __file__, "--machine", machine, "--rows", str(rows),
                                "--data", str(folder), "--out", str(out)])
    import time
    start = time.perf_counter()
    _, status, used = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    if status != 0:
        sys.exit(f"{machine} ended with {os.waitstatus_to_exitcode(status)}")
    return wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def votes_of(values, classes=10):
    """Votes of SVC's decision values, one a pair of classes, and their sums for each class."""
    votes, sums = np.zeros((len(values), classes), int), np.zeros((len(values), classes))
    pairs = [(i, j) for i in range(classes) for j in range(i + 1, classes)]
    for k, (i, j) in enumerate(pairs):
        votes[np.arange(len(values)), np.where(values[:, k] > 0, i, j)] += 1
        sums[:, i] += values[:, k]
        sums[:, j] -= values[:, k]
    return votes, sums


def differences(out, y_test):
    """How many rows are predicted differently, and how many of them are proven to be ties: by SVC's
    own decision values both classes have most votes, of which it takes the first one, and KernelSVM
    the one with the larger sum of these values, as SVC(break_ties=True) does."""
    one, other = np.load(out / "SVC.npy"), np.load(out / "KernelSVM.npy")
    values = np.load(out / "values.npy")
    print(f"accuracy: SVC {(one == y_test).mean():.4f}, KernelSVM {(other == y_test).mean():.4f}")
    votes, sums = votes_of(values)
    most = votes.max(axis=1)
    broken = (votes + sums / (3 * np.abs(sums) + 3)).argmax(axis=1)
    rows = np.flatnonzero(one != other)
    tied = [row for row in rows
            if votes[row, one[row]] == votes[row, other[row]] == most[row]
            and one[row] == votes[row].argmax() and other[row] == broken[row]]
    all_ties = np.count_nonzero((votes == most[:, None]).sum(axis=1) > 1)
    print(f"other predictions: {len(rows)} of {len(one)}; ties of votes: {len(tied)} (of "
          f"{all_ties} such rows), not ties: {len(rows) - len(tied)}")
    print(f"other predictions than SVC(break_ties=True): {np.count_nonzero(broken != other)}")
    for row in sorted(set(rows) - set(tied)):
        print(f"  row {row}: SVC says {one[row]} ({votes[row, one[row]]} votes), KernelSVM "
              f"{other[row]} ({votes[row, other[row]]}); the least of SVC's decision values is "
              f"{abs(values[row]).min():.1e}")


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--rows", type=int, default=60000)
    options.add_argument("--machine", choices=["SVC", "KernelSVM"], help=argparse.SUPPRESS)
    options.add_argument("--data", type=Path, help=argparse.SUPPRESS)
    options.add_argument("--out", type=Path, help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.machine:
        return train(given.machine, given.data, given.rows, given.out)
    folder = data_folder("mnist")
    if folder is None:
        return None
    with tempfile.TemporaryDirectory() as out:
        took = {}
        for machine in ("SVC", "KernelSVM"):
            took[machine] = measured(machine, folder, given.rows, Path(out))
            wall, processor, memory = took[machine]
            print(f"{machine:12}{wall:8.2f} s  processor {processor:8.2f} s  {memory:7.0f} MiB",
                  flush=True)
        print(f"processor time, ratio: {took['SVC'][1] / took['KernelSVM'][1]:.1f}")
        differences(Path(out), idx(folder, "t10k-labels-idx1-ubyte"))
    return None


if __name__ == "__main__":
    main()
