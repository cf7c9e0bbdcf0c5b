# SPDX-License-Identifier: MIT
"""Estimators beside scikit-learn's, and inside what scikit-learn does with estimators."""

import json
import pickle
import warnings
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin, clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score, train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

import program
import semblance
from semblance import (HOG, ML3, BasisExpandingSVM, KernelSVM, LinearSVM, LLSVM, NearestNeighbour,
                       Nystroem, PairwiseNewton, PairwiseSVM, PipelineEstimator, SimilarityMap)
from semblance.basis import Index, RandomPerClass
from semblance.normalizer import MeanNorm, ZScore
from semblance.similarity import DTW, RBF, Chamfer, Linear, Polynomial, Rigid

DATA = {"iris": load_iris, "wine": load_wine, "breast cancer": load_breast_cancer,
        "digits": load_digits}


def table(name, **split):
    """Training and test rows, scaled to mean 0 and deviation 1 by the training rows."""
    X, y = DATA[name](return_X_y=True)
    X, new, y, true = train_test_split(X, y, test_size=0.4, random_state=0, **split)
    scaler = StandardScaler().fit(X)
    return (scaler.transform(X).astype(np.float32), y, scaler.transform(new).astype(np.float32),
            true)


# Beside scikit-learn -------------------------------------------------------------------------------

@pytest.mark.parametrize("name", DATA)
@pytest.mark.parametrize("C", [0.1, 10])
def test_kernel_svm_is_scikit_learns_svc(name, C):
    X, y, new, _ = table(name)
    gamma = 1 / X.shape[1]
    ours = KernelSVM(kernel=RBF(gamma=gamma), C=C, tolerance=1e-4).fit(X, y)
    theirs = SVC(kernel="rbf", gamma=gamma, C=C, tol=1e-4).fit(X, y)
    assert np.array_equal(ours.predict(new), theirs.predict(new))
    if len(ours.classes_) == 2:
        assert np.allclose(ours.decision_function(new), theirs.decision_function(new), atol=2e-3)


@pytest.mark.parametrize("name", DATA)
def test_linear_svm_is_scikit_learns_linear_svc(name):
    X, y, new, _ = table(name)
    ours = LinearSVM(C=0.1).fit(X, y)
    theirs = LinearSVC(C=0.1, tol=1e-8, max_iter=100000, dual=True, random_state=0).fit(X, y)
    assert np.array_equal(ours.predict(new), theirs.predict(new))
    assert ours.coef_.shape == theirs.coef_.shape
    assert np.allclose(ours.coef_, theirs.coef_, atol=2e-3)
    assert np.allclose(ours.intercept_, theirs.intercept_, atol=2e-3)


def test_weights_of_a_linear_machine_give_its_scores():
    for name in ("breast cancer", "digits"):
        X, y, new, _ = table(name)
        for bias in (0.0, 1.0, 3.0):
            machine = LinearSVM(C=0.1, bias=bias).fit(X, y)
            scores = new @ machine.coef_.T + machine.intercept_
            shown = machine.decision_function(new).reshape(len(new), -1)
            assert np.allclose(scores, shown, atol=1e-4), (name, bias)


def test_class_weights_are_scikit_learns():
    X, y, new, _ = table("breast cancer")
    for weights in ("balanced", {0: 5.0}, {0: 0.1, 1: 3}):
        ours = KernelSVM(kernel=RBF(gamma=0.03), class_weight=weights, tolerance=1e-4).fit(X, y)
        theirs = SVC(gamma=0.03, class_weight=weights, tol=1e-4).fit(X, y)
        assert np.allclose(ours.decision_function(new), theirs.decision_function(new), atol=2e-3)
        linear = LinearSVM(C=0.01, class_weight=weights).fit(X, y)
        scikit = LinearSVC(C=0.01, class_weight=weights, tol=1e-8, max_iter=100000,
                           random_state=0).fit(X, y)
        assert np.allclose(linear.coef_, scikit.coef_, atol=2e-3)


def test_class_weights_are_by_label_in_whichever_order():
    X, y, new, _ = table("iris")
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    by_name = LinearSVM(class_weight={"virginica": 3, "setosa": 0.5}).fit(X, names)
    by_number = LinearSVM(class_weight={0: 0.5, 2: 3}).fit(X, y)
    assert np.array_equal(by_name.decision_function(new), by_number.decision_function(new))


def test_nearest_neighbours_are_scikit_learns():
    X, y, new, _ = table("digits")
    theirs = KNeighborsClassifier(1).fit(X, y)
    assert np.array_equal(NearestNeighbour().fit(X, y).predict(new), theirs.predict(new))
    scaled = NearestNeighbour(similarity=RBF(gamma=1)).fit(X, y)
    assert np.mean(scaled.predict(new) == theirs.predict(new)) > 0.999
    three = NearestNeighbour(k=3).fit(X, y)
    assert np.mean(three.predict(new) == KNeighborsClassifier(3).fit(X, y).predict(new)) > 0.98


def test_rows_that_are_far_away_have_a_nearest_neighbour():
    X, y, _, _ = table("wine")
    far = np.float32(1e6) * np.eye(13, dtype=np.float32) - 3
    theirs = KNeighborsClassifier(1, algorithm="brute").fit(X.astype(float), y).predict(far)
    assert np.array_equal(NearestNeighbour().fit(X, y).predict(far), theirs)
    rounded = NearestNeighbour(similarity=RBF(gamma=1)).fit(X, y)
    with pytest.warns(semblance.SemblanceWarning, match="similarities .* to all bases are equal"):
        rounded.predict(far)


def test_a_precomputed_kernel_is_the_kernel():
    X, y, new, _ = table("digits")
    measure = RBF(gamma=0.02)
    direct = KernelSVM(kernel=measure, C=5).fit(X, y)
    matrix = KernelSVM(kernel="precomputed", C=5).fit(measure(X, X), y)
    assert np.array_equal(matrix.predict(measure(new, X)), direct.predict(new))
    with pytest.raises(ValueError, match="Precomputed matrix must be a square matrix"):
        KernelSVM(kernel="precomputed").fit(measure(X, X[:9]), y)
    with pytest.raises(ValueError, match=f"expecting {len(X)} features"):
        matrix.predict(measure(new, X[:9]))


def test_cross_validation_cuts_columns_of_a_precomputed_kernel():
    X, y, _, _ = table("wine")
    shown = cross_val_score(KernelSVM(kernel="precomputed"), RBF(gamma=0.1)(X), y, cv=3)
    assert np.array_equal(shown, cross_val_score(KernelSVM(kernel=RBF(gamma=0.1)), X, y, cv=3))


def test_an_indefinite_kernel_is_refused_or_repaired():
    random = np.random.default_rng(0)
    A = random.normal(size=(40, 40))
    K, y = (A + A.T) / 2, np.arange(40) % 2
    with pytest.raises(ValueError, match="repair"):
        KernelSVM(kernel="precomputed").fit(K, y)
    smallest = np.linalg.eigvalsh(K)[0]
    for how in ("clip", "flip", "shift", "square"):
        ours = KernelSVM(kernel="precomputed", repair=how, tolerance=1e-5).fit(K, y)
        assert np.isclose(ours.metrics_["smallest_eigenvalue"], smallest, rtol=1e-4)
        fixed = semblance.diagnostics.repair(K.astype(np.float32), how=how)
        theirs = SVC(kernel="precomputed", tol=1e-5).fit(fixed, y)
        # What repairs the training rows repairs new ones, but for a shift, which is of the diagonal.
        compared = K if how == "shift" else fixed
        assert np.allclose(ours.decision_function(K), theirs.decision_function(compared),
                           atol=1e-3), how


def test_a_measure_is_a_kernel_for_scikit_learns_svc():
    X, y, new, _ = table("wine")
    theirs = SVC(kernel=RBF(gamma=0.1)).fit(X, y)
    assert np.array_equal(theirs.predict(new), SVC(kernel="rbf", gamma=0.1).fit(X, y).predict(new))


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
    assert 0 <= machine.metrics_["duality_gap"] <= 1e-5
    with pytest.warns(ConvergenceWarning, match="LinearSVM did not converge"):
        short = LinearSVM(C=1000, max_iterations=1).fit(X, y)
    assert short.certificate_ == "iteration limit"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        short.set_params(C=1.0, max_iterations=1000).fit(X, y)
    assert short.certificate_ == "converged"


def test_tags_as_scikit_learn_has_them_from_1_6_on(monkeypatch):
    """Stand-ins for what later versions have; with one of these, it is what they are."""
    tags = SimpleNamespace

    def of_base(self):
        return tags(estimator_type=None, transformer_tags=None, input_tags=tags(
            two_d_array=True, three_d_array=False, string=False, positive_only=False,
            pairwise=False))

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
    assert not LinearSVM().__sklearn_tags__().input_tags.pairwise
    assert KernelSVM(kernel="precomputed").__sklearn_tags__().input_tags.pairwise
    for other in (HOG(), PairwiseSVM(), KernelSVM(kernel=DTW())):
        assert not other.__sklearn_tags__().input_tags.two_d_array
        assert other.__sklearn_tags__().input_tags.three_d_array
    assert KernelSVM(kernel="lcs").__sklearn_tags__().input_tags.string
    assert semblance.Log().__sklearn_tags__().input_tags.positive_only
    assert ZScore().__sklearn_tags__().transformer_tags.preserves_dtype == ["float32"]


# Samples that are no tables ----------------------------------------------------------------------

def test_images_through_features_to_a_machine():
    X, y = load_digits(return_X_y=True)
    images = X.reshape(-1, 8, 8)
    hog = HOG(cell=4).fit(images)
    flat = hog.transform(images)
    assert hog.output_shape_ == (2, 2, 31)
    assert np.array_equal(clone(hog).set_params(flatten=False).fit_transform(images),
                          flat.reshape(-1, 2, 2, 31))
    assert np.array_equal(clone(hog).set_params(image_shape=(8, 8)).fit_transform(X), flat)
    machine = make_pipeline(HOG(cell=4), MeanNorm(), LinearSVM()).fit(images[:900], y[:900])
    assert machine.score(images[900:], y[900:]) > 0.9
    with pytest.raises(ValueError, match="HOG takes images"):
        hog.transform(X)
    with pytest.raises(ValueError, match="8x8x1"):
        hog.transform(images[:, :6])


def test_colours_are_the_last_axis():
    random = np.random.default_rng(0)
    pictures = random.integers(0, 256, size=(4, 16, 12, 3), dtype=np.uint8)
    crop = semblance.feature.Crop(height=8, width=6, offset=(4, 2)).fit_transform(pictures)
    assert np.array_equal(crop, pictures[:, 4:12, 2:8].astype(np.float32))


def test_several_similarities_each_of_its_own_features():
    X, y = load_digits(return_X_y=True)
    images = X.reshape(-1, 8, 8)
    machine = BasisExpandingSVM(similarities=["rbf", Rigid(shift=1)], bases=Index(per_class=10),
                                features=[HOG(cell=4), HOG(cell=2)])
    assert machine.fit(images[:900], y[:900]).score(images[900:], y[900:]) > 0.93
    flat = clone(machine).set_params(image_shape=(8, 8)).fit(X[:900], y[:900])
    assert np.array_equal(flat.decision_function(X[900:]),
                          machine.decision_function(images[900:]))
    with pytest.raises(ValueError, match="list of 1, and there are 2 similarities"):
        clone(machine).set_params(features=[HOG()]).fit(images, y)


def series(random, count):
    """Random walks of 10 to 29 steps; the class says whether they rise."""
    walks = [random.normal(loc=0.3 * (i % 2) - 0.15, size=random.integers(10, 30)).cumsum()
             for i in range(count)]
    return walks, np.arange(count) % 2


def test_series_that_differ_in_length():
    random = np.random.default_rng(0)
    walks, y = series(random, 60)
    walks[0] = np.resize(walks[0], 30)
    machine = NearestNeighbour(similarity=DTW(as_="negative")).fit(walks, y)
    assert machine.score(walks, y) == 1
    again = pickle.loads(pickle.dumps(machine))
    assert np.array_equal(again.decision_function(walks), machine.decision_function(walks))
    with pytest.raises(ValueError, match=r"X\[0\] has 31 steps"):
        machine.predict([np.zeros(31)])
    with pytest.raises(ValueError, match="expecting 1"):
        machine.predict([np.zeros((2, 9))])
    with pytest.raises(ValueError, match="NaN"):
        machine.predict([np.array([0, np.nan, 1])])
    standard = semblance.feature.ZNorm().fit_transform(walks)
    assert isinstance(standard, list) and len(standard[3]) == len(walks[3])
    assert np.allclose([part.mean() for part in standard], 0, atol=1e-5)


def test_series_of_several_channels():
    random = np.random.default_rng(0)
    X = random.normal(size=(20, 2, 15))
    smooth = semblance.feature.Smooth(window=3).fit_transform(X)
    assert smooth.shape == X.shape
    assert np.allclose(smooth[:, :, 7], X[:, :, 6:9].mean(axis=2), atol=1e-5)


def test_strings():
    texts, y = ["ACGTAC", "AACCAC", "GGTTGT", "GTGTG"] * 5, [0, 0, 1, 1] * 5
    machine = KernelSVM(kernel="lcs", repair="clip").fit(texts, y)
    assert machine.predict(["ACCAAC", "GGGGT"]).tolist() == [0, 1]
    with pytest.raises(ValueError, match="symbol 'X'"):
        machine.predict(["ACX"])
    with pytest.raises(TypeError, match="takes strings"):
        machine.predict([[1.0, 2.0]])
    counts = semblance.feature.Spectrum(longest=2, unit_length=False).fit_transform(texts)
    assert counts.shape == (20, 4 + 16)


def test_sets_of_points():
    random = np.random.default_rng(0)
    sets = [random.normal(size=(random.integers(3, 9), 2)) + 2 * (i % 2) for i in range(40)]
    y = np.arange(40) % 2
    machine = KernelSVM(kernel=Chamfer(), repair="clip").fit(sets, y)
    assert machine.score(sets, y) > 0.9


# Pairs -------------------------------------------------------------------------------------------

def pairs_of_wine():
    X, y, new, true = table("wine")
    pairs = np.stack([new[:-1], new[1:]], axis=1)
    return X, y, pairs, true[:-1] == true[1:]


@pytest.mark.parametrize("machine", [PairwiseSVM(C=0.01), PairwiseNewton(C=0.01)], ids=repr)
def test_pairs_of_examples(machine):
    X, y, pairs, same = pairs_of_wine()
    machine = clone(machine).set_params(kernel=semblance.pair_kernel.TensorMetricLearning())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        machine.fit(X, y)
    assert machine.score(pairs, same) > 0.9
    scores = machine.decision_function(pairs)
    assert np.array_equal(scores, machine.decision_function(pairs[:, ::-1]))
    assert np.array_equal(scores, machine.decision_function((pairs[:, 0], pairs[:, 1])))
    assert np.array_equal(machine.predict(pairs), scores > 0)
    again = pickle.loads(pickle.dumps(machine))
    assert np.array_equal(again.decision_function(pairs), scores)


def test_all_pairs_given_are_all_pairs_of_the_examples():
    X, y, pairs, _ = pairs_of_wine()
    X, y = X[:40], y[:40]
    first, second = np.triu_indices(len(X))
    machine = PairwiseSVM(C=1e-4, kernel="metric_learning", tolerance=1e-5)
    by_examples = clone(machine).fit(X, y)
    given = np.stack([X[first], X[second]], axis=1)
    for told in (y[first] == y[second], np.where(y[first] == y[second], 1, -1)):
        by_pairs = clone(machine).fit(given, told)
        both = clone(machine).fit((X[first], X[second]), told)
        assert np.array_equal(both.decision_function(pairs), by_pairs.decision_function(pairs))
        assert by_pairs.metrics_["training_pairs"] == len(first)
        assert np.allclose(by_pairs.decision_function(pairs),
                           by_examples.decision_function(pairs), atol=1e-4)
    assert list(by_pairs.classes_) == [-1, 1]


def test_pairs_that_are_none():
    X, y, pairs, same = pairs_of_wine()
    machine = PairwiseSVM(C=0.01, kernel="metric_learning")
    with pytest.raises(NotFittedError):
        machine.predict(pairs)
    with pytest.raises(ValueError, match="must be pairs"):
        machine.fit(np.zeros((4, 3, 2)), [0, 1, 0, 1])
    with pytest.raises(ValueError, match="two values"):
        machine.fit(pairs, np.zeros(len(pairs)))
    with pytest.raises(ValueError, match="No two examples"):
        machine.fit(X, np.arange(len(X)))
    with pytest.raises(ValueError, match="pairs"):
        clone(machine).set_params(pairs="rbf").fit(X, y)
    machine.fit(pairs, same)
    with pytest.raises(ValueError, match="expecting 13 features"):
        machine.predict(pairs[:, :, :5])
    with pytest.raises(ValueError, match="must be pairs"):
        machine.predict(X)


# Transformers ------------------------------------------------------------------------------------

def test_a_similarity_map_is_the_measure_of_its_bases():
    X, y, new, _ = table("wine")
    plain = SimilarityMap(similarity=RBF(gamma=0.1), bases="all", normalizer=None).fit(X)
    assert np.array_equal(plain.transform(new), RBF(gamma=0.1)(new, X))
    chosen = SimilarityMap(bases=RandomPerClass(per_class=4), random_state=3).fit(X, y)
    assert chosen.transform(new).shape == (len(new), 12)
    assert SimilarityMap(bases=10 ** 6).fit_transform(X).shape == (len(X), len(X))


def test_nystroem_approximates_the_kernel():
    X, _, new, _ = table("wine")
    measure = RBF(gamma=0.05)
    features = Nystroem(similarity=measure, bases="all", normalizer=None).fit(X)
    shown = features.transform(new) @ features.transform(X).T
    assert np.allclose(shown, measure(new, X), atol=5e-3)


def test_a_transformer_is_a_component_of_other_estimators():
    X, y, new, _ = table("wine")
    machine = BasisExpandingSVM(similarities=RBF(gamma=0.05), bases=30,
                                normalizer=ZScore()).fit(X, y)
    assert machine.score(X, y) > 0.95
    assert HOG(cell=4) == HOG(cell=4) != HOG(cell=8)
    assert repr(HOG(cell=4)) == "HOG(cell=4)"


# Pipelines ---------------------------------------------------------------------------------------

PIPELINE = """name: wine
seed: 5
nodes:
  table: {is: source/csv, path: not_there.csv, test_fraction: 0.3}
  x:     {is: normalizer/zscore, from: table}
  bases: {is: basis/random_per_class, per_class: 12, from: table}
  map:   {is: similarity/rbf, gamma: 0.1, from: x, bases: bases}
  svm:   {is: solver/linear_svm, C: 1, from: map}
  test:  {is: evaluator/classification, from: svm}
"""


def test_a_pipeline_file_is_an_estimator(tmp_path):
    X, y, new, true = table("wine")
    file = tmp_path / "wine.yaml"
    file.write_text(PIPELINE, encoding="utf-8")
    machine = PipelineEstimator(file).fit(X, y)
    assert machine.score(new, true) > 0.9
    text = PipelineEstimator(PIPELINE).fit(X, y)
    assert np.array_equal(text.decision_function(new), machine.decision_function(new))
    again = pickle.loads(pickle.dumps(machine))
    assert np.array_equal(again.decision_function(new), machine.decision_function(new))
    assert np.array_equal(machine.rows(new, "map").shape, (len(new), 36))
    seeded = PipelineEstimator(file, random_state=6).fit(X, y)
    assert not np.array_equal(seeded.decision_function(new), machine.decision_function(new))


def test_a_pipeline_trains_on_all_rows_and_its_own_seed(tmp_path):
    X, y, new, _ = table("wine")
    nodes = {"x": "{is: normalizer/zscore, from: data}",
             "bases": "{is: basis/random_per_class, per_class: 12, from: data}",
             "map": "{is: similarity/rbf, gamma: 0.1, from: x, bases: bases}",
             "svm": "{is: solver/linear_svm, C: 1, from: map}"}
    theirs = program.scores(tmp_path, nodes, X, y, new, seed=5, node="svm")
    renamed = PIPELINE.replace("table:", "data: ").replace("from: table", "from: data")
    ours = PipelineEstimator(renamed).fit(X, y).decision_function(new)
    assert np.array_equal(ours, theirs)


def test_a_grid_search_over_a_pipelines_parameters():
    X, y, _, _ = table("wine")
    grid = GridSearchCV(PipelineEstimator(PIPELINE, set={"nodes.svm.C": 1}),
                        {"set__nodes.svm.C": [1e-6, 1.0], "set__nodes.map.gamma": [1e-7, 0.1]},
                        cv=3).fit(X, y)
    assert grid.best_params_ == {"set__nodes.svm.C": 1.0, "set__nodes.map.gamma": 0.1}
    assert grid.best_estimator_.set == {"nodes.svm.C": 1.0, "nodes.map.gamma": 0.1}
    swapped = PipelineEstimator(PIPELINE, set={"nodes.map": {"is": "similarity/linear", "from": "x",
                                                             "bases": "bases"}}).fit(X, y)
    assert swapped.score(X, y) > 0.9
    component = PipelineEstimator(json.loads(json.dumps(
        {"nodes": {"table": {"is": "source/xor"},
                   "svm": {"is": "solver/kernel_svm", "from": "table"}}})),
        set={"nodes.svm.kernel": Polynomial(degree=3)}).fit(X, y)
    assert component.score(X, y) > 0.9


def test_pipelines_that_are_none():
    X, y, _, _ = table("wine")
    with pytest.raises(TypeError, match="'pipeline' parameter"):
        PipelineEstimator().fit(X, y)
    with pytest.raises(FileNotFoundError, match="no_such.yaml"):
        PipelineEstimator("no_such.yaml").fit(X, y)
    with pytest.raises(ValueError, match="did you mean|no component|solver/linear_smv"):
        PipelineEstimator(PIPELINE.replace("linear_svm", "linear_smv")).fit(X, y)
    with pytest.raises(ValueError, match="nodes.svm.D|D"):
        PipelineEstimator(PIPELINE, set={"nodes.svm.D": 1}).fit(X, y)
    two = PIPELINE + "  other: {is: source/xor}\n"
    with pytest.raises(ValueError, match="2 sources"):
        PipelineEstimator(two).fit(X, y)


# What users do wrong -----------------------------------------------------------------------------

WRONG = [
    (lambda X, y: LinearSVM().predict(X), NotFittedError, "not fitted yet"),
    (lambda X, y: LinearSVM().fit(X, y[:-1]), ValueError, "inconsistent numbers of samples"),
    (lambda X, y: LinearSVM().fit(X[0], y), ValueError, "Reshape your data"),
    (lambda X, y: LinearSVM().fit(X[:, None, :], y), ValueError, "dim 3"),
    (lambda X, y: LinearSVM().fit(X, np.zeros(len(y))), ValueError, "got 1 class"),
    (lambda X, y: LinearSVM().fit(X, X[:, 0]), ValueError, "Unknown label type"),
    (lambda X, y: LinearSVM().fit(X, None), ValueError, "requires y to be passed"),
    (lambda X, y: LinearSVM().fit(np.where(X > 3, np.nan, X), y), ValueError, "contains NaN"),
    (lambda X, y: LinearSVM().fit(X.astype(float) * 1e300, y), ValueError, "too large for dtype"),
    (lambda X, y: LinearSVM().fit(X.astype(complex), y), ValueError, "Complex data not supported"),
    (lambda X, y: LinearSVM().fit([["a", "b"]] * len(y), y), ValueError, ""),
    (lambda X, y: LinearSVM().fit(["text"] * len(y), y), ValueError, "got strings"),
    (lambda X, y: LinearSVM().fit(X, y).predict(X[:, :5]), ValueError,
     "X has 5 features, but LinearSVM is expecting 13 features"),
    (lambda X, y: LinearSVM().fit(X, y).predict(X * np.float32(np.inf)), ValueError, "inf"),
    (lambda X, y: LinearSVM().fit(X, y).predict(X[:0]), ValueError, "0 sample"),
    (lambda X, y: LinearSVM(C=0).fit(X, y), ValueError, r"in the range \(0, inf\), got 0"),
    (lambda X, y: LinearSVM(C="1").fit(X, y), TypeError, "must be a number"),
    (lambda X, y: LinearSVM(max_iterations=1.5).fit(X, y), TypeError, "must be an integer"),
    (lambda X, y: LinearSVM(regularizer="l3").fit(X, y), ValueError, "one of 'l2', 'l1'"),
    (lambda X, y: LinearSVM(class_weight={9: 1}).fit(X, y), ValueError, "class 9"),
    (lambda X, y: LinearSVM(class_weight={0: 0}).fit(X, y), ValueError, "above 0"),
    (lambda X, y: LinearSVM(class_weight="even").fit(X, y), ValueError, "'balanced'"),
    (lambda X, y: LinearSVM(random_state=-1).fit(X, y), ValueError, "random_state"),
    (lambda X, y: LinearSVM(n_jobs=0).fit(X, y), ValueError, "n_jobs == 0"),
    (lambda X, y: LinearSVM(memory="much").fit(X, y), ValueError, "memory"),
    (lambda X, y: KernelSVM(kernel="rbff").fit(X, y), ValueError, "did you mean 'similarity/rbf'"),
    (lambda X, y: KernelSVM(kernel=ZScore()).fit(X, y), TypeError, "of kind similarity"),
    (lambda X, y: KernelSVM(kernel=RBF).fit(X, y), TypeError, "kernel"),
    (lambda X, y: KernelSVM(kernel=RBF(gamma=-1)).fit(X, y), ValueError, "'gamma' parameter of RBF"),
    (lambda X, y: BasisExpandingSVM(bases=0).fit(X, y), ValueError, "at least 1"),
    (lambda X, y: BasisExpandingSVM(bases=RandomPerClass(per_class=999)).fit(X, y), ValueError,
     "per_class requests 999"),
    (lambda X, y: BasisExpandingSVM(similarities=[]).fit(X, y), ValueError, "at least one"),
    (lambda X, y: ML3(lambda_=0).fit(X, y), ValueError, "'lambda_' parameter of ML3"),
    (lambda X, y: semblance.solver.OCC(models=99).fit(X, y), ValueError, "anchor planes"),
    (lambda X, y: semblance.Log().fit(X), ValueError, "Negative values"),
]


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_what_users_do_wrong(number):
    X, y, _, _ = table("wine")
    call, error, text = WRONG[number]
    with pytest.raises(error, match=text):
        call(X, y)


def test_integers_that_float32_rounds_are_told():
    X = np.arange(40).reshape(20, 2) + 2 ** 25
    with pytest.warns(semblance.SemblanceWarning, match="integers beyond 16,777,216"):
        LinearSVM().fit(X, np.arange(20) % 2)


def test_a_deadline_leaves_the_best_model_so_far():
    random = np.random.default_rng(0)
    X = random.normal(size=(20000, 200)).astype(np.float32)
    y = random.integers(0, 10, size=len(X))
    with pytest.warns(ConvergenceWarning, match="deadline"):
        machine = LinearSVM(C=100, multiclass="crammer_singer", tolerance=1e-9,
                            deadline=0.3).fit(X, y)
    assert machine.certificate_ == "deadline"
    assert machine.predict(X).shape == y.shape
