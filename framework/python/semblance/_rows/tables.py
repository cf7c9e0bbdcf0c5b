# SPDX-License-Identifier: MIT
"""Numbers as float32, and sparse matrices: refuses values that do not fit, or lose what
distinguishes them."""

from __future__ import annotations

import sys
from typing import Any, Callable, Optional, Tuple

import numpy as np

from .form import Samples

LARGEST = float(np.finfo(np.float32).max)


def as_float32(values: np.ndarray, name: str = "X",
               where: Optional[Callable[[int], Tuple[int, ...]]] = None,
               missing: bool = False) -> np.ndarray:
    """The values as float32 in C order; the array itself if it already has this form. `where` says
    the place of a value of a flat array in the user's samples, for messages. With `missing`, values
    may be NaN. Raises ValueError where a number is too large for float32, or is NaN or infinity;
    TypeError where the values are not real numbers."""
    if values.dtype == np.float32:
        return np.ascontiguousarray(values)
    if values.dtype == object:  # columns of several types
        values = values.astype(np.float64)
    if values.dtype.kind == "c":
        raise ValueError(f"Complex data not supported\n{values!r}\n")
    if values.dtype.kind not in "fiub":
        raise TypeError(f"{name} must hold numbers, got an array of type {values.dtype}.")
    with np.errstate(over="ignore"):
        converted = np.ascontiguousarray(values, dtype=np.float32)
    if values.dtype.kind == "f" and values.dtype.itemsize > 4 and converted.size:
        low, high = converted.min(), converted.max()
        if not (np.isfinite(low) and np.isfinite(high)):
            refused = np.isinf(converted) if missing else ~np.isfinite(converted)
            if refused.any():
                _refuse_overflow(values, refused, name, where, missing)
    return converted


def passes_checks(values: Any, table: Optional[np.ndarray] = None) -> bool:
    """Whether scikit-learn's checks, which take a good part of a small training, would return a
    table as it is; or with a table, the numbers of its rows."""
    if type(values) is not np.ndarray or values.size == 0:
        return False
    if table is not None and values.dtype.kind in "iub":
        return bool(values.shape == table.shape[:1])
    if values.dtype not in (np.float32, np.float64):
        return False
    with np.errstate(all="ignore"):
        finite = bool(np.isfinite(values.sum()))
    return finite and (values.ndim == 2 if table is None else values.shape == table.shape[:1])


def check_digits(values: np.ndarray, name: str, columns: Optional[np.ndarray] = None,
                 rows: int = 0) -> None:
    """Checks that float32 can distinguish the numbers of each column, by the rule for files.
    `values` are for learning, as they are given, (rows, columns), or (values,) of a sparse table,
    with their `columns` and its number of `rows`; NaN is a missing one. Raises ValueError where a
    column has lost the differences between its values. If it has lost less, a warning says so."""
    wide = _wide(values)
    if wide is None:
        return
    from .. import _native
    lost, rounded = (_native.lost_digits(wide) if columns is None else
                     _native.lost_sparse_digits(wide, columns, rows))
    if lost:
        raise ValueError(f"{name}: {lost}.")
    if rounded:
        from .._errors import warn
        warn(f"{name}: {rounded}.")


def check_series(values: np.ndarray, name: str) -> None:
    """Checks every series and channel of an array (series, steps, channels) by itself: one on a
    high level loses its variation, no matter how much other ones vary. Raises ValueError where a
    series has lost the differences between its values. If more than a thousandth of them is lost, a
    warning says so."""
    series = _wide(values)
    if series is None:
        return
    from .. import _native
    place, lost, first, count = _native.lost_series(series)
    at = f"{name}[{max(place, first)}]" if len(values) > 1 else name
    if lost:
        raise ValueError(f"{at}: {lost}.")
    if count:
        from .._errors import warn
        warn(f"{name}: the values of {count} series are rounded by more than a thousandth of what "
             f"they differ by, first in {at}, since float32 has 24 bits; subtract a constant from "
             f"each series, such as its smallest value, if that matters.")


def _wide(values: np.ndarray) -> Optional[np.ndarray]:
    """Numbers that float32 may not hold, in 64 bits; None: it holds all of this type."""
    if values.dtype == object:  # columns of several types
        values = values.astype(np.float64)
    if values.dtype.kind not in "fiu" or values.dtype.itemsize < 4 or values.dtype == np.float32:
        return None
    return values.astype({"f": np.float64, "i": np.int64, "u": np.uint64}[values.dtype.kind],
                         copy=False)


def _refuse_overflow(values: np.ndarray, refused: np.ndarray, name: str,
                     where: Optional[Callable[[int], Tuple[int, ...]]], missing: bool) -> None:
    bad = int(np.argmax(refused))
    value = values.reshape(-1)[bad]
    place = tuple(int(i) for i in np.unravel_index(bad, refused.shape))
    if where is not None:
        place = where(bad)
    if not np.isfinite(value):
        raise ValueError(f"Input {name} contains {'' if missing else 'NaN or '}infinity.")
    raise ValueError(
        f"Input {name} contains a value too large for dtype('float32'): {value:g} at "
        f"{place}. Machines compute with float32 values, whose magnitude "
        f"is at most {LARGEST:.3g}: scale the columns, with StandardScaler for example.")


#: What scikit-learn says.
DENSE_NEEDED = ("A sparse matrix was passed, but dense data is required. Use X.toarray() to "
                "convert to a dense numpy array.")


def is_sparse(values: Any) -> bool:
    """Whether these are a sparse matrix or array of SciPy, or a data frame of sparse columns."""
    if hasattr(values, "iloc"):
        return values.ndim == 2 and values.shape[1] > 0 and hasattr(values, "sparse")
    scipy_sparse = sys.modules.get("scipy.sparse")
    return scipy_sparse is not None and bool(scipy_sparse.issparse(values))


def sparse_vectors(values: Any, name: str = "X", training: bool = False) -> Samples:
    """A sparse or dense table as sparse rows, without zeros; with `training`, for learning. Raises
    ValueError where it has no columns, or a number that float32 does not hold."""
    rows = _rows_of(values, name)
    if len(rows.shape) != 2 or rows.shape[1] == 0:
        raise ValueError(f"Found array with {rows.shape[-1]} feature(s) (shape={rows.shape}) while "
                         f"a minimum of 1 is required.")
    offsets = rows.indptr
    count = int(offsets[-1])  # what lies behind it is room for more
    given, columns = rows.data[:count], rows.indices[:count]
    converted = as_float32(given, name, lambda place: (
        int(np.searchsorted(rows.indptr, place, side="right")) - 1, int(rows.indices[place])))
    if training:
        check_digits(given, name, columns, rows.shape[0])
    if np.count_nonzero(converted) != count:  # zeros that are stored, or become 0 as float32
        kept = converted != 0
        offsets = np.concatenate([[0], np.cumsum(kept)])[offsets]
        converted, columns = converted[kept], columns[kept]
    if columns.dtype == np.int32:
        columns = columns.view(np.uint32)
    return Samples(converted, {"kind": "sparse vector", "width": rows.shape[1], "depth": 1},
                   offsets.astype(np.uint64), np.ascontiguousarray(columns, dtype=np.uint32))


def _rows_of(values: Any, name: str) -> Any:
    """The table as a CSR matrix with sorted columns, each once; in place where it is that."""
    from scipy.sparse import csr_matrix
    if is_sparse(values):
        given = values.sparse.to_coo() if hasattr(values, "iloc") else values
        if len(given.shape) != 2:
            raise ValueError(f"Expected 2D array, got {len(given.shape)}D array instead.")
        if given.dtype == np.float16:  # SciPy does not add such
            given = given.astype(np.float32)
        rows = given.tocsr()
        # A matrix of its own: what the given one knows of its order may be outdated.
        rows = csr_matrix((rows.data, rows.indices, rows.indptr), shape=rows.shape)
        if not rows.has_canonical_format:
            rows = rows.copy()
            rows.sum_duplicates()
        return rows
    return csr_matrix(as_float32(np.asarray(values), name))
