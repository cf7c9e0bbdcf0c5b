# SPDX-License-Identifier: MIT
"""Estimators of samples that are not tables, and of pairs."""

import pickle
import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_digits
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.pipeline import make_pipeline

from tables import table
import semblance
from semblance import (HOG, BasisExpandingSVM, KernelSVM, LinearSVM, NearestNeighbour,
                       PairwiseNewton, PairwiseSVM)
from semblance.basis import Index
from semblance.normalizer import MeanNorm
from semblance.similarity import DTW, Chamfer, Rigid


# Samples that are not tables ---------------------------------------------------------------------

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


def test_channels_before_rows_cause_a_warning():
    pictures = np.random.default_rng(0).random((4, 3, 16, 16))
    with pytest.warns(semblance.SemblanceWarning, match="X has pictures of 3 x 16 pixels with 16 "
                                                        r"channels.*give X.transpose\(0, 2, 3, 1\)"):
        HOG(cell=2).fit(pictures)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        HOG(cell=4).fit(pictures.transpose(0, 2, 3, 1))


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
    machine = NearestNeighbour(similarity=DTW(as_="negative")).fit(walks, y)
    assert machine.score(walks, y) == 1
    again = pickle.loads(pickle.dumps(machine))
    assert np.array_equal(again.decision_function(walks), machine.decision_function(walks))
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


def test_half_of_a_surrogate_pair_is_no_symbol():
    with pytest.raises(ValueError, match=r"X\[1\] has half of a surrogate pair, which is no symbol"):
        semblance.OneHot().fit(["abc", "a\ud800b", "abb"])
