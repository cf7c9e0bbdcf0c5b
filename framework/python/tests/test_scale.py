# SPDX-License-Identifier: MIT
"""gamma="scale" and "auto" are scikit-learn's, and "scale" is the default."""
import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_wine
from sklearn.metrics.pairwise import polynomial_kernel, rbf_kernel
from sklearn.model_selection import cross_val_score
from sklearn.svm import SVC, SVR
from sklearn.svm import OneClassSVM as TheirOneClassSVM

import semblance
from semblance import KernelSVM, KernelSVR, OneClassSVM, similarity
from semblance.similarity import RBF, Polynomial


@pytest.mark.parametrize("load, score", [(load_digits, 0.96), (load_breast_cancer, 0.912),
                                         (load_wine, 0.663)])
def test_raw_columns_score_as_with_svc(load, score):
    X, y = load(return_X_y=True)
    ours = cross_val_score(KernelSVM(n_jobs=2), X, y, cv=5).mean()
    theirs = cross_val_score(SVC(), X, y, cv=5).mean()
    # Of classes with equal votes, SVC takes the first, and we the one with the larger values.
    assert abs(ours - theirs) < 0.004 and ours > score - 0.001


@pytest.mark.parametrize("gamma", ["scale", "auto"])
def test_decisions_are_those_of_svc(gamma):
    X, y = load_breast_cancer(return_X_y=True)
    X = X.astype(np.float32)
    ours = KernelSVM(kernel=RBF(gamma=gamma), tolerance=1e-6).fit(X, y)
    theirs = SVC(gamma=gamma, tol=1e-6).fit(X, y)
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=2e-4)
    assert ours.metrics_["support_vectors"] == theirs.n_support_.sum()


def test_so_are_those_of_other_machines():
    X, y = load_diabetes(return_X_y=True)
    X = (100 * X).astype(np.float32)
    ours = KernelSVR(C=10, tolerance=1e-6).fit(X, y).predict(X)
    np.testing.assert_allclose(ours, SVR(C=10, tol=1e-6).fit(X, y).predict(X), rtol=1e-3)
    ours = OneClassSVM(nu=0.2, tolerance=1e-6).fit(X).decision_function(X)
    theirs = TheirOneClassSVM(nu=0.2, tol=1e-6).fit(X).decision_function(X)
    np.testing.assert_allclose(ours, theirs, atol=2e-3)
    classes = y > np.median(y)
    ours = KernelSVM(kernel=Polynomial(degree=3, offset=0, scale="scale"), tolerance=1e-6)
    theirs = SVC(kernel="poly", tol=1e-6)
    np.testing.assert_allclose(ours.fit(X, classes).decision_function(X),
                               theirs.fit(X, classes).decision_function(X), atol=2e-3)


def test_a_function_learns_from_its_bases():
    X, B = load_wine().data[:50], load_wine().data[50:90]
    gamma = 1 / (B.shape[1] * B.astype(np.float32).astype(float).var())
    for given in ({}, {"gamma": "scale"}):
        np.testing.assert_allclose(similarity.rbf(X, B, **given), rbf_kernel(X, B, gamma),
                                   atol=1e-5)
    np.testing.assert_allclose(similarity.polynomial(X, B, scale="scale"),
                               polynomial_kernel(X, B, 2, gamma, 1), rtol=1e-5)
    np.testing.assert_allclose(similarity.rbf(X / 100, B / 100, gamma="auto"),
                               rbf_kernel(X / 100, B / 100), atol=1e-5)


def test_the_learned_number_is_part_of_the_model():
    X, y = load_wine(return_X_y=True)
    machine = KernelSVM().fit(X, y)
    scores = machine.decision_function(X)
    for threads in 1, 3:
        again = clone(machine).set_params(n_jobs=threads).fit(X, y)
        np.testing.assert_array_equal(again.decision_function(X), scores)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(machine)).decision_function(X), scores)
    # Other rows than those of training do not change it.
    np.testing.assert_array_equal(machine.decision_function(X[:3]), scores[:3])
    number = 1 / (X.shape[1] * X.astype(np.float32).astype(float).var())
    given = KernelSVM(kernel=RBF(gamma=number)).fit(X, y)
    np.testing.assert_allclose(given.decision_function(X), scores, atol=1e-6)


def test_equal_values_give_one_as_in_scikit_learn():
    assert similarity.rbf(np.full((2, 3), 0.1), np.full((2, 3), 0.1)).tolist() == [[1, 1], [1, 1]]
    X = np.ones((10, 3))
    machine = KernelSVM().fit(X, [0, 1] * 5)
    theirs = SVC().fit(X, [0, 1] * 5)
    np.testing.assert_allclose(machine.decision_function(X + 0.1),
                               theirs.decision_function(X + 0.1), atol=1e-6)


@pytest.mark.parametrize("gamma, message", [
    ("skale", "'gamma' must be one of [scale, auto] or a number in the range (0, inf), got 'skale'"),
    (0, "'gamma' must be in the range (0, inf), got 0"),
    (True, "'gamma' must be one of [scale, auto] or a number in the range (0, inf), got 'true'"),
    (float("inf"), "or a number in the range (0, inf), got 'Infinity'")])
def test_what_is_neither_a_number_nor_a_word_is_refused(gamma, message):
    X, y = load_wine(return_X_y=True)
    with pytest.raises(ValueError) as refused:
        KernelSVM(kernel=RBF(gamma=gamma)).fit(X, y)
    assert message in str(refused.value)


def test_a_study_may_try_numbers_and_words():
    X, y = load_wine(return_X_y=True)
    nodes = {"table": {"is": "source/array", "test_fraction": 0.3},
             "svm": {"is": "solver/kernel_svm", "kernel": {"is": "similarity/rbf"}, "from": "table"},
             "test": {"is": "evaluator/classification", "from": "svm"}}
    study = semblance.ablate(
        {"name": "gammas", "nodes": nodes,
         "study": {"metric": "test.accuracy", "repeats": {"seeds": 2},
                   "slots": {"gamma": {"path": "nodes.svm.kernel.gamma",
                                       "values": ["scale", "auto", 0.001]}}}},
        data={"table": (X, y)}, cache=False)
    assert set(study.table["gamma"]) == {"scale", "auto", "0.001"}
