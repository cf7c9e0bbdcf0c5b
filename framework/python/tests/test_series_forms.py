# SPDX-License-Identifier: MIT
"""Series in the forms of other packages, and single samples."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import cross_val_score

import semblance as sb
from semblance import NearestNeighbour, similarity

SERIES = [np.random.default_rng(i).normal(size=(2, 20 + i % 5)) for i in range(20)]
LABELS = np.arange(20) % 2


def distances(X):
    return similarity.dtw(X, as_="negative")


def padded(series, steps=30):
    """As tslearn has them: (n, steps, channels), with NaN at the end."""
    X = np.full((len(series), steps, len(series[0])), np.nan)
    for row, sample in zip(X, series):
        row[:sample.shape[1]] = sample.T
    return X


def test_tslearn_is_converted():
    converted = sb.from_tslearn(padded(SERIES))
    assert all(np.array_equal(a, b) for a, b in zip(converted, SERIES))
    equal = np.stack([sample[:, :20] for sample in SERIES])
    np.testing.assert_array_equal(sb.from_tslearn(equal.transpose(0, 2, 1)), equal)
    np.testing.assert_array_equal(sb.from_tslearn([[1, 2], [3, 4]]), [[[1, 2]], [[3, 4]]])
    with pytest.raises(ValueError, match=r"X\[1\] contains NaN only"):
        sb.from_tslearn([[1.0], [np.nan]])
    with pytest.raises(ValueError, match=r"X\[0\] has the shape \(1, 1, 1\)"):
        sb.from_tslearn(np.zeros((1, 1, 1, 1)))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_padding_at_the_end_is_no_part_of_a_series(dtype):
    X = padded(SERIES).transpose(0, 2, 1).astype(dtype)
    series = [sample.astype(dtype) for sample in SERIES]
    np.testing.assert_array_equal(distances(X), distances(series))
    np.testing.assert_array_equal(distances(list(X)), distances(series))
    np.testing.assert_array_equal(distances(X[:, 0]), distances([s[0] for s in series]))
    machine = NearestNeighbour(similarity=similarity.DTW(as_="negative")).fit(X, LABELS)
    np.testing.assert_array_equal(machine.predict(X), machine.predict(series))


def test_missing_values_elsewhere_are_refused():
    X = padded(SERIES).transpose(0, 2, 1)
    X[3, 0, 5] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        distances(X)
    X[3] = np.nan
    with pytest.raises(ValueError, match=r"X\[3\] contains NaN only"):
        distances(X)
    one = [np.array([[1, 2, np.nan], [3, 4, 5]])]  # one channel of two
    with pytest.raises(ValueError, match="NaN"):
        distances(one)


def test_data_frames_whose_cells_are_series():
    nested = pd.DataFrame({"x": [pd.Series(s[0]) for s in SERIES],
                           "y": [pd.Series(s[1]) for s in SERIES]})
    np.testing.assert_array_equal(distances(nested), distances(SERIES))
    machine = NearestNeighbour(similarity=similarity.DTW(as_="negative"))
    expected = cross_val_score(machine, SERIES, LABELS)
    np.testing.assert_array_equal(cross_val_score(machine, nested, LABELS), expected)
    with pytest.raises(ValueError, match="in another order"):
        machine.fit(nested, LABELS).predict(nested[["y", "x"]])
    nested["y"] = [pd.Series(s[1][:len(s[1]) - (i == 3)]) for i, s in enumerate(SERIES)]
    with pytest.raises(ValueError, match="different lengths in row 3: 23, 22; resample"):
        distances(nested)


def test_a_pandas_series_of_arrays():
    column = pd.Series([sample[0] for sample in SERIES])
    np.testing.assert_array_equal(distances(column), distances([s[0] for s in SERIES]))
    nodes = {"walks": {"is": "source/array"}, "all": {"is": "basis/all", "from": "walks"},
             "map": {"is": "similarity/dtw", "as": "negative", "from": "walks", "bases": "all"},
             "nearest": {"is": "solver/nearest_neighbour", "from": "map"}}
    result = sb.run({"nodes": nodes}, {"walks": (column, LABELS)}, cache=False)
    np.testing.assert_array_equal(result.model.transform(column[:3], "map"),
                                  distances([s[0] for s in SERIES])[:3])


def test_axes_that_look_exchanged_give_a_warning():
    X = np.random.default_rng(0).normal(size=(6, 100, 6))
    with pytest.warns(sb.SemblanceWarning, match="100 channels and 6 steps.*from_tslearn"):
        distances(X)
    with pytest.warns(sb.SemblanceWarning, match="100 channels and 1 step:"):
        distances(X[:, :, :1])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        distances(sb.from_tslearn(X))
        distances(np.zeros((2, 963, 144)) + np.arange(144))  # as PEMS-SF
        distances([sample.T for sample in X])


def test_one_pair_of_samples_gives_a_number():
    a, b = np.array([1.0, 2, 4]), [1, 3]
    value = similarity.dtw(a, b, as_="negative")
    assert isinstance(value, float) and value == pytest.approx(-np.sqrt(2))
    assert similarity.DTW(as_="negative")(a, b) == value
    assert similarity.edit("kitten", "sitting", as_="negative") == -3
    points = np.array([[0.0, 0], [1, 0]])
    assert similarity.hausdorff(points, points + [0, 2], as_="negative") == -2
    assert similarity.dtw([a, a], [b], as_="negative").shape == (2, 1)
    with pytest.raises(ValueError, match="Expected 2D array, got 1D"):
        similarity.rbf(a, a)
