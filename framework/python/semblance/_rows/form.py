# SPDX-License-Identifier: MIT
"""The form in which the runtime takes samples: float32 values in one layout."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, Mapping, Optional

import numpy as np

Layout = Dict[str, Any]

#: How samples of each kind are given, for messages.
FORMS = {
    "vector": "tables (n, columns)",
    "image": "images (n, height, width) or (n, height, width, channels)",
    "grid": "grids of cells (n, height, width, values)",
    "sequence": "series: an array (n, steps) or (n, channels, steps), or a list of arrays "
                "(steps,) or (channels, steps)",
    "string": "strings: a list of str",
    "set": "sets of points: an array (n, points, coordinates), or a list of arrays (points, "
           "coordinates)",
}


@dataclass(frozen=True)
class Samples:
    """Samples in the form that the runtime takes."""

    values: np.ndarray  #: float32, C order: (n, size), or flat where samples differ in size
    layout: Layout
    offsets: Optional[np.ndarray] = None  #: uint64, n + 1; where samples differ in size

    def __len__(self) -> int:
        return len(self.values) if self.offsets is None else len(self.offsets) - 1

    def rows(self, name: str = "X") -> Any:
        """The samples as the native module has them, in place."""
        from .. import _native
        return _native.Rows(self.values, self.layout, self.offsets, name)


def size_of(layout: Mapping[str, Any]) -> int:
    """Values of a sample, where all have the same size."""
    return int(layout.get("height", 1) * layout.get("width", 1) * layout["depth"])


def is_ragged(layout: Mapping[str, Any]) -> bool:
    return layout["kind"] in ("sequence", "string", "set")
