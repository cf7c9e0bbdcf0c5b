# SPDX-License-Identifier: MIT
"""The runtime's form of samples: float32 values in one layout."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, Mapping, Optional

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
    "graph": "a list of graphs: of networkx, tuples (edges, labels of nodes) or (edges, labels of "
             "nodes, labels of edges), or square adjacency matrices",
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
