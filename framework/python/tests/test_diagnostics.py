# SPDX-License-Identifier: MIT
"""Symmetry, spectrum and repair of matrices, against NumPy's own decomposition."""

import numpy as np
import pytest

import semblance
from semblance import diagnostics, similarity


def indefinite(n=40, seed=1):
    """A symmetric matrix with many negative eigenvalues."""
    values = np.random.default_rng(seed).normal(size=(n, n))
    return values + values.T


def eigenvalues(matrix):
    matrix = np.asarray(matrix, dtype=np.float64)
    return np.linalg.eigvalsh((matrix + matrix.T) / 2)


def test_the_spectrum_is_that_of_the_symmetric_part():
    K = np.random.default_rng(0).normal(size=(30, 30)).astype(np.float32)
    found = diagnostics.spectrum(K)
    expected = eigenvalues(K)[::-1]
    assert np.allclose(found.eigenvalues, expected, rtol=0, atol=1e-12 * abs(expected).max())
    assert found.largest_eigenvalue == found.eigenvalues[0]
    assert found.smallest_eigenvalue == found.eigenvalues[-1]
    assert found.negative_eigenvalues == (expected < 0).sum()
    assert found.positive_eigenvalues == (expected > 0).sum()
    assert found.negative_ratio == pytest.approx((expected < 0).mean())
    assert found.negative_energy == pytest.approx(-expected[expected < 0].sum()
                                                  / expected[expected > 0].sum())
    assert found.asymmetry == pytest.approx(np.linalg.norm(K - K.T) / np.linalg.norm(K))
    assert found.asymmetry == pytest.approx(diagnostics.asymmetry(K), rel=1e-12)


def test_rounded_zeros_are_neither_negative_nor_positive():
    points = np.random.default_rng(0).normal(size=(50, 3))
    K = (points @ points.T).astype(np.float32)
    found = diagnostics.spectrum(K)
    assert (found.positive_eigenvalues, found.negative_eigenvalues) == (3, 0)
    assert diagnostics.spectrum(K, threshold=0).negative_eigenvalues > 10
    assert diagnostics.positive_semidefinite(K)


def test_matrices_without_positive_or_any_eigenvalues_have_figures():
    assert diagnostics.spectrum(-np.eye(2)).negative_energy == np.inf
    assert diagnostics.spectrum(-np.eye(2)).negative_ratio == 1
    zero = diagnostics.spectrum(np.zeros((3, 3)))
    assert (zero.negative_ratio, zero.negative_energy, zero.asymmetry) == (0, 0, 0)


def test_symmetric_is_so_but_for_rounding():
    K = indefinite().astype(np.float32)
    assert diagnostics.symmetric(K)
    assert diagnostics.symmetric(K, tolerance=0)
    K[3, 4] = np.nextafter(K[3, 4], np.float32(np.inf))
    assert diagnostics.symmetric(K)
    assert not diagnostics.symmetric(K, tolerance=0)
    K[3, 4] += 1
    assert not diagnostics.symmetric(K)
    assert diagnostics.asymmetry([[0, 1], [-1, 0]]) == 2


@pytest.mark.parametrize("how, repaired", [
    ("clip", lambda v: np.maximum(v, 0)),
    ("flip", np.abs),
    ("shift", lambda v: v - min(v.min(), 0)),
    ("square", np.square),
    ("krein", lambda v: np.where(v < 0, -v / 4, v))])
def test_a_repair_changes_the_eigenvalues_and_keeps_their_vectors(how, repaired):
    K = indefinite()
    K[0, 1] += 0.5  # only the symmetric part counts
    given = K.copy()
    found = diagnostics.repair(K, how, **({"negative_weight": 4} if how == "krein" else {}))
    assert np.array_equal(K, given)
    assert found.dtype == np.float32
    assert np.array_equal(found, found.T)
    values, vectors = np.linalg.eigh((K + K.T) / 2)
    expected = vectors * repaired(values) @ vectors.T
    assert np.allclose(found, expected, rtol=0, atol=1e-5 * abs(expected).max())
    assert diagnostics.positive_semidefinite(found)
    assert not diagnostics.positive_semidefinite(K)


def test_numpy_has_its_threads_back():
    """Both use OpenBLAS: a setting for a call must not change the rest of the program."""
    threadpoolctl = pytest.importorskip("threadpoolctl")

    def threads():
        return {library["filepath"]: library["num_threads"]
                for library in threadpoolctl.threadpool_info()
                if library["internal_api"] == "openblas"}
    before = threads()
    diagnostics.repair(indefinite())
    diagnostics.spectrum(indefinite())
    assert threads() == before


def test_it_is_what_the_evaluator_finds():
    X = np.random.default_rng(1).normal(size=(70, 12)).astype(np.float32)
    nodes = {"data": {"is": "source/array"}, "bases": {"is": "basis/all", "from": "data"},
             "map": {"is": similarity.DTW(as_="gaussian", width=1.0), "from": "data", "bases": "bases"},
             "test": {"is": "evaluator/spectrum", "from": "map"}}
    metrics = semblance.run({"nodes": nodes}, {"data": (X, np.arange(70) % 2)}, cache=False).metrics
    expected = metrics["nodes"]["test"]
    found = diagnostics.spectrum(similarity.DTW(as_="gaussian", width=1.0), X)
    for name in ("negative_ratio", "negative_eigenvalues", "positive_eigenvalues", "asymmetry"):
        assert getattr(found, name) == expected[name]
    assert found.largest_eigenvalue == pytest.approx(expected["largest_eigenvalue"], rel=1e-10)


@pytest.mark.parametrize("function", [
    diagnostics.asymmetry, diagnostics.symmetric, diagnostics.spectrum,
    diagnostics.positive_semidefinite, diagnostics.repair])
@pytest.mark.parametrize("K, error, told", [
    (np.ones((3, 4)), ValueError, "K must be a square matrix, with a row and a column for each "
     "sample, got an array of shape (3, 4)."),
    (np.ones(3), ValueError, "got an array of shape (3,)."),
    (np.ones((0, 0)), ValueError, "K has no values: it needs at least one row and one column."),
    ([["a", "b"], ["c", "d"]], TypeError, "K must hold real numbers, got an array of type <U1."),
    (np.eye(2) * 1j, TypeError, "K must hold real numbers"),
    ([[1, np.nan], [0, 1]], ValueError, "K must hold finite float32 values; the value in row 0, "
     "column 1 (counted from 0) is nan."),
    ([[1, 0], [0, 1e39]], ValueError, "the value in row 1, column 1 (counted from 0) is 1e+39.")])
def test_what_is_no_matrix_is_said(function, K, error, told):
    with pytest.raises(error) as caught:
        function(K)
    assert told in str(caught.value)


def test_wrong_parameters_are_said():
    with pytest.raises(ValueError, match="must be one of clip, flip, shift, square, krein, got"):
        diagnostics.repair(np.eye(2), "clop")
    with pytest.raises(ValueError, match="'negative_weight' parameter of repair must be above 0"):
        diagnostics.repair(np.eye(2), "krein", negative_weight=0)
    with pytest.raises(ValueError, match="negative_weight is used by how='krein' only"):
        diagnostics.repair(np.eye(2), "clip", negative_weight=2)
    with pytest.raises(ValueError, match="'tolerance' parameter of symmetric must be at least 0"):
        diagnostics.symmetric(np.eye(2), tolerance=-1)
    with pytest.raises(ValueError, match="threshold"):
        diagnostics.spectrum(np.eye(2), threshold=2)
    with pytest.raises(ValueError, match="too large for float32 .how='square'."):
        diagnostics.repair(np.eye(2) * 1e30, "square")
