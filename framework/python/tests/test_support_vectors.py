# SPDX-License-Identifier: MIT
"""What kernel machines consist of, beside scikit-learn's."""
import os
import pickle

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_wine
from sklearn.exceptions import NotFittedError
from sklearn.kernel_ridge import KernelRidge as TheirKernelRidge
from sklearn.metrics import log_loss
from sklearn.metrics.pairwise import laplacian_kernel, linear_kernel
from sklearn.model_selection import GridSearchCV, cross_val_predict
from sklearn.svm import SVC, SVR
from sklearn.svm import OneClassSVM as TheirOneClassSVM

from lacking import lacks
from semblance import KernelRidge, KernelSVM, KernelSVR, LinearSVM, OneClassSVM
from semblance.similarity import DTW, RBF, Linear

ATTRIBUTES = ("support_", "n_support_", "support_vectors_", "dual_coef_", "intercept_", "coef_")


def scaled(load):
    X, y = load(return_X_y=True)
    return ((X - X.mean(0)) / X.std(0)).astype(np.float32), y


def check_same(ours, theirs, attributes=ATTRIBUTES, tolerance=1e-4):
    for name in attributes:
        expected = getattr(theirs, name)
        found = getattr(ours, name)
        assert found.shape == expected.shape, name
        np.testing.assert_allclose(found, expected, atol=tolerance, err_msg=name)
    for name in ("support_", "n_support_"):
        assert getattr(ours, name).dtype.kind == "i"


@pytest.mark.parametrize("load", [load_wine, load_breast_cancer])
def test_classifiers_have_what_svc_has(load):
    X, y = scaled(load)
    names = np.array(["c", "a", "b"])[y]  # the order of classes is theirs
    for labels in (y, names):
        check_same(KernelSVM(tolerance=1e-7).fit(X, labels), SVC(tol=1e-7).fit(X, labels),
                   ATTRIBUTES[:-1])
        check_same(KernelSVM(kernel="linear", tolerance=1e-7).fit(X, labels),
                   SVC(kernel="linear", tol=1e-7).fit(X, labels))


def test_so_have_regressors_and_detectors():
    X, y = scaled(load_diabetes)
    check_same(KernelSVR(C=10, tolerance=1e-8).fit(X, y), SVR(C=10, tol=1e-8).fit(X, y),
               ATTRIBUTES[:-1], 1e-2)
    check_same(KernelSVR(kernel=Linear(), C=0.01, epsilon=30, tolerance=1e-8).fit(X, y),
               SVR(kernel="linear", C=0.01, epsilon=30, tol=1e-8).fit(X, y), tolerance=1e-2)
    check_same(OneClassSVM(nu=0.2, tolerance=1e-8).fit(X),
               TheirOneClassSVM(nu=0.2, tol=1e-8).fit(X), ATTRIBUTES[:-1])
    two = np.c_[y, -y]
    for targets in (y, two):
        ours = KernelRidge(kernel=RBF(gamma=0.1), penalty=2, fit_intercept=False).fit(X, targets)
        theirs = TheirKernelRidge(kernel="rbf", gamma=0.1, alpha=2).fit(X, targets)
        assert ours.dual_coef_.shape == theirs.dual_coef_.shape
        np.testing.assert_allclose(ours.dual_coef_, theirs.dual_coef_, rtol=1e-2, atol=1e-2)


def test_the_attributes_make_the_decisions():
    X, y = scaled(load_wine)
    machine = KernelSVM(kernel=Linear(), multiclass="one_versus_rest").fit(X, y)
    assert machine.coef_.shape == (3, 13) and machine.dual_coef_.shape[0] == 3
    np.testing.assert_allclose(X @ machine.coef_.T + machine.intercept_,
                               machine.decision_function(X), atol=1e-5)
    machine = KernelSVM(decision_function_shape="ovo").fit(X, y)
    assert machine.decision_function(X[:5]).shape == (5, 3)
    np.testing.assert_array_equal(X[machine.support_], machine.support_vectors_)
    assert machine.n_support_.sum() == machine.metrics_["support_vectors"]


def test_nothing_is_written_to_disk_and_it_is_read_once(monkeypatch):
    X, y = scaled(load_wine)
    for machine in (KernelSVM(kernel=Linear()).fit(X, y), LinearSVM().fit(X, y)):
        monkeypatch.setattr("tempfile.mkdtemp", lambda *_, **__: pytest.fail("a folder was made"))
        first = machine.coef_
        calls = []
        monkeypatch.setattr(os, "mkdir", lambda *_: calls.append(1))
        np.testing.assert_array_equal(machine.coef_, first)
        assert not calls and machine.intercept_.shape == (3,)
        monkeypatch.undo()
        machine.fit(X[:, :5], y)
        assert machine.coef_.shape == (3, 5)


def test_they_cannot_be_changed_without_effect():
    X, y = scaled(load_wine)
    for machine in (KernelSVM(kernel=Linear()).fit(X, y), LinearSVM().fit(X, y),
                    KernelSVM(kernel=Linear()).fit(X, y == 0), KernelSVR(kernel=Linear()).fit(X, y)):
        for name in {"dual_coef_", "coef_", "intercept_"} & set(dir(machine)):
            with pytest.raises(ValueError, match="read-only"):
                getattr(machine, name)[0] = 1
            with pytest.raises(AttributeError):
                setattr(machine, name, 1)


def test_they_survive_pickling():
    X, y = scaled(load_wine)
    machine = KernelSVM(kernel=Linear()).fit(X, y)
    before = [getattr(machine, name) for name in ATTRIBUTES]
    again = pickle.loads(pickle.dumps(machine))
    for name, value in zip(ATTRIBUTES, before):
        np.testing.assert_array_equal(getattr(again, name), value)


def test_where_there_is_nothing_to_show():
    X, y = scaled(load_wine)
    with pytest.raises(AttributeError, match="not fitted yet"):
        KernelSVM().support_
    with pytest.raises(AttributeError, match="coef_ is only available when using a linear kernel"):
        KernelSVM().fit(X, y).coef_
    series = KernelSVM(kernel=DTW(as_="gaussian", width=5), repair="clip").fit(X[:, None, :], y)
    with pytest.raises(AttributeError, match="has no support_vectors_"):
        series.support_vectors_
    assert len(series.support_) == series.n_support_.sum()
    assert not hasattr(KernelSVM(), "predict_proba")


@pytest.mark.parametrize("shape", ["ovr", "ovo"])
def test_decisions_have_the_shape_that_is_wanted(shape):
    for load in (load_wine, load_breast_cancer):
        X, y = scaled(load)
        ours = KernelSVM(decision_function_shape=shape, tolerance=1e-7).fit(X, y)
        theirs = SVC(decision_function_shape=shape, tol=1e-7).fit(X, y)
        np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X),
                                   atol=1e-5)
        assert (ours.predict(X) == theirs.predict(X)).all()
    with pytest.raises(ValueError, match="must be 'ovr' or 'ovo', got 'ova'"):
        KernelSVM(decision_function_shape="ova").fit(X, y)
    with pytest.raises(ValueError, match="has a value for each pair of classes"):
        KernelSVM(decision_function_shape="ovo", multiclass="one_versus_rest").fit(X, y)


def test_ties_are_broken_as_wanted():
    X, y = load_digits(return_X_y=True)
    scores = []
    for ties in (False, True):
        theirs = cross_val_predict(SVC(break_ties=ties), X, y, cv=5)
        ours = cross_val_predict(KernelSVM(break_ties=ties, n_jobs=2), X, y, cv=5)
        assert (ours == theirs).mean() > 0.999
        scores.append((ours == y).mean())
    assert scores[0] != scores[1]


def kernel(A, B):
    return laplacian_kernel(A, B, gamma=0.1)


def test_a_function_is_a_kernel():
    X, y = scaled(load_wine)
    ours, theirs = KernelSVM(kernel=kernel, tolerance=1e-7), SVC(kernel=kernel, tol=1e-7)
    ours.fit(X[::2], y[::2]), theirs.fit(X[::2], y[::2])
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-4)
    np.testing.assert_array_equal(ours.support_, theirs.support_)
    assert ours.n_features_in_ == 13
    by_matrix = KernelSVM(kernel="precomputed", tolerance=1e-7)
    by_matrix.fit(kernel(X[::2], X[::2]), y[::2])
    np.testing.assert_array_equal(by_matrix.decision_function(kernel(X, X[::2])),
                                  ours.decision_function(X))
    np.testing.assert_array_equal(by_matrix.support_, ours.support_)
    again = pickle.loads(pickle.dumps(ours))
    np.testing.assert_array_equal(again.decision_function(X), ours.decision_function(X))
    assert clone(ours).kernel is kernel
    search = GridSearchCV(KernelSVM(kernel=kernel), {"C": [0.1, 1]}, cv=3).fit(X, y)
    assert search.best_score_ > 0.9
    with pytest.raises(ValueError, match="X has 5 features, but KernelSVM is expecting 13"):
        ours.predict(X[:, :5])
    X, y = scaled(load_diabetes)
    np.testing.assert_allclose(
        KernelSVR(kernel=kernel, C=10, tolerance=1e-7).fit(X, y).predict(X),
        SVR(kernel=kernel, C=10, tol=1e-7).fit(X, y).predict(X), rtol=1e-3)


def letters(A, B):
    """Of texts."""
    assert all(isinstance(text, str) for text in [*A, *B])
    return np.array([[a.count("A") * b.count("A") + a.count("B") * b.count("B") for b in B]
                     for a in A], dtype=float)


@pytest.mark.parametrize("given", [lambda X: X.astype("float32"), lambda X: X, csr_matrix,
                                   lambda X: list(map(list, X))])
def test_a_function_compares_with_the_samples_of_fit_however_they_change_later(given):
    X, y = load_wine(return_X_y=True)
    X = (X - X.mean(0)) / X.std(0)
    samples = given(X.copy())
    machine = KernelSVM(kernel=laplacian_kernel).fit(samples, y)
    before = machine.decision_function(X[::3])
    if hasattr(samples, "data") and not isinstance(samples, np.ndarray):
        samples.data[:] = 1
    else:
        for sample in samples:
            sample[:] = [1] * 13
    np.testing.assert_array_equal(machine.decision_function(X[::3]), before)


@pytest.mark.parametrize("C", [0.001, 0.01, 0.02])
def test_balanced_classes_at_their_bounds_are_a_solution(C):
    """All samples are at their bounds up to the rounding of their sum."""
    X, y = load_wine(return_X_y=True)
    X = (X - X.mean(0)) / X.std(0)
    machine = KernelSVM(kernel=RBF(gamma=0.05), class_weight="balanced", C=C,
                        decision_function_shape="ovo").fit(X, y)
    theirs = SVC(gamma=0.05, class_weight="balanced", C=C, tol=1e-8).fit(X, y)
    np.testing.assert_array_equal(machine.support_, theirs.support_)
    np.testing.assert_allclose(machine.dual_coef_, theirs.dual_coef_, rtol=1e-5)
    values = machine.decision_function(X)
    for column, (first, second) in enumerate([(0, 1), (0, 2), (1, 2)]):
        # The bias is the middle of the interval of the optimal ones, as far from both ends.
        below, above = 1 - values[y == first, column].max(), values[y == second, column].min() + 1
        assert below > 0.01 and above == pytest.approx(below, abs=1e-5)


def test_parameters_that_are_set_after_fit_change_no_trained_machine():
    X, y = load_wine(return_X_y=True)
    X = (X - X.mean(0)) / X.std(0)
    machine = KernelSVM(multiclass="one_versus_rest", break_ties=False).fit(X, y)
    labels, coefficients = machine.predict(X), machine.dual_coef_
    machine.set_params(multiclass="one_versus_one")
    np.testing.assert_array_equal(machine.predict(X), labels)
    np.testing.assert_array_equal(machine.dual_coef_, coefficients)

    machine = KernelSVM().fit(X, y).set_params(kernel="linear")
    with pytest.raises(AttributeError):
        machine.coef_
    machine = KernelSVM(kernel="linear").fit(X, y)
    weights = machine.coef_
    np.testing.assert_array_equal(machine.set_params(kernel="rbf").coef_, weights)

    machine = KernelSVM(kernel=laplacian_kernel).fit(X, y)
    values = machine.decision_function(X)
    machine.set_params(kernel=linear_kernel)
    np.testing.assert_array_equal(machine.decision_function(X), values)


def test_a_function_may_compare_anything():
    texts, y = ["A A", "A", "B", "B B", "A B"], np.array([1, 1, 2, 2, 1])
    K = letters(texts, texts)
    for given in (texts, np.array(texts), np.array(texts, dtype=object)):
        machine = KernelSVM(kernel=letters).fit(given, y)
        by_matrix = KernelSVM(kernel="precomputed").fit(K, y)
        np.testing.assert_array_equal(machine.decision_function(["A A A", "B"]),
                                      by_matrix.decision_function(letters(["A A A", "B"], texts)))
    ragged = [np.arange(2.0), np.arange(3.0), -np.arange(4.0), -np.arange(2.0)]
    sums = KernelSVR(kernel=lambda A, B: np.array([[a.sum() * b.sum() for b in B] for a in A]))
    assert sums.fit(ragged, [0, 1, 2, 3]).predict(ragged[:1]).shape == (1,)
    machine = KernelSVM(kernel=kernel)
    with pytest.raises(ValueError, match="Expected 2D array, got 1D array"):
        machine.fit(np.arange(5.0), y)


def test_a_function_that_gives_no_kernel_matrix_is_refused():
    X, y = scaled(load_wine)
    with pytest.raises(ValueError, match=r"must give an array of shape \(178, 178\), .* gave "
                                         r"\(178, 13\)"):
        KernelSVM(kernel=lambda A, B: A).fit(X, y)
    with pytest.raises(ValueError, match="NaN"):
        KernelSVM(kernel=lambda A, B: np.full((len(A), len(B)), np.nan)).fit(X, y)


def test_iterations_are_those_of_each_pair_of_classes():
    X, y = scaled(load_wine)
    machine = KernelSVM().fit(X, y)
    assert machine.n_iter_.shape == (3,) and machine.n_iter_.dtype == np.int32
    assert machine.n_iter_.sum() == machine.metrics_["iterations"]
    assert KernelSVM().fit(X, y == 0).n_iter_.shape == (1,)
    assert isinstance(KernelSVR().fit(X, y).n_iter_, int)


def test_probabilities_are_learned_if_wanted():
    X, y = scaled(load_breast_cancer)
    ours = KernelSVM(probability=True, random_state=1)
    found = cross_val_predict(ours, X, y, cv=3, method="predict_proba")
    theirs = cross_val_predict(SVC(probability=True, random_state=1), X, y, cv=3,
                               method="predict_proba")
    assert abs(log_loss(y, found) - log_loss(y, theirs)) < 0.02
    ours.fit(X, y)
    np.testing.assert_allclose(ours.predict_proba(X).sum(axis=1), 1, atol=1e-12)
    np.testing.assert_array_equal(ours.predict_log_proba(X), np.log(ours.predict_proba(X)))
    np.testing.assert_array_equal(ours.decision_function(X),
                                  KernelSVM(random_state=1).fit(X, y).decision_function(X))
    again = pickle.loads(pickle.dumps(ours))
    np.testing.assert_array_equal(again.predict_proba(X), ours.predict_proba(X))
    with pytest.raises(NotFittedError):
        KernelSVM(probability=True).predict_proba(X)
    few = KernelSVM(probability=True).fit([[0.], [1], [2], [3], [4]], [0, 0, 0, 1, 1])
    assert few.predict_proba([[0.5]]).shape == (1, 2)
    with pytest.raises(ValueError, match="needs two samples of each class"):
        KernelSVM(probability=True).fit([[0.], [1], [2]], [0, 0, 1])
    with pytest.raises(NotFittedError, match="fitted with probability=False"):
        KernelSVM().fit(X, y).set_params(probability=True).predict_proba(X)
    with lacks("when probability=False"):
        KernelSVM().fit(X, y).predict_proba(X)
