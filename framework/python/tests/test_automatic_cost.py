# SPDX-License-Identifier: MIT
"""C="automatic" of LinearSVM and KernelSVM."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_wine
from sklearn.model_selection import LeaveOneGroupOut, cross_val_score
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import semblance
from semblance import KernelSVM, LinearSVM
from semblance.similarity import RBF

X, y = load_wine(return_X_y=True)
X = StandardScaler().fit_transform(X).astype(np.float32)


def test_it_learns_what_the_chosen_number_gives():
    chosen = LinearSVM(C="automatic").fit(X, y)
    assert chosen.metrics_["cross_validated_error_rate"] < 0.05
    given = LinearSVM(C=chosen.metrics_["cost"]).fit(X, y)
    assert np.array_equal(chosen.coef_, given.coef_)
    assert cross_val_score(chosen, X, y, cv=3).mean() > 0.94


def test_candidates_and_wrong_ones():
    assert LinearSVM(C="automatic", path=(0.01, 1)).fit(X, y).metrics_["cost"] in (0.01, 1)
    with pytest.raises(ValueError, match="C"):
        LinearSVM(C="best").fit(X, y)


def test_a_kernel_machine_learns_what_the_chosen_number_gives():
    chosen = KernelSVM(kernel=RBF(gamma=0.05), C="automatic").fit(X, y)
    assert chosen.metrics_["cross_validated_error_rate"] < 0.05
    assert chosen.metrics_["choice_trainings"] == 30
    given = KernelSVM(kernel=RBF(gamma=0.05), C=chosen.metrics_["cost"]).fit(X, y)
    assert np.array_equal(chosen.dual_coef_, given.dual_coef_)
    assert np.array_equal(chosen.intercept_, given.intercept_)
    # Its scale is learned from each fold's own samples.
    assert KernelSVM(C="automatic", folds=4).fit(X, y).metrics_["choice_trainings"] == 24
    with pytest.raises(ValueError, match="C"):
        KernelSVM(C="best").fit(X, y)


def test_candidates_of_a_kernel_machine():
    machine = KernelSVM(kernel=RBF(gamma=0.05), C="automatic", Cs=(5, 0.02, 0.5), folds=3)
    chosen = machine.fit(X, y)
    assert chosen.metrics_["cost"] in (0.02, 0.5, 5)
    assert chosen.metrics_["choice_trainings"] == 9
    assert [(made.C, made.Cs) for made in machine.path(X, y, (1, 2))] == [(1, None), (2, None)]
    for wrong, message in (({"C": 1.0}, "but C is 1.0; omit Cs"), ({"Cs": [1]}, "a single value"),
                           ({"Cs": [0, 1]}, "Cs"), ({"Cs": []}, "Cs is empty"),
                           ({"Cs": None, "C": 2}, "'folds' belongs to 'C: automatic', but C is 2")):
        with pytest.raises(ValueError, match=message):
            clone(machine).set_params(**wrong).fit(X, y)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("gamma", [0.05, "scale"])
def test_held_out_errors_are_those_of_scikit_learn(gamma, classes):
    # With as many groups as folds, a fold is a group.
    some = y < classes
    samples, labels = X[some], y[some]
    groups = np.arange(len(labels)) % 4
    text = f"""
name: automatic
nodes:
  s: {{is: source/array, data: X}}
  svm: {{is: solver/kernel_svm, C: automatic, path: [0.001, 0.1, 1, 50], folds: 4, tolerance: 1e-5,
        kernel: {{is: similarity/rbf, gamma: {gamma}}}, from: s}}
"""
    result = semblance.run(text, data={"s": {"X": samples, "y": labels, "groups": groups}},
                           cache=False)
    found = [value for value, in result.metrics["nodes"]["svm"]["costs"]["values"]]
    for error, C in zip(found, (0.001, 0.1, 1, 50)):
        wrong = 0
        for train, test in LeaveOneGroupOut().split(samples, labels, groups):
            other = SVC(C=C, gamma=gamma, tol=1e-5).fit(samples[train], labels[train])
            wrong += (other.predict(samples[test]) != labels[test]).sum()
        assert abs(error - wrong / len(labels)) < 1.5 / len(labels)
