# SPDX-License-Identifier: MIT
"""Novelty detectors: machines that recognize unusual samples."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import OutlierMixin

from ._machines import Learner, Weighted, checked_weights
from ._on_kernel import OnKernel


class NoveltyDetector(OutlierMixin, Learner):
    """A machine that learns what samples are usually like.

    Attributes
    ----------
    offset_ : float
        ``decision_function(X)`` is ``score_samples(X) - offset_``.
    """

    offset_: float

    def fit(self, X: Any, y: Any = None) -> "NoveltyDetector":
        """Trains the machine.

        Parameters
        ----------
        X : array-like of shape (n, columns), or other samples that the machine takes
            Training samples. A float32 array in C order is used in place.
        y : ignored

        Returns
        -------
        self

        Raises
        ------
        ValueError, TypeError
            Something is wrong with a parameter, or with X.
        ConvergenceWarning
            Issued where training did not get as far as `tolerance` asks.
        """
        return self._fit(X)

    def _fit(self, X: Any, sample_weight: Any = None) -> Any:
        self.spec()
        samples, _ = self._training_samples(X)
        weights = None if sample_weight is None else checked_weights(sample_weight, len(samples))
        self._learn(samples, weights=weights)
        self.offset_ = float(self.metrics_.get("threshold", 0.0))
        return self

    def decision_function(self, X: Any) -> np.ndarray:
        """How usual each sample is: at least 0 for a usual one, below 0 for a novel one.

        Parameters
        ----------
        X : array-like
            Samples like those of fit().

        Returns
        -------
        ndarray of shape (n,)
        """
        return self._scores(X)[:, 0].astype(np.float64)

    def score_samples(self, X: Any) -> np.ndarray:
        """The same without the threshold: ``decision_function(X) + offset_``.

        Parameters
        ----------
        X : array-like
            Samples like those of fit().

        Returns
        -------
        ndarray of shape (n,)
        """
        return self.decision_function(X) + self.offset_

    def predict(self, X: Any) -> np.ndarray:
        """1 for a usual sample, -1 for a novel one.

        Parameters
        ----------
        X : array-like
            Samples like those of fit().

        Returns
        -------
        ndarray of shape (n,)
        """
        return np.where(self.decision_function(X) >= 0, 1, -1)


class WeightedDetector(Weighted, NoveltyDetector):
    """A novelty detector whose solver uses weights of samples."""

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> "WeightedDetector":
        """Trains the machine.

        Parameters
        ----------
        X : array-like of shape (n, columns), or other samples that the machine takes
            Training samples. A float32 array in C order is used in place.
        y : ignored
        sample_weight : array-like of shape (n,), optional
            The weight of each sample, at least 0: 2 is equivalent to the sample twice. None: 1
            each.

        Returns
        -------
        self

        Raises
        ------
        ValueError, TypeError
            Something is wrong with a parameter, with X, or with the weights.
        ConvergenceWarning
            Issued where training did not get as far as `tolerance` asks.
        """
        self._fit(X, sample_weight)
        return self


class KernelDetector(OnKernel, WeightedDetector):
    """A novelty detector on any similarity measure."""
