# SPDX-License-Identifier: MIT
"""Peak memory of fitting a large float32 array: the array, and what the machine needs; no second
array.

    ./semblance python tests/bench/python/memory.py --gigabytes 4
"""

import argparse
import gc
import resource
import sys

import numpy as np

from semblance import LinearSVM

COLUMNS = 256


def peak():
    """Of this process so far, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


options = argparse.ArgumentParser()
options.add_argument("--gigabytes", type=float, default=1)
given = options.parse_args()

rows = int(given.gigabytes * 2 ** 30 / (4 * COLUMNS))
random = np.random.default_rng(0)
X = np.empty((rows, COLUMNS), dtype=np.float32)
for first in range(0, rows, 4096):  # no temporary of the array's size
    random.standard_normal(out=X[first:first + 4096], dtype=np.float32)
y = (X[:, 0] + X[:, 1] > 0).astype(np.int32)
gc.collect()
before, address = peak(), X.__array_interface__["data"][0]
machine = LinearSVM(max_iterations=3).fit(X, y)
after = peak()
score = (machine.predict(X[:4096]) == y[:4096]).mean()
print(f"array {X.nbytes / 2 ** 20:.0f} MiB, {rows} rows; peak before fit {before / 2 ** 20:.0f} MiB, "
      f"after {after / 2 ** 20:.0f} MiB: fit took {(after - before) / 2 ** 20:.0f} MiB, "
      f"{100 * (after - before) / X.nbytes:.1f} % of the array; accuracy {score:.3f}")
if X.__array_interface__["data"][0] != address or after - before > X.nbytes / 2:
    sys.exit("fit has copied the array")
