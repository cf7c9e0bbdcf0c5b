# SPDX-License-Identifier: MIT
"""Mistakes of users of estimators, and the messages for them."""

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning, NotFittedError

from tables import table
import semblance
from semblance import ML3, BasisExpandingSVM, KernelSVM, LinearSVM
from semblance.basis import RandomPerClass
from semblance.normalizer import ZScore
from semblance.similarity import RBF

WRONG = [
    (lambda X, y: LinearSVM().predict(X), NotFittedError, "not fitted yet"),
    (lambda X, y: LinearSVM().fit(X, y[:-1]), ValueError, "inconsistent numbers of samples"),
    (lambda X, y: LinearSVM().fit(X[0], y), ValueError, "Reshape your data"),
    (lambda X, y: LinearSVM().fit(X[:, None, :], y), ValueError, "dim 3"),
    (lambda X, y: LinearSVM().fit(X, np.zeros(len(y))), ValueError, "got 1 class"),
    (lambda X, y: LinearSVM().fit(X, X[:, 0]), ValueError, "Unknown label type"),
    (lambda X, y: LinearSVM().fit(X, None), ValueError, "requires y to be passed"),
    (lambda X, y: LinearSVM().fit(np.where(X > 3, np.nan, X), y), ValueError, "contains NaN"),
    (lambda X, y: LinearSVM().fit(X.astype(float) * 1e300, y), ValueError, "too large for dtype"),
    (lambda X, y: LinearSVM().fit(X.astype(complex), y), ValueError, "Complex data not supported"),
    (lambda X, y: LinearSVM().fit([["a", "b"]] * len(y), y), ValueError, ""),
    (lambda X, y: LinearSVM().fit(["text"] * len(y), y), ValueError, "got strings"),
    (lambda X, y: LinearSVM().fit(X, y).predict(X[:, :5]), ValueError,
     "X has 5 features, but LinearSVM is expecting 13 features"),
    (lambda X, y: LinearSVM().fit(X, y).predict(X * np.float32(np.inf)), ValueError, "inf"),
    (lambda X, y: LinearSVM().fit(X, y).predict(X[:0]), ValueError, "0 sample"),
    (lambda X, y: LinearSVM(C=None).fit(X, y), ValueError, "'C' parameter of LinearSVM must have"),
    (lambda X, y: LinearSVM(C=0).fit(X, y), ValueError, r"in the range \(0, inf\), got 0"),
    (lambda X, y: LinearSVM(C="1").fit(X, y), ValueError, "must be one of .automatic. or a number"),
    (lambda X, y: LinearSVM(max_iterations=1.5).fit(X, y), ValueError, "LinearSVM: 'max_iterations' must be an integer, got '1.5'"),
    (lambda X, y: LinearSVM(regularizer="l3").fit(X, y), ValueError, "did you mean 'l2'"),
    (lambda X, y: LinearSVM(class_weight={9: 1}).fit(X, y), ValueError, "class 9"),
    (lambda X, y: LinearSVM(class_weight={0: 0}).fit(X, y), ValueError, "above 0"),
    (lambda X, y: LinearSVM(class_weight="even").fit(X, y), ValueError, "'balanced'"),
    (lambda X, y: LinearSVM(class_weight=[1, 2]).fit(X, y), TypeError, "must be a dict"),
    (lambda X, y: LinearSVM().fit(X, y, sample_weight=-np.ones(len(y))), ValueError, "egative"),
    (lambda X, y: LinearSVM().fit(X, y, sample_weight=np.ones(len(y) - 1)), ValueError,
     "sample_weight"),
    (lambda X, y: LinearSVM().fit(X, y, sample_weight=np.full(len(y), np.nan)), ValueError, "NaN"),
    (lambda X, y: LinearSVM().fit(X, y, sample_weight=y == y[0]), ValueError, "have the weight 0"),
    (lambda X, y: LinearSVM(random_state=-1).fit(X, y), ValueError, "random_state"),
    (lambda X, y: LinearSVM(n_jobs=0).fit(X, y), ValueError, "n_jobs == 0"),
    (lambda X, y: LinearSVM(memory="much").fit(X, y), ValueError, "memory"),
    (lambda X, y: KernelSVM(kernel="rbff").fit(X, y), ValueError, "did you mean 'similarity/rbf'"),
    (lambda X, y: KernelSVM(kernel=ZScore()).fit(X, y), TypeError, "of kind similarity"),
    (lambda X, y: KernelSVM(kernel=RBF).fit(X, y), TypeError, "kernel"),
    (lambda X, y: KernelSVM(kernel=RBF(gamma=-1)).fit(X, y), ValueError,
     r"KernelSVM: 'gamma' must be in the range \(0, inf\), got -1"),
    (lambda X, y: BasisExpandingSVM(bases=0).fit(X, y), ValueError, "at least 1"),
    (lambda X, y: BasisExpandingSVM(bases=RandomPerClass(per_class=999)).fit(X, y), ValueError,
     "per_class requests 999"),
    (lambda X, y: BasisExpandingSVM(similarities=[]).fit(X, y), ValueError, "at least one"),
    (lambda X, y: ML3(lambda_=0).fit(X, y), ValueError, "ML3: 'lambda' must be in the range"),
    (lambda X, y: semblance.solver.OCC().fit(np.ones_like(X), y), ValueError,
     "no anchor planes, because all of their columns are constant"),
    (lambda X, y: semblance.Log().fit(X), ValueError, "Negative values"),
]


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_what_users_do_wrong(number):
    X, y, _, _ = table("wine")
    call, error, text = WRONG[number]
    with pytest.raises(error, match=text):
        call(X, y)


def test_integers_that_float32_rounds_are_told():
    X = np.arange(40).reshape(20, 2) * 7 + 2 ** 25
    with pytest.warns(semblance.SemblanceWarning,
                      match=r"X: integers in column 0 \(from 0\) and in 1 more are rounded by up to 2"):
        KernelSVM().fit(X, np.arange(20) % 2)


def test_models_beyond_the_directions_are_told():
    X, y, _, _ = table("wine")
    with pytest.warns(semblance.SemblanceWarning, match="13 columns have no 99 orthogonal"):
        semblance.solver.OCC(models=99).fit(X, y)


def test_a_deadline_leaves_the_best_model_so_far():
    random = np.random.default_rng(0)
    X = random.normal(size=(20000, 200)).astype(np.float32)
    y = random.integers(0, 10, size=len(X))
    with pytest.warns(ConvergenceWarning, match="deadline"):
        machine = LinearSVM(C=100, multiclass="crammer_singer", tolerance=1e-9,
                            deadline=0.3).fit(X, y)
    assert machine.certificate_ == "deadline"
    assert machine.predict(X).shape == y.shape
