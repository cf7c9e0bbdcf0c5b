# SPDX-License-Identifier: MIT
"""New samples that are longer than all training samples, or have symbols that none of them has."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score

import semblance as sb
from semblance import NearestNeighbour, SimilarityMap, similarity
from semblance.feature import ShortestPaths, Spectrum

FOLDS = StratifiedKFold(5, shuffle=True, random_state=0)


def dtw(a, b):
    cells = np.full((len(a) + 1, len(b) + 1), np.inf)
    cells[0, 0] = 0
    for i, x in enumerate(a, 1):
        for j, y in enumerate(b, 1):
            cells[i, j] = (x - y) ** 2 + min(cells[i - 1, j], cells[i, j - 1], cells[i - 1, j - 1])
    return np.sqrt(cells[-1, -1])


def wdtw(a, b, longest, g=0.05):
    cells = np.full((len(a) + 1, len(b) + 1), np.inf)
    cells[0, 0] = 0
    for i, x in enumerate(a, 1):
        for j, y in enumerate(b, 1):
            weight = 1 / (1 + np.exp(-g * (abs(i - j) - longest / 2)))
            cells[i, j] = weight * (x - y) ** 2 + min(cells[i - 1, j], cells[i, j - 1],
                                                      cells[i - 1, j - 1])
    return np.sqrt(cells[-1, -1])


def edit(a, b, insertion=1, deletion=1, substitution=1):
    """The cost of turning a into b."""
    cells = np.zeros((len(a) + 1, len(b) + 1))
    cells[:, 0], cells[0] = np.arange(len(a) + 1) * deletion, np.arange(len(b) + 1) * insertion
    for i, x in enumerate(a, 1):
        for j, y in enumerate(b, 1):
            cells[i, j] = min(cells[i - 1, j] + deletion, cells[i, j - 1] + insertion,
                              cells[i - 1, j - 1] + (x != y) * substitution)
    return cells[-1, -1]


def common(a, b):
    cells = np.zeros((len(a) + 1, len(b) + 1))
    for i, x in enumerate(a, 1):
        for j, y in enumerate(b, 1):
            cells[i, j] = cells[i - 1, j - 1] + 1 if x == y else max(cells[i - 1, j],
                                                                     cells[i, j - 1])
    return cells[-1, -1]


def walks(lengths, channels=1):
    random = np.random.default_rng(3)
    return [random.normal(size=(channels, n)).cumsum(axis=1).squeeze() for n in lengths]


def mapped(measure, bases, samples):
    """By a trained map, whose bases are all training samples."""
    transform = SimilarityMap(similarity=measure, bases="all", normalizer=None, n_jobs=2)
    return transform.fit(bases).transform(samples)


SHORT, LONG = walks([5, 12, 9, 30, 7, 18, 11]), walks([31, 64, 200, 3])


@pytest.mark.parametrize("measure, distance", [
    (similarity.DTW(as_="negative"), dtw),
    (similarity.WDTW(as_="negative"), lambda b, x: wdtw(b, x, longest=30))])
def test_longer_series_have_the_distances_of_the_definition(measure, distance):
    expected = [[-distance(b, x) for b in SHORT] for x in LONG]
    np.testing.assert_allclose(mapped(measure, SHORT, LONG), expected, rtol=1e-5)


@pytest.mark.parametrize("measure", [
    similarity.DTW(as_="negative", window=10), similarity.TWE(as_="negative"),
    similarity.TWE(as_="negative", window=20), similarity.MSM(as_="negative"),
    similarity.ERP(as_="negative"), similarity.EDR(as_="negative"),
    similarity.LCSS(as_="negative"), similarity.SBD(as_="negative"),
    similarity.SoftDTW(as_="negative"), similarity.GAK(sigma="20"),
    similarity.GAK(sigma="20", triangular=40)])
def test_longer_series_have_the_values_of_the_function(measure):
    np.testing.assert_allclose(mapped(measure, SHORT, LONG), measure(LONG, SHORT),
                               rtol=1e-5, atol=1e-6)


def test_longer_series_of_several_channels():
    bases, samples = walks([5, 9, 14], channels=3), walks([20, 33], channels=3)
    measure = similarity.DTW(as_="negative", channels="independent")
    expected = [[-np.sqrt(sum(dtw(p, q) ** 2 for p, q in zip(b, x))) for b in bases]
                for x in samples]
    np.testing.assert_allclose(mapped(measure, bases, samples), expected, rtol=1e-5)


WORDS, NEW = ["kitten", "mitten", "sit", "at", "a" * 70], ["sñitting", "ñ", "mit" * 40, "ßüß", "aña"]


@pytest.mark.parametrize("measure, value", [
    (similarity.Edit(as_="negative"), lambda b, x: -edit(b, x)),
    (similarity.Edit(as_="negative", substitution=2), lambda b, x: -edit(b, x, substitution=2)),
    (similarity.Edit(as_="negative", insertion=2, substitution=1.5),
     lambda b, x: -edit(b, x, insertion=2, substitution=1.5)),
    (similarity.LCS(), lambda b, x: common(b, x) / max(len(b), len(x)))])
def test_a_new_symbol_equals_nothing_that_was_trained_on(measure, value):
    expected = [[value(b, x) for b in WORDS] for x in NEW]
    np.testing.assert_allclose(mapped(measure, WORDS, NEW), expected, rtol=1e-6)


@pytest.mark.parametrize("measure", [
    similarity.LocalAlignment(), similarity.LocalAlignment(normalize=False),
    similarity.Subsequence(length=2)])
def test_new_symbols_have_the_values_of_the_function(measure):
    np.testing.assert_allclose(mapped(measure, WORDS, NEW), measure(NEW, WORDS), rtol=1e-6)


def test_blosum_knows_amino_acids_that_were_not_trained_on():
    measure = similarity.LocalAlignment(matrix="blosum62", normalize=False)
    bases, samples = ["ACDEF", "GHIKL"], ["ACWWDEF", "ghikl*", "AC?DEF", "WWWW"]
    values = mapped(measure, bases, samples)
    np.testing.assert_array_equal(values[[0, 1, 3]], measure([samples[0], "GHIKL", "WWWW"], bases))
    assert values[2, 0] == mapped(measure, bases, ["ACXDEF"])[0, 0]  # unknown: any residue


def test_words_with_new_symbols_have_no_column():
    counts = Spectrum(longest=2, unit_length=False).fit(["ab", "ba"])
    np.testing.assert_array_equal(counts.transform(["axb", "ab"]),
                                  [[1, 1, 0, 0, 0, 0], [1, 1, 0, 1, 0, 0]])
    near = Spectrum(shortest=2, longest=2, mismatch=1, unit_length=False)
    np.testing.assert_array_equal(near.fit(["ab", "ba"]).transform(["ax"]), [[1, 1, 0, 0]])


@pytest.mark.parametrize("more", [{}, {"ends": True}, {"mismatch": 1, "shortest": 2}])
def test_hashed_words_with_new_symbols_count(more):
    hashed = Spectrum(hashed=64, unit_length=False, **more)
    np.testing.assert_array_equal(clone(hashed).fit(["ab", "ba"]).transform(["ab", "axxb"])[0],
                                  clone(hashed).fit(["ab", "ba"]).transform(["ab"])[0])
    if "mismatch" not in more:  # neighbours are words of the alphabet that was trained on
        np.testing.assert_array_equal(clone(hashed).fit(["ab"]).transform(["axxb"]),
                                      clone(hashed).fit(["axxb"]).transform(["axxb"]))


@pytest.mark.parametrize("transformer, training, new, message", [
    (sb.feature.OneHot(), ["ab", "ba"], ["aba"], "has 3 symbols, and there are columns for the "
     "first 2"),
    (sb.feature.Flatten(), [np.zeros(5)], [np.zeros(6)], "a vector has room for 5"),
    (sb.feature.Flatten(pad=True), [np.zeros(5)], [np.zeros(6)], "a vector has room for 5")])
def test_what_has_a_fixed_size_says_so(transformer, training, new, message):
    with pytest.raises(sb.SemblanceError, match=message):
        transformer.fit(training).transform(new)


def test_the_place_of_a_new_symbol_is_zero():
    feature = sb.feature.OneHot().fit(["ab", "ba"])
    np.testing.assert_array_equal(feature.transform(["ax", "xb", "xy", "a"]),
                                  [[1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 0, 0], [1, 0, 0, 0]])


def test_features_take_longer_series():
    training, new = [np.arange(5.0) ** 2, np.arange(4.0)], [np.arange(9.0) ** 2]
    assert sb.feature.Resample(length=3).fit(training).transform(new).tolist() == [[0, 16, 64]]
    derivative = sb.feature.Derivative()
    np.testing.assert_array_equal(derivative.fit(training).transform(new),
                                  derivative.fit(new).transform(new))


def test_folds_with_the_longest_series_and_rare_symbols():
    series = [np.sin(np.linspace(0, 3 + 2 * (i % 2), 20 + i)) for i in range(40)]
    nearest = NearestNeighbour(similarity=similarity.DTW(as_="negative"), n_jobs=1)
    y = np.arange(40) % 2
    scores = cross_val_score(nearest, series, y, cv=FOLDS)
    expected = []
    for train, test in FOLDS.split(series, y):
        near = [min(train, key=lambda b, x=x: dtw(series[b], series[x])) for x in test]
        expected.append(np.mean(y[near] == y[test]))
    np.testing.assert_allclose(scores, expected)
    search = GridSearchCV(nearest, {"similarity__window": [1, 10, 100]}, cv=FOLDS).fit(series, y)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()

    names = ["garcía", "peña", "smith", "brown", "müller", "weiß"] * 6
    names = [name + "abcdefghijklmnopqrstuvwxyz0123456789"[i] for i, name in enumerate(names)]
    labels = np.arange(36) % 6 // 2
    nearest.set_params(similarity=similarity.Edit(as_="negative"))
    assert np.isfinite(cross_val_score(nearest, names, labels, cv=FOLDS)).all()


def test_the_models_of_runs_take_them_too():
    nodes = {"words": {"is": "source/array"}, "all": {"is": "basis/all", "from": "words"},
             "map": {"is": "similarity/edit", "as": "negative", "from": "words", "bases": "all"},
             "nearest": {"is": "solver/nearest_neighbour", "from": "map"}}
    result = sb.run({"nodes": nodes}, {"words": (WORDS, ["a", "b", "a", "b", "a"])}, cache=False)
    expected = [[-edit(b, x) for b in WORDS] for x in NEW]
    np.testing.assert_array_equal(result.model.transform(NEW, "map"), expected)


def counted(words, strings):
    """Counts of words, and the lengths of the strings' counts of all words."""
    counts = [{word: 0 for word in words} for _ in strings]
    for count, string in zip(counts, strings):
        for length in (1, 2):
            for start in range(len(string) - length + 1):
                word = string[start:start + length]
                count[word] = count.get(word, 0) + 1
    lengths = [np.sqrt(sum(n * n for n in count.values())) for count in counts]
    return np.array([[count[word] / length for word in words]
                     for count, length in zip(counts, lengths)])


def test_words_of_new_strings_count_for_their_length():
    train, new = ["abba", "aab", "b"], ["abz", "zzxb", "ba"]
    feature = Spectrum(longest=2).fit(train)
    words = ["a", "b", "aa", "ab", "ba", "bb"]
    assert np.allclose(feature.transform(train), counted(words, train), atol=1e-6)
    assert np.allclose(feature.transform(new), counted(words, new), atol=1e-6)
    with pytest.warns(sb.SemblanceWarning, match="2 rows have nothing in common.*the first: row 0"):
        feature.transform(["xyz", "ab", "zz"])


def test_paths_of_new_graphs_count_for_their_length():
    def path(labels):
        return [(v, v + 1) for v in range(len(labels) - 1)], list(labels)

    feature = ShortestPaths().fit([path("CCN"), path("CC")])
    new = np.asarray(feature.transform([path("CCPSCC")]).todense())
    kinds = {}
    labels = "CCPSCC"
    for i, a in enumerate(labels):
        for j, b in enumerate(labels):
            if i != j:
                kinds[a, b, abs(i - j)] = kinds.get((a, b, abs(i - j)), 0) + 1
    length = np.sqrt(sum(n * n for n in kinds.values()))
    known = [n for (a, b, far), n in kinds.items() if {a, b} <= set("CN") and far <= 2]
    assert np.allclose(np.sort(new[new > 0]), np.sort(known) / length, atol=1e-6)
    with pytest.warns(sb.SemblanceWarning, match="1 row has nothing in common"):
        feature.transform([path("PS")])
