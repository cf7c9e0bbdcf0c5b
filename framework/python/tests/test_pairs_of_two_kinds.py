# SPDX-License-Identifier: MIT
"""Pairs of samples of two sources, which pipelines read."""
import pickle
import subprocess

import numpy as np
import pandas as pd
import pytest

import semblance
from program import PROGRAM
from semblance import KernelSVM
from semblance.similarity import Kronecker
from semblance.solver import KroneckerRidge, KroneckerSVM

PIPELINE = """
name: pairs
nodes:
  pairs:
    is: source/pairs
    path: pairs.csv
    first:  {is: source/csv, path: first.csv, label: none, id: name}
    second: {is: source/csv, path: second.csv, label: none, id: name}
    target: value
    setting: new_first
    test_fraction: 0.25
  ridge: {is: solver/kronecker_ridge, first: {is: similarity/rbf, gamma: 0.5}, penalty: 0.01, from: pairs}
  test:  {is: evaluator/regression, from: ridge}
"""


def write(folder):
    random = np.random.default_rng(1)
    sides = [random.normal(size=(8, 2)), random.normal(size=(7, 2))]
    for name, side in zip(("first", "second"), sides):
        rows = [f"{name[0]}{i},{a:.4f},{b:.4f}" for i, (a, b) in enumerate(side)]
        (folder / f"{name}.csv").write_text("\n".join(["name,x,y", *rows]) + "\n")
    rows = [f"f{i},s{j},{a[0] * b[0]:.4f}"
            for i, a in enumerate(sides[0]) for j, b in enumerate(sides[1])]
    (folder / "pairs.csv").write_text("\n".join(["one,other,value", *rows]) + "\n")


def test_a_pipeline_reads_pairs(tmp_path):
    write(tmp_path)
    (tmp_path / "pairs.yaml").write_text(PIPELINE)
    results = semblance.run(tmp_path / "pairs.yaml", data_folder=tmp_path, out=tmp_path / "out")
    assert results.metrics["nodes"]["test"]["rows"] == 14
    assert results.metrics["nodes"]["ridge"]["certificate"] == "converged"


def test_models_predict_pairs_by_name(tmp_path):
    write(tmp_path)
    (tmp_path / "pairs.yaml").write_text(PIPELINE)
    results = semblance.run(tmp_path / "pairs.yaml", data_folder=tmp_path, out=tmp_path / "out")
    model = semblance.load(tmp_path / "out", data_folder=tmp_path)
    lines = (tmp_path / "pairs.csv").read_text().splitlines()[1:]
    names = [tuple(line.split(",")[:2]) for line in lines]
    subprocess.run([PROGRAM, "predict", "out/model", "pairs.csv", "--out", "told"], cwd=tmp_path,
                   check=True, capture_output=True)
    expected = np.load(tmp_path / "told" / "ridge.npy").reshape(-1)
    frame = pd.DataFrame([reversed(pair) for pair in names], columns=["second", "first"])
    for given in (names, np.array(names), frame):
        assert np.array_equal(model.predict(given), expected)
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.predict(names[:3]), expected[:3])
    assert np.array_equal(results.model.predict(names), expected)


def test_wrong_names_are_refused(tmp_path):
    write(tmp_path)
    (tmp_path / "pairs.yaml").write_text(PIPELINE)
    semblance.run(tmp_path / "pairs.yaml", data_folder=tmp_path, out=tmp_path / "out")
    model = semblance.load(tmp_path / "out")
    with pytest.raises(ValueError, match=r"pair 1 of X: column 'second' names the sample 'f0', but "
                                         r"none of the 7 of 'second' has this name"):
        model.predict([("f0", "s0"), ("f0", "f0")])
    with pytest.raises(ValueError, match=r"pair 0 of X must be the names of two samples, those of "
                                         r"first and second; got \('f0', 's0', 's1'\)"):
        model.predict([("f0", "s0", "s1")])
    with pytest.raises(ValueError, match="pair 0 of X must be the names of two samples"):
        model.predict(["f0", "s0"])
    with pytest.raises(ValueError, match="X lacks the column 'first'"):
        model.predict(pd.DataFrame({"one": ["f0"], "second": ["s0"]}))


def test_arrays_are_no_pairs():
    with pytest.raises(TypeError, match="source/pairs"):
        KernelSVM(kernel=Kronecker()).fit(np.zeros((4, 2)), np.array([1, 2, 1, 2]))


def test_solvers_of_pairs_are_components_of_pipelines_and_no_estimators(tmp_path):
    write(tmp_path)
    nodes = {"pairs": {"is": "source/pairs", "path": "pairs.csv", "target": "value",
                       "first": {"is": "source/csv", "path": "first.csv", "label": "none", "id": "name"},
                       "second": {"is": "source/csv", "path": "second.csv", "label": "none",
                                  "id": "name"}},
             "ridge": {**KroneckerRidge(penalty=0.01).spec(), "from": "pairs"}}
    result = semblance.run({"nodes": nodes}, data_folder=tmp_path, cache=False)
    assert result.metrics["nodes"]["ridge"]["certificate"] == "converged"
    for solver in KroneckerRidge, KroneckerSVM:
        assert not hasattr(solver, "fit") and not hasattr(semblance, solver.__name__)
