# SPDX-License-Identifier: MIT
"""Kernel machines that classify."""

from __future__ import annotations

import numbers
from typing import Any, Dict, List, Optional, Sequence, Union

import numpy as np
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from .._archive import unpacked
from .classifiers import Classifier
from .._errors import warn
from .estimator import Nodes
from .kernel import OnKernel, by_opponents, read_only


def checked_costs(costs: Any) -> List[float]:
    """Values of C as numbers above 0. Raises TypeError or ValueError where they are no sequence of
    finite numbers above 0, or there are none."""
    if isinstance(costs, (str, bytes)) or not hasattr(costs, "__iter__"):
        raise TypeError(f"Cs must be a sequence of numbers, got {costs!r}.")
    found = list(costs)
    for cost in found:
        if isinstance(cost, bool) or not isinstance(cost, numbers.Real):
            raise TypeError(f"Cs must hold numbers, got {cost!r}.")
        if not 0 < float(cost) < float("inf"):
            raise ValueError(f"Cs must hold finite numbers above 0, got {cost!r}.")
    if not found:
        raise ValueError("Cs is empty: give at least one value of C.")
    return [float(cost) for cost in found]


#: The folds that probabilities are learned from; fewer where a class has fewer samples.
PLATT_FOLDS = 5


class KernelClassifier(OnKernel, Classifier):
    """A kernel machine on any similarity measure."""

    multiclass: str
    decision_function_shape: str
    break_ties: bool
    probability: bool
    C: Union[float, str]
    Cs: Optional[Sequence[float]] = None  # for subclasses with parameters of their own
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
        if self.probability:
            warn("probability=True follows an interface that scikit-learn deprecates, and will go: "
                 f"use CalibratedClassifierCV({self._name()}(...)), or calibrator/probabilities in a "
                 "pipeline.", FutureWarning)
        super()._fit(X, y, sample_weight, groups)
        self._multiclass_fit = self.multiclass
        problems = self.metrics_.get("problems")
        if problems and "n_iter_" in self.__dict__:
            column = problems["columns"].index("iterations")
            self.n_iter_ = np.array([values[column] for values in problems["values"]],
                                    dtype=np.int32)
        return self

    def path(self, X: Any, y: Any, Cs: Sequence[float],
             sample_weight: Any = None) -> List["KernelClassifier"]:
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
        whole = self._with_cost(increasing[-1])
        whole._smaller_costs = increasing[:-1]
        whole.fit(X, y, sample_weight)
        made = [whole._of_cost(increasing.index(cost), cost) for cost in costs]
        open_ones = [cost for cost in increasing[:-1]
                     if made[costs.index(cost)].certificate_ != "converged"]
        if open_ones:
            warn(f"{self._name()} did not converge for C = {', '.join(map(repr, open_ones))}; "
                 "metrics_ of these machines has the gap that is left.", ConvergenceWarning)
        return made

    def _with_cost(self, cost: float) -> Any:
        """An untrained machine with this C, without parameters that choose C."""
        usual = type(self)().get_params(deep=False)
        choosing = {name: usual[name] for name in ("Cs", "folds") if name in usual}
        return clone(self).set_params(C=cost, **choosing)

    def _of_cost(self, number: int, cost: float) -> Any:
        """The machine of one of the costs of a path."""
        made = self._with_cost(cost)
        own = {*self.get_params(deep=False), "_read", "_smaller_costs", "n_iter_"}
        self._trained.use_cost(self._result, number)
        learned = {name: value for name, value in vars(self).items() if name not in own}
        made.__dict__.update(unpacked({**vars(made), **learned, "_trained": self._trained.files()}))
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
        costs = self._smaller_costs or self._candidates()
        return {**said, "path": list(costs)} if costs else said

    def _candidates(self) -> Sequence[float]:
        """The values that C is chosen from, increasing; none: the program's own."""
        if self.Cs is None:
            return ()
        if self.C != "automatic":
            raise ValueError(f"Cs has the values that C='automatic' chooses from, but C is "
                             f"{self.C!r}; omit Cs, or use C='automatic'.")
        candidates = sorted(set(checked_costs(self.Cs)))
        if len(candidates) < 2:
            raise ValueError("Cs has a single value to choose C from; give C that value.")
        return candidates

    def _nodes(self, kind: str, classes: Sequence[Any], labels: Optional[np.ndarray]) -> Nodes:
        nodes = super()._nodes(kind, classes, labels)
        if self.probability:
            fewest = int(np.bincount(labels).min()) if labels is not None else PLATT_FOLDS
            if fewest < 2:
                raise ValueError("probability=True needs two samples of each class, one to learn "
                                 "from and one to learn its probability from.")
            nodes["probabilities"] = {"is": "calibrator/probabilities", "from": "machine",
                                      "folds": min(PLATT_FOLDS, fewest)}
        return nodes

    def decision_function(self, X: Any) -> np.ndarray:
        """Scores of the classes, or values for each pair of classes. X: samples like those of
        fit(). Gives an array of shape (n, classes), (n, pairs of classes), or (n,) for two
        classes: with ``decision_function_shape="ovr"`` the scores, a larger one for a better fit;
        with "ovo" a value for each pair of classes, (0, 1), (0, 2), ..., above 0 for the first of
        them. For two classes, above 0 for the second."""
        check_is_fitted(self)
        if self.decision_function_shape != "ovo" or not self._pairwise_classes():
            return super().decision_function(X)
        values: np.ndarray = self._told(self._trained.decisions, self._result, self._samples(X))
        return values

    def predict(self, X: Any) -> np.ndarray:
        """The label of each sample. X: samples like those of fit(). Gives an array of shape (n,).
        """
        check_is_fitted(self)
        if self.break_ties or not self._pairwise_classes():
            return super().predict(X)
        votes = np.rint(self._scores(X))  # what breaks ties is less than a third
        labels: np.ndarray = self.classes_[votes.argmax(axis=1)]
        return labels

    def _probabilities(self) -> str:
        if not self.probability:
            raise AttributeError("predict_proba is not available when probability=False: "
                                 f"{self._name()}(probability=True) learns probabilities too")
        return "probabilities"

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
