# SPDX-License-Identifier: MIT
"""Pairs of samples of two sources, which pipelines read."""
import numpy as np
import pytest

import semblance
from semblance import KernelSVM
from semblance.similarity import Kronecker
from semblance.solver import KroneckerRidge

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


@pytest.mark.parametrize("machine", [KroneckerRidge(), KernelSVM(kernel=Kronecker())])
def test_arrays_are_no_pairs(machine):
    with pytest.raises(TypeError, match="source/pairs"):
        machine.fit(np.zeros((4, 2)), np.array([1, 2, 1, 2]))
