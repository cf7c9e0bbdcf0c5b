# SPDX-License-Identifier: MIT
"""Any classifier of scikit-learn, or of a package with its conventions, as a solver."""

from __future__ import annotations

import difflib
import importlib
import inspect
from typing import Any, Dict, List, Tuple

import numpy as np
import sklearn
from sklearn.base import BaseEstimator, is_classifier

import semblance
from semblance import Refused

__version__ = "1.0"
__license__ = "MIT"


def _class_named(name: str) -> type:
    module_name, _, class_name = name.rpartition(".")
    if not module_name:
        raise Refused(f"class: '{name}' has no module before its name, as in "
                         "sklearn.ensemble.RandomForestClassifier")
    try:
        module = importlib.import_module(module_name)
    except ImportError as problem:
        raise Refused(f"class: '{name}' cannot be imported: {problem}") from None
    found = getattr(module, class_name, None)
    if found is None:
        close = difflib.get_close_matches(class_name, dir(module), 1)
        raise Refused(f"class: the module '{module_name}' has no class '{class_name}'"
                         + (f"; did you mean '{close[0]}'?" if close else ""))
    if not (inspect.isclass(found) and issubclass(found, BaseEstimator)):
        raise Refused(f"class: '{name}' is no estimator of scikit-learn")
    return found


def _check_names(parameters: Dict[str, Any], known: List[str], name: str) -> None:
    for key in parameters:
        if key not in known:
            close = difflib.get_close_matches(key, known, 1)
            raise Refused(f"parameters.{key}: {name} has no such parameter"
                          + (f"; did you mean '{close[0]}'?" if close else
                             f"; it has {', '.join(known)}"))


def _check(model: Any) -> None:
    """Checks the parameters of the classifier, if scikit-learn can do so."""
    validate = getattr(model, "_validate_params", None)
    if validate is None:
        return
    try:
        validate()
    except ValueError as problem:
        raise Refused(f"parameters: {problem}") from None


def _scores(model: Any, samples: np.ndarray, classes: int) -> np.ndarray:
    """One score per class: the decision function, else probabilities, else 1 for the predicted
    class."""
    if hasattr(model, "decision_function"):
        given = np.asarray(model.decision_function(samples))
        if given.ndim == 1:  # two classes: the score of the second one
            given = np.column_stack([-given, given])
        elif given.shape[1] != len(model.classes_):  # one against one, in pairs
            given = _one_hot(model, samples)
    elif hasattr(model, "predict_proba"):
        given = np.asarray(model.predict_proba(samples))
    else:
        given = _one_hot(model, samples)
    if len(model.classes_) == classes:
        return given
    # A class without training rows gets less than any other.
    scores = np.full((len(samples), classes), given.min(initial=0) - 1, given.dtype)
    scores[:, model.classes_] = given
    return scores


def _one_hot(model: Any, samples: np.ndarray) -> np.ndarray:
    return (np.asarray(model.predict(samples))[:, None] == model.classes_).astype(np.float32)


@semblance.solver(
    "solver/sklearn",
    accepts=("vector", "image", "grid"),
    random=True,
    reference="Pedregosa et al.: Scikit-learn: Machine Learning in Python. Journal of Machine "
              "Learning Research 12 (2011)",
    complexity="that of the classifier; its methods run on one thread, unless n_jobs says more",
    example="""
    blobs: {is: source/xor, train: 100, test: 50}
    svm:   {is: solver/sklearn, class: sklearn.ensemble.RandomForestClassifier,
            parameters: {n_estimators: 20, max_depth: 5}, from: blobs}
    test:  {is: evaluator/classification, from: svm}
    """,
    reports={"objective": semblance.figure(
        "share of the first 1000 training rows that it puts into another class; what the method "
        "itself minimizes, it does not say", unit="share", better="lower")},
    **{"class": semblance.text(
           "sklearn.ensemble.RandomForestClassifier",
           "the classifier, with its module"),
       "parameters": semblance.mapping(
           {}, "its parameters; those that are not given have scikit-learn's defaults")})
class SklearnSolver:
    """A classifier of scikit-learn.

    A class's score is what the classifier's decision_function gives, else its probability
    (predict_proba), else 1 for the class that it predicts and 0 for others. If the classifier
    takes a random_state and none is given, it is drawn from the run's seed.

    The learned classifier is stored as a pickle. Reading a pickle executes its content: one that
    another user has made is refused, unless SEMBLANCE_TRUST_PICKLES=1 is set.
    """

    def __init__(self, **given: Any) -> None:
        name, self._values = given["class"], given["parameters"]
        cls = _class_named(name)
        known = sorted(cls._get_param_names())
        _check_names(self._values, known, cls.__name__)
        self._model = cls(**self._values)
        if not is_classifier(self._model):
            raise Refused(f"class: '{name}' is no classifier")
        _check(self._model)
        self._is_random = "random_state" in known and "random_state" not in self._values

    def files(self) -> List[str]:
        """The file that the store's keys depend on besides this one and the installed packages:
        the classifier's, which may be the user's own."""
        return [inspect.getfile(type(self._model))]

    def fit(self, samples: np.ndarray, labels: np.ndarray, classes: Tuple[str, ...],
            context: Any) -> Dict[str, float]:
        if self._is_random:
            self._model.set_params(random_state=context.seed)
        self._model.fit(_flat(samples), labels)
        first = _flat(samples[:1000])
        wrong = _scores(self._model, first, len(classes)).argmax(axis=1) != labels[:1000]
        self._classes = len(classes)
        return {"objective": float(np.mean(wrong))}

    def apply(self, samples: np.ndarray) -> np.ndarray:
        return _scores(self._model, _flat(samples), self._classes)

    def save(self) -> Dict[str, Any]:
        return {"model": self._model, "classes": self._classes, "version": sklearn.__version__}

    def load(self, state: Dict[str, Any]) -> None:
        if state["version"] != sklearn.__version__:
            raise Refused(f"it was trained with scikit-learn {state['version']}, and this is "
                             f"{sklearn.__version__}; train it again")
        self._model, self._classes = state["model"], state["classes"]


def _flat(samples: np.ndarray) -> np.ndarray:
    return samples.reshape(len(samples), -1)
