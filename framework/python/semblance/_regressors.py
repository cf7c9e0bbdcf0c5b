# SPDX-License-Identifier: MIT
"""Regressors: machines that predict numbers."""

from __future__ import annotations

from typing import Any, Dict

import numpy as np
from sklearn.base import RegressorMixin

from ._data import numbered_targets, target_names
from ._expansions import read_only
from ._machines import Learner, NeighbourSurroundings, OnKernel, Weighted, checked_weights


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

    def _fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        self.spec()
        names = target_names(y)
        samples, y = self._training_samples(X, y, labelled=True, numeric=True)
        weights = None if sample_weight is None else checked_weights(sample_weight, len(samples))
        self._flat = y.ndim == 1
        targets = np.ascontiguousarray(y.reshape(len(y), -1), dtype=np.float64)
        self._learn(samples, weights=weights, targets=targets,
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
        estimates = self._scores(X).astype(np.float64)
        return estimates[:, 0] if self._flat else estimates

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
        if self.bases == "all" and len(samples) < self.k:
            raise ValueError(f"k = {self.k} neighbours are more than n_samples = {len(samples)}: "
                             "lower k, or train with more samples")
