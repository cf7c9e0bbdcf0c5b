# SPDX-License-Identifier: MIT
"""Estimators of a matrix of similarities are those of the samples, in a cross-validation too."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.base import clone
from sklearn.datasets import load_wine
from sklearn.model_selection import cross_val_predict

from semblance import (BasisExpandingSVM, KernelRidge, KernelSVM, KernelSVR, NearestNeighbour,
                       NeighbourRegression, Nystroem, OneClassSVM, SimilarityMap)
from semblance.similarity import RBF

X, y = load_wine(return_X_y=True)
X = ((X - X.mean(axis=0)) / X.std(axis=0)).astype(np.float32)
MEASURE = RBF(gamma=0.1)
K = MEASURE(X)
KERNELS = [KernelSVM, KernelSVR, KernelRidge, OneClassSVM]
#: Estimators with bases, and their parameter.
ON_BASES = [(BasisExpandingSVM(bases=40), "similarities"), (NearestNeighbour(k=3), "similarity"),
            (NeighbourRegression(), "similarity"), (Nystroem(bases=40), "similarity"),
            (SimilarityMap(bases=40), "similarity")]


def outputs(estimator, samples):
    return estimator.transform(samples) if hasattr(estimator, "transform") else \
        estimator.predict(samples)


@pytest.mark.parametrize("kind", KERNELS)
def test_kernel_machines(kind):
    ours, theirs = kind(kernel="precomputed"), kind(kernel=MEASURE)
    # A known measure has a definition in double, which a solution is refined with. It changes the
    # bias of a regression by the rounding of a matrix in float32.
    error = 1e-6 if kind is KernelSVR else 0
    np.testing.assert_allclose(clone(ours).fit(K, y).predict(K), clone(theirs).fit(X, y).predict(X),
                               rtol=0, atol=error)
    np.testing.assert_allclose(cross_val_predict(ours, K, y, cv=3),
                               cross_val_predict(theirs, X, y, cv=3), rtol=0, atol=error)
    with pytest.raises(ValueError, match="Precomputed matrix must be a square matrix"):
        clone(ours).fit(K[:, :9], y)


@pytest.mark.parametrize("estimator, name", ON_BASES, ids=lambda value: str(value)[:20])
def test_estimators_on_bases(estimator, name):
    ours = clone(estimator).set_params(**{name: "precomputed"})
    theirs = clone(estimator).set_params(**{name: MEASURE, "normalizer": None})
    assert np.array_equal(outputs(ours.fit(K, y), K), outputs(theirs.fit(X, y), X))
    if hasattr(ours, "predict"):
        assert np.array_equal(cross_val_predict(ours, K, y, cv=3),
                              cross_val_predict(theirs, X, y, cv=3))
    assert ours._get_tags()["pairwise"] and not theirs._get_tags()["pairwise"]
    with pytest.raises(ValueError, match="Precomputed matrix must be a square matrix"):
        clone(ours).fit(K[:, :9], y)


def test_neighbours_in_a_matrix():
    machine = NearestNeighbour(similarity="precomputed", k=4).fit(K, y)
    distances, indices = machine.kneighbors(K[:20])
    assert np.array_equal(indices, np.argsort(-K[:20], axis=1, kind="stable")[:, :4])
    assert np.array_equal(distances, -np.take_along_axis(K[:20], indices, axis=1))


@pytest.mark.parametrize("kind", KERNELS)
def test_a_sparse_matrix_is_refused(kind):
    machine = kind(kernel="precomputed")
    with pytest.raises(TypeError, match="Sparse precomputed kernels are not supported. A sparse"):
        machine.fit(csr_matrix(K), y)
    machine.fit(K, y)
    with pytest.raises(TypeError, match="Sparse precomputed kernels are not supported"):
        machine.predict(csr_matrix(K))


@pytest.mark.parametrize("kind", KERNELS)
def test_a_matrix_that_is_not_symmetric_is_no_kernel(kind):
    wrong = K.copy()
    wrong[7, 3] += 0.2
    for machine in (kind(kernel="precomputed"),
                    kind(kernel=lambda a, b: MEASURE(a, b) + 0.1 * a[:, :1])):
        with pytest.raises(ValueError, match="the kernel is not symmetric"):
            machine.fit(wrong if machine.kernel == "precomputed" else X, y)
    rounded = K * (1 + 1e-6 * np.random.default_rng(1).uniform(-1, 1, K.shape))
    kind(kernel="precomputed").fit(rounded.astype(np.float32), y)


def test_a_map_need_not_be_symmetric():
    wrong = K.copy()
    wrong[7, 3] += 0.2
    BasisExpandingSVM(bases=40, similarities="precomputed").fit(wrong, y)
