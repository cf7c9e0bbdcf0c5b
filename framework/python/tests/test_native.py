# SPDX-License-Identifier: MIT
"""Arrays as rows, data from Python, similarities for arrays, and the form of errors in Python."""

import gc
import json
import weakref

import numpy as np
import pytest

from semblance import _native
from semblance._native import Data, Rows

VECTOR = {"kind": "vector", "depth": 3}
SERIES = {"kind": "sequence", "width": 4, "depth": 1}
WORDS = {"kind": "string", "width": 3, "depth": 1, "alphabet": "ab"}


def table(rows=4):
    return np.arange(3 * rows, dtype=np.float32).reshape(rows, 3)


def ragged(*sizes):
    offsets = np.cumsum([0] + list(sizes)).astype(np.uint64)
    return np.arange(offsets[-1], dtype=np.float32), offsets


def test_rows_lie_where_the_array_lies():
    values = table()
    rows = Rows(values, VECTOR)
    assert rows.address == values.ctypes.data
    assert len(rows) == 4
    assert rows.layout == {"kind": "vector", "height": 1, "width": 1, "depth": 3}


def test_rows_keep_the_array_alive():
    class Watched(np.ndarray):
        pass
    values = table().view(Watched)
    seen = weakref.ref(values)
    rows = Rows(values, VECTOR)
    del values
    gc.collect()
    assert seen() is not None
    del rows
    gc.collect()
    assert seen() is None


@pytest.mark.parametrize("values, error, said", [
    ([[1.0, 2.0, 3.0]], TypeError, "must be an array of float32 in C order, got .*list"),
    (table().astype(np.float64), TypeError, "must be an array of float32"),
    (table().astype(">f4"), TypeError, "must be an array of float32"),
    (np.asfortranarray(table()), TypeError, "in C order"),
    (table().reshape(2, 6), ValueError, "must have 3 columns for a vector of 3, got 6"),
    (table().reshape(-1), ValueError, "must have 2 dimensions, got 1"),
])
def test_other_arrays_are_refused(values, error, said):
    with pytest.raises(error, match=said):
        Rows(values, VECTOR)


@pytest.mark.parametrize("value, name", [(np.nan, "NaN"), (np.inf, "infinity"),
                                         (-np.inf, "minus infinity")])
@pytest.mark.parametrize("place", [(0, 0), (2000, 1), (2999, 2)])
def test_values_that_are_not_finite_are_named(value, name, place):
    values = table(3000)
    values[place] = value
    with pytest.raises(ValueError, match=f"value {place[1]} of row {place[0]} of X is {name}"):
        Rows(values, VECTOR)


def test_large_values_are_no_infinity():
    values = np.full((5000, 3), np.finfo(np.float32).max, np.float32)
    assert len(Rows(values, VECTOR)) == 5000


def test_layouts_are_checked():
    for layout, said in [({"depth": 3}, "there is no layout ''"),
                         ({"kind": "vektor"}, "there is no layout 'vektor'"),
                         ({"kind": "vector", "depth": 0}, "between 1 and"),
                         ({"kind": "string", "width": 3}, "needs its alphabet")]:
        with pytest.raises((ValueError, _native.SemblanceError), match=said):
            Rows(table(), layout)


def test_rows_that_differ_in_size():
    values, offsets = ragged(4, 1, 3)
    rows = Rows(values, SERIES, offsets)
    assert len(rows) == 3 and rows.address == values.ctypes.data


@pytest.mark.parametrize("sizes, change, said", [
    ((4, 5), {}, "row 1 of X must have between 1 and 4 elements"),
    ((4, 0), {}, "row 1 of X must have between 1"),
    ((4, 2), {2: 5}, "begin with 0 and end with 6"),
    ((4, 2), {0: 1}, "begin with 0"),
    ((3, 3), {1: 2 ** 63}, "row 0 of X"),
])
def test_offsets_are_checked(sizes, change, said):
    values, offsets = ragged(*sizes)
    for place, value in change.items():
        offsets[place] = value
    with pytest.raises(ValueError, match=said):
        Rows(values, SERIES, offsets)


def test_symbols_are_numbers_of_the_alphabet():
    offsets = np.array([0, 2, 3], np.uint64)
    assert len(Rows(np.array([0, 1, 1], np.float32), WORDS, offsets)) == 2
    for wrong in (2, -0.5, 0.5, -2e6, np.nan):
        with pytest.raises(ValueError, match="value 0 of row 1 of X"):
            Rows(np.array([0, 1, wrong], np.float32), WORDS, offsets)


def test_data_are_known_by_their_content():
    def data(values=table(), labels=(0, 1, 0, 1), classes=("a", "b"), **more):
        return Data(Rows(values, VECTOR), np.array(labels, np.int32), classes=list(classes),
                    **more).id
    assert data() == data(table().copy())
    others = [data(values=table() + 1), data(labels=(0, 1, 1, 1)), data(classes=("a", "c")),
              data(columns=["x", "y", "z"]), data(test=Rows(table(), VECTOR))]
    assert len({data(), *others}) == 6
    flat = {"kind": "image", "height": 1, "width": 3, "depth": 1}
    assert Data(Rows(table(), flat)).id != Data(Rows(table(), VECTOR)).id


def test_labels_are_checked():
    rows = Rows(table(), VECTOR)
    def data(labels, **more):
        return Data(rows, labels, classes=["a", "b"], **more)
    with pytest.raises(ValueError, match="there are 4 rows, and its shape is .3,"):
        data(np.zeros(3, np.int32))
    with pytest.raises(ValueError, match="y must be from 0 to 1.*entry 3 is 2"):
        data(np.array([0, 1, 0, 2], np.int32))
    with pytest.raises(ValueError, match="y must be from 0 to 1.*entry 0 is -1"):
        data(np.array([-1, 1, 0, 1], np.int32))
    with pytest.raises(TypeError, match="int32"):
        data(np.zeros(4, np.int64))
    with pytest.raises(TypeError, match="got <class 'list'>"):
        data([0, 1, 0, 1])
    with pytest.raises(ValueError, match="y_test must be from -1 to 1"):
        data(np.zeros(4, np.int32), test=rows, test_labels=np.full(4, 2, np.int32))
    with pytest.raises(ValueError, match="no test rows"):
        data(np.zeros(4, np.int32), test_labels=np.zeros(4, np.int32))
    with pytest.raises(ValueError, match="name each of the 3 values"):
        data(np.zeros(4, np.int32), columns=["x"])
    with pytest.raises(ValueError, match="both must be the same"):
        data(np.zeros(4, np.int32), test=Rows(table(2).reshape(3, 2), {"kind": "vector",
                                                                       "depth": 2}))


def test_the_shipped_components_are_declared():
    known = {entry["id"]: entry for entry in json.loads(_native.catalogue())}
    assert known["similarity/rbf"]["symmetric"]


def test_plugins_are_added_whole_or_not_at_all(tmp_path):
    before = _native.catalogue()
    with pytest.raises(_native.SemblanceError, match="nowhere"):
        _native.plugin_paths([str(tmp_path), str(tmp_path / "nowhere")])
    assert _native.catalogue() == before


# Similarities ------------------------------------------------------------------------------------

def measure(component, bases, layout=VECTOR, offsets=None, **more):
    made = _native.Measure(json.dumps(component), layout, **more)
    made.set_bases(Rows(bases, layout, offsets))
    return made


def test_rbf_is_what_its_definition_says():
    x, b = table(700) / 1000, table(5) / 10
    rbf = measure({"is": "similarity/rbf", "gamma": 0.5}, b)
    found = rbf.apply(Rows(x, VECTOR))
    distances = ((x[:, None, :].astype(float) - b[None]) ** 2).sum(axis=2)
    np.testing.assert_allclose(found, np.exp(-0.5 * distances), rtol=1e-5)
    assert found.dtype == np.float32 and found.shape == (700, 5)
    assert rbf.symmetric and rbf.positive_semidefinite


def test_threads_do_not_change_a_bit():
    x, b = np.random.default_rng(0).normal(size=(2, 600, 3)).astype(np.float32)
    one, two = (measure({"is": "similarity/rbf"}, b, threads=n).apply(Rows(x, VECTOR))
                for n in (1, 2))
    np.testing.assert_array_equal(one, two)


def test_series_of_different_lengths():
    values, offsets = ragged(4, 2, 3)
    dtw = measure({"is": "similarity/dtw"}, values, SERIES, offsets)
    found = dtw.apply(Rows(values, SERIES, offsets))
    assert found.shape == (3, 3)
    np.testing.assert_array_equal(found, found.T)


@pytest.mark.parametrize("component, said", [
    ({"is": "similarity/rbg"}, "did you mean 'similarity/rbf'"),
    ({"is": "similarity/rbf", "gamma": -1}, "gamma"),
    ({"is": "similarity/rbf", "gamma": "wide"}, "gamma"),
    ({"is": "feature/hog"}, "similarity"),
])
def test_wrong_components_are_pipeline_errors(component, said):
    with pytest.raises(_native.PipelineError, match=said) as caught:
        _native.Measure(json.dumps(component), VECTOR)
    assert isinstance(caught.value, ValueError)
    problem = caught.value.diagnostics[0]
    assert problem["severity"] == "error" and problem["message"] in str(caught.value)


def test_a_measure_says_what_it_does_not_take():
    with pytest.raises(_native.SemblanceError, match="does not take a vector"):
        _native.Measure('{"is": "similarity/dtw"}', VECTOR)
    rbf = _native.Measure('{"is": "similarity/rbf"}', VECTOR)
    with pytest.raises(_native.SemblanceError, match="has no bases"):
        rbf.apply(Rows(table(), VECTOR))
    with pytest.raises(ValueError, match="must be a vector of 3, got a vector of 2"):
        rbf.set_bases(Rows(np.zeros((2, 2), np.float32), {"kind": "vector", "depth": 2}))


def test_exceptions_can_be_pickled():
    import pickle
    with pytest.raises(_native.PipelineError) as caught:
        _native.Measure('{"is": "similarity/rbg"}', VECTOR)
    copy = pickle.loads(pickle.dumps(caught.value))
    assert copy.diagnostics == caught.value.diagnostics and str(copy) == str(caught.value)
