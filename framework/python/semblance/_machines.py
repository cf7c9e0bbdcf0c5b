# SPDX-License-Identifier: MIT
"""Classifiers: a solver on the samples as they are."""

from __future__ import annotations

import numbers
from functools import partial
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_non_negative

from . import _rows
from ._data import group_numbers
from ._estimator import Estimator, Nodes, class_names
from ._expansions import read_only
from ._explanations import explanations


class Learner(Estimator):
    """The base of classifiers, regressors and novelty detectors: one solver on the samples as they
    are.

    Attributes
    ----------
    metrics_ : dict
        What the solver reported of its training.
    certificate_ : str
        Why training stopped: "converged", "all passes made", "iteration limit", "deadline" or
        "cancelled".
    """

    n_iter_: Any

    def _learn(self, samples: _rows.Samples, labels: Optional[np.ndarray] = None,
               classes: Sequence[Any] = (), **more: Any) -> None:
        for name in ("n_iter_", "certificate_"):
            self.__dict__.pop(name, None)
        self._train(samples, labels, classes, **more)
        if "iterations" in self.metrics_:
            self.n_iter_ = int(self.metrics_["iterations"])

    def _kind(self, X: Any) -> str:
        taken = self.accepted_layouts()
        if "vector" in taken:  # then pictures are flat, as in scikit-learn, or have a given shape
            pictures = () if self._image_shape() is None else ("image",)
            taken = tuple(kind for kind in taken if kind in _rows.TABLES) + pictures
        return _rows.layout_kind(X, taken, self._image_shape(), self._name())

    def explain(self, X: Any, rows: Any = None, background: Any = 50, *, of_class: Any = None,
                target: Optional[str] = None, top: int = 5,
                seed: Optional[int] = None) -> List[Dict[str, Any]]:
        """Why the machine gives its result for samples.

        Parameters
        ----------
        X : array-like
            Samples like those of fit().
        rows : sequence of int, optional
            The places in X of the samples to explain; None: all.
        background : int or array-like, default=50
            The samples that the shares of columns (Shapley values) compare with: the largest number
            to draw from X, or the samples themselves, such as training samples. 0: no shares. There are none either
            where X is a kernel matrix, or is made one by a function.
        of_class : optional
            The class to explain instead of the predicted one.
        target : str, optional
            The number to explain, if several are predicted.
        top : int, default=5
            The most examples for and against.
        seed : int, optional
            Of the choice from X, and of the random orders where shares are sampled.

        Returns
        -------
        list of dict
            One per sample, as ``semblance explain --json`` has it: the number that is explained
            (`value`), what the most similar training samples add to it (`examples`), and the
            `shares` of the columns, steps, symbols or cells. Classes are labels of fit().

        Raises
        ------
        ValueError, TypeError
            Something is wrong with X, or with a parameter.
        SemblanceError
            The machine is no sum over examples and has no shares, or has no such class.
        """
        samples = self._samples(X)
        if self._on_matrix():
            background = 0
        classes: np.ndarray = getattr(self, "classes_", np.empty(0))
        labels = dict(zip(class_names(list(classes)), classes.tolist()))
        explained = partial(explanations, rows=rows, of_class=of_class, target=target, top=top,
                            seed=seed)
        made: List[Dict[str, Any]] = self._told(explained, self._trained, self._result, samples,
                                                background, self._samples, labels)
        return made

    def _on_matrix(self) -> bool:
        """Whether the columns are similarities to the training samples."""
        return False

    def _scores(self, X: Any) -> np.ndarray:
        scores: np.ndarray = self._apply(self._result, X)
        return scores

    def _nodes(self, kind: str, classes: Sequence[Any], labels: Optional[np.ndarray]) -> Nodes:
        return {"machine": {**self._solver(classes, labels), "from": "data"}}

    def _solver(self, classes: Sequence[Any], labels: Optional[np.ndarray]) -> Dict[str, Any]:
        """The solver's node, without its inputs."""
        return self.spec()


class Machine(ClassifierMixin, Learner):
    """A classifier: one solver on the samples as they are.

    Attributes
    ----------
    classes_ : ndarray of shape (classes,)
        The labels.
    metrics_ : dict
        What the solver reported of its training.
    certificate_ : str
        Why training stopped: "converged", "all passes made", "iteration limit", "deadline" or
        "cancelled".
    """

    classes_: np.ndarray

    def fit(self, X: Any, y: Any) -> "Machine":
        """Trains the machine.

        Parameters
        ----------
        X : array-like of shape (n, columns), or other samples that the machine takes
            Training samples. A float32 array in C order is used in place.
        y : array-like of shape (n,)
            Their labels, numbers or texts.

        Returns
        -------
        self

        Raises
        ------
        ValueError, TypeError
            Something is wrong with a parameter, with X, or with y.
        ConvergenceWarning
            Issued where training did not get as far as `tolerance` asks.
        """
        return self._fit(X, y)

    def _fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> Any:
        self.spec()
        samples, y = self._training_samples(X, y, labelled=True)
        weights = None if sample_weight is None else checked_weights(sample_weight, len(samples), y)
        together = None if groups is None else group_numbers(groups, len(samples))
        check_classification_targets(y)
        classes, labels = np.unique(y, return_inverse=True)
        if len(classes) < 2:
            raise ValueError(f"The number of classes has to be greater than one; got "
                             f"{len(classes)} class: {classes[0]!r} is the only label in y.")
        self._learn(samples, np.ascontiguousarray(labels.reshape(-1), dtype=np.int32), classes,
                    weights=weights, groups=together)
        self.classes_ = classes
        return self

    def decision_function(self, X: Any) -> np.ndarray:
        """Scores of the classes.

        Parameters
        ----------
        X : array-like
            Samples like those of fit().

        Returns
        -------
        ndarray of shape (n, classes), or (n,) for two classes
            A larger score means a better fit. For two classes, half the difference of their
            scores, which is above 0 if the second one fits better: for machines whose scores are
            (-f, f), this is f.
        """
        scores = self._scores(X).astype(np.float64)
        return (scores[:, 1] - scores[:, 0]) / 2 if len(self.classes_) == 2 else scores

    def predict(self, X: Any) -> np.ndarray:
        """The label of each sample.

        Parameters
        ----------
        X : array-like
            Samples like those of fit().

        Returns
        -------
        ndarray of shape (n,)
        """
        winners = self._scores(X).argmax(axis=1)
        labels: np.ndarray = self.classes_[winners]
        return labels

    def _given(self, name: str) -> Any:
        value = super()._given(name)
        if name == "class_weights" and isinstance(value, Mapping):
            return dict(zip(class_names(list(value)), value.values()))
        return value

    def _solver(self, classes: Sequence[Any], labels: Optional[np.ndarray]) -> Dict[str, Any]:
        said = super()._solver(classes, labels)
        weights = getattr(self, "class_weight", None)
        if isinstance(weights, str) and weights == "balanced":
            said["balanced"] = True
        elif weights is not None and labels is not None:
            said["class_weights"] = class_weights(weights, classes)
        return said

    def _more_tags(self) -> Dict[str, Any]:
        return {**Learner._more_tags(self), "requires_y": True}


class Weighted(Learner):
    """What machines have in common whose solver uses weights of samples."""

    def _weighs_exactly(self) -> bool:
        """Whether it is the same to the last digits with samples of weight 0 and without."""
        return False

    def _more_tags(self) -> Dict[str, Any]:
        if self._weighs_exactly():
            return super()._more_tags()
        return {**super()._more_tags(), "_xfail_checks": {
            "check_sample_weights_invariance": "samples of weight 0 give the optimum that leaving "
                                               "them out gives, to the solver's tolerance, of a "
                                               "kernel whose width is that of all samples"}}


class WeightedMachine(Weighted, Machine):
    """A classifier whose solver uses weights of samples."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "WeightedMachine":
        """Trains the machine.

        Parameters
        ----------
        X : array-like of shape (n, columns), or other samples that the machine takes
            Training samples. A float32 array in C order is used in place.
        y : array-like of shape (n,)
            Their labels, numbers or texts.
        sample_weight : array-like of shape (n,), optional
            The weight of each sample, at least 0: its loss is multiplied by the weight, so that 2
            is equivalent to the sample twice. None: 1 each. With ``class_weight="balanced"``
            weights are added up where scikit-learn counts samples, so that all classes weigh the
            same in the end. Components before the solver count every sample once.

        Returns
        -------
        self

        Raises
        ------
        ValueError, TypeError
            Something is wrong with a parameter, with X, with y, or with the weights.
        ConvergenceWarning
            Issued where training did not get as far as `tolerance` asks.
        """
        self._fit(X, y, sample_weight)
        return self


def checked_weights(weights: Any, count: int, labels: Any = None) -> np.ndarray:
    """The weights of `count` samples, checked; with labels, these of two classes at least.

    Raises
    ------
    ValueError
        There is not one weight per sample, one is not finite or below 0, or all are 0, or those of
        all classes but one.
    """
    from sklearn.utils.validation import _check_sample_weight
    checked = _check_sample_weight(weights, np.empty((count, 1)), dtype=np.float64)
    if not (checked > 0).any():
        raise ValueError("Invalid input - all samples have zero or negative weights.")
    if labels is not None and len(np.unique(labels[checked > 0])) < 2 <= len(np.unique(labels)):
        raise ValueError("Invalid input - all samples with positive weights belong to the same "
                         "class, and those of other classes have the weight 0 or less.")
    check_non_negative(checked, "`sample_weight`")
    return np.ascontiguousarray(checked, dtype=np.float64)


def class_weights(weights: Any, classes: Sequence[Any]) -> Dict[str, float]:
    """The weights of classes by the program's names of classes.

    Raises
    ------
    ValueError
        A class does not exist, a weight is not above 0, or the weights are a text.
    TypeError
        The value is not a dict of class weights.
    """
    wanted = f"class_weight must be a dict, 'balanced', or None, got {weights!r}."
    if isinstance(weights, str):
        raise ValueError(wanted)
    if not hasattr(weights, "items"):
        raise TypeError(wanted)
    names = dict(zip(classes, class_names(classes)))
    named = {}
    for label, factor in weights.items():
        if label not in names:
            raise ValueError(f"The class {label!r} of class_weight is not in y, which has "
                             f"{list(classes)!r}.")
        if not isinstance(factor, numbers.Real) or not 0 < float(factor) < float("inf"):
            raise ValueError(f"The class_weight of {label!r} must be above 0, got {factor!r}; "
                             f"omit the samples of a class that is not to be learned.")
        named[names[label]] = float(factor)
    return named


class LinearFunctions(Learner):
    """What machines have in common that are linear functions of the columns."""

    def accepted_layouts(self) -> Tuple[str, ...]:
        return tuple(dict.fromkeys((*super().accepted_layouts(), "sparse vector")))

    def _nodes(self, kind: str, classes: Sequence[Any], labels: Optional[np.ndarray]) -> Nodes:
        nodes = super()._nodes(kind, classes, labels)
        if kind in super().accepted_layouts():
            return nodes
        dense: Nodes = {"dense": {"is": "feature/dense", "from": "data"}}
        return {**dense, "machine": {**nodes["machine"], "from": "dense"}}

    def _weights(self) -> Tuple[np.ndarray, np.ndarray]:
        """Weights, (functions, columns), and constants, read once."""
        if "_trained" not in self.__dict__:
            raise AttributeError(f"This {self._name()} is not fitted yet: it has no weights.")
        if "_learned_weights" not in self.__dict__:
            state = self._trained.state(self._result)
            offsets = read_only(state["offsets"])
            columns = state.get("columns")  # those that occurred in sparse rows
            stored = state["weights" if columns is None else "weights_of_columns"]
            stored = stored.reshape(len(offsets), -1)
            weights = np.zeros((len(offsets), state["inputs"]))
            # The columns after those of older models have no weight.
            weights[:, slice(stored.shape[1]) if columns is None else columns] = stored
            self._learned_weights = (read_only(weights), offsets)
        found: Tuple[np.ndarray, np.ndarray] = self._learned_weights
        return found

    def _learn(self, samples: _rows.Samples, labels: Optional[np.ndarray] = None,
               classes: Sequence[Any] = (), **more: Any) -> None:
        self.__dict__.pop("_learned_weights", None)
        super()._learn(samples, labels, classes, **more)

    def __getstate__(self) -> Dict[str, Any]:
        state = super().__getstate__()
        state.pop("_learned_weights", None)
        return state


class LinearMachine(LinearFunctions, WeightedMachine):
    """A linear machine with readable weights."""

    @property
    def coef_(self) -> np.ndarray:
        """Weights, (classes, columns); for two classes (1, columns), those of the second."""
        return self._weights()[0]

    @property
    def intercept_(self) -> np.ndarray:
        """Constants of the classes, (classes,); (1,) for two classes."""
        return self._weights()[1]

    def _weighs_exactly(self) -> bool:
        if self.component == "solver/ridge_classifier":
            return True
        return bool(self._given("regularizer") == "l2")  # the minimum with l1 need not be unique
