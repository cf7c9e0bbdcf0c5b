# SPDX-License-Identifier: MIT
"""Classifiers."""

from __future__ import annotations

import numbers
from typing import Any, Dict, List, Mapping, Optional, Sequence

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.exceptions import NotFittedError
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from .._names import class_names
from .._data import coded
from .learners import Learner


def _has_probabilities(machine: Any) -> bool:
    machine._probabilities()
    return True


class Classifier(ClassifierMixin, Learner):
    """A classifier."""

    classes_: np.ndarray

    def _answers(self, y: Any, names: List[str]) -> Dict[str, Any]:
        classes, labels = coded(y)
        if len(classes) < 2:
            raise ValueError(f"The number of classes has to be greater than one; got "
                             f"{len(classes)} class: {classes[0]!r} is the only label in y.")
        return {"labels": labels, "classes": classes}

    def _learned(self, answers: Dict[str, Any]) -> None:
        self.classes_ = answers["classes"]

    def decision_function(self, X: Any) -> np.ndarray:
        """Scores of the classes. X: samples like those of fit(). Gives an array of shape (n,
        classes), or (n,) for two classes: a larger score means a better fit. For two classes,
        half the difference of their scores, which is above 0 if the second one fits better: for
        machines whose scores are (-f, f), this is f."""
        scores = self._scores(X).astype(np.float64)
        return (scores[:, 1] - scores[:, 0]) / 2 if len(self.classes_) == 2 else scores

    def predict(self, X: Any) -> np.ndarray:
        """The label of each sample. X: samples like those of fit(). Gives an array of shape (n,).
        """
        winners = self._scores(X).argmax(axis=1)
        labels: np.ndarray = self.classes_[winners]
        return labels

    def _probabilities(self) -> str:
        """The node that gives probabilities. Raises AttributeError where there is none."""
        raise AttributeError(f"{self._name()} has no predict_proba: its scores are no "
                             "probabilities; sklearn's CalibratedClassifierCV learns them.")

    @available_if(_has_probabilities)  # type: ignore[misc]
    def predict_proba(self, X: Any) -> np.ndarray:
        """Probabilities of the classes, where the machine gives them. X: samples like those of
        fit(). Gives an array of shape (n, classes): in the order of `classes_`; each row adds up
        to 1."""
        check_is_fitted(self)
        node = self._probabilities()
        if node not in self._trained.nodes:
            raise NotFittedError("predict_proba is not available when fitted with "
                                 f"probability=False: fit this {self._name()} again.")
        found = self._apply(node, X).astype(np.float64)
        probabilities: np.ndarray = found / found.sum(axis=1, keepdims=True)
        return probabilities

    @available_if(_has_probabilities)  # type: ignore[misc]
    def predict_log_proba(self, X: Any) -> np.ndarray:
        """Logarithms of the probabilities of the classes, where the machine gives them. X:
        samples like those of fit(). Gives an array of shape (n, classes)."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def spec(self) -> Dict[str, Any]:
        said = super().spec()
        weights = getattr(self, "class_weight", None)
        if isinstance(weights, str) and weights == "balanced":
            said["balanced"] = True
        elif isinstance(weights, Mapping):
            said["class_weights"] = class_weights(weights, list(weights))
        elif weights is not None:
            class_weights(weights, ())  # refused
        return said

    def _solver(self, classes: Sequence[Any], labels: Optional[np.ndarray]) -> Dict[str, Any]:
        weights = getattr(self, "class_weight", None)
        if isinstance(weights, Mapping):
            class_weights(weights, classes)
        return super()._solver(classes, labels)

    def _more_tags(self) -> Dict[str, Any]:
        return Learner._more_tags(self)



def class_weights(weights: Any, classes: Sequence[Any]) -> Dict[str, float]:
    """The weights of classes by the program's names of classes. Raises ValueError where a class
    does not exist, a weight is not above 0, or the weights are a text; TypeError where the value is
    not a dict of class weights."""
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
