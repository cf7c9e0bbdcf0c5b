# SPDX-License-Identifier: MIT
"""Rows as the runtime passes them: a table, or values and offsets if rows differ in length."""

from __future__ import annotations

from typing import Tuple, Union

import numpy as np

Values = Union[np.ndarray, Tuple[np.ndarray, np.ndarray]]


def row_count(values: Values) -> int:
    """The number of rows."""
    return len(values[1]) - 1 if isinstance(values, tuple) else len(values)


def row_range(values: Values, first: int, last: int) -> Values:
    """A view of the rows [first, last)."""
    if isinstance(values, tuple):
        return values[0], values[1][first:last + 1]
    return values[first:last]


def chosen_rows(values: Values, rows: np.ndarray) -> Values:
    """A copy of some of the rows, which may be repeated."""
    if not isinstance(values, tuple):
        return locked(values[rows])
    flat, offsets = values
    parts = [flat[offsets[i]:offsets[i + 1]] for i in rows]
    ends = np.concatenate([[0], np.cumsum([len(p) for p in parts])]).astype(np.int64)
    return locked(np.concatenate(parts) if parts else flat[:0]), ends


def locked(array: np.ndarray) -> np.ndarray:
    """The array itself, made read-only."""
    array.flags.writeable = False
    return array


def tile(values: Values, first: int, rows: int) -> Values:
    """Rows [first, first + rows); the last row is repeated if there are fewer."""
    count = row_count(values)
    if first + rows <= count:
        return row_range(values, first, first + rows)
    return chosen_rows(values, np.minimum(np.arange(first, first + rows), count - 1))
