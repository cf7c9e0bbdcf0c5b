# SPDX-License-Identifier: MIT
"""Samples that differ in size, also from the longest training sample."""

import numpy as np
import pytest

import semblance as sb

random = np.random.default_rng(3)


def nearest(bases, labels, samples, distance):
    return [labels[int(np.argmin([distance(b, x) for b in bases]))] for x in samples]


def dtw(a, b):
    cells = np.full((len(a) + 1, len(b) + 1), np.inf)
    cells[0, 0] = 0
    for i, x in enumerate(a, 1):
        for j, y in enumerate(b, 1):
            cells[i, j] = (x - y) ** 2 + min(cells[i - 1, j], cells[i, j - 1], cells[i - 1, j - 1])
    return cells[-1, -1]


def edit(a, b):
    cells = np.add.outer(np.arange(len(a) + 1), np.arange(len(b) + 1))
    for i, x in enumerate(a, 1):
        for j, y in enumerate(b, 1):
            cells[i, j] = min(cells[i - 1, j] + 1, cells[i, j - 1] + 1,
                              cells[i - 1, j - 1] + (x != y))
    return cells[-1, -1]


def hausdorff(a, b):
    distances = np.linalg.norm(a[:, None] - b[None], axis=2)
    return max(distances.min(axis=0).max(), distances.min(axis=1).max())


def series(lengths):
    return [np.cumsum(random.normal(size=n)) for n in lengths]


def words(lengths):
    return ["".join(random.choice(list("acgt"), size=n)) for n in lengths]


def sets(lengths):
    return [random.normal(size=(n, 2)) for n in lengths]


@pytest.mark.parametrize("similarity, made, distance", [
    (sb.similarity.DTW(), series, dtw), (sb.similarity.Edit(), words, edit),
    (sb.similarity.Hausdorff(), sets, hausdorff)])
@pytest.mark.parametrize("lengths", [[3], [2, 4, 3], [12, 5]])
def test_shorter_samples_are_compared_as_they_are(similarity, made, distance, lengths):
    bases, labels = made([6, 12, 4, 9, 5, 7]), ["a", "b", "c"] * 2
    machine = sb.NearestNeighbour(similarity=similarity).fit(bases, labels)
    samples = made(lengths)
    best = [sorted(distance(b, x) for b in bases) for x in samples]
    assert [machine.predict([x])[0] for x in samples] == list(machine.predict(samples))
    for x, (first, second, *_), label in zip(samples, best, machine.predict(samples)):
        if second > first:  # no tie
            assert [label] == nearest(bases, labels, [x], distance)
