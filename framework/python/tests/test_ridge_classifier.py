# SPDX-License-Identifier: MIT
"""RidgeClassifier against scikit-learn's RidgeClassifierCV on real tables."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_digits, load_wine
from sklearn.linear_model import RidgeClassifierCV
from sklearn.preprocessing import StandardScaler

from semblance import RidgeClassifier

ALPHAS = np.logspace(-3, 3, 10)


def table(load):
    X, y = load(return_X_y=True)
    return StandardScaler().fit_transform(X).astype(np.float32), y


def wide():
    """More columns than samples: cosines of random directions of the digits."""
    X, y = load_digits(return_X_y=True)
    directions = np.random.default_rng(1).normal(size=(X.shape[1], 700)) / 20
    return np.cos(X[:300] @ directions).astype(np.float32), y[:300]


TABLES = {"wine": lambda: table(load_wine), "breast cancer": lambda: table(load_breast_cancer),
          "digits": lambda: table(load_digits), "wide": wide}


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("weighting", ["none", "samples", "balanced"])
def test_choice_weights_and_scores_are_scikit_learns(name, weighting):
    X, y = TABLES[name]()
    balanced = "balanced" if weighting == "balanced" else None
    given = {"sample_weight": 1 + np.arange(len(y)) % 3} if weighting == "samples" else {}
    ours = RidgeClassifier(penalties=ALPHAS, class_weight=balanced).fit(X, y, **given)
    # In double: scikit-learn would stay in float32.
    theirs = RidgeClassifierCV(alphas=ALPHAS, class_weight=balanced)
    theirs.fit(X.astype(np.float64), y, **given)
    assert ours.metrics_["penalty"] == pytest.approx(theirs.alpha_, rel=1e-12)
    assert ours.certificate_ == "converged"
    assert ours.coef_ == pytest.approx(theirs.coef_, abs=1e-6 * np.abs(theirs.coef_).max())
    assert ours.intercept_ == pytest.approx(theirs.intercept_, abs=1e-6)
    expected = theirs.decision_function(X.astype(np.float64))
    assert ours.decision_function(X) == pytest.approx(expected, rel=1e-6, abs=1e-6)
    assert np.array_equal(ours.predict(X), theirs.predict(X.astype(np.float64)))


def test_the_automatic_choice_classifies_well_and_says_how_well():
    X, y = TABLES["digits"]()
    machine = RidgeClassifier().fit(X[::2], y[::2])
    error = 1 - machine.score(X[1::2], y[1::2])
    assert abs(machine.metrics_["leave_one_out_error_rate"] - error) < 0.02
    assert error < 0.08
