# SPDX-License-Identifier: MIT
"""Weights of the rows of arrays that a run learns from."""

import numpy as np
import pytest

import semblance
from semblance import LinearSVM, Ridge

rng = np.random.default_rng(5)
X = rng.standard_normal((80, 3)).astype(np.float32)
y = np.where(X[:, 0] + 0.5 * rng.standard_normal(80) > 0, "yes", "no")
number = X @ [1, 2, 3] + rng.standard_normal(80)
weights = rng.integers(0, 4, 80).astype(float)


def pipeline(solver, more=""):
    return f"{{name: weights, nodes: {{s: {{is: source/array{more}}}, m: {{is: solver/{solver}, from: s}}}}}}"


def test_a_run_learns_what_an_estimator_learns_with_the_same_weights():
    for given in weights, weights.tolist(), weights[:, None], weights.astype(np.int8):
        model = semblance.run(pipeline("linear_svm"), cache=False,
                              data={"s": {"X": X, "y": y, "sample_weight": given}}).model
        assert np.array_equal(model.predict(X), LinearSVM().fit(X, y, weights).predict(X))
    model = semblance.run(pipeline("ridge"), cache=False,
                          data={"s": {"X": X, "target": number, "sample_weight": weights}}).model
    expected = Ridge().fit(X, number, weights)
    assert not np.allclose(expected.coef_, Ridge().fit(X, number).coef_)
    np.testing.assert_array_equal(model.predict(X).reshape(-1), expected.predict(X))


def test_weights_are_those_of_training_rows_and_are_divided_with_them():
    # A weight of 0 leaves a sample out, of whichever rows the seed sets aside.
    wrong = np.where(weights > 0, number, 1e6)
    parts = {"X": X, "target": wrong, "sample_weight": weights}
    tested = {**parts, "X_test": X[weights > 0], "target_test": number[weights > 0]}
    evaluated = pipeline("ridge")[:-2] + ", test: {is: evaluator/regression, from: m}}}"
    figures = semblance.run(evaluated, data={"s": tested}, cache=False).figures["test"]
    assert figures["r2"] > 0.8
    model = semblance.run(pipeline("ridge", ", test_fraction: 0.3"), data={"s": parts},
                          cache=False).model
    assert np.abs(model.predict(X).reshape(-1) - number).max() < 10


def test_weights_that_are_none_are_refused():
    for wrong, words in ((weights[1:], "one entry per row"), (weights - 3, "0 or more; entry"),
                         (np.full(80, np.nan), "finite"), (np.zeros((80, 2)), "its shape is .80, 2")):
        with pytest.raises((ValueError, TypeError), match=words):
            semblance.run(pipeline("linear_svm"), cache=False,
                          data={"s": {"X": X, "y": y, "sample_weight": wrong}})
    with pytest.raises(ValueError, match="may have y, X_test, y_test, groups, sample_weight, target"):
        semblance.run(pipeline("linear_svm"), data={"s": {"X": X, "y": y, "weights": weights}})
    with pytest.raises(ValueError, match="weights"):
        semblance.run(pipeline("libsvm"), cache=False,
                      data={"s": {"X": X, "y": y, "sample_weight": weights}})
