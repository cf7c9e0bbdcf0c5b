# SPDX-License-Identifier: MIT
"""From Python to the runtime: anything but a float32 array in C order is converted once."""

from __future__ import annotations

from typing import Any, List, Mapping, Optional, Tuple

import numpy as np

from .form import FORMS, Samples, as_fitted
from .tables import DENSE_NEEDED, as_float32, check_digits, check_series, is_sparse, sparse_vectors
from .graphs import graphs
from .kinds import (is_list_of_arrays, is_padded, is_panel, series_of_panel, warn_of_channels_first,
                    warn_of_exchanged_axes, unnested, without_padding)


def vectors(values: np.ndarray, name: str = "X", training: bool = False,
            missing: bool = False) -> Samples:
    """A table that has passed scikit-learn's checks; with `training`, for learning. With `missing`,
    values may be NaN."""
    converted = as_float32(values, name, missing=missing)
    if training:
        check_digits(values, name)
    return Samples(converted, {"kind": "vector", "depth": converted.shape[1]}, missing=missing)


def samples(values: Any, kind: str, *, owner: str = "The estimator", image_shape: Any = None,
            fitted: Optional[Mapping[str, Any]] = None, name: str = "X",
            training: bool = False, missing: bool = False) -> Samples:
    """Samples of a kind that layout_kind() names, in the form of the table in this package's
    docstring. `image_shape` is that of flat images, (height, width) or (height, width, channels);
    `fitted` the layout of the training samples, with which they must agree; with `training` they
    are for learning: then float32 must be able to distinguish their values; with `missing`, values
    of tables and series may be NaN. Raises ValueError where they do not agree with the training
    samples, there are none, or a value is NaN or infinity; TypeError where they are not numbers, or
    not strings."""
    if kind == "sequence" and is_panel(values):
        values = series_of_panel(values)
    elif kind != "graph":
        values = unnested(values, name)
    if kind == "graph":
        made = graphs(values, fitted, name)
    elif kind == "vector":
        made = vectors(_table(values, name), name, training, missing)
    elif kind == "sparse vector":
        made = sparse_vectors(values if is_sparse(values) else _table(values, name), name, training)
    elif kind == "string":
        made = _strings(values, fitted, name)
    elif kind in ("image", "grid"):
        made = _pictures(values, kind, image_shape, name, training)
    else:
        made = _of_different_sizes(values, kind, name, missing and kind == "sequence")
    if len(made) == 0:
        raise ValueError(f"Found array with 0 sample(s) in {name} while a minimum of 1 is "
                         f"required by {owner}.")
    return as_fitted(made, fitted, owner, name)


def table_of(values: Any, name: str = "X") -> Any:
    """The values; of Arrow's tables a data frame, so that their columns keep their names, and of
    data frames one whose columns of dates are numbers. Raises ValueError where some values are
    masked: they are missing."""
    if isinstance(values, np.ma.MaskedArray) and np.any(values.mask):
        raise ValueError(f"{name} is a masked array with values that are masked: missing values "
                         f"are not accepted. Fill them in, or leave out their rows.")
    if hasattr(values, "iloc"):
        return _with_dates_as_numbers(values)
    one_column = hasattr(values, "__array__") and not hasattr(values, "columns")
    if one_column or not hasattr(values, "__arrow_c_stream__"):
        return values
    return _with_dates_as_numbers(_frame_of(values, name))


def _frame_of(table: Any, name: str) -> Any:
    """A table of Polars, PyArrow or another package as a data frame of pandas. Raises TypeError
    where the package makes no data frames."""
    if not hasattr(table, "to_pandas"):
        raise TypeError(f"{name} is a {type(table).__name__}: convert it to a data frame of pandas "
                        "first, as in table.df() of DuckDB, or pyarrow.table(table).to_pandas().")
    try:
        return table.to_pandas()
    except ImportError:  # Polars does so by PyArrow, which its columns of numbers do not need
        import pandas
        return pandas.DataFrame({column: table[column].to_numpy() for column in table.columns})


def _with_dates_as_numbers(frame: Any) -> Any:
    """A data frame whose columns of dates are the numbers of ``semblance/date_numbers.hpp``, as in
    files; other frames as they are. Raises TypeError where a column has a time zone or no name, or
    holds spans of time."""
    kinds = list(frame.dtypes) if frame.ndim == 2 else []
    if not any(kind.kind in "mM" for kind in kinds):
        return frame
    import pandas
    parts = []
    for place, (name, kind) in enumerate(zip(frame.columns, kinds)):
        column = frame.iloc[:, place]
        if kind.kind == "m" or hasattr(kind, "tz") or kind.kind == "M" and not isinstance(name, str):
            raise TypeError(f"The column {name!r} is of type {kind}: give dates without a time zone "
                            "in a column with a name, as column.dt.tz_localize(None), and spans of "
                            "time as numbers, as column.dt.total_seconds().")
        if kind.kind == "M":
            parts += [((column - pandas.Timestamp(0)) / pandas.Timedelta(days=1)).rename(
                          f"{name}=days since 1970"),
                      column.dt.dayofyear.rename(f"{name}=day of the year"),
                      (column.dt.dayofweek + 1).rename(f"{name}=weekday")]
        else:
            parts.append(column)
    return pandas.concat(parts, axis=1)


def _array(values: Any, name: str) -> np.ndarray:
    values = table_of(values, name)
    if is_sparse(values):
        raise TypeError(DENSE_NEEDED)
    array = np.asarray(values)
    if array.dtype == object:
        try:
            array = (values.to_numpy(np.float64, na_value=np.nan) if hasattr(values, "columns")
                     else array.astype(np.float64))
        except (TypeError, ValueError) as error:
            kinds = values.dtypes.items() if hasattr(values, "columns") else ()
            texts = [column for column, kind in kinds if kind.kind == "O"]
            instead = (f"; pandas.get_dummies({name}, columns={texts!r}, prefix_sep=\"=\") makes "
                       f"one column per category" if texts else "")
            raise ValueError(f"{name} must be an array of numbers: {error}{instead}") from error
    return array


def _table(values: Any, name: str) -> np.ndarray:
    array = _array(values, name)
    if array.ndim != 2:
        raise ValueError(f"Expected 2D array, got {array.ndim}D array instead. Reshape your data "
                         f"either using array.reshape(-1, 1) if it has a single feature or "
                         f"array.reshape(1, -1) if it contains a single sample.")
    return array


def _pictures(values: Any, kind: str, shape: Any, name: str, training: bool) -> Samples:
    array = _array(values, name)
    if shape is not None:
        array = array.reshape(len(array), *_checked_shape(shape, array, name))
    if array.ndim == 3:
        array = array[..., np.newaxis]
    if array.ndim != 4:
        raise ValueError(f"{name} must be {FORMS[kind]}; got an array of shape {array.shape}.")
    count, height, width, depth = array.shape
    if kind == "image" and depth > 1:
        warn_of_channels_first(height, width, depth, name)
        array = array.transpose(0, 3, 1, 2)
    flat = as_float32(array, name).reshape(count, -1)
    if training:
        check_digits(array.reshape(-1, 1), name)
    return Samples(flat, {"kind": kind, "height": height, "width": width, "depth": depth})


def _checked_shape(shape: Any, array: np.ndarray, name: str) -> Tuple[int, ...]:
    sides = tuple(int(side) for side in shape)
    if len(sides) not in (2, 3) or min(sides) < 1:
        raise ValueError(f"The 'image_shape' parameter must be (height, width) or (height, width, "
                         f"channels), got {shape!r}.")
    if array.ndim == 2 and array.shape[1] != int(np.prod(sides)):
        raise ValueError(f"{name} has {array.shape[1]} columns, and image_shape={sides} makes "
                         f"{int(np.prod(sides))}.")
    if array.ndim != 2 and array.shape[1:] not in (sides, sides + (1,), sides[:2]):
        raise ValueError(f"{name} has the shape {array.shape}, which is none of "
                         f"image_shape={sides}.")
    return sides


def _of_different_sizes(values: Any, kind: str, name: str, missing: bool = False) -> Samples:
    if is_list_of_arrays(values):
        parts = [_one_by_one(sample, kind, i, name, missing) for i, sample in enumerate(values)]
        if kind == "sequence":
            warn_of_exchanged_axes(parts[0].shape[1], max(map(len, parts)), name)
        return _joined(parts, kind, name, missing)
    array = _array(values, name)
    if kind == "sequence" and array.ndim == 2:
        array = array[:, np.newaxis, :]
    if array.ndim != 3:
        raise ValueError(f"{name} must be {FORMS[kind]}; got an array of shape {array.shape}.")
    if kind == "sequence":
        array = array.transpose(0, 2, 1)  # channels become the fastest axis
    count, steps, depth = array.shape
    if steps * depth == 0:
        raise ValueError(f"Found array with 0 feature(s) (shape={array.shape}) while a minimum of "
                         f"1 is required.")
    if kind == "sequence":
        warn_of_exchanged_axes(depth, steps, name)
        if is_padded(array):
            return _of_different_sizes([sample.T for sample in array], kind, name, missing)
    converted = as_float32(array, name, missing=missing)
    if kind == "sequence":
        check_series(array, name)
    flat = converted.reshape(-1)
    offsets = np.arange(count + 1, dtype=np.uint64) * np.uint64(steps * depth)
    return Samples(flat, {"kind": kind, "width": steps, "depth": depth}, offsets,
                   missing=missing)


def _one_by_one(sample: Any, kind: str, place: int, name: str, missing: bool) -> np.ndarray:
    """A sample as (elements, values of each)."""
    array = _array(sample, f"{name}[{place}]")
    if kind == "sequence" and array.ndim == 1:
        array = array[np.newaxis, :]
    if array.ndim != 2 or array.size == 0:
        raise ValueError(f"{name}[{place}] must be one of {FORMS[kind]}; got an array of shape "
                         f"{array.shape}.")
    if kind != "sequence":
        return as_float32(array, f"{name}[{place}]")
    steps = without_padding(array.T, f"{name}[{place}]")
    converted = as_float32(steps, f"{name}[{place}]", missing=missing)
    check_series(steps[np.newaxis], f"{name}[{place}]")
    return converted


def _joined(parts: List[np.ndarray], kind: str, name: str, missing: bool) -> Samples:
    depth = parts[0].shape[1]
    for place, part in enumerate(parts):
        if part.shape[1] != depth:
            what = "channels" if kind == "sequence" else "coordinates"
            raise ValueError(f"{name}[{place}] has {part.shape[1]} {what}, and {name}[0] has "
                             f"{depth}: all samples must have the same.")
    offsets = np.zeros(len(parts) + 1, dtype=np.uint64)
    np.cumsum([part.size for part in parts], out=offsets[1:])
    longest = max(len(part) for part in parts)
    return Samples(np.concatenate([part.reshape(-1) for part in parts]),
                   {"kind": kind, "width": longest, "depth": depth}, offsets, missing=missing)


def texts_of(values: Any, name: str) -> List[str]:
    """Strings, each with at least one symbol. Raises TypeError or ValueError where the values are
    not strings, or one is empty."""
    if isinstance(values, (str, bytes, Mapping)) or getattr(values, "ndim", 1) != 1:
        got = repr(values) if isinstance(values, (str, bytes)) else type(values).__name__
        raise TypeError(f"{name} must be a list of str, got {got}.")
    texts = list(values)
    for place, text in enumerate(texts):
        if not isinstance(text, str):
            raise TypeError(f"{name}[{place}] must be a str, got {text!r}.")
        if not text:
            raise ValueError(f"{name}[{place}] is empty: a string must have at least one symbol. "
                             f"Leave it out, or put one symbol before all strings, here and in "
                             f"predictions: [\"^\" + text for text in {name}].")
    return texts


def _strings(values: Any, fitted: Optional[Mapping[str, Any]], name: str) -> Samples:
    texts = texts_of(values, name)
    offsets = np.zeros(len(texts) + 1, dtype=np.uint64)
    np.cumsum([len(text) for text in texts], out=offsets[1:])
    try:
        codes = np.frombuffer("".join(texts).encode("utf-32-le"), dtype=np.uint32)
    except UnicodeEncodeError as error:
        place = int(np.searchsorted(offsets, error.start, side="right")) - 1
        raise ValueError(f"{name}[{place}] has half of a surrogate pair, which is no symbol: decode "
                         f"the text again.") from None
    alphabet = np.unique(codes)
    if fitted is not None:
        known = np.array([ord(symbol) for symbol in fitted["alphabet"]], dtype=np.uint32)
        new = ~np.isin(codes, known)
        alphabet = known
    longest = max((len(text) for text in texts), default=0)
    values = np.searchsorted(alphabet, codes).astype(np.float32)
    if fitted is not None and new.any():
        # The runtime's form of a symbol that the alphabet lacks: it equals none of the alphabet.
        values[new] = -1 - codes[new].astype(np.float32)
    return Samples(values,
                   {"kind": "string", "width": longest, "depth": 1,
                    "alphabet": "".join(chr(int(code)) for code in alphabet)}, offsets)
