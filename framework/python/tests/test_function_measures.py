# SPDX-License-Identifier: MIT
"""Functions of arrays wherever a similarity measure is taken."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_wine
from sklearn.model_selection import cross_val_score
from sklearn.preprocessing import scale

import semblance
from semblance import BasisExpandingSVM, NearestNeighbour, Nystroem, SimilarityMap
from semblance.similarity import RBF

X, y = load_wine(return_X_y=True)
X = scale(X).astype(np.float32)


def gaussian(X, B):
    return np.exp(-0.1 * ((X[:, None] - B[None]) ** 2).sum(axis=2))


def shared_letters(X, B):
    return np.array([[len({*x} & {*b}) / len({*x} | {*b}) for b in B] for x in X])


@pytest.mark.parametrize("machine", [
    NearestNeighbour(k=3), BasisExpandingSVM(bases=40, random_state=1),
    semblance.solver.NeighbourRegression(k=3)])
def test_a_function_is_what_the_measure_of_the_same_values_is(machine):
    name = "similarities" if hasattr(machine, "similarities") else "similarity"
    one = clone(machine).set_params(**{name: gaussian}).fit(X[::2], y[::2])
    other = clone(machine).set_params(**{name: RBF(gamma=0.1)}, normalizer=None)
    other.fit(X[::2], y[::2])
    assert (one.basis_indices_ == other.basis_indices_).all()
    np.testing.assert_allclose(one.predict(X), other.predict(X), atol=1e-3)
    assert one.n_features_in_ == 13
    again = pickle.loads(pickle.dumps(one))
    np.testing.assert_array_equal(again.predict(X), one.predict(X))


@pytest.mark.parametrize("machine", [Nystroem(bases=30, random_state=1),
                                     SimilarityMap(bases=25)])
def test_transformers_take_a_function(machine):
    one = clone(machine).set_params(similarity=gaussian).fit_transform(X)
    other = clone(machine).set_params(similarity=RBF(gamma=0.1), normalizer=None).fit_transform(X)
    np.testing.assert_allclose(one, other, atol=2e-4)


def test_it_works_in_model_selection_and_on_samples_that_are_no_rows():
    assert cross_val_score(NearestNeighbour(k=3, similarity=gaussian), X, y, cv=3).min() > 0.85
    words = ["hot", "hat", "shot", "lemon", "melon", "felon"]
    machine = NearestNeighbour(similarity=shared_letters).fit(words, [0, 0, 0, 1, 1, 1])
    assert machine.predict(["tho", "lemons"]).tolist() == [0, 1]
    distances, places = machine.kneighbors(["tho"], 2)
    assert places.tolist() == [[0, 2]] and distances[0, 0] == -1


def test_what_cannot_be_is_said():
    with pytest.raises(ValueError, match="must give an array of shape .178, 178."):
        NearestNeighbour(similarity=lambda X, B: X @ X.T[:, :3]).fit(X, y)
    with pytest.raises(ValueError, match="omit features and normalizer, or decorate it with "
                                         "@semblance.similarity"):
        Nystroem(similarity=gaussian, normalizer="zscore").fit(X)
    with pytest.raises(TypeError, match="decorate it with @semblance.similarity"):
        BasisExpandingSVM(similarities=["rbf", gaussian]).fit(X, y)


def test_nystroem_warns_of_a_measure_that_is_not_symmetric():
    def skewed(X, B):
        return gaussian(X, B) * (1 + 0.1 * np.tanh(X[:, :1] - B[:, 0]))
    with pytest.warns(semblance.SemblanceWarning, match="approximate the symmetric part"):
        Nystroem(similarity=skewed, bases=30, random_state=1).fit(X)
