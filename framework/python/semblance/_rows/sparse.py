# SPDX-License-Identifier: MIT
"""Sparse matrices of SciPy: compressed sparse rows of float32, in place where they are so."""

from __future__ import annotations

import sys
from typing import Any, Mapping, Tuple

import numpy as np

from .float32 import as_float32, check_digits
from .form import Samples

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
    """A sparse or dense table as sparse rows, without zeros; with `training`, for learning.

    Raises
    ------
    ValueError
        It has no columns, or a number that float32 does not hold.
    """
    rows = _rows_of(values, name)
    if len(rows.shape) != 2 or rows.shape[1] == 0:
        raise ValueError(f"Found array with {rows.shape[-1]} feature(s) (shape={rows.shape}) while "
                         f"a minimum of 1 is required.")
    offsets = rows.indptr
    count = int(offsets[-1])  # what lies behind it is room for more
    given, columns = rows.data[:count], rows.indices[:count]
    converted = as_float32(given, name, lambda place: _where(rows, place))
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


def dense_vectors(values: Any, name: str = "X") -> np.ndarray:
    """A sparse table as an array of float32, with its zeros."""
    made = sparse_vectors(values, name)
    array = np.zeros((len(made), made.layout["width"]), dtype=np.float32)
    assert made.offsets is not None and made.columns is not None
    rows = np.repeat(np.arange(len(made)), np.diff(made.offsets.astype(np.int64)))
    array[rows, made.columns] = made.values
    return array


def as_csr(rows: Tuple[np.ndarray, np.ndarray, np.ndarray], layout: Mapping[str, Any]) -> Any:
    """The runtime's sparse rows, (values, offsets, columns), as a matrix of SciPy, which shares
    their values."""
    from scipy.sparse import csr_matrix
    values, offsets, columns = rows
    small = len(values) <= np.iinfo(np.int32).max
    ends = np.asarray(offsets).astype(np.int32 if small else np.int64)
    places = columns.view(np.int32) if small else columns.astype(np.int64)
    return csr_matrix((values, places, ends), shape=(len(ends) - 1, int(layout["width"])))


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


def _where(rows: Any, place: int) -> Tuple[int, int]:
    """The row and the column of a value."""
    return int(np.searchsorted(rows.indptr, place, side="right")) - 1, int(rows.indices[place])
