# SPDX-License-Identifier: MIT
"""Runs from Python on samples that are not tables, and the display of their progress."""

import json
import re
import warnings

import numpy as np
import pytest

from digits import DATA, PIPELINE, X, Y
import semblance
from semblance import _native

pytestmark = pytest.mark.usefixtures("own_store")


# Other samples -----------------------------------------------------------------------------------

def series(count, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, count)
    return [np.sin(np.linspace(0, 3 + 4 * label, rng.integers(10, 20))).astype(np.float32)
            for label in y], y


def test_series_of_different_lengths():
    x, y = series(40)
    x_test, y_test = series(20, seed=1)
    x_test[3] = np.concatenate([x_test[3], x_test[3]])  # longer than any training sample
    pipeline = {"nodes": {
        "walks": {"is": "source/array"},
        "bases": {"is": "basis/all", "from": "walks"},
        "map": {"is": "similarity/dtw", "from": "walks", "bases": "bases"},
        "nearest": {"is": "solver/nearest_neighbour", "from": "map"},
        "test": {"is": "evaluator/classification", "from": "nearest"}}}
    result = semblance.run(pipeline, {"walks": (x, y, x_test, y_test)}, cache=False)
    assert result.figures["test"]["accuracy"] > 0.8
    np.testing.assert_array_equal(result.model.predict(x_test).astype(str),
                                  result.predictions["nearest"]["predicted"])


def test_strings():
    words = ["aab", "abb", "xyz", "xxz", "ab", "zx"] * 10
    labels = ["first", "first", "second", "second", "first", "second"] * 10
    pipeline = {"nodes": {
        "words": {"is": "source/array"},
        "counts": {"is": "feature/spectrum", "longest": 1, "from": "words"},
        "svm": {"is": "solver/linear_svm", "from": "counts"}}}
    result = semblance.run(pipeline, {"words": (words, labels)}, cache=False)
    assert list(result.model.predict(["ba", "zz"])) == ["first", "second"]
    other = {"kind": "string", "width": 3, "depth": 1, "alphabet": "zyxba"}
    rows = _native.Rows(np.zeros(2, np.float32), other, np.array([0, 2], np.uint64))
    with pytest.raises(ValueError, match="of another alphabet"):
        result.model._trained.apply("svm", rows)


def test_pairs():
    pipeline = {"nodes": {
        "faces": {"is": "source/array", "test_fraction": 0.3},
        "pairs": {"is": "pairs/all", "from": "faces"},
        "svm": {"is": "solver/pairwise_svm", "kernel": {"is": "pair_kernel/metric_learning"},
                "from": "faces", "pairs": "pairs"},
        "test": {"is": "evaluator/verification", "from": "svm"}}}
    result = semblance.run(pipeline, {"faces": (X[:200], Y[:200])}, cache=False)
    frame = result.predictions["svm"]
    pairs = frame[["first", "second"]].to_numpy()
    np.testing.assert_array_equal(result.model.score_pairs(X[:200], pairs).astype(np.float32),
                                  frame["score"].to_numpy(np.float32))
    with pytest.raises(TypeError, match="whole numbers of shape"):
        result.model.score_pairs(X[:3], [[0.5, 1]])
    with pytest.raises(ValueError, match="pair 1 names row 3; there are 3 rows"):
        result.model.score_pairs(X[:3], [[0, 1], [0, 3]])


def test_a_pipeline_that_selects():
    pipeline = json.loads(json.dumps(PIPELINE))
    pipeline["select"] = {"metric": "test.error_rate", "folds": 3,
                          "parameters": {"C": {"path": "nodes.svm.C", "values": [0.01, 1]}}}
    result = semblance.run(pipeline, DATA, cache=False)
    assert result.metrics["selection"]["metric"] == "test.error_rate"
    stopped = semblance.run(pipeline, {"images": (np.tile(X, (20, 1)), np.tile(Y, 20))},
                            cache=False, deadline=0.05)
    assert stopped.stopped_by == "the deadline" and repr(stopped)
    assert stopped.predictions == {} and stopped.figures == {}
    with pytest.raises(semblance.SemblanceError, match="no model"):
        stopped.model


def test_the_examples_in_the_documentation():
    import doctest

    import semblance._model
    import semblance._runs
    for module in (semblance._runs, semblance._model):
        assert doctest.testmod(module).failed == 0


# Progress ----------------------------------------------------------------------------------------

def test_progress_is_tqdms(capsys):
    pytest.importorskip("tqdm")
    semblance.run(PIPELINE, DATA, cache=False, progress=True)
    semblance.run(PIPELINE, DATA, cache=False, progress=False)
    semblance.run(PIPELINE, DATA, cache=False)  # no terminal: nothing
    assert "Traceback" not in capsys.readouterr().err
    x = np.random.default_rng(0).normal(size=(12000, 40)).astype(np.float32)
    y = np.random.default_rng(1).integers(0, 5, 12000)
    pipeline = {"nodes": {"data": {"is": "source/array"},
                          "svm": {"is": "solver/kernel_svm", "C": 10, "from": "data"}}}
    semblance.run(pipeline, {"data": (x, y)}, cache=False, deadline=0.3)
    assert capsys.readouterr().err == ""
    semblance.run(pipeline, {"data": (x, y)}, cache=False, deadline=1, progress=True)
    shown = capsys.readouterr().err
    assert re.search(r"svm: +\d+ %", shown) and "nodes done" not in shown
    with warnings.catch_warnings():  # of the deadline
        warnings.simplefilter("ignore")
        semblance.KernelSVM(C=10, deadline=2, verbose=True).fit(x, y)
    assert re.search(r"KernelSVM: +\d+ %", capsys.readouterr().err)
