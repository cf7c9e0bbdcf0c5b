# SPDX-License-Identifier: MIT
"""Estimators beside the program, and inside what scikit-learn does with estimators."""

import pickle
import warnings
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin, clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_wine
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import program
from tables import table
import semblance
from semblance import (HOG, ML3, BasisExpandingSVM, KernelSVM, LinearSVM, LLSVM, NearestNeighbour,
                       PairwiseSVM, SimilarityMap)
from semblance.normalizer import ZScore
from semblance.similarity import DTW, RBF, Linear, Polynomial, Sum


# Beside the program ------------------------------------------------------------------------------

def test_scores_and_random_states_are_the_programs(tmp_path):
    X, y, new, _ = table("wine")
    cases = {
        "linear": (LinearSVM(C=0.5), {"machine": "{is: solver/linear_svm, C: 0.5, from: data}"}),
        "kernel": (KernelSVM(kernel=RBF(gamma=0.1)),
                   {"machine": "{is: solver/kernel_svm, kernel: {is: similarity/rbf, gamma: 0.1}, "
                               "from: data}"}),
        "ml3": (ML3(models=3, lambda_=1e-3),
                {"machine": "{is: solver/ml3, models: 3, lambda: 1e-3, from: data}"}),
        "llsvm": (LLSVM(models=3), {"machine": "{is: solver/llsvm, models: 3, from: data}"}),
        "expanding": (
            BasisExpandingSVM(similarities=[RBF(gamma=0.5), "linear"], bases=30),
            {"x": "{is: normalizer/mean_norm, from: data}",
             "bases": "{is: basis/random, count: 30, from: data}",
             "similarity": "{is: similarity/rbf, gamma: 0.5, from: x, bases: bases}",
             "similarity2": "{is: similarity/linear, from: x, bases: bases}",
             "phi": "{is: normalizer/mean_norm, from: [similarity, similarity2]}",
             "machine": "{is: solver/linear_svm, from: phi}"}),
    }
    for name, (estimator, nodes) in cases.items():
        folder = tmp_path / name
        folder.mkdir()
        theirs = program.scores(folder, nodes, X, y, new, seed=7)
        ours = estimator.set_params(random_state=7).fit(X, y).decision_function(new)
        assert np.array_equal(ours, theirs.astype(np.float64)), name


def test_threads_change_no_bit_and_the_seed_does():
    X, y, new, _ = table("wine")
    first = ML3(models=3, random_state=1, n_jobs=1).fit(X, y).decision_function(new)
    again = ML3(models=3, random_state=1, n_jobs=2).fit(X, y).decision_function(new)
    other = ML3(models=3, random_state=2, n_jobs=1).fit(X, y).decision_function(new)
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)
    drawn = ML3(models=3, random_state=np.random.RandomState(3)).fit(X, y).decision_function(new)
    same = ML3(models=3, random_state=np.random.RandomState(3)).fit(X, y).decision_function(new)
    assert np.array_equal(drawn, same)


def test_types_and_orders_of_an_array_change_no_bit():
    X, y, new, _ = table("wine")
    machine = LinearSVM().fit(X, y)
    expected = machine.decision_function(new)
    for form in (new.astype(np.float64), np.asfortranarray(new), new[:, ::-1][:, ::-1],
                 new.tolist(), pd.DataFrame(new)):
        assert np.array_equal(machine.decision_function(form), expected)
    for form in (X.astype(np.float64), np.asfortranarray(X), X.tolist()):
        assert np.array_equal(LinearSVM().fit(form, y).decision_function(new), expected)


# In scikit-learn's hands -------------------------------------------------------------------------

def test_a_grid_search_over_a_pipeline_in_two_processes():
    X, y, new, _ = table("digits")
    X, y = X[:500], y[:500]
    gammas, costs = [1e-5, 0.02], [1, 10]
    ours = GridSearchCV(make_pipeline(ZScore(), KernelSVM(kernel=RBF())),
                        {"kernelsvm__kernel__gamma": gammas, "kernelsvm__C": costs}, cv=2,
                        n_jobs=2).fit(X, y)
    theirs = GridSearchCV(make_pipeline(StandardScaler(), SVC()),
                          {"svc__gamma": gammas, "svc__C": costs}, cv=2).fit(X, y)
    assert np.allclose(ours.cv_results_["mean_test_score"],
                       theirs.cv_results_["mean_test_score"].reshape(2, 2).ravel(), atol=0.005)
    assert np.mean(ours.predict(new) == theirs.predict(new)) > 0.998


def test_a_grid_of_components():
    X, y, _, _ = table("wine")
    measures = [RBF(gamma=0.1), Linear(), Polynomial(degree=2, scale=0.1)]
    grid = GridSearchCV(KernelSVM(), {"kernel": measures}, cv=3).fit(X, y)
    assert grid.best_params_["kernel"] in measures
    assert len(grid.cv_results_["mean_test_score"]) == 3


def test_calibration():
    X, y, new, true = table("digits")
    for method in ("sigmoid", "isotonic"):
        calibrated = CalibratedClassifierCV(LinearSVM(C=0.01), method=method, cv=2).fit(X, y)
        probabilities = calibrated.predict_proba(new)
        assert np.allclose(probabilities.sum(axis=1), 1)
        assert calibrated.score(new, true) > 0.9


def test_clones_are_equal_and_independent():
    machine = KernelSVM(kernel=RBF(gamma=2), C=3)
    copy = clone(machine)
    assert copy.get_params(deep=False) == machine.get_params(deep=False)
    copy.set_params(kernel__gamma=5)
    assert machine.kernel.gamma == 2


@pytest.mark.parametrize("estimator", [
    LinearSVM(C=0.5), KernelSVM(kernel=RBF(gamma=0.1)), BasisExpandingSVM(bases=20), ML3(models=2),
    NearestNeighbour(), semblance.solver.LIBSVM()], ids=repr)
def test_machines_pickle_with_the_same_bits(estimator):
    X, y, new, _ = table("wine")
    estimator = clone(estimator).fit(X, y)
    again = pickle.loads(pickle.dumps(estimator))
    assert np.array_equal(again.decision_function(new), estimator.decision_function(new))
    assert again.metrics_ == estimator.metrics_
    assert again.get_params(deep=False) == estimator.get_params(deep=False)
    assert clone(again).fit(X, y).score(X, y) == estimator.score(X, y)


def test_names_of_columns():
    frame, y = load_wine(return_X_y=True, as_frame=True)
    machine = LinearSVM(C=0.01).fit(frame, y)
    assert list(machine.feature_names_in_) == list(frame.columns)
    assert machine._trained.columns("data") == list(frame.columns)
    with pytest.raises(ValueError, match="feature names"):
        machine.predict(frame[frame.columns[::-1]])
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        machine.predict(frame.to_numpy())
    scaled = ZScore().set_output(transform="pandas").fit_transform(frame)
    assert list(scaled.columns) == list(frame.columns)
    assert np.allclose(scaled.mean(), 0, atol=1e-4)
    mapped = SimilarityMap(bases=5).set_output(transform="pandas").fit_transform(frame)
    assert list(mapped.columns) == [f"similaritymap{i}" for i in range(5)]


def test_labels_of_any_kind():
    X, y, new, _ = table("iris")
    for labels in (np.array(["a", "b", "c"])[y], y - 1, y.astype(float),
                   np.array(["a", "b", "c"], dtype=object)[y]):
        machine = LinearSVM().fit(X, labels)
        assert np.array_equal(machine.classes_, np.unique(labels))
        assert np.array_equal(machine.predict(new), machine.classes_[LinearSVM().fit(X, y).predict(
            new)])
    two = LinearSVM().fit(X, y > 0)
    assert two.predict(new).dtype == bool
    assert two.decision_function(new).shape == (len(new),)


def test_what_the_solver_reported():
    X, y, _, _ = table("wine")
    machine = LinearSVM().fit(X, y)
    assert machine.certificate_ == "converged"
    assert machine.n_iter_ == machine.metrics_["iterations"] > 0
    assert -1e-12 <= machine.metrics_["duality_gap"] <= 1e-5
    with pytest.warns(ConvergenceWarning, match="LinearSVM did not converge"):
        short = LinearSVM(C=1000, max_iterations=1).fit(X, y)
    assert short.certificate_ == "iteration limit"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        short.set_params(C=1.0, max_iterations=1000).fit(X, y)
    assert short.certificate_ == "converged"


def test_tags_as_scikit_learn_has_them_from_1_6_on(monkeypatch):
    """Stand-ins for the tags of later versions; with such a version, the real ones."""
    tags = SimpleNamespace

    def of_base(self):
        return tags(estimator_type=None, transformer_tags=None, input_tags=tags(
            two_d_array=True, three_d_array=False, string=False, positive_only=False,
            pairwise=False), target_tags=tags(required=False, multi_output=False))

    def of_transformer(self):
        made = super(TransformerMixin, self).__sklearn_tags__()
        made.transformer_tags = tags(preserves_dtype=["float64"])
        return made

    if not hasattr(BaseEstimator, "__sklearn_tags__"):
        monkeypatch.setattr(BaseEstimator, "__sklearn_tags__", of_base, raising=False)
        monkeypatch.setattr(TransformerMixin, "__sklearn_tags__", of_transformer, raising=False)
        monkeypatch.setattr(ClassifierMixin, "__sklearn_tags__",
                            lambda self: super(ClassifierMixin, self).__sklearn_tags__(),
                            raising=False)
    assert LinearSVM().__sklearn_tags__().input_tags.two_d_array
    assert LinearSVM().__sklearn_tags__().target_tags.required
    assert not ZScore().__sklearn_tags__().target_tags.required
    assert semblance.Ridge().__sklearn_tags__().target_tags.multi_output
    assert not LinearSVM().__sklearn_tags__().input_tags.pairwise
    assert KernelSVM(kernel="precomputed").__sklearn_tags__().input_tags.pairwise
    for other in (HOG(), PairwiseSVM(), KernelSVM(kernel=DTW())):
        assert not other.__sklearn_tags__().input_tags.two_d_array
        assert other.__sklearn_tags__().input_tags.three_d_array
    assert KernelSVM(kernel="lcs").__sklearn_tags__().input_tags.string
    assert semblance.Log().__sklearn_tags__().input_tags.positive_only
    assert ZScore().__sklearn_tags__().transformer_tags.preserves_dtype == ["float32"]


def test_a_grid_over_parameters_of_a_component_that_is_given_by_its_name():
    X, y = load_wine(return_X_y=True)
    search = GridSearchCV(KernelSVM(), {"kernel__gamma": [1e-6, 1e-3], "C": [1, 10]}, cv=3).fit(X, y)
    named = GridSearchCV(KernelSVM(kernel=RBF()), {"kernel__gamma": [1e-6, 1e-3], "C": [1, 10]}, cv=3)
    assert search.best_params_ == named.fit(X, y).best_params_
    assert search.best_estimator_.kernel == named.best_estimator_.kernel
    machine = KernelSVM()
    machine.set_params(kernel="polynomial", kernel__degree=3, C=7)
    assert machine.kernel == Polynomial(degree=3) and machine.C == 7
    assert KernelSVM(kernel={"is": "similarity/rbf", "gamma": 2}).set_params(
        kernel__precision="bf16").kernel == RBF(gamma=2, precision="bf16")
    assert BasisExpandingSVM().set_params(similarities__gamma=3).similarities == RBF(gamma=3)
    assert Sum(first="rbf").set_params(first__gamma=3).first == RBF(gamma=3)
    default = KernelSVM()
    KernelSVM().set_params(kernel__gamma=5)
    assert default.kernel == KernelSVM().kernel == "rbf"
    for machine, name in ((KernelSVM(), "C__gamma"), (BasisExpandingSVM(), "bases__count"),
                          (KernelSVM(kernel="rbff"), "kernel__gamma"), (KernelSVM(), "kernel__gama"),
                          (KernelSVM(), "kernal__gamma")):
        with pytest.raises(ValueError):
            machine.set_params(**{name: 1})
