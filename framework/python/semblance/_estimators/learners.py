# SPDX-License-Identifier: MIT
"""The base of classifiers, regressors and novelty detectors, with one fit()."""

from __future__ import annotations

import functools
import re
from typing import Any, Callable, ClassVar, Dict, List, Optional, Sequence, TypeVar

import numpy as np
from sklearn.utils.validation import check_non_negative

from .. import _rows
from .._data import group_numbers, target_names
from .._names import class_names
from .estimator import Estimator
from .._model import explanations

L = TypeVar("L", bound="Learner")


class Learner(Estimator):
    """The base of classifiers, regressors and novelty detectors."""

    n_iter_: Any
    takes_weights: ClassVar[bool] = False  #: whether the solver uses weights of samples
    _labelled: ClassVar[bool] = True  #: whether fit() needs y
    _numeric: ClassVar[bool] = False  #: whether y is numbers to predict
    _row_names: Optional[List[Any]] = None  #: those of the training samples, if their table has any

    def __init_subclass__(cls, **more: Any) -> None:
        if "component" in cls.__dict__ and not cls.takes_weights:
            setattr(cls, "fit", _without_weights(cls.fit))
        super().__init_subclass__(**more)

    def fit(self: L, X: Any, y: Any = None, sample_weight: Any = None) -> L:
        """Trains the machine.

        Parameters
        ----------
        X : array-like of shape (n, columns), or other samples that the machine takes
            Training samples. A float32 array in C order is used in place.
        y : array-like of shape (n,) or (n, numbers)
            The labels of a classifier, numbers or texts; the numbers that a regressor predicts.
            Novelty detectors ignore it.
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
        return self._fit(X, y, sample_weight)

    def _fit(self: L, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> L:
        with self._refitting():
            names = target_names(y)
            samples, y = self._training_samples(X, y, self._labelled, self._numeric)
            labels = y if self._labelled and not self._numeric else None
            weights = None if sample_weight is None else checked_weights(
                sample_weight, len(samples), labels)
            together = None if groups is None else group_numbers(groups, len(samples))
            answers = self._answers(y, names)
            self._learn(samples, weights=weights, groups=together, **answers)
            self._learned(answers)
            index: Any = getattr(X, "index", None)  # a table's own names of its rows
            numbered = index is None or callable(index) or type(index).__name__ == "RangeIndex"
            self._row_names = None if numbered else list(index)
        return self

    def _answers(self, y: Any, names: List[str]) -> Dict[str, Any]:
        """What there is to learn beside the samples, as arguments of _learn()."""
        return {}

    def _learned(self, answers: Dict[str, Any]) -> None:
        """Sets attributes of a trained machine."""

    def _learn(self, samples: _rows.Samples, labels: Optional[np.ndarray] = None,
               classes: Sequence[Any] = (), **more: Any) -> None:
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
        """Why the machine gives its result for samples: a dict for each, as
        :meth:`semblance.Model.explain` gives, which has the same parameters. X: samples like those
        of fit(). Classes are labels of fit(). The `row` of an example is its place in the X of
        fit(), its `name` the label that a table's index had there. There are no shares of columns
        where X is a kernel matrix, or is made one by a function."""
        samples = self._samples(X)
        if self._on_matrix():
            background = 0
        classes: np.ndarray = getattr(self, "classes_", np.empty(0))
        labels = dict(zip(class_names(list(classes)), classes.tolist()))
        explained = functools.partial(explanations, rows=rows, of_class=of_class, target=target,
                                      top=top, seed=seed)
        made: List[Dict[str, Any]] = self._told(explained, self._trained, self._result, samples,
                                                background, self._samples, labels)
        for example in (each for one in made for each in one.get("examples", ())):
            if "training_sample" in example:
                example["row"] = example["training_sample"]
                if self._row_names is not None:
                    example["name"] = self._row_names[example["row"]]
        return made

    def _on_matrix(self) -> bool:
        """Whether the columns are similarities to the training samples."""
        return False

    def _scores(self, X: Any) -> np.ndarray:
        scores: np.ndarray = self._apply(self._result, X)
        return scores

    def _weighs_exactly(self) -> bool:
        """Whether it is the same to the last digits with samples of weight 0 and without."""
        return False

    def _more_tags(self) -> Dict[str, Any]:
        tags: Dict[str, Any] = {**super()._more_tags(), "requires_y": self._labelled}
        if self.takes_weights and not self._weighs_exactly():
            tags["_xfail_checks"] = {
                "check_sample_weights_invariance": "samples of weight 0 give the optimum that "
                                                   "leaving them out gives, to the solver's "
                                                   "tolerance, of a kernel whose width is that of "
                                                   "all samples"}
        return tags


def _without_weights(fit: Callable[..., Any]) -> Callable[..., Any]:
    """The method fit() of a machine whose solver uses no weights."""
    def unweighted(self: Any, X: Any, y: Any = None) -> Any:
        return fit(self, X, y)

    unweighted.__name__, unweighted.__qualname__ = fit.__name__, fit.__qualname__
    unweighted.__doc__ = re.sub(r"\n +sample_weight : .*?(?=\n\n)", "", fit.__doc__ or "",
                                flags=re.DOTALL).replace(", with y, or with the weights",
                                                         ", or with y")
    return unweighted


def checked_weights(weights: Any, count: int, labels: Any = None) -> np.ndarray:
    """The weights of `count` samples, checked; with labels, these of two classes at least. Raises
    ValueError where there is not one weight per sample, one is not finite or below 0, all are 0 or
    those of all classes but one, or the largest is beyond float32."""
    from sklearn.utils.validation import _check_sample_weight
    checked = _check_sample_weight(weights, np.empty((count, 1)), dtype=np.float64)
    if not (checked > 0).any():
        raise ValueError("Invalid input - all samples have zero or negative weights.")
    if not 1e-37 <= checked.max() <= 1e37:  # votes and gradients are float32
        raise ValueError(f"The largest sample_weight is {checked.max():g}, which float32 does not "
                         "hold: multiply all weights by a constant.")
    if labels is not None and len(np.unique(labels[checked > 0])) < 2 <= len(np.unique(labels)):
        raise ValueError("Invalid input - all samples with positive weights belong to the same "
                         "class, and those of other classes have the weight 0 or less.")
    check_non_negative(checked, "`sample_weight`")
    return np.ascontiguousarray(checked, dtype=np.float64)
