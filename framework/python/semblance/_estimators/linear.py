# SPDX-License-Identifier: MIT
"""Machines that are linear functions of the columns."""

from __future__ import annotations

from typing import Any, Optional, Tuple

import numpy as np

from .kernel import read_only
from .learners import Learner
from .rounding import Rounding


class LinearFunctions(Learner):
    """What machines have in common that are linear functions of the columns."""

    def _densifies(self) -> bool:
        return "sparse vector" not in self.layouts

    def _weights(self) -> Tuple[np.ndarray, np.ndarray]:
        """Weights, (functions, columns), and constants; of intervals those of the estimate between
        the ends."""
        found: Tuple[np.ndarray, np.ndarray] = self._once("weights", self._read_weights)
        return found

    def _read_weights(self) -> Tuple[np.ndarray, np.ndarray]:
        state = self._trained.state(self._result)
        offsets = state["offsets"]
        columns = state.get("columns")  # those that occurred in sparse rows
        stored = state["weights" if columns is None else "weights_of_columns"]
        stored = stored.reshape(len(offsets), -1)
        weights = np.zeros((len(offsets), state["inputs"]))
        # The columns after those of older models have no weight.
        weights[:, slice(stored.shape[1]) if columns is None else columns] = stored
        if getattr(self, "intervals", False):
            weights, offsets = weights[1::3], offsets[1::3]
        if self._centre is not None:
            offsets = offsets - weights @ self._centre
        return read_only(weights), read_only(offsets)

    def _ignores_constants(self) -> Optional[bool]:
        return all(getattr(self, name, True) for name in ("fit_intercept", "center", "bias"))

    def _loses(self, rounding: Rounding) -> bool:
        penalty = self.metrics_.get("penalty")
        return rounding.loses_scores(self._weights()[0]) or (
            penalty is not None and rounding.loses_directions(penalty))

    @property
    def coef_(self) -> np.ndarray:
        """Weights, (classes, columns), for two classes (1, columns), those of the second; of a
        regressor (numbers, columns), or (columns,) where y had one column."""
        weights = self._weights()[0]
        return weights[0] if self.__dict__.get("_flat") else weights

    @property
    def intercept_(self) -> Any:
        """Constants, (classes,), (1,) for two classes, or (numbers,); of Ridge a number where y had
        one column, as in scikit-learn."""
        constants = self._weights()[1]
        if self.__dict__.get("_mean") is not None:
            constants = read_only(constants + self._mean)
        one = self.__dict__.get("_flat") and self.component == "solver/ridge"
        return float(constants[0]) if one else constants

    @property
    def alpha_(self) -> float:
        """The penalty of a ridge regression, given or chosen."""
        if "penalty" not in self.__dict__.get("metrics_", ()):
            raise AttributeError(f"{self._name()} has no alpha_, or is not fitted.")
        return float(self.metrics_["penalty"])

    def _weighs_exactly(self) -> bool:
        if self.component in ("solver/ridge", "solver/ridge_classifier"):
            return True
        # The minimum with l1 need not be unique; Crammer and Singer's is reached to the tolerance.
        return (self.component == "solver/linear_svm" and bool(self._given("regularizer") == "l2")
                and bool(self._given("multiclass") != "crammer_singer"))
