# SPDX-License-Identifier: MIT
"""Machines that predict numbers, and those that recognize unusual samples."""

from __future__ import annotations

from typing import Any, ClassVar, Dict, List, Optional

import numpy as np
from sklearn.base import OutlierMixin, RegressorMixin
from sklearn.utils.metaestimators import available_if

from .._data import interval_ends, numbered_targets
from .learners import Learner
from .rounding import FAR
from .._rows import check_digits


class Regressor(RegressorMixin, Learner):
    """A machine that predicts one or more numbers of each sample."""

    n_outputs_: int
    _mean: Optional[np.ndarray] = None
    intervals: ClassVar[bool] = False  #: whether the solver gives intervals
    _numeric = True

    def _answers(self, y: Any, names: List[str]) -> Dict[str, Any]:
        self._flat = y.ndim == 1
        if y.dtype.kind not in "biuf":
            raise ValueError(f"y must hold numbers, got an array of type {y.dtype}.")
        given = y.reshape(len(y), -1)
        targets = np.ascontiguousarray(given, dtype=np.float64)
        self._mean = None  # of numbers far from 0, whose differences float32 would lose
        if self._finds_means():
            means = targets.mean(axis=0)
            deviations = targets.std(axis=0)
            far = (np.abs(means) > FAR * deviations) & (given != means).any(axis=0)
            # Estimates of numbers that float32 holds may still need more digits.
            coarse = far & (np.spacing(np.abs(means).astype(np.float32)) > 1e-3 * deviations)
            if far.any() and ((targets.astype(np.float32) != targets).any() or coarse.any()):
                self._mean = np.where(far, means, 0)
                given = targets = targets - self._mean
        check_digits(given, "y")
        return {"targets": targets, "target_names": names or numbered_targets(targets.shape[1])}

    def _learned(self, answers: Dict[str, Any]) -> None:
        self.n_outputs_ = answers["targets"].shape[1]

    def predict(self, X: Any, return_std: bool = False) -> Any:
        """The numbers of each sample. X: samples like those of fit(). Gives an array of shape
        (n,) or (n, numbers), as y of fit(). With return_std, of a KernelIntervals with
        method="gaussian", also the standard deviation of each number, noise included."""
        estimates = self._estimates(X)
        deviations = self._deviations(estimates) if return_std else None
        if self._gives_intervals():
            estimates = estimates[:, 1::3]
        found = [array[:, 0] if self._flat else array
                 for array in (estimates, deviations) if array is not None]
        return tuple(found) if return_std else found[0]

    def _deviations(self, rows: np.ndarray) -> np.ndarray:
        """Those of normal distributions, from rows of lower end, estimate and upper end."""
        quantile = self.metrics_.get("normal_quantile")
        if quantile is None:
            raise TypeError(f"{type(self).__name__} gives no standard deviations: "
                            'KernelIntervals(method="gaussian") gives those of a Gaussian process '
                            "with the same kernel and penalty")
        return (rows[:, 2::3] - rows[:, ::3]) / 2 / quantile

    def _estimates(self, X: Any) -> np.ndarray:
        """The solver's numbers, in double; of intervals lower end, estimate and upper end each."""
        estimates = self._scores(X).astype(np.float64)
        if self._mean is not None:
            estimates += np.repeat(self._mean, estimates.shape[1] // len(self._mean))
        return estimates

    def _finds_means(self) -> bool:
        """Whether a constant added to y is added to the estimates, and changes nothing else."""
        return all(getattr(self, name, True) for name in ("fit_intercept", "center", "bias"))

    def _gives_intervals(self) -> bool:
        return self.intervals

    def _check_intervals(self) -> bool:
        return self._gives_intervals()

    @available_if(lambda machine: machine._check_intervals())  # type: ignore[misc]
    def predict_interval(self, X: Any) -> np.ndarray:
        """The lower and the upper end of each sample's interval, where the machine gives them. X:
        samples like those of fit(). Gives an array of shape (n, 2), or (n, numbers, 2) where y
        had several columns."""
        ends = interval_ends(self._estimates(X))
        return ends[:, 0] if self._flat else ends

    def _more_tags(self) -> Dict[str, Any]:
        return {**Learner._more_tags(self), "multioutput": True}


class Detector(OutlierMixin, Learner):
    """A machine that learns what samples are usually like."""

    offset_: float
    _labelled = False

    def _learned(self, answers: Dict[str, Any]) -> None:
        self.offset_ = float(self.metrics_.get("threshold", 0.0))

    def decision_function(self, X: Any) -> np.ndarray:
        """How usual each sample is: at least 0 for a usual one, below 0 for a novel one. X:
        samples like those of fit(). Gives an array of shape (n,)."""
        return self._scores(X)[:, 0].astype(np.float64)

    def score_samples(self, X: Any) -> np.ndarray:
        """The same without the threshold: ``decision_function(X) + offset_``. X: samples like
        those of fit(). Gives an array of shape (n,)."""
        return self.decision_function(X) + self.offset_

    def predict(self, X: Any) -> np.ndarray:
        """1 for a usual sample, -1 for a novel one. X: samples like those of fit(). Gives an
        array of shape (n,)."""
        return np.where(self.decision_function(X) >= 0, 1, -1)
