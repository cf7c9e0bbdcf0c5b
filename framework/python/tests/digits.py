# SPDX-License-Identifier: MIT
"""A pipeline on the digits, from Python and on the command line."""

import json
import pathlib
import subprocess

import numpy as np
import pytest
from sklearn.datasets import load_digits

from semblance import _native

PROGRAM = pathlib.Path(_native.__file__).parents[2] / "bin" / "semblance"
needs_program = pytest.mark.skipif(not PROGRAM.exists(), reason="the program is not beside")

X, Y = load_digits(return_X_y=True)
X = np.ascontiguousarray(X, np.float32)
TRAIN, TEST = slice(0, 300), slice(300, 500)

PIPELINE = {
    "name": "digits",
    "nodes": {
        "images": {"is": "source/array", "data": "digits"},
        "x": {"is": "normalizer/mean_norm", "from": "images"},
        "bases": {"is": "basis/random_per_class", "per_class": 4, "from": "images"},
        "map": {"is": "similarity/rbf", "gamma": 1, "from": "x", "bases": "bases"},
        "svm": {"is": "solver/linear_svm", "C": 1, "from": "map"},
        "test": {"is": "evaluator/classification", "from": "svm"}}}
DATA = {"images": (X[TRAIN], Y[TRAIN], X[TEST], Y[TEST])}
STUDY = {
    **PIPELINE,
    "study": {"metric": "test.error_rate", "baseline": {"gamma": 1},
              "slots": {"gamma": {"path": "nodes.map.gamma", "values": [0.1, 1, 10]}},
              "repeats": {"seeds": 3}}}


def command_line(*arguments):
    # The history of runs is in the working folder.
    done = subprocess.run([PROGRAM, *map(str, arguments)], cwd=arguments[1].parent,
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def as_files(folder, pipeline=PIPELINE):
    """The pipeline with the same rows in files of NumPy."""
    for name, values in [("x", X[TRAIN]), ("y", Y[TRAIN]), ("xt", X[TEST]), ("yt", Y[TEST])]:
        np.save(folder / f"{name}.npy", values)
    source = {"is": "source/npy", "path": str(folder / "x.npy"), "label": str(folder / "y.npy"),
              "test_path": str(folder / "xt.npy"), "test_label": str(folder / "yt.npy")}
    file = folder / "digits.yaml"
    nodes = {**pipeline["nodes"], "images": source}
    file.write_text(json.dumps({**pipeline, "nodes": nodes}))
    return file


def without_times(metrics):
    """The part of the metrics that two runs must agree on to the bit."""
    def kept(value):
        if not isinstance(value, dict):
            return value
        return {key: kept(inner) for key, inner in value.items()
                if "seconds" not in key and key not in ("peak_memory_bytes", "component",
                                                        "drawn_from")}
    nodes = {name: kept(node) for name, node in metrics["nodes"].items()}
    return {**{key: metrics[key] for key in ("pipeline", "seed")}, "nodes": nodes}
