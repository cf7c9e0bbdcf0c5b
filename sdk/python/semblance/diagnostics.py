# SPDX-License-Identifier: MIT
"""What is to be known of a similarity matrix before a machine is trained on it.

Kernel machines need matrices that are symmetric and positive semi-definite. These functions tell
how far a matrix, or a measure on samples, is from that, and repair it as `KernelSVM` does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

__all__ = ["Spectrum", "asymmetry", "repair", "spectrum", "symmetric"]

REPAIRS = ("clip", "flip", "shift", "square")


@dataclass(frozen=True)
class Spectrum:
    """Eigenvalues of the symmetric part of a similarity matrix.

    Attributes
    ----------
    eigenvalues : ndarray of shape (n,)
        In descending order.
    tolerance : float
        Magnitude up to which an eigenvalue counts as zero: what rounding the matrix to float32
        may do, 1e-6 of its Frobenius norm.
    """

    eigenvalues: np.ndarray
    tolerance: float

    @property
    def smallest(self) -> float:
        return float(self.eigenvalues[-1])

    @property
    def largest(self) -> float:
        return float(self.eigenvalues[0])

    @property
    def negative(self) -> int:
        """How many are below zero, by more than the tolerance."""
        return int((self.eigenvalues < -self.tolerance).sum())

    @property
    def rank(self) -> int:
        """How many are not zero."""
        return int((abs(self.eigenvalues) > self.tolerance).sum())

    @property
    def negative_share(self) -> float:
        """The negative ones' part of the sum of all magnitudes."""
        magnitudes = abs(self.eigenvalues)
        total = float(magnitudes.sum())
        below = self.eigenvalues < -self.tolerance
        return float(magnitudes[below].sum()) / total if total else 0.0

    @property
    def positive_semidefinite(self) -> bool:
        """Whether none is negative."""
        return self.negative == 0

    def __repr__(self) -> str:
        return (f"Spectrum({len(self.eigenvalues)} eigenvalues from {self.smallest:.4g} to "
                f"{self.largest:.4g}, {self.negative} negative)")


def _matrix(similarity: Any, X: Any) -> np.ndarray:
    """The matrix of a measure on samples, or a matrix that is one already.

    Raises
    ------
    ValueError
        It is not square, or has values that are NaN or infinity.
    """
    values = similarity(X, X) if X is not None else similarity
    matrix = np.asarray(values, dtype=np.float64)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"a similarity matrix must be square, got the shape {matrix.shape}")
    if not np.isfinite(matrix).all():
        raise ValueError("the similarity matrix has values that are NaN or infinity")
    return matrix


def asymmetry(similarity: Any, X: Any = None) -> float:
    """The largest difference of s(a, b) and s(b, a), as a share of the largest magnitude.

    Parameters
    ----------
    similarity : array-like of shape (n, n), or a measure
        A matrix; or a measure such as ``semblance.similarity.DTW()``, or any function of two
        arrays of samples.
    X : array-like, optional
        The samples, for a measure.

    Returns
    -------
    float
        0 for a symmetric matrix.

    Examples
    --------
    >>> from semblance.diagnostics import asymmetry
    >>> asymmetry([[1, 0.5], [0.25, 1]])
    0.25
    """
    matrix = _matrix(similarity, X)
    largest = float(abs(matrix).max(initial=0))
    return float(abs(matrix - matrix.T).max(initial=0)) / largest if largest else 0.0


def symmetric(similarity: Any, X: Any = None, *, tolerance: float = 1e-6) -> bool:
    """Whether a matrix, or a measure on samples, is symmetric up to rounding.

    Parameters
    ----------
    similarity, X
        As of :func:`asymmetry`.
    tolerance : float, default=1e-6
        The largest :func:`asymmetry` that counts as rounding.

    Examples
    --------
    >>> from semblance.diagnostics import symmetric
    >>> symmetric([[1, 0.5], [0.5, 1]])
    True
    """
    return asymmetry(similarity, X) <= tolerance


def spectrum(similarity: Any, X: Any = None) -> Spectrum:
    """Eigenvalues of a matrix, or of a measure on samples; of its symmetric part.

    Parameters
    ----------
    similarity, X
        As of :func:`asymmetry`.

    Examples
    --------
    >>> from semblance.diagnostics import spectrum
    >>> spectrum([[1, 2], [2, 1]])
    Spectrum(2 eigenvalues from -1 to 3, 1 negative)
    """
    matrix = _matrix(similarity, X)
    eigenvalues = np.linalg.eigvalsh((matrix + matrix.T) / 2)[::-1]
    return Spectrum(eigenvalues, 1e-6 * float(np.linalg.norm(matrix)))


def repair(similarity: Any, X: Any = None, *, how: str = "clip") -> np.ndarray:
    """A positive semi-definite matrix in the place of an indefinite one.

    Parameters
    ----------
    similarity, X
        As of :func:`asymmetry`.
    how : {"clip", "flip", "shift", "square"}, default="clip"
        What becomes of the eigenvalues: negative ones become 0, or all their magnitudes; all
        grow by the magnitude of the smallest one where it is negative, or are squared.

    Returns
    -------
    ndarray of shape (n, n), float64

    Raises
    ------
    ValueError
        There is no such repair.

    Notes
    -----
    BE-SVM, section 2.5. `KernelSVM` with a `repair` does the same to the matrix of all training
    rows, and treats new samples accordingly, which a repaired matrix alone does not.

    Examples
    --------
    >>> from semblance.diagnostics import repair, spectrum
    >>> spectrum(repair([[1, 2], [2, 1]], how="flip"))
    Spectrum(2 eigenvalues from 1 to 3, 0 negative)
    """
    if how not in REPAIRS:
        raise ValueError(f"how must be one of {', '.join(map(repr, REPAIRS))}, got {how!r}")
    matrix = _matrix(similarity, X)
    values, vectors = np.linalg.eigh((matrix + matrix.T) / 2)
    changed = {"clip": lambda: np.maximum(values, 0), "flip": lambda: abs(values),
               "shift": lambda: values + max(0.0, -float(values.min(initial=0))),
               "square": lambda: values ** 2}[how]()
    repaired = (vectors * changed) @ vectors.T
    return np.asarray((repaired + repaired.T) / 2)
