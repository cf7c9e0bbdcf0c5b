# SPDX-License-Identifier: MIT
"""Estimators beside scikit-learn's own: the same answers on the same tables."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC, LinearSVC

from tables import DATA, table
import semblance
from semblance import KernelSVM, LinearSVM, NearestNeighbour
from semblance.similarity import RBF


@pytest.mark.parametrize("name", DATA)
@pytest.mark.parametrize("C", [0.1, 10])
def test_kernel_svm_is_scikit_learns_svc(name, C):
    X, y, new, _ = table(name)
    gamma = 1 / X.shape[1]
    ours = KernelSVM(kernel=RBF(gamma=gamma), C=C, tolerance=1e-4).fit(X, y)
    theirs = SVC(kernel="rbf", gamma=gamma, C=C, tol=1e-4).fit(X, y)
    assert np.array_equal(ours.predict(new), theirs.predict(new))
    if len(ours.classes_) == 2:
        assert np.allclose(ours.decision_function(new), theirs.decision_function(new), atol=2e-3)


@pytest.mark.parametrize("name", DATA)
def test_linear_svm_is_scikit_learns_linear_svc(name):
    X, y, new, _ = table(name)
    ours = LinearSVM(C=0.1, center=False).fit(X, y)
    theirs = LinearSVC(C=0.1, tol=1e-8, max_iter=100000, dual=True, random_state=0).fit(X, y)
    assert np.array_equal(ours.predict(new), theirs.predict(new))
    assert ours.coef_.shape == theirs.coef_.shape
    assert np.allclose(ours.coef_, theirs.coef_, atol=2e-3)
    assert np.allclose(ours.intercept_, theirs.intercept_, atol=2e-3)


@pytest.mark.parametrize("level", [0, 10, 1000, 1e5])
@pytest.mark.parametrize("sparse", [False, True])
def test_linear_svm_about_the_means_is_linear_svc_on_centred_columns(level, sparse):
    rng = np.random.default_rng(5)
    plain = np.round(64 * rng.normal(size=(240, 6))) / 64  # exact in float32 beside the level
    y = np.array(["a", "b", "c"])[np.argmax(plain[:, :3] + rng.normal(size=(240, 3)), axis=1)]
    signs = np.array([1, -1, 1, -1, 1, 0])
    X = plain + level * signs
    theirs = LinearSVC(C=0.1, tol=1e-8, max_iter=100000, random_state=0).fit(plain - plain.mean(axis=0), y)
    ours = LinearSVM(C=0.1, tolerance=1e-8).fit(csr_matrix(X) if sparse else X, y)
    assert np.allclose(ours.coef_, theirs.coef_, atol=1e-3)
    scores = theirs.decision_function(plain - plain.mean(axis=0))
    assert np.allclose(ours.decision_function(csr_matrix(X) if sparse else X), scores, atol=2e-3)
    assert np.allclose(X @ ours.coef_.T + ours.intercept_, scores, atol=2e-3)


def test_weights_of_a_linear_machine_give_its_scores():
    for name in ("breast cancer", "digits"):
        X, y, new, _ = table(name)
        for bias in (0.0, 1.0, 3.0):
            machine = LinearSVM(C=0.1, bias=bias).fit(X, y)
            scores = new @ machine.coef_.T + machine.intercept_
            shown = machine.decision_function(new).reshape(len(new), -1)
            assert np.allclose(scores, shown, atol=1e-4), (name, bias)


def test_class_weights_are_scikit_learns():
    X, y, new, _ = table("breast cancer")
    for weights in ("balanced", {0: 5.0}, {0: 0.1, 1: 3}):
        ours = KernelSVM(kernel=RBF(gamma=0.03), class_weight=weights, tolerance=1e-4).fit(X, y)
        theirs = SVC(gamma=0.03, class_weight=weights, tol=1e-4).fit(X, y)
        assert np.allclose(ours.decision_function(new), theirs.decision_function(new), atol=2e-3)
        linear = LinearSVM(C=0.01, class_weight=weights, center=False).fit(X, y)
        scikit = LinearSVC(C=0.01, class_weight=weights, tol=1e-8, max_iter=100000,
                           random_state=0).fit(X, y)
        assert np.allclose(linear.coef_, scikit.coef_, atol=2e-3)


def test_class_weights_are_by_label_in_whichever_order():
    X, y, new, _ = table("iris")
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    by_name = LinearSVM(class_weight={"virginica": 3, "setosa": 0.5}).fit(X, names)
    by_number = LinearSVM(class_weight={0: 0.5, 2: 3}).fit(X, y)
    assert np.array_equal(by_name.decision_function(new), by_number.decision_function(new))


def weights_of(y, seed=3):
    """Whole numbers, every fifth of them 0."""
    return np.random.default_rng(seed).integers(0, 5, len(y)).astype(float)


@pytest.mark.parametrize("name", DATA)
def test_sample_weights_are_scikit_learns(name):
    X, y, new, _ = table(name)
    weights, gamma = weights_of(y), 1 / X.shape[1]
    ours = KernelSVM(kernel=RBF(gamma=gamma), C=2, tolerance=1e-5).fit(X, y, sample_weight=weights)
    theirs = SVC(gamma=gamma, C=2, tol=1e-5).fit(X, y, sample_weight=weights)
    assert np.array_equal(ours.predict(new), theirs.predict(new))
    ours = LinearSVM(C=0.1, center=False).fit(X, y, sample_weight=weights)
    theirs = LinearSVC(C=0.1, tol=1e-8, max_iter=100000, random_state=0).fit(
        X, y, sample_weight=weights)
    assert np.array_equal(ours.predict(new), theirs.predict(new))
    assert np.allclose(ours.coef_, theirs.coef_, atol=2e-3)


def test_sample_weights_and_class_weights_multiply_each_other():
    X, y, new, _ = table("breast cancer")
    weights = weights_of(y)
    for factors in ({0: 5.0}, {0: 0.1, 1: 3}):
        ours = KernelSVM(kernel=RBF(gamma=0.03), class_weight=factors, tolerance=1e-5).fit(
            X, y, sample_weight=weights)
        theirs = SVC(gamma=0.03, class_weight=factors, tol=1e-5).fit(X, y, sample_weight=weights)
        assert np.allclose(ours.decision_function(new), theirs.decision_function(new), atol=2e-3)
    # Balanced: weights are added up where scikit-learn counts samples.
    sums = np.bincount(y, weights)
    factors = weights * (weights.sum() / (2 * sums))[y]
    ours = KernelSVM(kernel=RBF(gamma=0.03), class_weight="balanced", tolerance=1e-5).fit(
        X, y, sample_weight=weights)
    theirs = SVC(gamma=0.03, tol=1e-5).fit(X, y, sample_weight=factors)
    assert np.allclose(ours.decision_function(new), theirs.decision_function(new), atol=2e-3)


def test_sample_weights_are_repetitions():
    X, y, new, _ = table("wine")
    weights = weights_of(y)
    rows = np.repeat(np.arange(len(y)), weights.astype(int))
    for machine in (LinearSVM(tolerance=1e-8), KernelSVM(kernel=RBF(gamma=0.1), tolerance=1e-6)):
        weighted = machine.fit(X, y, sample_weight=weights).decision_function(new)
        assert np.allclose(weighted, machine.fit(X[rows], y[rows]).decision_function(new),
                           atol=2e-3)


def test_nearest_neighbours_are_scikit_learns():
    X, y, new, _ = table("digits")
    theirs = KNeighborsClassifier(1).fit(X, y)
    assert np.array_equal(NearestNeighbour().fit(X, y).predict(new), theirs.predict(new))
    scaled = NearestNeighbour(similarity=RBF(gamma=1)).fit(X, y)
    assert np.mean(scaled.predict(new) == theirs.predict(new)) > 0.999
    three = NearestNeighbour(k=3).fit(X, y)
    assert np.mean(three.predict(new) == KNeighborsClassifier(3).fit(X, y).predict(new)) > 0.98


def test_rows_that_are_far_away_have_a_nearest_neighbour():
    X, y, _, _ = table("wine")
    far = np.float32(1e6) * np.eye(13, dtype=np.float32) - 3
    theirs = KNeighborsClassifier(1, algorithm="brute").fit(X.astype(float), y).predict(far)
    assert np.array_equal(NearestNeighbour().fit(X, y).predict(far), theirs)
    rounded = NearestNeighbour(similarity=RBF(gamma=1)).fit(X, y)
    with pytest.warns(semblance.SemblanceWarning, match="similarities .* to all bases are equal"):
        rounded.predict(far)


def test_a_precomputed_kernel_is_the_kernel():
    X, y, new, _ = table("digits")
    measure = RBF(gamma=0.02)
    direct = KernelSVM(kernel=measure, C=5).fit(X, y)
    matrix = KernelSVM(kernel="precomputed", C=5).fit(measure(X, X), y)
    assert np.array_equal(matrix.predict(measure(new, X)), direct.predict(new))
    with pytest.raises(ValueError, match="Precomputed matrix must be a square matrix"):
        KernelSVM(kernel="precomputed").fit(measure(X, X[:9]), y)
    with pytest.raises(ValueError, match=f"expecting {len(X)} features"):
        matrix.predict(measure(new, X[:9]))


def test_cross_validation_cuts_columns_of_a_precomputed_kernel():
    X, y, _, _ = table("wine")
    shown = cross_val_score(KernelSVM(kernel="precomputed"), RBF(gamma=0.1)(X), y, cv=3)
    assert np.array_equal(shown, cross_val_score(KernelSVM(kernel=RBF(gamma=0.1)), X, y, cv=3))


def test_an_indefinite_kernel_is_refused_or_repaired():
    random = np.random.default_rng(0)
    A = random.normal(size=(40, 40))
    K, y = (A + A.T) / 2, np.arange(40) % 2
    with pytest.raises(ValueError, match="repair"):
        KernelSVM(kernel="precomputed").fit(K, y)
    smallest = np.linalg.eigvalsh(K)[0]
    for how in ("clip", "flip", "shift", "square"):
        ours = KernelSVM(kernel="precomputed", repair=how, tolerance=1e-5).fit(K, y)
        assert np.isclose(ours.metrics_["smallest_eigenvalue"], smallest, rtol=1e-4)
        fixed = semblance.diagnostics.repair(K.astype(np.float32), how=how)
        theirs = SVC(kernel="precomputed", tol=1e-5).fit(fixed, y)
        # The repair of training samples also repairs new ones, except a shift, which is diagonal.
        compared = K if how == "shift" else fixed
        assert np.allclose(ours.decision_function(K), theirs.decision_function(compared),
                           atol=1e-3), how


def test_a_measure_is_a_kernel_for_scikit_learns_svc():
    X, y, new, _ = table("wine")
    theirs = SVC(kernel=RBF(gamma=0.1)).fit(X, y)
    assert np.array_equal(theirs.predict(new), SVC(kernel="rbf", gamma=0.1).fit(X, y).predict(new))
