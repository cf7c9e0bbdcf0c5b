# SPDX-License-Identifier: MIT
"""A pipeline is checked once for fits that differ in their data alone: no fit may see an earlier one.
The oracle is semblance.run(), which checks each time."""

import copy
import os
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from sklearn.base import clone, is_classifier
from sklearn.exceptions import ConvergenceWarning

import semblance
from semblance import KernelRidge, KernelSVM, LinearSVM, LinearSVR, Ridge, RidgeClassifier
from tables import table

X, y, NEW, _ = table("wine")


def ran(machine, X, y, **data):
    """Scores for NEW of the machine as a pipeline."""
    nodes = {"data": {"is": "source/array"}, "machine": {"is": machine, "from": "data"}}
    answers = {"y" if is_classifier(machine) else "target": y}
    model = semblance.run({"nodes": nodes}, data={"data": {"X": X, **answers, **data}},
                          cache=False).model
    return model.decision_function(NEW)


def scores(machine):
    return machine._scores(NEW)


def other_data():
    """Of the same shape as X and y."""
    places = np.random.default_rng(0).permutation(len(X))
    return np.ascontiguousarray(X[places] * 1.5), np.roll(y[places], 3)


@pytest.mark.parametrize("machine", [KernelSVM(), LinearSVM(), RidgeClassifier(), LinearSVR(),
                                     Ridge(penalty=2.0), KernelRidge()])
def test_other_data_of_the_same_shape_are_other_data(machine):
    for samples, labels in ((X, y), other_data(), (X, y), other_data()):
        known = labels if is_classifier(machine) else labels + samples[:, 0].astype(np.float64)
        np.testing.assert_array_equal(scores(machine.fit(samples, known)),
                                      ran(machine, samples, known))


def test_parameters_that_change_are_seen():
    machine = KernelSVM()
    for C, gamma in ((1.0, "scale"), (0.1, "scale"), (0.1, 2.0), (1.0, "scale")):
        machine.set_params(C=C, kernel__gamma=gamma).fit(X, y)
        kernel = semblance.similarity.RBF(gamma=gamma)
        np.testing.assert_array_equal(scores(machine), ran(KernelSVM(C=C, kernel=kernel), X, y))
    kept = scores(machine)
    for other in (clone(machine), copy.deepcopy(machine), pickle.loads(pickle.dumps(machine))):
        other.set_params(C=50.0).fit(X, y)
        assert not np.array_equal(scores(other), kept)
        np.testing.assert_array_equal(scores(machine), kept)
    with pytest.raises(ValueError, match="'C' must be in the range"):
        machine.set_params(C=-1.0).fit(X, y)
    np.testing.assert_array_equal(scores(machine.set_params(C=1.0).fit(X, y)), kept)


def test_weights_labels_and_seeds_are_seen():
    machine, weights = LinearSVM(), np.where(y == 0, 5.0, 1.0)
    np.testing.assert_array_equal(scores(machine.fit(X, y)), ran(LinearSVM(), X, y))
    np.testing.assert_array_equal(scores(machine.fit(X, y, sample_weight=weights)),
                                  ran(LinearSVM(), X, y, sample_weight=weights))
    np.testing.assert_array_equal(scores(machine.fit(X, y)), ran(LinearSVM(), X, y))
    two = np.where(y == 2, "a", "b")
    assert set(machine.fit(X, two).predict(NEW)) == {"a", "b"}
    assert set(machine.fit(X, y).predict(NEW)) == {0, 1, 2}
    drawn = semblance.SimilarityMap(bases=9)
    for seed in (1, 2, 1):
        chosen = drawn.set_params(random_state=seed).fit(X).basis_indices_
        assert (chosen == clone(drawn).fit(X).basis_indices_).all()
    assert (chosen != drawn.set_params(random_state=2).fit(X).basis_indices_).any()


def test_a_model_names_its_own_data():
    one, other = LinearSVM().fit(X, y), LinearSVM().fit(*other_data())
    texts = [machine._trained.files()["pipeline.yaml"] for machine in (one, other, one)]
    assert texts[0] == texts[2] != texts[1]
    again = pickle.loads(pickle.dumps(other))
    np.testing.assert_array_equal(scores(again), scores(other))


def test_components_in_python_are_what_they_are_now():
    def declared(power):
        @semblance.similarity("similarity/changing")
        def changing(bases, samples):
            return np.exp(-np.abs(samples[:, None] - bases).sum(axis=2) / power)
        return changing
    found = [scores(KernelSVM(kernel=declared(power)).fit(X, y)) for power in (8, 16, 8)]
    assert np.array_equal(found[0], found[2]) and not np.array_equal(found[0], found[1])


def test_a_component_in_python_may_fit_machines_itself():
    @semblance.similarity("similarity/learning")
    def learning(bases, samples):
        Ridge().fit(bases, bases[:, 0])
        return samples @ bases.T / 20 + 1
    machine = KernelSVM(kernel=learning).fit(X, y)
    assert machine.score(X, y) > 0.9


def test_threads_fit_at_the_same_time():
    def fitted(number):
        machine = KernelSVM(C=float(number % 5 + 1), n_jobs=1)
        samples, labels = other_data() if number % 2 else (X, y)
        return scores(machine.fit(samples, labels))
    alone = [fitted(number) for number in range(10)]
    with ThreadPoolExecutor(8) as pool:
        for number, found in enumerate(pool.map(fitted, list(range(10)) * 6)):
            np.testing.assert_array_equal(found, alone[number % 10])


def test_warnings_come_each_time():
    machine = LinearSVM(C=1e4, tolerance=1e-9, max_iterations=1)
    for _ in range(2):
        with pytest.warns(ConvergenceWarning):
            machine.fit(X, y)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_forked_process_fits_as_its_parent_does():
    expected = scores(KernelSVM(n_jobs=1).fit(X, y))
    child = os.fork()
    if child == 0:
        same = np.array_equal(scores(KernelSVM(n_jobs=1).fit(X, y)), expected)
        os._exit(0 if same else 1)
    assert os.waitpid(child, 0)[1] == 0
    np.testing.assert_array_equal(scores(KernelSVM(n_jobs=1).fit(X, y)), expected)
