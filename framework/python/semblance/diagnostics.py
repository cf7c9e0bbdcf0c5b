# SPDX-License-Identifier: MIT
"""Is a similarity a kernel? Symmetry, spectrum and repair of similarity matrices.

Functions take a matrix, or a measure and the samples to compare: ``spectrum(K)``,
``spectrum(semblance.similarity.DTW(), X)``.

The definitions are those of the components: :func:`spectrum` is ``evaluator/spectrum``, and
:func:`repair` and :func:`positive_semidefinite` are what ``solver/kernel_svm`` does with the kernel
matrix of its training samples. Values are float32, like all similarities in Semblance; the
decompositions are in double precision.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional

import numpy as np

__all__ = ["Spectrum", "asymmetry", "positive_semidefinite", "repair", "spectrum", "symmetric"]

#: Ways to make an indefinite matrix positive semi-definite.
REPAIRS = ("clip", "flip", "shift", "square", "krein")


@dataclass(frozen=True)
class Spectrum:
    """The eigenvalues of a matrix's symmetric part, and how many are negative.

    Attributes
    ----------
    eigenvalues : ndarray of shape (n,)
        In float64, the largest first.
    negative_ratio : float
        Share of negative eigenvalues (NgRat).
    negative_energy : float
        Sum of the negative eigenvalues' magnitudes over that of the positive ones (NgEng);
        infinity if none is positive but some are negative.
    negative_eigenvalues, positive_eigenvalues : int
        Their numbers; eigenvalues within the threshold of zero are neither.
    smallest_eigenvalue, largest_eigenvalue : float
    asymmetry : float
        The relative size of the ignored antisymmetric part, see :func:`asymmetry`.
    """

    eigenvalues: np.ndarray
    negative_ratio: float
    negative_energy: float
    negative_eigenvalues: int
    positive_eigenvalues: int
    smallest_eigenvalue: float
    largest_eigenvalue: float
    asymmetry: float

    def __repr__(self) -> str:
        count = len(self.eigenvalues)
        return (f"Spectrum({count} eigenvalues from {self.smallest_eigenvalue:.4g} to "
                f"{self.largest_eigenvalue:.4g}, {self.negative_eigenvalues} negative, "
                f"negative_energy={self.negative_energy:.4g}, asymmetry={self.asymmetry:.4g})")


def asymmetry(K: Any, X: Any = None) -> float:
    """The asymmetry of a matrix, |K - K^T| / |K| in the Frobenius norm.

    Parameters
    ----------
    K : array-like of shape (n, n), or a measure
        A matrix; or a function of two lists of samples, such as ``semblance.similarity.DTW()``.
    X : array-like, optional
        The samples, for a measure.

    Returns
    -------
    float
        0 for a symmetric matrix, 2 for an antisymmetric one.

    Raises
    ------
    ValueError
        K is not square, has no values, or has values that are not finite.

    Examples
    --------
    >>> from semblance import diagnostics
    >>> diagnostics.asymmetry([[1, 2], [2, 1]])
    0.0
    """
    matrix = _matrix(K, X).astype(np.float64)
    size = np.linalg.norm(matrix)
    return float(np.linalg.norm(matrix - matrix.T) / size) if size > 0 else 0.0


def symmetric(K: Any, X: Any = None, *, tolerance: float = 1e-6) -> bool:
    """Whether a matrix is symmetric, up to rounding.

    Parameters
    ----------
    K, X
        As of :func:`asymmetry`.
    tolerance : float, default=1e-6
        The largest :func:`asymmetry` that counts as rounding; 0: each value must be equal to the
        one across the diagonal.

    Returns
    -------
    bool

    Raises
    ------
    ValueError
        As :func:`asymmetry`; or the tolerance is negative.

    Examples
    --------
    >>> from semblance import diagnostics
    >>> diagnostics.symmetric([[1, 2], [3, 1]])
    False
    """
    if not tolerance >= 0:
        raise ValueError(f"The 'tolerance' parameter of symmetric must be at least 0, got "
                         f"{tolerance!r}.")
    return asymmetry(K, X) <= tolerance


def spectrum(K: Any, X: Any = None, *, threshold: Optional[float] = None) -> Spectrum:
    """The eigenvalues of a similarity matrix, and its distance from a kernel matrix.

    Parameters
    ----------
    K, X
        As of :func:`asymmetry`. The eigenvalues are those of the symmetric part (K + K^T) / 2.
    threshold : float in [0, 1), default=None
        Eigenvalues up to this share of the largest magnitude count as zero, because rounding
        gives zeros either sign. None: the default of ``evaluator/spectrum``.

    Returns
    -------
    Spectrum

    Raises
    ------
    ValueError
        K is not square, has no values, or has values that are not finite; the threshold is out
        of range.

    References
    ----------
    BE-SVM, section 3.3, Table 2.

    Examples
    --------
    >>> from semblance import diagnostics
    >>> diagnostics.spectrum([[0, 1], [1, 0]]).negative_ratio
    0.5
    """
    if threshold is not None and not 0 <= threshold < 1:
        raise ValueError(f"The 'threshold' parameter of spectrum must be in [0, 1), got "
                         f"{threshold!r}.")
    matrix = _matrix(K, X).astype(np.float64)
    eigenvalues = np.linalg.eigvalsh((matrix + matrix.T) / 2)[::-1]
    zero = (1e-6 if threshold is None else threshold) * np.abs(eigenvalues).max()
    below, above = eigenvalues[eigenvalues < -zero], eigenvalues[eigenvalues > zero]
    energy = np.abs(below).sum() / above.sum() if len(above) else np.inf if len(below) else 0.0
    return Spectrum(eigenvalues, len(below) / len(eigenvalues), float(energy), len(below),
                    len(above), float(eigenvalues[-1]), float(eigenvalues[0]), asymmetry(matrix))


def positive_semidefinite(K: Any, X: Any = None) -> bool:
    """Whether the symmetric part of a similarity matrix is a kernel matrix, up to rounding.

    Parameters
    ----------
    K, X
        As of :func:`asymmetry`. The symmetric part (K + K^T) / 2 is tested, as in
        ``solver/kernel_svm``.

    Returns
    -------
    bool
        Whether no eigenvalue is below -1e-6 times the Frobenius norm, the effect that rounding
        values to float32 can have on zeros.

    Raises
    ------
    ValueError
        K is not square, has no values, or has values that are not finite.

    Examples
    --------
    >>> from semblance import diagnostics
    >>> diagnostics.positive_semidefinite([[1, 2], [2, 1]])
    False
    """
    matrix = _symmetric_part(K, X).astype(np.float64)
    return bool(np.linalg.eigvalsh(matrix)[0] >= -1e-6 * np.linalg.norm(matrix))


def repair(K: Any, how: str = "clip", *, negative_weight: float = 1.0) -> np.ndarray:
    """A positive semi-definite matrix made from an indefinite one.

    Parameters
    ----------
    K : array-like of shape (n, n)
        Not changed. Its symmetric part (K + K^T) / 2 is repaired.
    how : {"clip", "flip", "shift", "square", "krein"}, default="clip"
        The change of the eigenvalues. clip: negative ones become 0, which gives the nearest
        positive semi-definite matrix; flip: absolute values; shift: all grow by the magnitude of
        the smallest one, if that is negative; square: their squares; krein: as flip, with
        negative ones divided by `negative_weight`.
    negative_weight : float, default=1
        For krein only; above 0.

    Returns
    -------
    ndarray of shape (n, n), float32
        Symmetric. Takes about 40 n^2 bytes while it is made.

    Raises
    ------
    ValueError
        K is not square, has no values or has values that are not finite; `how` is unknown; values
        become too large for float32.

    References
    ----------
    Y. Chen et al. (2009), "Similarity-based classification: concepts and algorithms", section 4;
    BE-SVM, section 2.2.

    Examples
    --------
    >>> from semblance import diagnostics
    >>> diagnostics.repair([[0, 1], [1, 0]], "flip").round(6)
    array([[1., 0.],
           [0., 1.]], dtype=float32)
    """
    if how not in REPAIRS:
        raise ValueError(f"The 'how' parameter of repair must be one of {', '.join(REPAIRS)}, got "
                         f"{how!r}.")
    if not negative_weight > 0:
        raise ValueError(f"The 'negative_weight' parameter of repair must be above 0, got "
                         f"{negative_weight!r}.")
    if negative_weight != 1 and how != "krein":
        raise ValueError("negative_weight is used by how='krein' only; set that, or omit "
                         "negative_weight.")
    values, vectors = np.linalg.eigh(_symmetric_part(K).astype(np.float64))
    repaired = {"clip": np.maximum(values, 0), "flip": np.abs(values),
                "shift": values - min(values[0], 0), "square": values ** 2,
                "krein": np.where(values < 0, -values / negative_weight, values)}[how]
    roots = vectors * np.sqrt(repaired)
    with np.errstate(over="ignore"):
        matrix: np.ndarray = (roots @ roots.T).astype(np.float32)
    if not np.isfinite(matrix).all():
        raise ValueError(f"The repaired matrix has values that are too large for float32 "
                         f"(how={how!r}): scale K first.")
    return matrix


def _matrix(K: Any, X: Any = None) -> np.ndarray:
    """K, or a measure's values on X, as float32 in C order; K itself if it has this form."""
    if callable(K) != (X is not None):
        raise TypeError("Give a matrix alone, or a measure and the samples to compare: spectrum(K) "
                        "or spectrum(DTW(), X).")
    values = np.asarray(K if X is None else K(X, X))
    if values.ndim != 2 or values.shape[0] != values.shape[1]:
        raise ValueError(f"K must be a square matrix, with a row and a column for each sample, "
                         f"got an array of shape {values.shape}.")
    if values.size == 0:
        raise ValueError("K has no values: it needs at least one row and one column.")
    if values.dtype.kind not in "fiub":
        raise TypeError(f"K must hold real numbers, got an array of type {values.dtype}.")
    with np.errstate(over="ignore"):
        matrix = np.ascontiguousarray(values, dtype=np.float32)
    finite = np.isfinite(matrix)
    if not finite.all():
        row, column = (int(i) for i in np.argwhere(~finite)[0])
        raise ValueError(f"K must hold finite float32 values; the value in row {row}, column "
                         f"{column} (counted from 0) is {values[row, column]}.")
    return matrix


def _symmetric_part(K: Any, X: Any = None) -> np.ndarray:
    """A new matrix (K + K^T) / 2, as in kernel machines."""
    matrix = _matrix(K, X)
    if not (abs(matrix) <= np.finfo(np.float32).max / 2).all():
        raise ValueError("K has values above half of float32's largest: scale it first.")
    return (matrix + matrix.T) / np.float32(2)
