# SPDX-License-Identifier: MIT
"""Tables by the Arrow C stream interface."""

import gc

import numpy as np
import pytest

from arrow_tables import Column, Table, bits, numbers, texts
from semblance import _native


def columns(*given):
    return dict(_native.arrow_columns(Table(*given)))


def test_a_chunk_of_numbers_is_read_in_place_and_released_with_the_array():
    values = np.arange(5, dtype=np.float32)
    table = Table(numbers("a", "f", values))
    (name, array), = _native.arrow_columns(table)
    assert name == "a" and array.dtype == np.float32
    assert array.ctypes.data == values.ctypes.data
    assert not array.flags.writeable
    assert table.released == ["schema", "stream"]
    del array
    gc.collect()
    assert table.released == ["schema", "stream", "array"]


@pytest.mark.parametrize("format, type", [
    ("c", np.int8), ("C", np.uint8), ("s", np.int16), ("S", np.uint16), ("i", np.int32),
    ("I", np.uint32), ("l", np.int64), ("L", np.uint64), ("f", np.float32), ("g", np.float64)])
def test_numbers_of_all_types_in_several_chunks(format, type):
    first, second = np.array([1, 2, 100], type), np.array([7], type)
    array = columns(numbers("n", format, first, second))["n"]
    assert array.dtype == type
    np.testing.assert_array_equal(array, [1, 2, 100, 7])


def test_half_precision():
    array = columns(numbers("h", "e", np.array([0.5, -2], np.float16)))["h"]
    np.testing.assert_array_equal(array, [0.5, -2])


def test_nulls_are_nan():
    whole = columns(numbers("n", "l", (np.array([4, 5, 6]), [True, False, True])))["n"]
    np.testing.assert_array_equal(whole, [4, np.nan, 6])
    assert whole.dtype == np.float64
    single = columns(numbers("n", "f", (np.array([4, 5], np.float32), [False, True])))["n"]
    assert single.dtype == np.float32 and np.isnan(single[0]) and single[1] == 5


def test_a_slice_begins_behind_the_start_of_its_buffers():
    part = columns(numbers("n", "i", (np.arange(6, dtype=np.int32),
                                      [True, True, True, False, True, True]), offset=2))["n"]
    np.testing.assert_array_equal(part, [2, np.nan, 4, 5])
    part = columns(numbers("n", "i", np.arange(6, dtype=np.int32), offset=2))["n"]
    np.testing.assert_array_equal(part, [2, 3, 4, 5])


def test_truth_values():
    truths = [True, False, True] * 4
    chunk = ([None, bits(truths)], 12, 0, 0, None)
    np.testing.assert_array_equal(columns(Column("b", "b", [chunk]))["b"], truths)
    missing = ([bits([False, True]), bits([True, True])], 2, -1, 0, None)
    array = columns(Column("b", "b", [missing]))["b"]
    np.testing.assert_array_equal(array, [np.nan, 1.0])


@pytest.mark.parametrize("format", ["u", "U"])
def test_text(format):
    found = columns(texts("t", ["a", "", "äöü"], ["b"], format=format))["t"]
    assert found == ["a", "", "äöü", "b"]


def test_missing_text_is_none():
    assert columns(texts("t", ["a", "b"], missing=(1,)))["t"] == ["a", None]


def test_text_in_views():
    views = np.zeros((2, 16), np.uint8)
    views[0, :4] = np.frombuffer(np.int32(2).tobytes(), np.uint8)
    views[0, 4:6] = np.frombuffer(b"hi", np.uint8)
    long = b"a text of many bytes"
    views[1] = np.frombuffer(np.array([len(long), 0, 0, 3], np.int32).tobytes(), np.uint8)
    data = np.frombuffer(b"---" + long, np.uint8)
    chunk = ([None, views, data, np.array([len(data)])], 2, 0, 0, None)
    assert columns(Column("t", "vu", [chunk]))["t"] == ["hi", long.decode()]


def test_each_chunk_has_its_own_dictionary():
    def dictionary(*words):
        return texts("", words).chunks[0]
    first = ([None, np.array([1, 0, 1], np.int8)], 3, 0, 0, dictionary("x", "y"))
    second = ([bits([True, False]), np.array([0, 0], np.int8)], 2, 1, 0, dictionary("z"))
    table = Column("d", "c", [first, second], dictionary="u")
    assert columns(table)["d"] == ["y", "x", "y", "z", None]


def test_what_cannot_be_read_is_said():
    with pytest.raises(TypeError, match="'when' has the Arrow type 'tdD'"):
        columns(numbers("when", "tdD", np.array([1], np.int32)))
    with pytest.raises(ValueError, match="cannot be read: no disk"):
        _native.arrow_columns(Table(numbers("a", "f", np.zeros(1, np.float32)), fail=b"no disk"))
    with pytest.raises(TypeError, match="must be a table with columns"):
        _native.arrow_columns(Table(format="i"))
    with pytest.raises(AttributeError, match="__arrow_c_stream__"):
        _native.arrow_columns([1, 2])


def test_a_table_without_rows():
    assert len(columns(numbers("a", "f", np.zeros(0, np.float32)))["a"]) == 0
