# SPDX-License-Identifier: MIT
"""Columns in double whose difference matters: each alone loses little as float32, both together all."""

import pickle
import warnings

import numpy as np
import pytest
from sklearn.linear_model import Ridge as TheirRidge, RidgeClassifier as TheirRidgeClassifier

from semblance._estimators.rounding import Rounding
from semblance import (LinearSVM, NearestNeighbour, Pca, Ridge, RidgeClassifier, SemblanceWarning,
                       ZScore)

RANDOM = np.random.default_rng(0)
DURATION = RANDOM.exponential(300, 600)


def times(span):
    """Start and end of events that begin within `span` seconds, in seconds since 1970."""
    start = 1.7e9 + RANDOM.uniform(0, span, len(DURATION))
    return np.c_[start, start + DURATION]


def test_a_difference_of_columns_far_from_0_is_learned():
    X = times(1e6)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        machine = Ridge().fit(X, DURATION)
    assert machine.score(X, DURATION) > 0.99999
    np.testing.assert_allclose(machine.coef_, [-1, 1], atol=1e-4)
    predicted = X @ machine.coef_ + machine.intercept_
    np.testing.assert_allclose(predicted, machine.predict(X), atol=0.5)
    again = pickle.loads(pickle.dumps(machine))
    assert np.array_equal(again.predict(X), machine.predict(X))
    long = DURATION > 200
    ours, theirs = RidgeClassifier().fit(X, long), TheirRidgeClassifier().fit(X, long)
    assert abs(ours.score(X, long) - theirs.score(X, long)) < 0.01


def test_what_centring_does_not_save_is_said():
    # Of the last, nothing of the duration is left, and weights are 0.
    for machine, X, y in ((Ridge(), times(3e8), DURATION),
                          (Ridge(), 1e5 * times(1e12), DURATION),
                          (RidgeClassifier(penalty=1), 1e5 * times(1e12), DURATION > 200),
                          (Pca(), times(3e8), None), (Pca(), times(1e12), None)):
        with pytest.warns(SemblanceWarning, match="loses differences between columns"):
            machine.fit(X, y)


@pytest.mark.parametrize("X", [
    RANDOM.normal(size=(600, 4)), np.repeat(RANDOM.normal(size=(600, 1)), 3, axis=1),
    RANDOM.normal(size=(600, 2)) @ RANDOM.normal(size=(2, 5)), 1e3 + RANDOM.random((600, 3)),
    np.eye(3)[RANDOM.integers(0, 3, 600)] - 1 / 3])
def test_usual_and_dependent_columns_give_no_warning(X):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for machine in (Ridge(), LinearSVM(tolerance=0.1, max_iterations=1000)):
            machine.fit(X, X[:, 0] > X[:, 0].mean())
        Pca().fit(X)
    np.testing.assert_allclose(Ridge().fit(X, X[:, 0]).predict(X),
                               TheirRidge().fit(X, X[:, 0]).predict(X), atol=1e-3)


def test_without_an_intercept_nothing_is_subtracted():
    X = times(1e6)
    with pytest.warns(SemblanceWarning, match="loses differences between columns"):
        machine = Ridge(fit_intercept=False).fit(X, DURATION)
    assert machine.intercept_ == 0


def test_neighbours_and_scalers_far_from_0():
    X = 1e9 + np.arange(50.0)[:, np.newaxis]
    machine = NearestNeighbour(k=1).fit(X, np.arange(50) % 2)
    assert np.array_equal(machine.predict(X), np.arange(50) % 2)
    distances, indices = machine.kneighbors(X[:3] + 0.25)
    assert indices.ravel().tolist() == [0, 1, 2] and np.allclose(distances, 0.25)
    for scaler in (ZScore(), Pca()):
        rows = scaler.fit_transform(X)
        assert np.abs(np.diff(rows[:, 0])).min() > 0
        np.testing.assert_allclose(scaler.inverse_transform(rows), X, atol=1e-4, rtol=0)
        np.testing.assert_allclose(scaler.mean_, X.mean(axis=0), atol=1e-6, rtol=0)


def test_what_needs_no_further_look_loses_nothing():
    """In any direction: those of least variance, of the largest errors, and random ones."""
    looked, settled = 0, 0
    for closeness in 10.0 ** -np.arange(0, 9, 0.25):
        X = RANDOM.normal(size=(300, 3)) @ RANDOM.normal(size=(3, 4))
        X += closeness * RANDOM.normal(size=X.shape)
        plain = Rounding(None, X, X.astype(np.float32) - X)
        directions = [*np.linalg.svd(X - X.mean(axis=0))[2], *np.linalg.svd(plain.errors)[2],
                      *RANDOM.normal(size=(50, 4))]
        loses = plain.loses_scores(np.array(directions)) or plain.loses_directions(0)
        found = Rounding.of(X)
        looked, settled = looked + (found is not None), settled + (found is None)
        assert found is not None or not loses
    assert looked > 3 and settled > 10
