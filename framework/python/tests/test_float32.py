# SPDX-License-Identifier: MIT
"""Numbers that float32 cannot distinguish are refused, with the sentence of the command line."""

import numpy as np
import pytest
from program_in_folder import in_program
from scipy.sparse import csc_matrix, csr_matrix

import semblance
from semblance import KernelRidge, KernelSVM, KernelSVR, LinearSVM, Ridge, similarity

RANDOM = np.random.default_rng(0)
Y = np.arange(60) % 2
PLACES = 543210 + RANDOM.integers(0, 21, 60) / 1000
SECONDS = 1_700_000_000 + RANDOM.permutation(60)


def beside(column):
    return np.column_stack([RANDOM.normal(size=60), column])


def with_one(value, column):
    column = np.array(column)
    column[7] = value
    return column


@pytest.mark.parametrize("column", [
    PLACES, with_one(0, PLACES), with_one(1e9, PLACES), np.where(np.arange(60) % 3, PLACES, 0),
    np.where(Y, PLACES, PLACES + 1e6), with_one(0, SECONDS.astype(float)), 1e8 + RANDOM.normal(size=60)])
@pytest.mark.parametrize("form", [np.array, np.asfortranarray, csr_matrix, csc_matrix])
def test_columns_are_refused_whatever_else_is_in_them(column, form):
    machine = LinearSVM() if form in (csr_matrix, csc_matrix) else KernelSVM()
    with pytest.raises(ValueError, match=r"X: (most of )?the values in column 1 \(from 0\)"):
        machine.fit(form(beside(column)), Y)


def test_integers_and_frames_are_refused_too():
    pandas = pytest.importorskip("pandas")
    for column in (SECONDS, with_one(0, SECONDS), SECONDS.astype(np.uint64) * 10 ** 9 // 10 ** 8):
        X = np.column_stack([np.arange(60).astype(column.dtype), column])
        for given in (X, pandas.DataFrame(X, columns=["a", "time"])):
            with pytest.raises(ValueError, match="column 1 .* subtract a constant, such as 17"):
                KernelSVM().fit(given, Y)


def test_targets_are_refused():
    X = RANDOM.normal(size=(60, 2))
    y = with_one(0, SECONDS)
    for machine in (Ridge(), KernelSVR()):
        with pytest.raises(ValueError, match="y: (most of )?the values in column"):
            machine.fit(X, y)
    with pytest.raises(ValueError, match="y: the values in column"):
        KernelRidge(fit_intercept=False).fit(X, SECONDS)
    text = """
name: t
nodes:
  rows: {is: source/csv, path: none.csv, target: [y]}
  ridge: {is: solver/ridge, from: rows}
  test: {is: evaluator/regression, from: ridge}
"""
    with pytest.raises(ValueError, match="target: the values in column 0"):
        semblance.run(text, data={"rows": {"X": X, "target": SECONDS}})


def test_values_that_float32_represents_are_taken():
    column = RANDOM.normal(size=60)
    for values in (0.1 * RANDOM.integers(0, 9, 60), np.exp(7 * column), np.full(60, 2e10 + 1),
                   0.3 * (1 + 1e-16 * RANDOM.integers(0, 9, 60)), with_one(1e12, Y),
                   1 / (1 + np.exp(-30 * column)), np.floor(1e10 * RANDOM.random(60)),
                   with_one(np.finfo(np.float32).max, column)):
        X = beside(values)
        LinearSVM(max_iterations=1).fit(csr_matrix(X), Y) if values.max() < 100 else None
        semblance.ZScore().fit(X)
    # Predictions are not judged: new rows may be close together.
    machine = KernelSVM().fit(beside(np.linspace(0, 2e6, 60)), Y)
    machine.predict(beside(PLACES))


def test_bases_are_judged_like_training_samples():
    with pytest.raises(ValueError, match="column 1"):
        similarity.rbf(beside(PLACES))


@in_program
def test_the_command_line_says_the_same(tmp_path, program):
    X = beside(with_one(0, PLACES))
    np.save(tmp_path / "x.npy", X)
    np.save(tmp_path / "y.npy", Y)
    program.file("p.yaml", """
name: p
nodes:
  rows: {is: source/npy, path: x.npy, label: y.npy, test_fraction: 0.3}
  svm: {is: solver/kernel_svm, kernel: {is: similarity/rbf}, from: rows}
  test: {is: evaluator/classification, from: svm}
""")
    code, text = program("run", "p.yaml", "--data", ".", "--no-cache", "--out", "out")
    assert code == 1, text
    with pytest.raises(ValueError) as refused:
        KernelSVM().fit(X, Y)
    assert str(refused.value)[len("X: "):-1] in text
