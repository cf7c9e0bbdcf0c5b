# SPDX-License-Identifier: MIT
"""KernelSVM.path: machines for several values of C."""

import pickle

import numpy as np
import pytest
from sklearn.datasets import load_iris, load_wine
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics.pairwise import laplacian_kernel
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

from semblance import KernelSVM
from semblance.similarity import DTW, RBF, Linear

X, y = load_wine(return_X_y=True)
X = StandardScaler().fit_transform(X).astype(np.float32)
COSTS = [1, 0.01, 10, 0.1]


@pytest.mark.parametrize("parameters", [
    {}, {"kernel": RBF(gamma=0.05)}, {"kernel": Linear()}, {"multiclass": "one_versus_rest"},
    {"class_weight": "balanced"}, {"decision_function_shape": "ovo"},
    {"kernel": laplacian_kernel}], ids=str)
def test_each_machine_is_that_of_its_own_training(parameters):
    made = KernelSVM(**parameters)
    machines = made.path(X, y, COSTS)
    assert [machine.C for machine in machines] == COSTS and not hasattr(made, "classes_")
    for machine, C in zip(machines, COSTS):
        alone = KernelSVM(C=C, **parameters).fit(X, y)
        assert machine.certificate_ == "converged"
        assert machine.metrics_["objective"] == pytest.approx(alone.metrics_["objective"], rel=1e-4)
        assert (machine.predict(X) == alone.predict(X)).mean() > 0.99
        assert machine.decision_function(X).shape == alone.decision_function(X).shape
        # Coefficients are its own, though it stores the vectors of all.
        assert machine.dual_coef_.shape[1] == len(machine.support_) == machine.n_support_.sum()
        assert machine.metrics_["support_vectors"] == len(machine.support_)
        assert len(set(machine.support_) ^ set(alone.support_)) <= 3
        assert np.abs(machine.dual_coef_).max() <= C * 3 + 1e-6  # balanced weights are below 3
        assert not hasattr(machine, "n_iter_")
    assert set(machines[1].support_) != set(machines[2].support_)


def test_they_are_machines_like_any_other():
    machine = KernelSVM().path(X, y, [3.0, 0.5])[1]
    again = pickle.loads(pickle.dumps(machine))
    assert np.array_equal(again.decision_function(X), machine.decision_function(X))
    assert np.array_equal(again.support_, machine.support_)
    assert machine.fit(X, y).n_iter_.shape == (3,)
    assert "path" not in machine.metrics_
    with pytest.raises(ValueError, match="X has 4 features, but KernelSVM is expecting 13"):
        machine.predict(X[:, :4])


def test_weights_and_samples_of_other_kinds():
    weights = np.where(y == 0, 0.0, 1.0)
    weights[:9] = 1
    machines = KernelSVM().path(X, y, [1, 5], sample_weight=weights)
    assert not set(machines[0].support_) & set(range(9, 59))
    series = [X[i, :6 + i % 8] for i in range(90)]
    for machine in KernelSVM(kernel=DTW(), repair="clip").path(series, y[:90], [0.1, 1]):
        assert machine.predict(series[:5]).shape == (5,)


def test_no_result_depends_on_the_threads():
    one, two = (KernelSVM(n_jobs=n).path(X, y, COSTS) for n in (1, 2))
    for a, b in zip(one, two):
        assert np.array_equal(a.decision_function(X), b.decision_function(X))


def test_one_cost_and_the_same_cost_twice():
    single, = KernelSVM().path(X, y, [2])
    assert np.array_equal(single.decision_function(X), KernelSVM(C=2).fit(X, y)
                          .decision_function(X))
    first, second = KernelSVM().path(X, y, [2, 2])
    assert first is not second and first.C == second.C == 2


def test_a_machine_that_does_not_converge_is_named():
    with pytest.warns(ConvergenceWarning) as told:
        machines = KernelSVM(max_iterations=4).path(X, y, [0.5, 1])
    assert any("KernelSVM did not converge for C = 0.5;" in str(warning.message)
               for warning in told)
    assert [machine.certificate_ for machine in machines] == ["iteration limit"] * 2


@pytest.mark.parametrize("Cs, error, words", [
    ([], ValueError, "Cs is empty"), (3, TypeError, "Cs must be a sequence of numbers, got 3"),
    ([1, 0], ValueError, "Cs must hold finite numbers above 0, got 0"),
    (["1"], TypeError, "Cs must hold numbers"), ("12", TypeError, "must be a sequence")])
def test_what_is_refused(Cs, error, words):
    with pytest.raises(error, match=words):
        KernelSVM().path(X, y, Cs)


def test_probabilities_are_refused():
    with pytest.raises(ValueError, match="path.. learns no probabilities"):
        KernelSVM(probability=True).path(X, y, [1, 2])


def test_a_cost_is_chosen_on_held_out_samples():
    data, labels = load_iris(return_X_y=True)
    train, held_out, own, true = train_test_split(data, labels, random_state=0)
    machines = KernelSVM(kernel=RBF(gamma=0.01)).path(train, own, np.logspace(-3, 3, 7))
    best = max(machines, key=lambda machine: machine.score(held_out, true))
    assert best.score(held_out, true) > 0.9 > machines[0].score(held_out, true)
