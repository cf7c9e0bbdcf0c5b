# SPDX-License-Identifier: MIT
"""Distances of series that other packages publish as facts in their tests.

aeon: aeon/testing/expected_results/expected_distance_results.py, whose series are uniform random
numbers; tslearn: tests/test_metrics.py and the examples of its documentation.
docs/benchmarks/ucr_archive.md has the table.
"""

import numpy as np
import pytest

from semblance import similarity


def uniform(*shape, seed):
    return np.random.RandomState(seed).uniform(size=shape)


#: A pair of series with 10 steps, one of 5 and 10, and one of 10 channels.
EQUAL = uniform(10, seed=1), uniform(10, seed=2)
SHORTER = uniform(5, seed=1), uniform(10, seed=2)
CHANNELS = uniform(10, 10, seed=1), uniform(10, 10, seed=2)


def squared(distance):
    return distance**2


def same(distance):
    return distance


AEON = [
    ("dtw", {}, squared, EQUAL, 0.344520787316184),
    ("dtw", {}, squared, SHORTER, 0.2998607605839068),
    ("dtw", {"window": 20}, squared, EQUAL, 0.344520787316184),
    ("dtw", {"window": 20}, squared, CHANNELS, 12.628898697422404),
    ("wdtw", {"g": 0.05}, squared, EQUAL, 0.1538864581011592),
    ("wdtw", {"g": 0.05}, squared, SHORTER, 0.13948055913998444),
    ("wdtw", {"g": 0.05, "window": 20}, squared, CHANNELS, 5.561271049769699),
    ("wdtw", {"g": 1.0}, squared, EQUAL, 0.004422599919761217),
    ("wdtw", {"g": 1.0}, squared, CHANNELS, 0.0874891962225373),
    ("erp", {"g": 0.0}, same, EQUAL, 1.521474398564429),
    ("erp", {"g": 0.0}, same, SHORTER, 2.209152442045423),
    ("erp", {"g": 0.0, "window": 20}, same, CHANNELS, 11.175717119812518),
    ("erp", {"g": 0.5}, same, EQUAL, 1.2468216724244057),
    ("msm", {"c": 1.0}, same, EQUAL, 2.5687181410313746),
    ("msm", {"c": 1.0}, same, SHORTER, 6.444280278934788),
    ("msm", {"c": 0.1}, same, EQUAL, 1.8756413986565008),
    ("msm", {"c": 1.0, "channels": "independent"}, same, CHANNELS, 28.97170437295012),
    ("msm", {"c": 0.1, "channels": "independent"}, same, CHANNELS, 22.362537814430787),
    ("twe", {"nu": 0.001, "lambda_": 1.0}, same, EQUAL, 4.86544682316226),
    ("twe", {"nu": 0.001, "lambda_": 1.0}, same, SHORTER, 7.801489173583822),
    ("twe", {"nu": 0.001, "lambda_": 0.5}, same, EQUAL, 4.232517160953263),
    ("twe", {"nu": 0.001, "lambda_": 1.0}, same, CHANNELS, 21.05530360854359),
    ("lcss", {"epsilon": 1.0}, same, EQUAL, 0.0),
    ("lcss", {"epsilon": 0.5}, same, EQUAL, 0.1),
    ("sbd", {}, same, EQUAL, 0.2435580798173309),
]

TSLEARN = [
    ("dtw", {}, same, ([1, 2, 2, 3], [1, 2, 3]), 0.0),
    ("dtw", {}, same, ([1, 2, 2, 3], [2, 3, 4, 5]), 2.44949),
    ("dtw", {}, same, ([1, 2, 3, 4], [1, 2, 3]), 1.0),
    ("dtw", {}, same, ([1, 2, 3, 4], [2, 3, 4, 5]), 1.414214),
    ("lcss", {"epsilon": 1.0}, same, ([1, 2, 3], [1, 2, 2, 4]), 0.0),
    ("lcss", {"epsilon": 3.0}, same, ([1, 2, 3], [-2, 5, 7]), 1 - 2 / 3),
    ("soft_dtw", {"gamma": 1.0, "divergence": False}, same, ([1, 2, 2, 3], [1, 2, 3, 4]), -0.895),
]


def distance(measure, parameters, pair):
    a, b = (np.asarray(series, dtype=np.float64) for series in pair)
    found = getattr(similarity, measure)([a], [b], as_="negative", **parameters)
    return -float(np.asarray(found).item())


@pytest.mark.parametrize("measure, parameters, form, pair, published", AEON)
def test_distances_are_those_of_aeon(measure, parameters, form, pair, published):
    assert form(distance(measure, parameters, pair)) == pytest.approx(published, rel=1e-6, abs=1e-7)


@pytest.mark.parametrize("measure, parameters, form, pair, published", TSLEARN)
def test_distances_are_those_of_tslearn(measure, parameters, form, pair, published):
    assert form(distance(measure, parameters, pair)) == pytest.approx(published, abs=1e-3)


def test_where_other_definitions_differ():
    # aeon's EDR lets a series begin anywhere for nothing, so that it finds 1 edit of 10; in the
    # paper (Chen et al. 2005) what is left out at the beginning is an edit as well.
    assert distance("edr", {"epsilon": 0.5}, EQUAL) == 2
    # aeon's MSM of vectors adds squared distances, 28.66; ours adds distances, as for one channel.
    assert distance("msm", {"c": 1.0}, CHANNELS) == pytest.approx(11.1757164, rel=1e-6)
