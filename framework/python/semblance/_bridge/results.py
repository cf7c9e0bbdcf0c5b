# SPDX-License-Identifier: MIT
"""Checks of a component's results."""

from __future__ import annotations

from typing import Any, Tuple

import numpy as np

from .._declare import Refused


def numeric(result: Any, what: str) -> np.ndarray:
    """The value as an array of real numbers; `what` names it in messages."""
    try:
        array = np.asarray(result)
    except ValueError:  # rows of differing lengths
        raise Refused(f"{what} is no array of numbers: its rows differ in length") from None
    if array.dtype.kind not in "fiub":
        raise Refused(f"{what} is an array of {array.dtype}, not of real numbers")
    return array


def finite(array: np.ndarray, what: str, rows: str) -> np.ndarray:
    """The array as float32, after a check that every value is finite in it."""
    with np.errstate(over="ignore"):
        values = array.astype(np.float32, copy=False)
    good = np.isfinite(values)
    if not good.all():
        place = tuple(int(i) for i in np.argwhere(~good)[0])
        found = array[place]
        how = "NaN" if np.isnan(found) else "infinite" if np.isinf(found) else \
            f"{found}, beyond what float32 holds"
        raise Refused(f"{what} has a value that is {how}: {list(place)} of its {rows}; scale the "
                      "samples, or return finite numbers")
    return values


def shape_text(shape: Tuple[int, ...]) -> str:
    """The shape as Python writes it."""
    return "(" + ", ".join(map(str, shape)) + ("," if len(shape) == 1 else "") + ")"


def whole_number(number: Any, what: str) -> int:
    """A whole number of at least 1; `what` names it in messages."""
    if isinstance(number, bool) or not isinstance(number, (int, np.integer)) or number < 1:
        raise Refused(f"{what} is {number!r}, not a whole number of at least 1")
    return int(number)
