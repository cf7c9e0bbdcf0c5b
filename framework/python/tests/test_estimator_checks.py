# SPDX-License-Identifier: MIT
"""All estimators that take tables pass scikit-learn's own checks, with their defaults and none
skipped."""

import inspect
import json
import re

import numpy as np
import pandas
import pytest
import sklearn
from sklearn.base import clone, is_classifier
from sklearn.utils import estimator_checks
from sklearn.utils.estimator_checks import parametrize_with_checks
from sklearn.utils.validation import has_fit_parameter

import semblance
from semblance import (PipelineEstimator, PipelineNoveltyDetector, PipelineRegressor,
                       _generated)
from semblance._estimators.kernel import OnKernel
from semblance._estimators.pair_machines import PairMachine
from semblance.basis import RandomPerClass
from semblance.similarity import Linear, Polynomial

#: Values of parameters without a default.
NEEDED = {"Crop": {"height": 4, "width": 4}}

PIPELINE = json.dumps({"nodes": {
    "table": {"is": "source/xor"},
    "x": {"is": "normalizer/zscore", "from": "table"},
    "svm": {"is": "solver/kernel_svm", "from": "x"},
    "test": {"is": "evaluator/classification", "from": "svm"}}}).replace(
        '{"nodes"', '{"name": "checked",\n"nodes"')

def all_estimators():
    for name in _generated.ESTIMATORS:
        yield getattr(semblance, name)(n_jobs=1, **NEEDED.get(name, {}))


def of_tables():
    """Estimators of tables with their defaults, and some in other forms."""
    yield from (e for e in all_estimators() if "2darray" in e._more_tags()["X_types"])
    # The check of weights permutes the samples, which matters to the tolerance.
    yield semblance.LinearSVM(n_jobs=2, multiclass="crammer_singer", tolerance=1e-9)
    yield semblance.LinearSVM(n_jobs=1, regularizer="l1")
    yield semblance.KernelSVM(n_jobs=1, kernel=Linear())
    yield semblance.KernelSVM(n_jobs=1, kernel=Polynomial(degree=3, scale=0.001))
    yield semblance.KernelSVM(n_jobs=1, multiclass="one_versus_rest")
    yield semblance.BasisExpandingSVM(n_jobs=1, similarities=["rbf", "linear"],
                                      bases=RandomPerClass(per_class=1))
    yield semblance.NearestNeighbour(n_jobs=1, k=3, normalizer="zscore")
    yield semblance.SimilarityMap(n_jobs=1, bases="all", normalizer=None)
    # Of two models, one in five trainings ends in a local optimum that the check of class weights
    # does not expect, centred or not.
    yield semblance.ML3(n_jobs=1, models=3, p=2.0)
    yield PipelineEstimator(PIPELINE, n_jobs=1)
    yield PipelineEstimator()
    yield PipelineRegressor()
    yield PipelineNoveltyDetector()


CHECKED = list(of_tables())
OTHERS = [e for e in all_estimators() if "2darray" not in e._more_tags()["X_types"]]


@pytest.mark.days(3)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@parametrize_with_checks(CHECKED)
def test_scikit_learns_check(estimator, check):
    check(estimator)


#: Checks that need no table.
OF_ANY = (
    estimator_checks.check_no_attributes_set_in_init,
    estimator_checks.check_get_params_invariance,
    estimator_checks.check_set_params,
    estimator_checks.check_estimator_get_tags_default_keys,
)


@pytest.mark.parametrize("estimator", OTHERS, ids=repr)
@pytest.mark.parametrize("check", OF_ANY, ids=lambda check: check.__name__)
def test_what_applies_to_estimators_of_other_samples(estimator, check):
    check(type(estimator).__name__, clone(estimator))


@pytest.mark.parametrize("estimator", [e for e in OTHERS if type(e).__name__ not in NEEDED],
                         ids=repr)
def test_defaults_of_estimators_of_other_samples(estimator):
    estimator_checks.check_parameters_default_constructible(type(estimator).__name__, estimator)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("estimator", [e for e in CHECKED if has_fit_parameter(e, "sample_weight")],
                         ids=repr)
def test_weights_of_one_are_none(estimator):
    estimator_checks.check_sample_weights_invariance(
        type(estimator).__name__, clone(estimator), kind="ones")


@pytest.mark.parametrize("options", [{}, {"multiclass": "crammer_singer"}, {"center": False}],
                         ids=repr)
def test_samples_of_weight_zero_do_not_count(options):
    random = np.random.default_rng(1)
    X, y, weights = random.normal(size=(60, 3)), np.arange(60) % 3, np.arange(60) // 3 % 2
    machine = semblance.LinearSVM(n_jobs=2, tolerance=1e-9, **options)
    weighted = clone(machine).fit(X, y, sample_weight=weights)
    without = clone(machine).fit(X[weights > 0], y[weights > 0])
    scores, of_all = without.decision_function(X), clone(machine).fit(X, y).decision_function(X)
    np.testing.assert_allclose(weighted.decision_function(X), scores, rtol=0, atol=1e-6)
    assert abs(of_all - scores).max() > 0.01


def test_no_check_is_skipped_or_expected_to_fail():
    count = 0
    for estimator in CHECKED:
        tags = estimator_checks._safe_tags(estimator)
        # Only for optima that agree to the solver's tolerance, as in scikit-learn's own SVC.
        weighted = has_fit_parameter(estimator, "sample_weight")
        assert set(tags["_xfail_checks"] or ()) == (
            {"check_sample_weights_invariance"} if weighted and not estimator._weighs_exactly()
            else set())
        for tag in ("no_validation", "non_deterministic", "poor_score", "_skip_test"):
            assert not tags[tag], (estimator, tag)
        count += len(list(estimator_checks._yield_all_checks(estimator)))
    print(f"{count} checks of {len(CHECKED)} estimators, scikit-learn {sklearn.__version__}; "
          f"{len(OTHERS)} estimators take other samples")
    assert count > 1000


#: Documented attributes that only some have: solvers that count iterations, components whose samples
#: have one size. A kernel machine has coef_ with a linear kernel.
OF_SOME = {"n_iter_", "output_shape_"}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("estimator", [e for e in all_estimators()
                                       if "2darray" in e._more_tags()["X_types"]], ids=repr)
def test_documented_attributes_are_there_after_fit(estimator):
    random = np.random.default_rng(1)
    X = pandas.DataFrame(random.random((40, 3)), columns=["a", "b", "c"])
    y = np.arange(40) % 2 if is_classifier(estimator) else random.random(40)
    fitted = clone(estimator).fit(X, y)
    text = inspect.getdoc(type(estimator))
    listed = re.findall(r"^(\w+) : ", text.partition("Attributes\n-----")[2].partition("\n\n")[0],
                        re.MULTILINE)
    assert "metrics_" in listed
    some = OF_SOME | ({"coef_"} if isinstance(estimator, OnKernel) else set())
    assert not [name for name in listed if name not in some and not hasattr(fitted, name)]


@pytest.mark.parametrize("estimator", [e for e in all_estimators() if is_classifier(e) and
                                       {"class_weight", "class_weights"} & set(e.get_params())],
                         ids=repr)
def test_classes_cannot_weigh_nothing(estimator):
    name = "class_weight" if hasattr(estimator, "class_weight") else "class_weights"
    label = "same" if isinstance(estimator, PairMachine) else 7
    X, y = np.random.default_rng(1).random((40, 3)), 7 + np.arange(40) % 2
    for factor in (0, 0.0, -1, float("nan"), float("inf"), "much"):
        with pytest.raises(ValueError, match="above 0|must be a finite number"):
            clone(estimator).set_params(**{name: {label: factor}}).fit(X, y)
