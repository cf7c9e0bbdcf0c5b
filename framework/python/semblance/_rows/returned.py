# SPDX-License-Identifier: MIT
"""From the runtime to Python."""

from __future__ import annotations

from typing import Any, List, Mapping

import numpy as np

from .sparse import as_csr


def as_python(rows: Any, layout: Mapping[str, Any], flat: bool = False) -> Any:
    """The runtime's rows in the form of the table in this package's docstring.

    Parameters
    ----------
    rows : ndarray, or tuple of them
        (n, size); (values, offsets) where samples differ in size; (values, offsets, columns) where
        they are sparse.
    flat : bool
        Whether samples of equal size are rows (n, size) in the order of that form's values.
    """
    kind, depth = layout["kind"], int(layout["depth"])
    if kind == "sparse vector":
        return as_csr(rows, layout)
    values, offsets = rows if isinstance(rows, tuple) else (rows, None)
    if offsets is not None:
        return _list_of(values, kind, depth, np.asarray(offsets, dtype=np.int64))
    if kind == "vector":
        return values
    height, width = int(layout.get("height", 1)), int(layout.get("width", 1))
    if kind == "image" and depth > 1:
        planes = values.reshape(len(values), depth, height, width).transpose(0, 2, 3, 1)
        values = np.ascontiguousarray(planes)
    if flat:
        return values.reshape(len(values), -1)
    if kind == "image" and depth == 1:
        return values.reshape(len(values), height, width)
    return values.reshape(len(values), height, width, depth)


def _list_of(values: np.ndarray, kind: str, depth: int, offsets: np.ndarray) -> Any:
    parts: List[np.ndarray] = [values[start:end].reshape(-1, depth)
                               for start, end in zip(offsets, offsets[1:])]
    if kind == "sequence":
        parts = [part[:, 0] if depth == 1 else part.T for part in parts]
    if len({part.shape for part in parts}) == 1:
        return np.stack(parts)
    return parts
