# SPDX-License-Identifier: MIT
"""Regressors and novelty detectors: beside scikit-learn's own, and what their users expect."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone, is_regressor
from sklearn.datasets import load_diabetes, load_iris
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import ConstantKernel, RBF as TheirRBF, WhiteKernel
from sklearn.kernel_ridge import KernelRidge as TheirKernelRidge
from sklearn.linear_model import Ridge as TheirRidge, RidgeCV
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.neighbors import KNeighborsRegressor, LocalOutlierFactor, NearestNeighbors
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVR, LinearSVR as TheirLinearSVR, OneClassSVM as TheirOneClassSVM

import semblance
from semblance import (SVDD, KernelIntervals, KernelRidge, KernelSVR, LinearSVR, NeighbourNovelty, NeighbourRegression,
                       OneClassSVM, QuantileRegression, Ridge)
from semblance.similarity import DTW, RBF

X, y = load_diabetes(return_X_y=True)
X = StandardScaler().fit_transform(X)
TRAIN, TEST = slice(0, 330), slice(330, None)


def difference(ours, theirs):
    """The largest difference of predictions, in deviations of the target."""
    return np.abs(ours.predict(X[TEST]) - theirs.predict(X[TEST])).max() / y.std()


def test_ridge_is_scikit_learns():
    for alpha in (0.01, 1, 100):
        ours = Ridge(penalty=alpha).fit(X[TRAIN], y[TRAIN])
        assert difference(ours, TheirRidge(alpha=alpha).fit(X[TRAIN], y[TRAIN])) < 1e-5
        assert ours.score(X[TEST], y[TEST]) > 0.4


def test_ridge_without_an_intercept_or_a_penalty_is_scikit_learns():
    for ours, theirs in ((Ridge(penalty=2, fit_intercept=False),
                          TheirRidge(alpha=2, fit_intercept=False)),
                         (Ridge(penalty=0), TheirRidge(alpha=0))):
        ours.fit(X[TRAIN], y[TRAIN])
        theirs.fit(X[TRAIN], y[TRAIN])
        np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-3, atol=1e-2)
        assert ours.alpha_ == theirs.alpha and (ours.intercept_ == 0) == (theirs.intercept_ == 0)
    chosen = Ridge(penalties=[0.1, 1, 1e4]).fit(X[TRAIN], y[TRAIN])
    assert chosen.alpha_ == chosen.metrics_["penalty"] == RidgeCV([0.1, 1, 1e4]).fit(
        X[TRAIN], y[TRAIN]).alpha_
    assert not hasattr(LinearSVR().fit(X[TRAIN], y[TRAIN]), "alpha_")


def test_deviations_are_those_of_a_gaussian_process():
    ours = KernelIntervals(kernel=RBF(gamma=0.05), penalty=0.3, fit_intercept=False, coverage=0.8)
    ours.fit(X[TRAIN], np.c_[y, -2 * y][TRAIN])
    variance = (ours.metrics_["prior_deviation"] / 1.5) ** 2  # the mean of once and twice
    kernel = ConstantKernel(variance) * TheirRBF(10 ** 0.5) + WhiteKernel(0.3 * variance)
    theirs = GaussianProcessRegressor(kernel, optimizer=None).fit(X[TRAIN], y[TRAIN])
    ours.coverage = 0.5  # of the next fit()
    means, deviations = ours.predict(X[TEST], return_std=True)
    expected, spread = theirs.predict(X[TEST], return_std=True)
    np.testing.assert_allclose(means, np.c_[expected, -2 * expected], rtol=1e-4, atol=1e-3)
    np.testing.assert_allclose(deviations, np.c_[spread, 2 * spread], rtol=1e-4)
    flat = KernelIntervals(kernel=RBF(gamma=0.05)).fit(X[TRAIN], y[TRAIN])
    assert [part.shape for part in flat.predict(X[TEST], return_std=True)] == [(112,), (112,)]


def test_machines_without_deviations_name_the_one_that_has_them():
    for machine in (KernelRidge(), KernelIntervals(kernel=RBF(gamma=0.05), method="jackknife_plus")):
        machine.fit(X[TRAIN], y[TRAIN])
        with pytest.raises(TypeError, match=r'KernelIntervals\(method="gaussian"\) gives those of a'):
            machine.predict(X[TEST], return_std=True)


def test_kernel_svr_is_scikit_learns():
    for C, epsilon in ((1, 0.1), (100, 5), (100, 1000)):
        ours = KernelSVR(kernel=RBF(gamma=0.05), C=C, epsilon=epsilon, tolerance=1e-5)
        theirs = SVR(gamma=0.05, C=C, epsilon=epsilon, tol=1e-5)
        assert difference(ours.fit(X[TRAIN], y[TRAIN]), theirs.fit(X[TRAIN], y[TRAIN])) < 1e-3


def test_linear_svr_is_scikit_learns():
    ours = LinearSVR(C=1, epsilon=2, loss="squared_epsilon_insensitive", center=False,
                     tolerance=1e-9)
    theirs = TheirLinearSVR(C=1, epsilon=2, loss="squared_epsilon_insensitive", dual=False,
                            tol=1e-8, max_iter=100000)
    assert difference(ours.fit(X[TRAIN], y[TRAIN]), theirs.fit(X[TRAIN], y[TRAIN])) < 1e-3


def test_kernel_ridge_fits_what_scikit_learns_fits_about_the_mean():
    ours = KernelRidge(kernel=RBF(gamma=0.05), penalty=0.5).fit(X[TRAIN], y[TRAIN])
    theirs = TheirKernelRidge(kernel="rbf", gamma=0.05, alpha=0.5)
    centre = y[TRAIN].mean()
    theirs.fit(X[TRAIN], y[TRAIN] - centre)
    expected = theirs.predict(X[TEST]) + centre
    # The constant is free in one and the mean in the other.
    assert np.abs(ours.predict(X[TEST]) - expected).max() / y.std() < 0.3
    assert ours.score(X[TEST], y[TEST]) > 0.35


def test_neighbours_are_scikit_learns():
    ours = NeighbourRegression(k=5).fit(X[TRAIN], y[TRAIN])
    theirs = KNeighborsRegressor(n_neighbors=5).fit(X[TRAIN], y[TRAIN])
    assert difference(ours, theirs) < 1e-5


@pytest.mark.parametrize("nu", [0.05, 0.3])
def test_one_class_svm_is_scikit_learns(nu):
    ours = OneClassSVM(kernel=RBF(gamma=0.1), nu=nu, tolerance=1e-6).fit(X[TRAIN])
    theirs = TheirOneClassSVM(gamma=0.1, nu=nu, tol=1e-6).fit(X[TRAIN])
    expected = theirs.decision_function(X[TEST])
    assert np.abs(ours.decision_function(X[TEST]) - expected).max() < 1e-3 * np.abs(expected).max()
    clear = np.abs(expected) > 1e-3 * np.abs(expected).max()
    assert np.array_equal(ours.predict(X[TEST])[clear], theirs.predict(X[TEST])[clear])
    assert np.allclose(ours.score_samples(X[TEST]), theirs.score_samples(X[TEST]),
                       atol=1e-3 * np.abs(theirs.score_samples(X[TEST])).max())


def test_neighbour_novelty_is_scikit_learns():
    ours = NeighbourNovelty(score_="lof", k=20).fit(X[TRAIN])
    theirs = LocalOutlierFactor(n_neighbors=20, novelty=True).fit(X[TRAIN])
    assert np.allclose(ours.score_samples(X[TEST]), theirs.score_samples(X[TEST]), atol=1e-5)
    for score in ("kth", "mean"):
        distances, _ = NearestNeighbors(n_neighbors=5).fit(X[TRAIN]).kneighbors(X[TEST])
        expected = distances[:, -1] if score == "kth" else distances.mean(axis=1)
        ours = NeighbourNovelty(score_=score, k=5).fit(X[TRAIN])
        assert np.allclose(ours.score_samples(X[TEST]), -expected, atol=1e-5)


def test_a_detector_ignores_labels_and_finds_other_flowers():
    flowers, kinds = load_iris(return_X_y=True)
    for machine in (OneClassSVM(kernel=RBF(gamma=0.5), nu=0.1), SVDD(kernel=RBF(gamma=0.5), nu=0.1),
                    NeighbourNovelty()):
        machine.fit(flowers[kinds == 0], np.zeros(50))
        assert (machine.predict(flowers[kinds == 2]) == -1).all()
        assert (machine.predict(flowers[kinds == 0]) == 1).mean() >= 0.85


def test_several_numbers_are_predicted_as_each_alone():
    both = np.column_stack([y, X[:, 0] * 3 + 2000])
    machine = Ridge().fit(X[TRAIN], both[TRAIN])
    assert machine.n_outputs_ == 2
    found = machine.predict(X[TEST])
    assert found.shape == (112, 2)
    for t in range(2):
        alone = Ridge().fit(X[TRAIN], both[TRAIN, t]).predict(X[TEST])
        assert np.allclose(found[:, t], alone, rtol=1e-6)
    assert Ridge().fit(X[TRAIN], y[TRAIN, None]).predict(X[:2]).shape == (2, 1)


def test_scikit_learns_tools_take_them():
    assert is_regressor(Ridge())
    scores = cross_val_score(make_pipeline(StandardScaler(), KernelSVR(C=100)), X, y, cv=3)
    assert scores.shape == (3,) and np.isfinite(scores).all()
    grid = GridSearchCV(Ridge(), {"penalty": [1e-3, 1, 1e5]}, cv=3).fit(X, y)
    assert grid.best_params_["penalty"] in (1e-3, 1)


def test_series_and_sets_have_numbers_too():
    lengths = [25, 9, 13, 17, 21, 5]
    waves = [np.sin(np.arange(n) / n * 6) * k for k in (1, 2, 3) for n in lengths]
    heights = np.repeat([1.0, 2.0, 3.0], len(lengths))
    machine = NeighbourRegression(similarity=DTW(as_="negative"), k=1).fit(waves[::2], heights[::2])
    assert np.array_equal(machine.predict(waves[1::2]), heights[1::2])


def test_weights_are_repetitions():
    counts = np.arange(330) % 3
    repeated = np.repeat(np.arange(330), counts)
    ours = Ridge(penalty=2).fit(X[TRAIN], y[TRAIN], sample_weight=counts)
    again = Ridge(penalty=2).fit(X[repeated], y[repeated])
    assert np.allclose(ours.predict(X[TEST]), again.predict(X[TEST]), rtol=1e-5)


def test_pickles_and_clones_predict_the_same_bits():
    for machine in (Ridge(), KernelSVR(C=10), NeighbourRegression(k=3)):
        fitted = machine.fit(X[TRAIN], y[TRAIN])
        assert np.array_equal(pickle.loads(pickle.dumps(fitted)).predict(X[TEST]),
                              fitted.predict(X[TEST]))
        assert np.array_equal(clone(machine).fit(X[TRAIN], y[TRAIN]).predict(X[TEST]),
                              fitted.predict(X[TEST]))


@pytest.mark.parametrize("wrong, said", [
    (np.full(330, np.nan), "Input y contains NaN"), (np.full(330, "a"), "y must hold numbers"),
    (y[:10], "inconsistent numbers of samples"), (None, "requires y to be passed")])
def test_wrong_numbers_are_refused(wrong, said):
    with pytest.raises(ValueError, match=said):
        Ridge().fit(X[TRAIN], wrong)


def test_years_and_prices_keep_their_digits():
    years = 2000 + np.round(10 * X[:, 0], 1)
    machine = Ridge(penalty=1e-6).fit(X[TRAIN], years[TRAIN])
    assert np.abs(machine.predict(X[TEST]) - years[TEST]).max() < 0.06


@pytest.mark.parametrize("machine", [
    Ridge(penalty=1e-6), LinearSVR(C=1e3), KernelSVR(C=1e3), KernelRidge(penalty=1e-3),
    NeighbourRegression(k=1), QuantileRegression(C=1)], ids=lambda each: type(each).__name__)
def test_the_mean_of_a_target_is_kept_in_double(machine):
    y = X[:100, 0] - X[:100, 1]
    near, far = clone(machine).fit(X[:100], y), clone(machine).fit(X[:100], 1e9 + y)
    np.testing.assert_allclose(far.predict(X[:100]) - 1e9, near.predict(X[:100]), atol=1e-3)
    two = clone(machine).fit(X[:100], np.c_[y, 1e9 + y])
    np.testing.assert_allclose(two.predict(X[:100])[:, 1], far.predict(X[:100]), atol=1e-3, rtol=0)
    if hasattr(machine, "predict_interval"):
        np.testing.assert_allclose(far.predict_interval(X[:9]) - 1e9, near.predict_interval(X[:9]),
                                   atol=1e-3)
    if hasattr(near, "intercept_"):
        np.testing.assert_allclose(far.intercept_ - 1e9, near.intercept_, atol=1e-3)


def test_estimates_of_large_whole_numbers_are_not_whole():
    y = np.round(3 * X[:100, 0])
    near, far = Ridge().fit(X[:100], y), Ridge().fit(X[:100], 1e7 + y)  # float32 holds all of them
    np.testing.assert_allclose(far.predict(X[:100]) - 1e7, near.predict(X[:100]), atol=1e-5)


PIPELINE = """
name: houses
nodes:
  data: {is: source/array, data: X}
  z: {is: normalizer/zscore, from: data}
  fit: {is: solver/ridge, from: z}
  test: {is: evaluator/regression, from: fit}
"""


def test_a_pipeline_takes_numbers_from_python(tmp_path):
    (tmp_path / "houses.yaml").write_text(PIPELINE)
    parts = {"X": X[TRAIN], "target": y[TRAIN], "X_test": X[TEST], "target_test": y[TEST]}
    result = semblance.run(tmp_path / "houses.yaml", data={"data": parts}, out=tmp_path / "out")
    shown = result.predictions["fit"]
    assert list(shown.columns) == ["row", "y", "predicted y"]
    error = np.sqrt(((shown["y"] - shown["predicted y"]) ** 2).mean())
    assert np.isclose(result.metrics["nodes"]["test"]["rmse"], error)
    model = semblance.load(tmp_path / "out")
    assert np.allclose(model.predict(X[TEST]), shown["predicted y"], rtol=1e-6)
    with pytest.raises(ValueError, match="give one of them"):
        semblance.run(tmp_path / "houses.yaml", data={"data": {**parts, "y": y[TRAIN]}})
    with pytest.raises(ValueError, match="as 'target' of a dict"):
        semblance.run(tmp_path / "houses.yaml", data={"data": (X, y + 0.5)})
    del parts["target_test"]
    (tmp_path / "houses.yaml").write_text(PIPELINE[:PIPELINE.index("  test:")])
    result = semblance.run(tmp_path / "houses.yaml", data={"data": parts}, out=tmp_path / "two")
    assert result.predictions["fit"]["y"].isna().all()
    assert np.array_equal(result.predictions["fit"]["predicted y"], shown["predicted y"])


@pytest.mark.parametrize("machine", [semblance.LinearSVR(C=10), semblance.Ridge(penalty=0.1)],
                         ids=lambda machine: type(machine).__name__)
def test_weights_of_linear_regressors(machine):
    X, t = load_diabetes(return_X_y=True)
    X = X.astype(np.float32)
    machine.fit(X, t)
    assert machine.coef_.shape == (10,)
    assert np.allclose(X @ machine.coef_ + machine.intercept_, machine.predict(X), rtol=1e-5)
    assert np.ndim(machine.intercept_) == (0 if isinstance(machine, semblance.Ridge) else 1)
    machine.fit(X, np.c_[t, X[:, 0]])
    assert machine.coef_.shape == (2, 10) and machine.intercept_.shape == (2,)
    assert np.allclose(X @ machine.coef_.T + machine.intercept_, machine.predict(X), atol=1e-3)
    with pytest.raises(ValueError):
        machine.coef_[0, 0] = 1
    with pytest.raises(AttributeError):
        machine.coef_ = np.ones(10)
    with pytest.raises(AttributeError, match="is not fitted yet: it has no weights"):
        clone(machine).coef_
