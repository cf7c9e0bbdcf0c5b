# SPDX-License-Identifier: MIT
"""Regressors: machines that predict numbers."""

from __future__ import annotations

from typing import Any, Dict, Tuple

import numpy as np
from sklearn.base import RegressorMixin

from ._basis_machines import NeighbourSurroundings
from ._data import group_numbers, interval_ends, numbered_targets, target_names
from ._expansions import read_only
from ._machines import Learner, LinearFunctions, Weighted, checked_weights
from ._on_kernel import OnKernel
from ._rows import check_digits


class Regressor(RegressorMixin, Learner):
    """A machine that predicts one or more numbers of each sample.

    Attributes
    ----------
    n_outputs_ : int
        How many numbers it predicts.
    """

    n_outputs_: int

    def fit(self, X: Any, y: Any) -> "Regressor":
        """Trains the machine.

        Parameters
        ----------
        X : array-like of shape (n, columns), or other samples that the machine takes
            Training samples. A float32 array in C order is used in place.
        y : array-like of shape (n,) or (n, numbers)
            The numbers to predict.

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
        names = target_names(y)
        samples, y = self._training_samples(X, y, labelled=True, numeric=True)
        weights = None if sample_weight is None else checked_weights(sample_weight, len(samples))
        together = None if groups is None else group_numbers(groups, len(samples))
        self._flat = y.ndim == 1
        check_digits(y.reshape(len(y), -1), "y")
        targets = np.ascontiguousarray(y.reshape(len(y), -1), dtype=np.float64)
        self._learn(samples, weights=weights, groups=together, targets=targets,
                    target_names=names or numbered_targets(targets.shape[1]))
        self.n_outputs_ = targets.shape[1]
        return self

    def predict(self, X: Any) -> np.ndarray:
        """The numbers of each sample.

        Parameters
        ----------
        X : array-like
            Samples like those of fit().

        Returns
        -------
        ndarray of shape (n,) or (n, numbers), as y of fit()
        """
        estimates = self._estimates(X)
        return estimates[:, 0] if self._flat else estimates

    def _estimates(self, X: Any) -> np.ndarray:
        """The numbers of each sample, (n, numbers)."""
        return self._scores(X).astype(np.float64)

    def _more_tags(self) -> Dict[str, Any]:
        return {**Learner._more_tags(self), "requires_y": True, "multioutput": True}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags


class WeightedRegressor(Weighted, Regressor):
    """A regressor whose solver uses weights of samples."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "WeightedRegressor":
        """Trains the machine.

        Parameters
        ----------
        X : array-like of shape (n, columns), or other samples that the machine takes
            Training samples. A float32 array in C order is used in place.
        y : array-like of shape (n,) or (n, numbers)
            The numbers to predict.
        sample_weight : array-like of shape (n,), optional
            The weight of each sample, at least 0: its loss is multiplied by the weight, so that 2
            is equivalent to the sample twice. None: 1 each.

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


class IntervalRegressor(WeightedRegressor):
    """A regressor that says between which numbers the true one is."""

    def _estimates(self, X: Any) -> np.ndarray:
        estimates: np.ndarray = super()._estimates(X)[:, 1::3]
        return estimates

    def predict_interval(self, X: Any) -> np.ndarray:
        """The lower and the upper end of each sample's interval.

        Parameters
        ----------
        X : array-like
            Samples like those of fit().

        Returns
        -------
        ndarray of shape (n, 2), or (n, numbers, 2) where y had several columns
        """
        ends = interval_ends(self._scores(X))
        return ends[:, 0] if self._flat else ends


class LinearRegressor(LinearFunctions, WeightedRegressor):
    """A linear machine that predicts numbers, with readable weights."""

    @property
    def coef_(self) -> np.ndarray:
        """Weights, (columns,), or (numbers, columns) where y had several columns."""
        weights = self._weights()[0]
        return weights[0] if self._flat else weights

    @property
    def intercept_(self) -> Any:
        """Constants, (numbers,); of Ridge a number where y had one column, as in
        scikit-learn."""
        constants = self._weights()[1]
        return float(constants[0]) if self._flat and self._is_ridge() else constants

    def _is_ridge(self) -> bool:
        return self.component == "solver/ridge"

    def _weighs_exactly(self) -> bool:
        return self._is_ridge()


class LinearIntervalRegressor(IntervalRegressor, LinearRegressor):
    """Linear functions for the ends of an interval and, between them, the estimate, whose weights
    are readable."""

    def _weights(self) -> Tuple[np.ndarray, np.ndarray]:
        weights, constants = super()._weights()
        return weights[1::3], constants[1::3]


class KernelRegressor(OnKernel, WeightedRegressor):
    """A kernel machine that predicts numbers, on any similarity measure."""

    @property
    def dual_coef_(self) -> Any:
        """Coefficients of the vectors, (numbers, vectors) as in scikit-learn's SVR; of KernelRidge
        (vectors,) or (vectors, numbers), as there."""
        coefficients = super().dual_coef_
        if self.component != "solver/kernel_ridge":
            return coefficients
        if self._sparse():
            coefficients = read_only(coefficients.toarray())
        return coefficients[0] if self._flat else coefficients.T


class NeighbourRegressor(NeighbourSurroundings, WeightedRegressor):
    """Means of the numbers of the most similar training samples."""

    def _check_training(self, samples: Any) -> None:
        super()._check_training(samples)
        if self.bases == "all" and len(samples) < self.k:
            raise ValueError(f"k = {self.k} neighbours are more than n_samples = {len(samples)}: "
                             "lower k, or train with more samples")
