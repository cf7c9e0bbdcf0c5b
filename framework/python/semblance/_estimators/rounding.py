# SPDX-License-Identifier: MIT
"""What is lost by rounding columns in double to float32, judged for all columns together: the
difference of two columns may be all that matters, though each of them loses little by itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

import numpy as np

#: A mean of this many standard deviations costs six of float32's 24 bits.
FAR = 64

#: Rows that are looked at, and columns up to which directions are.
ROWS, COLUMNS = 2000, 512

#: The share of a direction's deviation, or of that of the scores, that rounding may be.
SMALL = 0.01


@dataclass(frozen=True)
class Rounding:
    """What rounding does to a table in double."""

    centre: Optional[np.ndarray]  #: what to subtract from the columns first; None: nothing
    values: np.ndarray  #: some of the rows about it, in double
    errors: np.ndarray  #: what rounding adds to them

    @classmethod
    def of(cls, X: np.ndarray, centred: bool = True) -> "Optional[Rounding]":
        """None where float32 holds the table, or what distinguishes its rows; with `centred`, a
        constant may be subtracted from each column."""
        if X.dtype.kind not in "fiu" or X.dtype.itemsize < 4 or X.dtype == np.float32:
            return None
        step = max(1, len(X) // ROWS)
        made = cls(None, *_rounded(X[::step]))
        if not made.errors.any():
            return None  # exact
        with np.errstate(over="ignore", invalid="ignore"):
            own = made.values.mean(axis=0)
            means = own if step == 1 else X.mean(axis=0, dtype=np.float64)
            about_means = made.values - own
            deviations = np.sqrt((about_means * about_means).mean(axis=0))
        if not np.isfinite(made.errors).all() or not np.isfinite(means + deviations).all():
            return None  # what is refused
        far = (np.abs(means) > FAR * deviations) & (deviations > 0)
        if not (centred and far.any()) and made._hides_nothing(about_means, deviations):
            return None
        if not centred or not far.any() and not made.loses_directions(0):
            return made
        means[deviations == 0] = 0
        return cls(means, *_rounded(X[::step] - means))

    def _hides_nothing(self, about_means: np.ndarray, deviations: np.ndarray) -> bool:
        """Whether rounding is a small share of what the rows differ by in every direction: the
        least eigenvalue of the correlations is, and the errors of all columns together are bounds
        for all. Then no weights and no penalty lose anything."""
        rows, columns = about_means.shape
        if columns > COLUMNS or rows < 2 * columns or not (deviations > 0).all():
            return False
        unit, errors = about_means / deviations, self.errors / deviations
        least = np.linalg.eigvalsh(unit.T @ unit / rows)[0]
        return bool(least > max(float((errors * errors).sum()) / rows / SMALL ** 2, 1e-12))

    def loses_directions(self, penalty: float) -> bool:
        """Whether rounding hides a direction in which the rows differ, and which a penalty on
        squared weights leaves visible."""
        deviations = self.values.std(axis=0)
        varies = deviations > 0
        columns = int(varies.sum())
        if not columns or columns > COLUMNS or len(self.values) < 2 * columns:
            return False
        scales, rows = deviations[varies], len(self.values)
        means = self.values[:, varies].mean(axis=0)
        unit = (self.values[:, varies] - means) / scales
        errors = self.errors[:, varies] / scales
        worst = float(np.sqrt((errors ** 2).mean(axis=0).max()))
        least = np.linalg.eigvalsh(unit.T @ unit / rows)[0]
        if least > (worst / SMALL) ** 2 and least > 1e-12:
            return False
        _, found, directions = np.linalg.svd(unit, full_matrices=False)
        found /= np.sqrt(rows)
        noise = np.sqrt(((errors @ directions.T) ** 2).mean(axis=0))
        # What double itself has lost is no information, nor what the penalty hides.
        own = 1e3 * np.finfo(np.float64).eps * float((np.abs(means) / scales + 1).max())
        hidden = penalty * ((directions / scales) ** 2).sum(axis=1)
        seen = (found > own) & (rows * found ** 2 > SMALL * hidden)
        return bool((seen & (noise > SMALL * found)).any())

    def loses_scores(self, weights: np.ndarray) -> bool:
        """Whether rounding changes linear functions (functions, columns) by more than a small share
        of what they differ by."""
        noise = np.sqrt(((self.errors @ weights.T) ** 2).mean(axis=0))
        return bool((noise > SMALL * (self.values @ weights.T).std(axis=0)).any())


def _rounded(rows: np.ndarray) -> "tuple[np.ndarray, np.ndarray]":
    values = np.asarray(rows, dtype=np.float64)
    with np.errstate(over="ignore", invalid="ignore"):
        return values, values.astype(np.float32) - values


def about(X: np.ndarray, centre: Optional[np.ndarray]) -> np.ndarray:
    """The rows about the centre, in double; the same array where there is none."""
    return X if centre is None else X - centre
