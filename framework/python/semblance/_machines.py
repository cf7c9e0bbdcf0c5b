# SPDX-License-Identifier: MIT
"""Classifiers: a solver, and the components before it."""

from __future__ import annotations

import copy
import numbers
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

import numpy as np
from sklearn.base import ClassifierMixin, clone
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.utils import _safe_indexing, check_array
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _num_samples, check_is_fitted, check_non_negative

from . import _rows, _surroundings
from ._archive import from_bytes, to_bytes
from ._component import Parameterized, component, resolved
from ._data import group_numbers
from ._declared import Declared
from ._errors import warn
from ._estimator import Estimator, Nodes, class_names
from ._expansions import Expansion, by_opponents, read_only
from ._threads import threads


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
        if not 0 < float(factor) < float("inf"):
            raise ValueError(f"The class_weight of {label!r} must be above 0, got {factor!r}.")
        named[names[label]] = float(factor)
    return named


class LinearFunctions(Learner):
    """What machines have in common that are linear functions of the columns."""

    def _weights(self) -> Tuple[np.ndarray, np.ndarray]:
        """Weights, (functions, columns), and constants, read once."""
        if "_trained" not in self.__dict__:
            raise AttributeError(f"This {self._name()} is not fitted yet: it has no weights.")
        if "_learned_weights" not in self.__dict__:
            state = self._trained.state(self._result)
            offsets = read_only(state["offsets"])
            self._learned_weights = (read_only(state["weights"].reshape(len(offsets), -1)),
                                     offsets)
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
        return bool(self._given("regularizer") == "l2")  # the minimum with l1 need not be unique


class OnKernel(Learner):
    """What machines have in common whose `kernel` is any similarity measure, or a function of
    arrays as in scikit-learn: its values are then the samples, as those of a matrix are."""

    kernel: Any

    def _function(self) -> Optional[Any]:
        """The kernel, if it is a function of the user's own."""
        kernel = self.kernel
        own = (callable(kernel) and not isinstance(kernel, (type, Parameterized))
               and not hasattr(kernel, "__semblance__"))
        return kernel if own else None

    def _given(self, name: str) -> Any:
        if name == "kernel" and self._function() is not None:
            return "precomputed"
        return super()._given(name)

    def _precomputed(self) -> bool:
        return self._function() is None and self._is_on("similarity/precomputed")

    def _is_on(self, component: str) -> bool:
        try:
            kernel = resolved(self._given("kernel"), "similarity", self._name(), "kernel")
        except (TypeError, ValueError):
            return False
        return bool(kernel.component == component)

    def _kind(self, X: Any) -> str:
        # The values of a function of the user's own are dense, whatever the samples are.
        if self._function() is not None and _rows.is_sparse(X):
            return "vector"
        return super()._kind(X)

    def _checked_table(self, X: Any, y: Any, labelled: bool, reset: bool, sparse: bool = False,
                       **how: Any) -> Any:
        function = self._function()
        checked = super()._checked_table(X, y, labelled, reset, sparse or function is not None,
                                         **how)
        if function is None:
            self.__dict__.pop("_X_fit", None)
            return checked
        table, y = checked if labelled else (checked, None)
        values = self._values_of(function, table, reset)
        return (values, y) if labelled else values

    def _values_of(self, function: Any, X: Any, training: bool) -> np.ndarray:
        """The values of a kernel function between samples and training samples."""
        if training:
            X = self._X_fit = copy.deepcopy(X)  # the caller may change his
            self._function_fit = function
        else:
            function = self.__dict__.get("_function_fit", function)
        values = function(X, self._X_fit)
        if _rows.is_sparse(values):
            values = values.toarray()
        values = check_array(values, input_name="the kernel's values")
        wanted = (_num_samples(X), _num_samples(self._X_fit))
        if values.shape != wanted:
            raise ValueError(f"The kernel must give an array of shape {wanted}, a value for each "
                             f"sample and training sample, but gave {values.shape}.")
        checked: np.ndarray = values
        return checked

    def _training_samples(self, X: Any, y: Any = None, labelled: bool = False,
                          numeric: bool = False) -> Tuple[_rows.Samples, Any]:
        self._refuse_sparse_matrix(X)
        function = self._function()
        if function is None or is_table(X):
            return super()._training_samples(X, y, labelled, numeric)
        for name in ("_trained", "n_features_in_", "feature_names_in_"):
            self.__dict__.pop(name, None)
        samples = _rows.vectors(self._values_of(function, X, True), training=True)
        self._columns = []
        self._layout = dict(samples.layout)
        return samples, self._checked_labels(y, len(samples), numeric) if labelled else y

    def _samples(self, X: Any) -> Any:
        self._refuse_sparse_matrix(X)
        function = self._function()
        if function is None or is_table(X):
            return super()._samples(X)
        check_is_fitted(self)
        return _rows.vectors(self._values_of(function, X, False)).rows()

    def _refuse_sparse_matrix(self, X: Any) -> None:
        if self._precomputed() and hasattr(X, "tocsr"):
            raise TypeError("Sparse precomputed kernels are not supported. A sparse matrix was "
                            "passed, but dense data is required. Use X.toarray() to convert to a "
                            "dense numpy array.")

    def _is_plain(self, X: Any) -> bool:
        return self._function() is None and super()._is_plain(X)

    def _column_names(self) -> List[str]:
        return [] if self._function() is not None else super()._column_names()

    def _check_training(self, samples: _rows.Samples) -> None:
        if self._precomputed():
            refuse_unless_square(samples)

    def _learn(self, samples: _rows.Samples, labels: Optional[np.ndarray] = None,
               classes: Sequence[Any] = (), **more: Any) -> None:
        self.__dict__.pop("_expanded", None)
        super()._learn(samples, labels, classes, **more)
        self._linear = self._function() is None and self._is_on("similarity/linear")
        self._vector_rows = self._trained.vector_rows(self._result)
        if labels is not None:
            self._vector_classes = labels[self._vector_rows]

    def _expansion(self) -> Expansion:
        """The functions on support vectors, read once."""
        if "_trained" not in self.__dict__:
            raise AttributeError(f"This {self._name()} is not fitted yet: it has no support "
                                 "vectors.")
        if "_expanded" not in self.__dict__:
            columns = getattr(self, "n_features_in_", 0)
            self._expanded = Expansion.of(self._trained.state(self._result), columns)
        found: Expansion = self._expanded
        return found

    def __getstate__(self) -> Dict[str, Any]:
        state = super().__getstate__()
        state.pop("_expanded", None)
        return state

    def _sparse(self) -> bool:
        """Whether it was trained on a sparse matrix: then its vectors and coefficients are sparse,
        as in scikit-learn."""
        return bool(self._layout["kind"] == "sparse vector")

    @property
    def support_(self) -> np.ndarray:
        """The training samples that are support vectors, counted from 0; of a classifier class by
        class."""
        used = self._expansion().used
        support: np.ndarray = self._vector_rows[used]
        return support

    @property
    def support_vectors_(self) -> Any:
        """The support vectors, (vectors, columns), in the order of `support_`; a sparse matrix
        after fit() on one, as `dual_coef_` and `coef_` are then."""
        expansion = self._expansion()
        if expansion.vectors is None or self._layout["kind"] not in _rows.TABLES or \
                self._given("kernel") == "precomputed":
            raise AttributeError(f"This {self._name()} has no support_vectors_: its kernel retains "
                                 "no rows of a table; take X[support_] of its training samples.")
        return expansion.vectors[expansion.used]

    @property
    def n_support_(self) -> np.ndarray:
        """How many support vectors there are; of a classifier, of each class."""
        return np.array([len(self._expansion().used)], dtype=np.int32)

    @property
    def dual_coef_(self) -> Any:
        """Coefficients of the support vectors, (functions, vectors)."""
        expansion = self._expansion()
        return read_only(expansion.coefficients[:, expansion.used], self._sparse())

    @property
    def intercept_(self) -> np.ndarray:
        """Constants of the functions, (functions,)."""
        return read_only(self._expansion().constants)

    @property
    def coef_(self) -> Any:
        """Weights of the columns, (functions, columns), where the kernel is similarity/linear."""
        expansion = self._expansion()
        linear = self.__dict__.get("_linear", None)  # the kernel that it was trained with
        if linear is None:  # an older pickle
            linear = self._is_on("similarity/linear")
        if not linear or expansion.vectors is None:
            raise AttributeError("coef_ is only available when using a linear kernel")
        return read_only(expansion.linear_weights(), self._sparse())

    def _more_tags(self) -> Dict[str, Any]:
        return {**super()._more_tags(), "pairwise": self._precomputed()}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self._precomputed()
        return tags


def refuse_unless_square(samples: _rows.Samples) -> None:
    """Raises ValueError where a matrix does not compare all training samples with all."""
    rows, columns = samples.values.shape
    if rows != columns:
        raise ValueError(f"Precomputed matrix must be a square matrix: the similarities of all "
                         f"training samples to all training samples. Input is a {rows}x{columns} "
                         f"matrix.")


def is_table(X: Any) -> bool:
    """Whether samples are rows of numbers; a kernel function may take any others."""
    if hasattr(X, "dtype"):
        return X.dtype.kind not in "OSU" and X.ndim < 3
    if not isinstance(X, (list, tuple)) or not X:
        return True
    sizes = {np.shape(row) if np.isscalar(row) else len(row) for row in X if hasattr(row, "__len__")
             or np.isscalar(row)}
    return not any(isinstance(row, (str, bytes)) for row in X) and len(sizes) < 2


def _has_probabilities(machine: Any) -> bool:
    if not machine.probability:
        raise AttributeError(f"predict_proba is not available when probability=False: "
                             f"{type(machine).__name__}(probability=True) learns probabilities too")
    return True


def checked_costs(costs: Any) -> List[float]:
    """Values of C as numbers above 0.

    Raises
    ------
    TypeError, ValueError
        They are no sequence of finite numbers above 0, or there are none.
    """
    if isinstance(costs, (str, bytes)) or not hasattr(costs, "__iter__"):
        raise TypeError(f"Cs must be a sequence of numbers, got {costs!r}.")
    declared = Declared("number", above=0)
    found = [float(declared.value(cost, "path()", "Cs")) for cost in costs]
    if not found:
        raise ValueError("Cs is empty: give at least one value of C.")
    return found


#: The folds that probabilities are learned from; fewer where a class has fewer samples.
PLATT_FOLDS = 5


class KernelMachine(OnKernel, WeightedMachine):
    """A kernel machine on any similarity measure."""

    multiclass: str
    decision_function_shape: str
    break_ties: bool
    probability: bool
    C: float
    _smaller_costs: Sequence[float] = ()  #: costs to solve before C

    def _pairwise_classes(self) -> bool:
        """Whether it has a function for each pair of more than two classes."""
        learned = self.__dict__.get("_multiclass_fit", self.multiclass)
        return len(self.classes_) > 2 and learned == "one_versus_one"

    def _fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> Any:
        if self.decision_function_shape not in ("ovr", "ovo"):
            raise ValueError(f"The 'decision_function_shape' parameter of {self._name()} must be "
                             f"'ovr' or 'ovo', got {self.decision_function_shape!r}.")
        if self.decision_function_shape == "ovo" and self.multiclass != "one_versus_one":
            raise ValueError("decision_function_shape='ovo' has a value for each pair of classes, "
                             "and multiclass='one_versus_rest' learns none; use 'ovr'.")
        super()._fit(X, y, sample_weight, groups)
        self._multiclass_fit = self.multiclass
        problems = self.metrics_.get("problems")
        if problems and "n_iter_" in self.__dict__:
            column = problems["columns"].index("iterations")
            self.n_iter_ = np.array([values[column] for values in problems["values"]],
                                    dtype=np.int32)
        return self

    def path(self, X: Any, y: Any, Cs: Sequence[float],
             sample_weight: Any = None) -> List["KernelMachine"]:
        """Machines for several values of C, in less time than as many calls of fit().

        Each starts from the solution for the next smaller C, and kernel rows are computed once for
        all where their matrix fits into half of the memory. All store the same samples, which are
        the support vectors of any of them; `support_` and the like are each machine's own.

        Parameters
        ----------
        X, y, sample_weight
            As for fit().
        Cs : sequence of float
            The values of C, in any order.

        Returns
        -------
        list of KernelSVM
            Trained machines with the parameters of this one but for C, in the order of `Cs`. They
            meet the same stopping rule as fit(), whose machines differ within its tolerance.
            `metrics_` has the totals of their problems; there is no `n_iter_`.

        Raises
        ------
        ValueError, TypeError
            Something is wrong with `Cs`, or as for fit(); probabilities are wanted.
        ConvergenceWarning
            Issued where a machine did not get as far as `tolerance` asks.
        """
        costs = checked_costs(Cs)
        if self.probability:
            raise ValueError("path() learns no probabilities: use probability=False, and fit() "
                             "with probability=True for the C that is best.")
        increasing = sorted(set(costs))
        whole = clone(self).set_params(C=increasing[-1])
        whole._smaller_costs = increasing[:-1]
        whole.fit(X, y, sample_weight)
        made = [whole._of_cost(increasing.index(cost), cost) for cost in costs]
        open_ones = [cost for cost in increasing[:-1]
                     if made[costs.index(cost)].certificate_ != "converged"]
        if open_ones:
            warn(f"{self._name()} did not converge for C = {', '.join(map(repr, open_ones))}; "
                 "metrics_ of these machines has the gap that is left.", ConvergenceWarning)
        return made

    def _of_cost(self, number: int, cost: float) -> Any:
        """The machine of one of the costs of a path."""
        made = clone(self).set_params(C=cost)
        own = {*self.get_params(deep=False), "_trained", "_expanded", "_smaller_costs", "n_iter_"}
        made.__dict__.update((name, value) for name, value in vars(self).items()
                             if name not in own)
        self._trained.use_cost(self._result, number)
        made._trained = from_bytes(to_bytes(self._trained), {"threads": threads(self.n_jobs),
                                                             "memory": self.memory})
        table = self.metrics_.get("path")
        if table is not None:
            values = dict(zip(table["columns"], table["values"][number]))
            made.metrics_ = {
                "objective": values["objective"], "duality_gap": values["relative gap"],
                "violation": values["violation"], "iterations": int(values["iterations"]),
                "support_vectors": int(values["support vectors"])}
            if values["problems not converged"] == 0:
                made.certificate_ = "converged"
            elif self.certificate_ == "converged":
                made.certificate_ = "iteration limit"
        return made

    def _solver(self, classes: Sequence[Any], labels: Optional[np.ndarray]) -> Dict[str, Any]:
        said = super()._solver(classes, labels)
        return {**said, "path": list(self._smaller_costs)} if self._smaller_costs else said

    def _nodes(self, kind: str, classes: Sequence[Any], labels: Optional[np.ndarray]) -> Nodes:
        nodes = super()._nodes(kind, classes, labels)
        if self.probability:
            fewest = int(np.bincount(labels).min()) if labels is not None else PLATT_FOLDS
            if fewest < 2:
                raise ValueError("probability=True needs two samples of each class, one to learn "
                                 "from and one to learn its probability from.")
            nodes["probabilities"] = {"is": "calibrator/platt", "from": "machine",
                                      "folds": min(PLATT_FOLDS, fewest)}
        return nodes

    def decision_function(self, X: Any) -> np.ndarray:
        """Scores of the classes, or values for each pair of classes.

        Parameters
        ----------
        X : array-like
            Samples like those of fit().

        Returns
        -------
        ndarray of shape (n, classes), (n, pairs of classes), or (n,) for two classes
            With ``decision_function_shape="ovr"`` the scores, a larger one for a better fit; with
            "ovo" a value for each pair of classes, (0, 1), (0, 2), ..., above 0 for the first of
            them. For two classes, above 0 for the second.
        """
        check_is_fitted(self)
        if self.decision_function_shape != "ovo" or not self._pairwise_classes():
            return super().decision_function(X)
        values: np.ndarray = self._told(self._trained.decisions, self._result, self._samples(X))
        return values

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
        check_is_fitted(self)
        if self.break_ties or not self._pairwise_classes():
            return super().predict(X)
        votes = np.rint(self._scores(X))  # what breaks ties is less than a third
        labels: np.ndarray = self.classes_[votes.argmax(axis=1)]
        return labels

    @available_if(_has_probabilities)  # type: ignore[misc]
    def predict_proba(self, X: Any) -> np.ndarray:
        """Probabilities of the classes, if ``probability=True``.

        Parameters
        ----------
        X : array-like
            Samples like those of fit().

        Returns
        -------
        ndarray of shape (n, classes)
            In the order of `classes_`; each row adds up to 1.
        """
        check_is_fitted(self)
        if "probabilities" not in self._trained.nodes:
            raise NotFittedError("predict_proba is not available when fitted with "
                                 f"probability=False: fit this {self._name()} again.")
        found = self._apply("probabilities", X).astype(np.float64)
        probabilities: np.ndarray = found / found.sum(axis=1, keepdims=True)
        return probabilities

    @available_if(_has_probabilities)  # type: ignore[misc]
    def predict_log_proba(self, X: Any) -> np.ndarray:
        """Logarithms of the probabilities of the classes, if ``probability=True``.

        Parameters
        ----------
        X : array-like
            Samples like those of fit().

        Returns
        -------
        ndarray of shape (n, classes)
        """
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def _two_classes(self) -> bool:
        """Then scikit-learn's values are above 0 for the second class, and LIBSVM's for the
        first."""
        return len(self.classes_) == 2

    @property
    def n_support_(self) -> np.ndarray:
        """How many support vectors each class has, (classes,)."""
        used = self._expansion().used
        classes = self._vector_classes[used]
        return np.bincount(classes, minlength=len(self.classes_)).astype(np.int32)

    @property
    def dual_coef_(self) -> Any:
        """Coefficients of the support vectors, (classes - 1, vectors) as in scikit-learn's SVC: of
        a vector, with the classes other than its own. (classes, vectors) for one_versus_rest."""
        expansion = self._expansion()
        coefficients = expansion.coefficients[:, expansion.used]
        if self._two_classes():
            coefficients = -coefficients
        elif self._pairwise_classes():
            coefficients = by_opponents(coefficients, self._vector_classes[expansion.used],
                                        len(self.classes_))
        return read_only(coefficients, self._sparse())

    @property
    def intercept_(self) -> np.ndarray:
        """Constants, one for each pair of classes; (classes,) for one_versus_rest."""
        constants = super().intercept_
        return read_only(-constants) if self._two_classes() else constants

    @property
    def coef_(self) -> Any:
        """Weights of the columns, (pairs of classes, columns), where the kernel is
        similarity/linear."""
        weights = super().coef_
        return read_only(-weights, self._sparse()) if self._two_classes() else weights


class OnBases(Estimator):
    """What estimators have in common that compare samples with some of the training samples.

    Attributes
    ----------
    basis_indices_ : ndarray of int
        The training samples that are bases.
    """

    basis_indices_: np.ndarray

    def _measures(self) -> List[Any]:
        """Its similarities."""
        raise NotImplementedError

    def _precomputed(self) -> bool:
        """Whether X is a matrix of similarities to all training samples."""
        try:
            return any(map(_surroundings.is_precomputed, self._measures()))
        except (TypeError, ValueError):
            return False

    def _check_training(self, samples: _rows.Samples) -> None:
        if self._precomputed():
            refuse_unless_square(samples)

    def _keep(self, trained: Any) -> None:
        super()._keep(trained)
        self.basis_indices_ = trained.chosen_rows(_surroundings.BASES)

    def _more_tags(self) -> Dict[str, Any]:
        return {**super()._more_tags(), "pairwise": self._precomputed()}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self._precomputed()
        return tags


class BasisExpandingMachine(OnBases, WeightedMachine):
    """A linear machine on similarities to bases."""

    similarities: Any
    bases: Any
    features: Any
    normalizer: Any
    output_normalizer: Any

    def _parts(self) -> Tuple[List[Any], List[Tuple[Any, ...]]]:
        measures = _surroundings.similarity_list(self.similarities, self._name(), "similarities")
        return measures, _surroundings.feature_chains(self.features, len(measures), self._name())

    def _measures(self) -> List[Any]:
        return self._parts()[0]

    def accepted_layouts(self) -> Tuple[str, ...]:
        measures, chains = self._parts()
        return _surroundings.accepted(measures, chains, self.normalizer, self._name())

    def _nodes(self, kind: str, classes: Sequence[Any], labels: Optional[np.ndarray]) -> Nodes:
        measures, chains = self._parts()
        maker = _surroundings.NodeMaker()
        names = _surroundings.maps(maker, measures, chains, self.normalizer, self.bases, kind,
                                   self._name())
        if self.output_normalizer is not None:
            scaling = resolved(self.output_normalizer, "normalizer", self._name(),
                               "output_normalizer")
            names = [maker.add("phi", scaling.spec(), from_=names)]
        maker.nodes["machine"] = {**self._solver(classes, labels), "from": names}
        return maker.nodes


class NeighbourSurroundings(OnBases, Learner):
    """What machines have in common that look at the most similar training samples."""

    def kneighbors(self, X: Any, n_neighbors: Optional[int] = None,
                   return_distance: bool = True) -> Any:
        """The nearest training samples of each sample, nearest first; of equally near ones first
        the one that stands first.

        Parameters
        ----------
        X : array-like
            Samples like those of fit().
        n_neighbors : int, optional
            How many; None: `k`.
        return_distance : bool, default=True
            Whether to give distances too.

        Returns
        -------
        distances : ndarray of shape (n, n_neighbors), float32
            Only with `return_distance`. Euclidean distances where `similarity` is "auto", else
            minus the similarities.
        indices : ndarray of shape (n, n_neighbors)
            Numbers of training samples, counted from 0.

        Raises
        ------
        ValueError
            X does not fit, or there are fewer bases than neighbours.
        """
        check_is_fitted(self)
        wanted = self.k if n_neighbors is None else n_neighbors
        if isinstance(wanted, bool) or not isinstance(wanted, numbers.Integral):
            raise TypeError(f"n_neighbors must be an integer, got {wanted!r}.")
        if not 1 <= wanted <= len(self.basis_indices_):
            raise ValueError(f"Expected 1 <= n_neighbors <= {len(self.basis_indices_)}, the number "
                             f"of samples that it compares with, got {wanted}.")
        found = [self._nearest(some, int(wanted)) for some in _in_parts(X, self.basis_indices_)]
        distances, indices = (np.concatenate(parts) for parts in zip(*found))
        return (distances, indices) if return_distance else indices

    def _nearest(self, X: Any, count: int) -> Tuple[np.ndarray, np.ndarray]:
        distances = 0 - self._apply(_surroundings.SIMILARITY, X)  # no -0
        columns = np.argsort(distances, axis=1, kind="stable")[:, :count]
        return np.take_along_axis(distances, columns, axis=1), self.basis_indices_[columns]

    k: int

    similarity: Any
    bases: Any
    features: Any
    normalizer: Any

    def _weighs_exactly(self) -> bool:
        return self.normalizer in (None, "auto")  # others learn from all samples

    def _parts(self) -> Tuple[Any, List[Tuple[Any, ...]], Any]:
        """Similarity, features before it, and normalizer."""
        if isinstance(self.similarity, str) and self.similarity == "auto":
            # The similarity is minus the distance: other functions of a distance round far
            # samples, or near ones, to the same similarity. The distance measure takes series.
            distance = component("similarity/euclidean", as_="negative")
            chain = _surroundings.feature_chains(self.features, 1, self._name())[0]
            if self.normalizer not in (None, "auto"):
                chain += (resolved(self.normalizer, "normalizer", self._name(), "normalizer"),)
            return distance, [(*chain, component("feature/as_series"))], None
        return (_surroundings.similarity_list([self.similarity], self._name(), "similarity")[0],
                _surroundings.feature_chains(self.features, 1, self._name()), self.normalizer)

    def _measures(self) -> List[Any]:
        return [self._parts()[0]]

    def accepted_layouts(self) -> Tuple[str, ...]:
        measure, chains, normalizer = self._parts()
        return _surroundings.accepted([measure], chains, normalizer, self._name())

    def _nodes(self, kind: str, classes: Sequence[Any], labels: Optional[np.ndarray]) -> Nodes:
        measure, chains, normalizer = self._parts()
        maker = _surroundings.NodeMaker()
        names = _surroundings.maps(maker, [measure], chains, normalizer, self.bases, kind,
                                   self._name())
        maker.nodes["machine"] = {**self._solver(classes, labels), "from": names}
        return maker.nodes


#: The most similarities that kneighbors() holds at a time.
MOST_VALUES = 1 << 25


def _in_parts(X: Any, bases: np.ndarray) -> Iterator[Any]:
    """X in parts with few enough similarities to the bases."""
    count, step = _num_samples(X), max(1, MOST_VALUES // len(bases))
    for first in range(0, count, step):
        yield X if count <= step else _safe_indexing(X, slice(first, first + step))
    if count == 0:
        yield X  # refused like any other empty array


class NearestNeighbourMachine(NeighbourSurroundings, WeightedMachine):
    """A classifier by votes of the most similar training samples."""

    def _weighs_exactly(self) -> bool:
        return self.k == 1 and super()._weighs_exactly()  # further ones count, whatever they weigh
