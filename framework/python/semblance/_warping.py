# SPDX-License-Identifier: MIT
"""The path of steps that dynamic time warping aligns."""

from __future__ import annotations

from typing import Any, List, Tuple

import numpy as np

from . import _rows
from ._component import component


def dtw_path(a: Any, b: Any, *, window: float = 100.0,
             channels: str = "dependent") -> Tuple[Any, float]:
    """The steps of two series that dynamic time warping aligns, and their distance.

    Parameters
    ----------
    a, b : array-like of shape (steps,) or (channels, steps)
        The series.
    window : float, default=100.0
        As of :func:`dtw`: how far the two may be apart in time, in per cent of the longer one.
    channels : {"dependent", "independent"}, default="dependent"
        As of :func:`dtw`: "independent" warps each channel on its own.

    Returns
    -------
    path : ndarray of shape (pairs, 2)
        The aligned pairs (step of a, step of b), counted from 0, from both first steps to both last
        ones. Of paths with the same cost the one that first takes a step of both. A list with the
        path of each channel for ``channels="independent"``.
    distance : float
        The root of the sum of squared differences along the path: ``-dtw(a, b, as_="negative")``
        up to that function's rounding, since it sums in float32 and this one in float64. Takes about
        30 bytes for each pair of steps.

    Raises
    ------
    ValueError, TypeError
        A parameter is out of its range; a or b is no series, or they differ in their channels.

    Examples
    --------
    >>> from semblance.similarity import dtw_path
    >>> path, distance = dtw_path([0, 1, 3, 3], [0, 0, 1, 3])
    >>> path.tolist(), distance
    ([[0, 0], [0, 1], [1, 2], [2, 3], [3, 3]], 0.0)
    """
    # The measure checks its parameters.
    _ = component("similarity/dtw", window=window, channels=channels).symmetric
    one_by_one = channels == "independent"
    first, second = _series(a, "a"), _series(b, "b")
    if first.shape[1] != second.shape[1]:
        raise ValueError(f"a has {first.shape[1]} channels and b has {second.shape[1]}: a path "
                         f"aligns series with the same channels.")
    inside = band(len(first), len(second), window)
    everything = np.arange(first.shape[1])
    parts = np.split(everything, len(everything)) if one_by_one else [everything]
    paths: List[np.ndarray] = []
    total = 0.0
    for part in parts:
        sums = accumulated(squared_differences(first[:, part], second[:, part], inside))
        paths.append(cheapest_path(sums))
        total += float(sums[-1, -1])
    return paths if one_by_one else paths[0], float(np.sqrt(total))


def _series(values: Any, name: str) -> np.ndarray:
    """A series as (steps, channels) in float64, with the values that measures see in float32."""
    array = _rows.table_of(values, name)
    if np.ndim(array) not in (1, 2) or not np.size(array):
        raise ValueError(f"{name} must be one series, an array (steps,) or (channels, steps), got "
                         f"{values!r}.")
    one = _rows.samples([np.asarray(array)], "sequence", owner="dtw_path", name=name)
    steps = one.values.reshape(-1, one.layout["depth"]).astype(np.float64)
    if not np.isfinite(steps).all():
        raise ValueError(f"Input {name} contains NaN or infinity.")
    return steps


def band(rows: int, columns: int, window: float) -> np.ndarray:
    """Which pairs of steps a window permits, (rows, columns): the cells of
    ``semblance_numerics/lanes_band.hpp``."""
    if window >= 100:
        return np.ones((rows, columns), dtype=bool)
    # 7 per cent of 100 is 7 and not 8, although 0.07 is a little more than that in binary.
    radius = int(np.ceil(window * max(rows, columns) / 100 * (1 - 1e-12)))
    shorter, longer = min(rows, columns), max(rows, columns)
    reach = max(2 * radius * (shorter - 1), longer - 1)
    off_line = np.arange(rows)[:, None] * (columns - 1) - np.arange(columns) * (rows - 1)
    inside: np.ndarray = 2 * np.abs(off_line) <= reach
    return inside


def squared_differences(first: np.ndarray, second: np.ndarray, inside: np.ndarray) -> np.ndarray:
    """The cost of each pair of steps, (rows, columns); infinite outside of the window."""
    costs = np.zeros(inside.shape)
    for channel in range(first.shape[1]):
        costs += (first[:, channel, None] - second[:, channel]) ** 2
    costs[~inside] = np.inf
    return costs


def accumulated(costs: np.ndarray) -> np.ndarray:
    """The least sum of costs on a path from the first pair to each pair, (rows, columns)."""
    rows, columns = costs.shape
    sums = np.full((rows + 1, columns + 1), np.inf)
    sums[0, 0] = 0
    flat, width = sums.reshape(-1), columns + 1
    for diagonal in range(rows + columns - 1):  # the cells (i, diagonal - i), all at once
        low, high = max(0, diagonal - columns + 1), min(rows - 1, diagonal)
        rows_on_it = np.arange(low, high + 1)
        # The place of the cell (i, j) is (i + 1, j + 1): the row and column before hold infinity.
        places = (rows_on_it + 1) * width + diagonal - rows_on_it + 1
        before = np.minimum(np.minimum(flat[places - width], flat[places - 1]),
                            flat[places - width - 1])
        flat[places] = costs[rows_on_it, diagonal - rows_on_it] + before
    return sums[1:, 1:]


def cheapest_path(sums: np.ndarray) -> np.ndarray:
    """The path to the last pair, (pairs, 2), from the accumulated sums."""
    i, j = sums.shape[0] - 1, sums.shape[1] - 1
    path = [(i, j)]
    while i or j:
        steps = [(i - 1, j - 1)] if i and j else []
        steps += [(i - 1, j)] if i else []
        steps += [(i, j - 1)] if j else []
        i, j = min(steps, key=lambda step: sums[step])  # the first of equal ones
        path.append((i, j))
    return np.array(path[::-1])
