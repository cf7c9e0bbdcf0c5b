# SPDX-License-Identifier: MIT
"""The path of dynamic time warping: its cost is the measure's distance, and no path is cheaper."""

from functools import lru_cache

import numpy as np
import pytest

from semblance.similarity import dtw, dtw_path


def random_pairs(seed=0, count=150):
    random = np.random.RandomState(seed)
    for _ in range(count):
        channels, window = random.randint(1, 4), random.choice([0, 1, 5, 10, 33, 50, 99, 100])
        a, b = (random.randn(channels, random.randint(1, 40)).cumsum(axis=1) for _ in "ab")
        yield a, b, window


def is_path(path, a, b):
    steps = np.diff(path, axis=0)
    return (path[0].tolist() == [0, 0]
            and path[-1].tolist() == [a.shape[1] - 1, b.shape[1] - 1]
            and bool(((steps >= 0) & (steps <= 1)).all()) and bool((steps.sum(axis=1) > 0).all()))


def cost(path, a, b):
    return ((a[:, path[:, 0]] - b[:, path[:, 1]]) ** 2).sum()


def test_the_cost_of_the_path_is_the_distance_of_the_measure():
    for a, b, window in random_pairs():
        path, distance = dtw_path(a, b, window=window)
        assert is_path(path, a, b)
        measured = -dtw([a], [b], window=window, as_="negative")[0, 0]
        np.testing.assert_allclose(distance, measured, rtol=1e-6)
        np.testing.assert_allclose(np.sqrt(cost(path, a, b)), distance, rtol=1e-5)


def test_independent_channels_have_a_path_each():
    for a, b, window in random_pairs(seed=1):
        paths, distance = dtw_path(a, b, window=window, channels="independent")
        assert len(paths) == len(a) and all(is_path(path, a, b) for path in paths)
        measured = -dtw([a], [b], window=window, channels="independent", as_="negative")[0, 0]
        np.testing.assert_allclose(distance, measured, rtol=1e-6)
        total = sum(cost(path, a[[k]], b[[k]]) for k, path in enumerate(paths))
        np.testing.assert_allclose(np.sqrt(total), distance, rtol=1e-5)


def test_no_path_is_cheaper():
    """By the definition, without a table."""
    random = np.random.RandomState(2)
    for _ in range(20):
        a, b = random.randn(1, 7), random.randn(1, 5)

        @lru_cache(None)
        def least(i, j):
            if i < 0 or j < 0:
                return np.inf
            before = 0 if i == j == 0 else min(least(i - 1, j), least(i, j - 1),
                                               least(i - 1, j - 1))
            return before + (a[0, i] - b[0, j]) ** 2

        np.testing.assert_allclose(dtw_path(a[0], b[0])[1], np.sqrt(least(6, 4)), rtol=1e-6)


def test_a_window_limits_the_path():
    a = np.r_[np.zeros(10), 1, np.zeros(29)]
    b = np.r_[np.zeros(20), 1, np.zeros(19)]
    path, distance = dtw_path(a, b)
    assert distance == 0 and abs(np.subtract(*path.T)).max() == 10
    path, distance = dtw_path(a, b, window=10)
    assert distance == pytest.approx(np.sqrt(2)) and abs(np.subtract(*path.T)).max() <= 4
    assert dtw_path(a, b, window=0)[0].tolist() == [[k, k] for k in range(40)]


def test_of_equally_cheap_paths_the_straight_one_is_taken():
    assert dtw_path(np.zeros(4), np.zeros(4))[0].tolist() == [[k, k] for k in range(4)]


def test_padding_is_removed():
    assert dtw_path([1, 2, 3, np.nan], [1, 2, 3])[0].tolist() == [[0, 0], [1, 1], [2, 2]]


@pytest.mark.parametrize("a, b, options, said", [
    ([1, 2], [1, 2], {"window": 101}, "DTW: 'window' must be in the range"),
    ([1, 2], [1, 2], {"channels": "each"}, "DTW: 'channels' must be one of"),
    ([1, np.nan, 2], [1, 2], {}, "a contains NaN or infinity"),
    ([1, 2], [1, np.inf], {}, "b contains NaN or infinity"),
    ([[1, 2], [3, 4]], [1, 2], {}, "a has 2 channels and b has 1"),
    ([1, 2], 3, {}, r"b must be one series, an array \(steps,\) or \(channels, steps\), got 3"),
    ("abc", [1, 2], {}, "a must be one series"),
    ([], [1, 2], {}, "a.* must be")])
def test_what_is_no_pair_of_series_is_refused(a, b, options, said):
    with pytest.raises(ValueError, match=said):
        dtw_path(a, b, **options)
