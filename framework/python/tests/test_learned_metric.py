# SPDX-License-Identifier: MIT
"""LearnedMetric: a transformer that learns from labels or numbers which columns matter."""
import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

from semblance import LearnedMetric

RNG = np.random.RandomState(0)
X = RNG.randn(240, 10)
NUMBERS = np.sin(2 * X[:, 0]) + 0.5 * X[:, 1] ** 2
LABELS = np.where(NUMBERS > 0.3, "high", "low")


@pytest.mark.parametrize("y", [LABELS, NUMBERS], ids=["labels", "numbers"])
def test_the_columns_that_matter_have_the_relevance(y):
    relevance = LearnedMetric().fit(X, y).feature_importances_
    assert relevance.shape == (10,)
    assert relevance.sum() == pytest.approx(1)
    assert relevance[0] + relevance[1] > 0.8
    assert relevance[0] > relevance[1]


def test_columns_of_the_same_name_have_their_own_relevance():
    frame = pd.DataFrame(X, columns=list("abcdeabcde"))
    machine = LearnedMetric().fit(frame, NUMBERS)
    np.testing.assert_array_equal(machine.feature_importances_,
                                  LearnedMetric().fit(X, NUMBERS).feature_importances_)
    again = pickle.loads(pickle.dumps(machine))
    np.testing.assert_array_equal(again.transform(frame), machine.transform(frame))


def test_machines_behind_it_err_less_on_new_samples():
    plain = cross_val_score(SVC(), X, LABELS).mean()
    learned = cross_val_score(make_pipeline(LearnedMetric(), SVC(gamma=1)), X, LABELS).mean()
    assert learned > plain + 0.1
    near = cross_val_score(KNeighborsRegressor(), X, NUMBERS).mean()
    nearer = cross_val_score(make_pipeline(LearnedMetric(), KNeighborsRegressor()), X, NUMBERS).mean()
    assert nearer > near + 0.4


def test_distances_are_those_of_the_metric_and_pickle():
    metric = LearnedMetric(shape="diagonal").fit(X, NUMBERS)
    mapped = metric.transform(X).astype(float)
    lengths = np.sqrt(metric.feature_importances_)
    expected = (X - X.mean(axis=0)) * lengths
    expected *= np.abs(mapped).sum() / np.abs(expected).sum()
    signs = np.sign((mapped * expected).sum(axis=0))
    np.testing.assert_allclose(mapped * signs, expected, atol=2e-5)
    again = pickle.loads(pickle.dumps(metric))
    np.testing.assert_array_equal(again.transform(X), metric.transform(X))
    np.testing.assert_array_equal(again.feature_importances_, metric.feature_importances_)


def test_where_nothing_is_learned_all_columns_have_the_same_relevance():
    noise = np.random.RandomState(1).permutation(LABELS)
    np.testing.assert_allclose(LearnedMetric().fit(X[:90], noise[:90]).feature_importances_, 0.1)
    np.testing.assert_allclose(LearnedMetric(rounds=0).fit(X, LABELS).feature_importances_, 0.1)


def test_y_is_needed():
    with pytest.raises(ValueError, match="requires y to be passed"):
        LearnedMetric().fit(X)
