# SPDX-License-Identifier: MIT
"""Machines that decide whether two samples belong together."""

from __future__ import annotations

from typing import Any, Dict, Mapping, Optional, Sequence, Tuple, TypeVar

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils import check_array, check_consistent_length
from sklearn.utils.validation import check_is_fitted

from .. import _rows
from .._component import spec_of
from .._data import coded
from .estimator import Estimator, Nodes

P = TypeVar("P", bound="PairMachine")


class PairMachine(ClassifierMixin, Estimator):
    """A classifier of pairs of samples: whether they belong together."""

    pairs: Any
    classes_: np.ndarray
    n_features_in_: int

    def fit(self: P, X: Any, y: Any) -> P:
        """Trains the machine, on examples or on pairs.

        Parameters
        ----------
        X : array-like of shape (n, columns) or (pairs, 2, columns)
            Examples, or pairs of them; pairs may be a tuple of two of shape (pairs, columns).
        y : array-like of shape (n,) or (pairs,)
            Classes of the examples: two of the same class belong together. Or one of two values
            per pair, such as False and True, or -1 and 1: the larger one if its examples belong
            together.

        Returns
        -------
        self

        Raises
        ------
        ValueError, TypeError
            Something is wrong with a parameter, with X, or with y.
        """
        with self._refitting():
            self._forget()
            if _is_two_tables(X):  # otherwise two pairs would be taken for an array of pairs
                check_consistent_length(*X)
                sides = [self._checked_table(side, None, False, reset=side is X[0]) for side in X]
                self._fit_pairs(np.stack(sides, axis=1), y)
            elif _dimensions(X) == 3:
                self._fit_pairs(X, y)
            else:
                self._fit_examples(X, y)
        if "iterations" in self.metrics_:
            self.n_iter_ = int(self.metrics_["iterations"])
        return self

    def _given(self, name: str) -> Any:
        value = super()._given(name)
        if name != "class_weights" or not isinstance(value, Mapping):
            return value
        names = {"True": "same", "False": "different"}
        return {names.get(label, label): factor for label, factor in value.items()}

    def _fit_examples(self, X: Any, y: Any) -> None:
        samples, y = self._training_samples(X, y, labelled=True)
        classes, labels = coded(y)
        if len(classes) < 2:
            raise ValueError(f"The number of classes has to be greater than one; got "
                             f"{len(classes)} class.")
        if len(classes) == len(y):
            raise ValueError("No two examples are of the same class, so there is no pair that "
                             "belongs together.")
        self._chosen = spec_of(self.pairs, "pairs", self._name(), "pairs")
        self._train(samples, labels, classes)
        self.classes_ = np.array([False, True])

    def _fit_pairs(self, X: Any, y: Any) -> None:
        pairs = _pairs_of(X)
        classes, same = coded(self._checked_labels(y, len(pairs)))
        if len(classes) != 2:
            raise ValueError(f"y must have two values, one for pairs that belong together and one "
                             f"for pairs that do not; got {len(classes)} class(es).")
        count, _, columns = pairs.shape
        _rows.check_digits(pairs.reshape(2 * count, columns), "X")
        examples, places = np.unique(_rows.as_float32(pairs).reshape(2 * count, columns), axis=0,
                                     return_inverse=True)
        places = places.reshape(count, 2)
        self._chosen = {"is": "pairs/given", "first": places[:, 0].tolist(),
                        "second": places[:, 1].tolist(), "same": same.tolist()}
        self.n_features_in_ = columns
        samples = _rows.vectors(examples)
        self._layout = dict(samples.layout)
        self._train(samples)
        self.classes_ = classes

    def _nodes(self, kind: str, classes: Sequence[Any], labels: Optional[np.ndarray]) -> Nodes:
        return {"pairs": {**self.__dict__.pop("_chosen"), "from": "data"},
                "machine": {**self.spec(), "from": "data", "pairs": "pairs"}}

    def decision_function(self, X: Any) -> np.ndarray:
        """How much pairs belong together: above 0 if they do. X: both examples of each pair, of
        shape (pairs, 2, columns), or a tuple of all first and all second ones. Gives an array of
        shape (pairs,)."""
        check_is_fitted(self)
        first, second = self._both(X)
        count = len(first)
        rows = _rows.Samples(np.concatenate([first, second]), self._layout).rows()
        numbers = np.arange(count, dtype=np.int64)
        scores: np.ndarray = self._told(self._trained.apply_pairs, self._result, rows,
                                        np.column_stack([numbers, numbers + count]))
        return scores

    def predict(self, X: Any) -> np.ndarray:
        """Whether pairs belong together; see :meth:`decision_function` for X. Gives values of
        `classes_`, of shape (pairs,)."""
        together = (self.decision_function(X) > 0).astype(int)
        labels: np.ndarray = self.classes_[together]
        return labels

    def _both(self, X: Any) -> Tuple[np.ndarray, np.ndarray]:
        if _is_two_tables(X):
            first, second = (self._checked_table(side, None, False, reset=False) for side in X)
            check_consistent_length(first, second)
        else:
            pairs = _pairs_of(X)
            if pairs.shape[2] != self.n_features_in_:
                raise ValueError(f"X has {pairs.shape[2]} features, but {self._name()} is "
                                 f"expecting {self.n_features_in_} features as input.")
            first, second = pairs[:, 0], pairs[:, 1]
        return _rows.as_float32(first), _rows.as_float32(second)

    def _more_tags(self) -> Dict[str, Any]:
        return {**Estimator._more_tags(self), "X_types": ["3darray"], "requires_y": True}


def _is_two_tables(X: Any) -> bool:
    return isinstance(X, tuple) and len(X) == 2 and all(_dimensions(side) == 2 for side in X)


def _dimensions(values: Any) -> int:
    return len(values.shape) if hasattr(values, "shape") else np.ndim(values)


def _pairs_of(X: Any) -> np.ndarray:
    """X as an array (pairs, 2, columns) of finite numbers. Raises ValueError where it has another
    shape, or values that are NaN or infinity."""
    pairs: np.ndarray = check_array(X, allow_nd=True)
    if pairs.ndim != 3 or pairs.shape[1] != 2:
        raise ValueError(f"X must be pairs, an array of shape (pairs, 2, columns), or a tuple of "
                         f"two arrays (pairs, columns); got the shape {pairs.shape}.")
    return pairs
