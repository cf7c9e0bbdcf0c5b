# SPDX-License-Identifier: MIT
"""An installed package works by itself: installed.py FOLDER_THAT_IT_IS_IN."""

import json
import sys
from pathlib import Path

import numpy as np

import semblance
from semblance import LinearSVM, _native, similarity

folder = Path(semblance.__file__).resolve().parent
if folder != Path(sys.argv[1]).resolve():
    sys.exit(f"semblance was imported from {folder}, not from {sys.argv[1]}")

ids = {declaration["id"] for declaration in json.loads(_native.catalogue())}
if not {"solver/linear_svm", "similarity/rbf", "normalizer/zscore"} <= ids:
    sys.exit(f"components are missing; there are: {sorted(ids)}")
X = np.random.default_rng(0).normal(size=(100, 4)).astype(np.float32)
y = X[:, 0] > 0
score = LinearSVM(C=10).fit(X, y).score(X, y)
if score < 0.9 or similarity.rbf(X, X[:3]).shape != (100, 3):
    sys.exit(f"an estimator does not learn: it gets {score}")
pipeline = {"nodes": {"data": {"is": "source/array", "test_fraction": 0.3},
                      "svm": {"is": "solver/linear_svm", "from": "data"},
                      "test": {"is": "evaluator/classification", "from": "svm"}}}
result = semblance.run(pipeline, data={"data": (X, y)}, cache=False)
if result.figures["test"]["accuracy"] < 0.8 or not Path(result.report).is_file():
    sys.exit(f"a run finds {result.figures}")

# All libraries mapped into this process belong to the installation: none to a build folder.
libraries = {line.split()[-1] for line in Path("/proc/self/maps").read_text().splitlines()
             if "semblance" in line.split()[-1]}
prefix = folder if (folder / "lib").is_dir() else folder.parents[3]
strangers = [path for path in libraries if not path.startswith(str(prefix))]
if strangers:
    sys.exit(f"these libraries are not below {prefix}: {strangers}")
print(f"semblance {semblance.__version__}: {len(ids)} components")
