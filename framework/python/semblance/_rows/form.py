# SPDX-License-Identifier: MIT
"""The runtime's form of samples, float32 values in one layout, and the way back to Python."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Optional, Tuple

import numpy as np


Layout = Dict[str, Any]

#: The form of samples of each kind, for messages.
FORMS = {
    "vector": "tables (n, columns)",
    "image": "images (n, height, width) or (n, height, width, channels)",
    "grid": "grids of cells (n, height, width, values)",
    "sequence": "series: an array (n, steps) or (n, channels, steps), or a list of arrays "
                "(steps,) or (channels, steps)",
    "string": "strings: a list of str",
    "set": "sets of points: an array (n, points, coordinates), or a list of arrays (points, "
           "coordinates)",
    "sparse vector": "sparse matrices (n, columns)",
    "graph": "a list of graphs: of networkx, igraph, PyTorch Geometric or RDKit, SMILES, tuples "
             "(edges, labels of nodes) or (edges, labels of nodes, labels of edges), or square "
             "adjacency matrices",
    "pair": "pairs of samples, which pipelines read with source/pairs",
}

#: The kinds of tables.
TABLES = ("vector", "sparse vector")


@dataclass(frozen=True)
class Samples:
    """Samples in the runtime's form."""

    #: float32, C order: (n, size), or flat where samples differ in size or are sparse
    values: np.ndarray
    layout: Layout
    offsets: Optional[np.ndarray] = None  #: uint64, n + 1; where samples differ in size
    columns: Optional[np.ndarray] = None  #: uint32, one per value; where samples are sparse
    missing: bool = False  #: whether values may be NaN

    def __len__(self) -> int:
        return len(self.values) if self.offsets is None else len(self.offsets) - 1

    def rows(self, name: str = "X") -> Any:
        """The samples as rows of the native module, in place."""
        from .. import _native
        return _native.Rows(self.values, self.layout, self.offsets, name, self.columns,
                            self.missing)


def size_of(layout: Mapping[str, Any]) -> int:
    """The number of values of a sample, zeros included, if all have the same size."""
    return int(layout.get("height", 1) * layout.get("width", 1) * layout["depth"])


def is_ragged(layout: Mapping[str, Any]) -> bool:
    return layout["kind"] in ("sequence", "string", "set", "graph", "pair")


def as_fitted(made: Samples, fitted: Optional[Mapping[str, Any]], owner: str,
              name: str) -> Samples:
    """The samples in the layout of the training samples, if that is possible."""
    if fitted is None:
        return made
    if made.layout["kind"] != fitted["kind"]:
        raise ValueError(f"{name} must be {FORMS[fitted['kind']]}, as {owner} was trained on; got "
                         f"{FORMS[made.layout['kind']]}.")
    if not is_ragged(fitted):
        for side in ("height", "width", "depth"):
            if made.layout.get(side, 1) != fitted.get(side, 1):
                raise ValueError(f"{name} has samples of {_sides(made.layout)}, but {owner} is "
                                 f"expecting {_sides(fitted)}, as it was trained on.")
        return made
    if made.layout["depth"] != fitted["depth"]:
        raise ValueError(f"{name} has {made.layout['depth']} values a step or point, but {owner} "
                         f"is expecting {fitted['depth']}, as it was trained on.")
    return made


def in_common(first: Samples, second: Samples) -> Tuple[Samples, Samples]:
    """Both in one layout; if samples differ in size, that of the largest of both."""
    if first.layout == second.layout or not is_ragged(first.layout):
        return first, second
    larger: Dict[str, Any] = {"width": max(first.layout["width"], second.layout["width"])}
    if first.layout["kind"] == "graph":
        shapes = first.layout["shape"], second.layout["shape"]
        larger["shape"] = {**shapes[0], **{part: max(shape[part] for shape in shapes)
                                           for part in ("nodes", "edges")}}
    return (Samples(first.values, {**first.layout, **larger}, first.offsets),
            Samples(second.values, {**second.layout, **larger}, second.offsets))


def _sides(layout: Mapping[str, Any]) -> str:
    if layout["kind"] in TABLES:
        return f"{size_of(layout)} features"
    return (f"{layout.get('height', 1)}x{layout.get('width', 1)}x{layout['depth']} (height x "
            f"width x {'channels' if layout['kind'] == 'image' else 'values'})")


def as_python(rows: Any, layout: Mapping[str, Any], flat: bool = False) -> Any:
    """The runtime's rows in the form of the table in this package's docstring: (n, size), (values,
    offsets) where samples differ in size, or (values, offsets, columns) where they are sparse. With
    `flat`, samples of equal size are rows (n, size) in the order of that form's values."""
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


def as_csr(rows: Tuple[np.ndarray, np.ndarray, np.ndarray], layout: Mapping[str, Any]) -> Any:
    """The runtime's sparse rows, (values, offsets, columns), as a matrix of SciPy, which shares
    their values."""
    from scipy.sparse import csr_matrix
    values, offsets, columns = rows
    small = len(values) <= np.iinfo(np.int32).max
    ends = np.asarray(offsets).astype(np.int32 if small else np.int64)
    places = columns.view(np.int32) if small else columns.astype(np.int64)
    return csr_matrix((values, places, ends), shape=(len(ends) - 1, int(layout["width"])))
