# SPDX-License-Identifier: MIT
"""The samples that estimators compare with: their numbers, and which are nearest."""

import pickle

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.datasets import load_iris, load_wine
from sklearn.exceptions import NotFittedError
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor, NearestNeighbors
from sklearn.preprocessing import StandardScaler

from semblance import (BasisExpandingSVM, NearestNeighbour, NeighbourRegression, Nystroem,
                       SimilarityMap)
from semblance._estimators import neighbours
from semblance.basis import RandomPerClass
from semblance.similarity import DTW, RBF, Laplacian

X, y = load_wine(return_X_y=True)
X = StandardScaler().fit_transform(X).astype(np.float32)


@pytest.mark.parametrize("ours, theirs", [
    (NearestNeighbour(k=3), KNeighborsClassifier(3)),
    (NeighbourRegression(k=5), KNeighborsRegressor(5))], ids=["classes", "numbers"])
def test_neighbours_are_scikit_learns(ours, theirs):
    ours.fit(X, y)
    theirs.fit(X, y)
    distances, indices = ours.kneighbors(X)
    expected, theirs_indices = theirs.kneighbors(X)
    assert np.array_equal(indices, theirs_indices)
    assert np.allclose(distances, expected, atol=1e-5)
    assert (distances[:, 0] == 0).all() and not np.signbit(distances).any()
    assert np.array_equal(ours.kneighbors(pd.DataFrame(X[:7]).to_numpy(), 2, False),
                          theirs_indices[:7, :2])


def test_equally_near_samples_stand_in_their_order():
    iris, classes = load_iris(return_X_y=True)
    twice = np.vstack([iris, iris])
    machine = NearestNeighbour(k=1).fit(twice, np.r_[classes, classes])
    found = machine.kneighbors(iris[::7], 2, return_distance=False)
    same = [np.flatnonzero((twice == row).all(axis=1))[:2] for row in iris[::7]]
    assert np.array_equal(found, same)


@pytest.mark.parametrize("form", [np.asarray, pd.DataFrame, sparse.csr_matrix, sparse.coo_matrix])
def test_parts_are_the_whole(monkeypatch, form):
    machine = NearestNeighbour(k=4, similarity=Laplacian(gamma=0.1)).fit(form(X), y)
    distances, indices = machine.kneighbors(form(X))
    monkeypatch.setattr(neighbours, "MOST_VALUES", 10 * len(X))
    parts = machine.kneighbors(form(X))
    assert np.array_equal(parts[0], distances) and np.array_equal(parts[1], indices)


def test_neighbours_by_other_similarities():
    series = [X[i, :5 + i % 8] for i in range(60)]
    machine = NearestNeighbour(similarity=DTW(as_="negative"), normalizer=None).fit(series, y[:60])
    distances, indices = machine.kneighbors(series, n_neighbors=3)
    matrix = DTW(as_="negative")(series)
    assert np.array_equal(indices, np.argsort(-matrix, axis=1, kind="stable")[:, :3])
    assert np.array_equal(distances, np.take_along_axis(-matrix, indices, axis=1))


def test_a_normalizer_is_used_before_the_distance():
    raw, classes = load_wine(return_X_y=True)
    scaled = NearestNeighbour(normalizer="zscore").fit(raw, classes)
    expected = KNeighborsClassifier(1).fit(X, classes).kneighbors(X, 3, return_distance=False)
    found = scaled.kneighbors(raw, 3, return_distance=False)
    assert (found == expected).mean() > 0.99  # rounding may swap a pair
    plain = NearestNeighbour().fit(raw, classes)
    assert not np.array_equal(plain.kneighbors(raw, 3, False), found)


@pytest.mark.parametrize("made", [
    SimilarityMap(similarity=RBF(gamma=0.1), bases=20, normalizer=None),
    SimilarityMap(similarity=RBF(gamma=0.1), bases=RandomPerClass(per_class=4), normalizer=None)],
    ids=["a number", "per class"])
def test_indices_of_the_bases_of_a_map(made):
    made.fit(X, y)
    assert len(set(made.basis_indices_)) == made.transform(X).shape[1]
    assert np.array_equal(made.transform(X[:9]), RBF(gamma=0.1)(X[:9], X[made.basis_indices_]))
    again = pickle.loads(pickle.dumps(made))
    assert np.array_equal(again.basis_indices_, made.basis_indices_)


def test_other_estimators_say_their_bases_too():
    for estimator in (BasisExpandingSVM(bases=17), Nystroem(bases=17),
                      NearestNeighbour(bases=17, k=3)):
        indices = estimator.fit(X, y).basis_indices_
        assert indices.shape == (17,) and len(set(indices)) == 17
        assert 0 <= indices.min() and indices.max() < len(X)
    machine = NearestNeighbour(bases=17, k=3).fit(X, y)
    assert set(machine.kneighbors(X, return_distance=False).ravel()) <= set(machine.basis_indices_)


def test_what_kneighbors_refuses():
    machine = NearestNeighbour()
    with pytest.raises(NotFittedError):
        machine.kneighbors(X)
    machine.fit(X, y)
    with pytest.raises(ValueError, match=r"1 <= n_neighbors <= 178.*got 179"):
        machine.kneighbors(X, 179)
    with pytest.raises(TypeError, match="n_neighbors must be an integer, got 1.5"):
        machine.kneighbors(X, 1.5)
    with pytest.raises(ValueError, match="X has 4 features, but NearestNeighbour is expecting 13"):
        machine.kneighbors(X[:, :4])
    with pytest.raises(ValueError, match="0 sample"):
        machine.kneighbors(X[:0])


def test_kneighbors_without_samples_leaves_each_itself_out():
    random = np.random.default_rng(0)
    X = random.normal(size=(300, 4))
    machine = NearestNeighbour(k=3).fit(X, np.arange(300) % 2)
    theirs = NearestNeighbors(n_neighbors=3).fit(X).kneighbors()
    distances, indices = machine.kneighbors()
    np.testing.assert_allclose(distances, theirs[0], atol=1e-5)
    assert np.array_equal(indices, theirs[1])
    many = np.zeros((9, 2))  # more at one place than there are neighbours
    found = NearestNeighbour(k=3).fit(many, np.arange(9) % 2).kneighbors(return_distance=False)
    assert all(i not in row for i, row in enumerate(found))
    with pytest.raises(ValueError, match="1 <= n_neighbors <= 299"):
        machine.kneighbors(n_neighbors=300)
    series = NearestNeighbour(similarity=DTW(as_="negative")).fit([X[0], X[1, :3]], [0, 1])
    with pytest.raises(ValueError, match="give it the training samples"):
        series.kneighbors()


@pytest.mark.parametrize("width, scale, offset", [(1, 1, 0), (7, 1e-3, 50), (30, 1e19, 0)])
def test_kneighbors_by_products_are_those_of_the_differences(width, scale, offset):
    random = np.random.default_rng(width)
    B = (scale * random.normal(size=(1500, width)) + offset).astype(np.float32)
    X = np.concatenate([B[:70], (scale * random.normal(size=(70, width)) + offset)])
    X = X.astype(np.float32)
    exact = np.sqrt(((X[:, np.newaxis].astype(float) - B) ** 2).sum(axis=-1))
    distances, indices = NearestNeighbour(k=5).fit(B, np.arange(1500) % 2).kneighbors(X)
    rounded = exact.astype(np.float32)
    order = np.argsort(rounded, axis=1, kind="stable")[:, :5]
    assert np.array_equal(indices, order)
    assert np.array_equal(distances, np.take_along_axis(rounded, order, axis=1))


@pytest.mark.parametrize("make", [lambda random: random.normal(size=(1200, 3)),
                                  lambda random: random.integers(0, 6, (1200, 3)),
                                  lambda random: 1e-3 * random.random((1200, 2)) + 50])
def test_a_tree_finds_the_same_neighbours(make, monkeypatch):
    random = np.random.default_rng(3)
    B, X = make(random), make(random)[:200]
    machine = NearestNeighbour(k=4).fit(B, np.arange(1200) % 2)
    expected, without = machine.kneighbors(X), machine.kneighbors()
    assert "tree" not in machine._read
    monkeypatch.setattr(neighbours, "TREE_BASES", 1000)
    for found, known in zip((machine.kneighbors(X), machine.kneighbors()), (expected, without)):
        np.testing.assert_array_equal(found[0], known[0])
        np.testing.assert_array_equal(found[1], known[1])
    assert "tree" in machine._read
    assert len(machine.kneighbors(X[:1], 1200)[0][0]) == 1200


@pytest.mark.parametrize("k", [1, 5])
def test_probabilities_and_distance_weights_are_scikit_learns(k):
    random = np.random.default_rng(0)
    X, y = random.normal(size=(300, 4)), random.integers(0, 3, 300)
    new = np.concatenate([random.normal(size=(100, 4)), X[:20]])
    for ours, theirs in ((NearestNeighbour(k=k), KNeighborsClassifier(k)),
                         (NearestNeighbour(k=k, weighting="inverse_distance"),
                          KNeighborsClassifier(k, weights="distance"))):
        ours.fit(X, y)
        theirs.fit(X, y)
        np.testing.assert_allclose(ours.predict_proba(new), theirs.predict_proba(new), atol=1e-4)
    shares = NearestNeighbour(k=k, scores="shares").fit(X, y)
    np.testing.assert_allclose(shares.predict_proba(new),
                               NearestNeighbour(k=k).fit(X, y).predict_proba(new), atol=1e-6)
