# SPDX-License-Identifier: MIT
"""Pipelines as regressors and novelty detectors."""

import pickle

import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV, cross_val_score

from lacking import lacks
import semblance
from semblance import OneClassSVM, PipelineNoveltyDetector, PipelineRegressor, Ridge

rng = np.random.default_rng(0)
X = rng.standard_normal((240, 4)).astype(np.float32)
y = X[:, 0] * 2 - X[:, 1] + 0.1 * rng.standard_normal(240)

RIDGE = {"nodes": {
    "table": {"is": "source/friedman"},
    "fit": {"is": "solver/ridge", "penalty": 0.5, "from": "table"},
    "test": {"is": "evaluator/regression", "from": "fit"}}}
RANGE = {"nodes": {
    "table": {"is": "source/friedman"},
    "fit": {"is": "solver/ridge", "penalty": 0.5, "from": "table"},
    "range": {"is": "calibrator/conformal_intervals", "coverage": 0.8, "from": "fit"}}}
NOVELTY = {"nodes": {
    "table": {"is": "source/rings"},
    "fit": {"is": "solver/one_class_svm", "nu": 0.1, "from": "table"}}}


def test_a_pipeline_predicts_the_numbers_of_its_solver():
    weights = rng.uniform(0.5, 2, len(y))
    ours = PipelineRegressor(RIDGE).fit(X, y, sample_weight=weights)
    theirs = Ridge(penalty=0.5).fit(X, y, sample_weight=weights)
    assert np.array_equal(ours.predict(X), theirs.predict(X))
    assert ours.n_outputs_ == 1 and ours.score(X, y) > 0.99
    again = pickle.loads(pickle.dumps(ours))
    assert np.array_equal(again.predict(X), ours.predict(X))


def test_two_numbers_have_two_columns():
    both = np.column_stack([y, -3 * y])
    ours = PipelineRegressor(RANGE).fit(X, both)
    assert ours.predict(X).shape == (240, 2)
    ends = ours.predict_interval(X)
    assert ends.shape == (240, 2, 2)
    assert np.all(ends[:, :, 0] <= ours.predict(X)) and np.all(ours.predict(X) <= ends[:, :, 1])


def test_intervals_contain_the_share_asked_for_and_stand_around_the_estimates():
    noise = rng.standard_normal((2000, 4)).astype(np.float32)
    new = noise[:, 0] * 2 - noise[:, 1] + 0.1 * rng.standard_normal(2000)
    ours = PipelineRegressor(RANGE).fit(X, y)
    ends = ours.predict_interval(noise)
    assert ends.shape == (2000, 2)
    assert 0.74 < np.mean((ends[:, 0] <= new) & (new <= ends[:, 1])) < 0.87
    assert np.array_equal(ours.predict(noise), PipelineRegressor(RIDGE).fit(X, y).predict(noise))


def test_quantile_regression_gives_intervals_alone_in_a_pipeline_and_as_a_model():
    spread = {"nodes": {"table": {"is": "source/friedman"},
                        "raw": {"is": "solver/quantile_regression", "C": 10, "from": "table"}}}
    for number in (y, np.column_stack([y, -3 * y])):
        alone = semblance.QuantileRegression(C=10).fit(X, number)
        ours = PipelineRegressor(spread).fit(X, number)
        assert alone.predict(X).shape == number.shape
        assert alone.predict_interval(X).shape == number.shape + (2,)
        assert np.array_equal(alone.predict_interval(X), ours.predict_interval(X))
        assert np.array_equal(alone.predict(X), ours.predict(X))
        assert alone.score(X, number) > 0.98
        assert alone.coef_.shape == number.shape[1:] + X.shape[1:]
        np.testing.assert_allclose(X @ alone.coef_.T + alone.intercept_.reshape(number.shape[1:]),
                                   alone.predict(X), rtol=1e-4, atol=1e-4)
    ends = semblance.QuantileRegression(C=10, coverage=0.5).fit(X, y).predict_interval(X)
    assert 0.4 < np.mean((ends[:, 0] <= y) & (y <= ends[:, 1])) < 0.6
    model = semblance.run(spread).model
    new = rng.uniform(size=(50, 10)).astype(np.float32)
    ends, estimates = model.predict_interval(new), model.predict(new)
    assert ends.shape == (50, 2) and estimates.shape == (50,)
    assert np.all((ends[:, 0] <= estimates) & (estimates <= ends[:, 1]))


def test_without_intervals_one_is_told():
    ours = PipelineRegressor(RIDGE)
    with lacks("not fitted yet"):
        ours.predict_interval
    with lacks("conformal_intervals follow"):
        ours.fit(X, y).predict_interval


def test_a_search_and_cross_validation_choose_among_penalties():
    search = GridSearchCV(PipelineRegressor(RIDGE, set={"nodes.fit.penalty": 1.0}),
                          {"set__nodes.fit.penalty": [0.01, 1e5]}, cv=3).fit(X, y)
    assert search.best_params_ == {"set__nodes.fit.penalty": 0.01}
    assert cross_val_score(PipelineRegressor(RIDGE), X, y, cv=3).min() > 0.98


def test_groups_stay_together_in_the_calibrators_folds():
    # Rows of a group are equal, so that folds that divide them have no errors.
    who = np.repeat(np.arange(24), 10)
    same, number = X[::10][who], rng.standard_normal(24)[who]
    text = {"nodes": {**RANGE["nodes"],
                      "fit": {"is": "solver/kernel_ridge", "penalty": 1e-6,
                              "kernel": {"is": "similarity/rbf", "gamma": 10}, "from": "table"}}}
    width = [np.ptp(PipelineRegressor(text).fit(same, number, groups=g).predict_interval(same[:1]))
             for g in (None, who)]
    assert width[1] > 10 * width[0]


def test_what_learns_from_classes_is_refused_with_numbers():
    classifier = {"nodes": {"table": {"is": "source/rings"},
                            "svm": {"is": "solver/linear_svm", "from": "table"}}}
    with pytest.raises(ValueError, match="numbers"):
        PipelineRegressor(classifier).fit(X, y)
    with pytest.raises(ValueError, match="continuous"):
        semblance.PipelineEstimator(RIDGE).fit(X, y)


def test_a_pipeline_recognizes_what_its_solver_does():
    ours = PipelineNoveltyDetector(NOVELTY).fit(X)
    theirs = OneClassSVM(nu=0.1).fit(X)
    far = np.concatenate([X, X + 10])
    assert np.array_equal(ours.decision_function(far), theirs.decision_function(far))
    assert ours.offset_ == theirs.offset_
    assert (ours.predict(X + 10) == -1).all()


@pytest.mark.parametrize("estimator, pipeline, target, wanted", [
    (PipelineRegressor, RANGE, y, "estimates or intervals"),
    (PipelineNoveltyDetector, NOVELTY, None, "novelty scores"),
    (semblance.PipelineEstimator, {"nodes": {
        "table": {"is": "source/rings"},
        "svm": {"is": "solver/linear_svm", "from": "table"}}}, np.arange(240) % 4, "scores")])
def test_a_node_that_gives_other_rows_predicts_nothing(estimator, pipeline, target, wanted):
    with pytest.raises(ValueError, match=f"the node 'table' gives samples, not {wanted}; name a "
                                         "solver or calibrator"):
        estimator(pipeline, node="table").fit(X, target)
    with pytest.raises(ValueError, match="the pipeline has no node 'other'"):
        estimator(pipeline, node="other").fit(X, target)
    given = X if target is None else {"X": X, "y" if wanted == "scores" else "target": target}
    model = semblance.run({"name": "p", **pipeline}, {"table": given}, cache=False).model
    for method in model.predict, model.decision_function:
        with pytest.raises(ValueError, match="the node 'table' gives samples, not scores"):
            method(X, "table")
