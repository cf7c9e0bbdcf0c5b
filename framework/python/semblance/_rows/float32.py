# SPDX-License-Identifier: MIT
"""Numbers as float32: refuses values that do not fit, and warns of rounding."""

from __future__ import annotations

from typing import Any, Callable, Optional, Tuple

import numpy as np

LARGEST = float(np.finfo(np.float32).max)

#: Integers up to this one are float32 numbers.
EXACT = 2 ** 24


def as_float32(values: np.ndarray, name: str = "X",
               where: Optional[Callable[[int], Tuple[int, ...]]] = None,
               missing: bool = False) -> np.ndarray:
    """The values as float32 in C order; the array itself if it already has this form. `where` says
    the place of a value of a flat array in the user's samples, for messages. With `missing`, values
    may be NaN.

    Raises
    ------
    ValueError
        A number is too large for float32, or is NaN or infinity.
    TypeError
        The values are not real numbers.
    """
    if values.dtype == np.float32:
        return np.ascontiguousarray(values)
    if values.dtype == object:  # columns of several types
        values = values.astype(np.float64)
    if values.dtype.kind == "c":
        raise ValueError(f"Complex data not supported\n{values!r}\n")
    if values.dtype.kind not in "fiub":
        raise TypeError(f"{name} must hold numbers, got an array of type {values.dtype}.")
    _tell_rounded_integers(values, name)
    with np.errstate(over="ignore"):
        converted = np.ascontiguousarray(values, dtype=np.float32)
    if values.dtype.kind == "f" and values.dtype.itemsize > 4 and converted.size:
        low, high = converted.min(), converted.max()
        if not (np.isfinite(low) and np.isfinite(high)):
            refused = np.isinf(converted) if missing else ~np.isfinite(converted)
            if refused.any():
                _refuse_overflow(values, refused, name, where, missing)
    return converted


def _tell_rounded_integers(values: np.ndarray, name: str) -> None:
    if values.dtype.kind not in "iu" or values.dtype.itemsize < 4 or not values.size:
        return
    if values.max() > EXACT or values.min() < -EXACT:
        from .._errors import warn
        warn(f"{name} has integers beyond {EXACT:,}, which float32 rounds: machines compute with "
             f"float32 values. Scale or shift such columns first.")


def check_series(values: np.ndarray, converted: np.ndarray, name: str) -> None:
    """Checks every series and channel by itself: one on a high level loses its variation, no
    matter how much other ones vary.

    Parameters
    ----------
    values : array of shape (series, steps, channels)
    converted : array of the same shape
        The values as float32.

    Raises
    ------
    ValueError
        A series has lost the differences between its values. If more than a thousandth of them is
        lost, a warning says so.
    """
    if values.dtype.kind not in "fiu" or values.dtype.itemsize < 4 or values.dtype == np.float32:
        return
    low, high = _ends(converted, 1)
    size = np.maximum(np.abs(low), np.abs(high))
    narrow = np.nonzero((high - low < size * 2.0 ** -10) | (size < 2.0 ** -126))
    if not narrow[0].size:
        return
    exact = values.transpose(0, 2, 1)[narrow].astype(np.longdouble)
    spread = np.fmax.reduce(exact, axis=1) - np.fmin.reduce(exact, axis=1)
    error = np.fmax.reduce(np.abs(exact - converted.transpose(0, 2, 1)[narrow]), axis=1)
    lost = np.flatnonzero((error > spread / 1024) & (spread > 0))
    if not lost.size:
        return
    k = int(lost[np.argmax(error[lost] / spread[lost])])
    place, channel = (int(at[k]) for at in narrow)
    said = (f"{name}[{place}]" if len(values) > 1 else name) + (
        f" has values around {_first_value(exact[k]):.4g}" +
        (f" in channel {channel}" if values.shape[2] > 1 else "") +
        f" that differ by {float(spread[k]):.2g} at most, and float32, which is computed with, "
        f"rounds them by up to {float(error[k]):.2g}. " +
        ("Multiply the series by a constant" if size[narrow][k] < 2.0 ** -126 else
         "Subtract a constant from each series, its mean for example") + ", before.")
    if error[k] > spread[k] / 16:
        raise ValueError(said)
    from .._errors import warn
    warn(said)


def tell_lost_digits(values: np.ndarray, converted: np.ndarray, name: str,
                     numbers: Any = None) -> None:
    """Warns of columns that vary so little, compared with their size, that float32 loses it.
    `numbers` are those of the columns of a sparse matrix; None: 0, 1, ... of an array."""
    if values.dtype.kind != "f" or values.dtype.itemsize <= 4 or len(values) < 2:
        return
    low, high = _ends(converted, 0)
    size = np.maximum(np.abs(low), np.abs(high))
    narrow = np.flatnonzero((high - low < size * 2.0 ** -10) | (size < 2.0 ** -126))
    if not narrow.size:
        return
    columns = values[:, narrow]
    spread = np.fmax.reduce(columns, axis=0) - np.fmin.reduce(columns, axis=0)
    lost = (np.fmax.reduce(np.abs(columns - converted[:, narrow]), axis=0)
            > spread * 2.0 ** -10)
    lost &= spread > 0
    if lost.any():
        first = int(np.argmax(lost))
        from .._errors import warn
        number = int(narrow[first]) if numbers is None else int(numbers[narrow[first]])
        remedy = ("Multiply them by a constant" if size[narrow][first] < 2.0 ** -126 else
                  "Subtract their mean")
        example = ", with StandardScaler for example" if numbers is None else ""
        warn(f"{name} has columns that vary by less than float32 can tell: column "
             f"{number} (from 0) has values around {_first_value(columns[:, first]):.4g} that differ "
             f"by {spread[first]:.2g} at most, and machines compute with float32 values. "
             f"{remedy} first{example}.")


def _ends(values: np.ndarray, axis: int) -> Tuple[np.ndarray, np.ndarray]:
    """The smallest and the largest number along an axis, missing values aside."""
    return (np.fmin.reduce(values, axis=axis).astype(float),
            np.fmax.reduce(values, axis=axis).astype(float))


def _first_value(values: np.ndarray) -> float:
    return float(values[~np.isnan(values)][0])


def _refuse_overflow(values: np.ndarray, refused: np.ndarray, name: str,
                     where: Optional[Callable[[int], Tuple[int, ...]]], missing: bool) -> None:
    bad = int(np.argmax(refused))
    value = values.reshape(-1)[bad]
    place = tuple(int(i) for i in np.unravel_index(bad, refused.shape))
    if where is not None:
        place = where(bad)
    if not np.isfinite(value):
        raise ValueError(f"Input {name} contains {'' if missing else 'NaN or '}infinity.")
    raise ValueError(
        f"Input {name} contains a value too large for dtype('float32'): {value:g} at "
        f"{place}. Machines compute with float32 values, whose magnitude "
        f"is at most {LARGEST:.3g}: scale the columns, with StandardScaler for example.")
