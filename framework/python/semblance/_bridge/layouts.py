# SPDX-License-Identifier: MIT
"""The shape of rows as users see them, and the layout of a shape."""

from __future__ import annotations

from typing import Any, NamedTuple, Tuple

import numpy as np


class Layout(NamedTuple):
    """How the values of a sample are arranged, as `Layout` of the SDK."""

    kind: str
    height: int
    width: int
    depth: int
    alphabet: Tuple[str, ...] = ()

    @property
    def size(self) -> int:
        return self.height * self.width * self.depth

    @property
    def ragged(self) -> bool:
        return self.kind in ("sequence", "string", "set")


def shaped(layout: Layout, values: Any) -> Any:
    """The rows as users see them. Arrays share the runtime's memory.

    Vectors are (n, size); images (n, height, width), with several channels (n, height, width,
    channels); grids (n, height, width, depth); series a list of (steps,), with several channels
    (channels, steps); strings a list of str; sets a list of (points, dimension).
    """
    if not layout.ragged:
        if layout.kind == "image":
            planes = _split(values, (layout.depth, layout.height, layout.width))
            return planes[:, 0] if layout.depth == 1 else planes.transpose(0, 2, 3, 1)
        if layout.kind == "grid":
            return _split(values, (layout.height, layout.width, layout.depth))
        return values
    flat, offsets = values
    rows = [flat[a:b] for a, b in zip(offsets[:-1], offsets[1:])]
    if layout.kind == "string":
        symbols = layout.alphabet
        # Below 0: a symbol that the alphabet lacks, in new strings.
        return ["".join(symbols[int(x)] if x >= 0 else chr(-1 - int(x)) for x in row)
                for row in rows]
    if layout.kind == "sequence" and layout.depth == 1:
        return rows
    tables = [row.reshape(-1, layout.depth) for row in rows]
    return [t.T for t in tables] if layout.kind == "sequence" else tables


def _split(values: np.ndarray, shape: Tuple[int, ...]) -> np.ndarray:
    """The second axis as several: a view, also where there are gaps between the rows."""
    return values.reshape(len(values), *shape)


#: The hint when a returned array does not have the shape of vectors.
SAY_GIVES = "; for images or grids, say gives=\"image\" or gives=\"grid\""


def axes_text(layout: str, axes: int) -> str:
    """The meaning of the axes of such an array, for messages."""
    names = {("vector", 2): "(samples, values)", ("image", 3): "(samples, height, width)",
             ("image", 4): "(samples, height, width, channels)",
             ("grid", 4): "(samples, height, width, values)"}
    return names[layout, axes]


def layout_of_shape(kind: str, shape: Tuple[int, ...]) -> Layout:
    """The layout of returned rows of this shape."""
    if kind == "vector":
        return Layout(kind, 1, 1, shape[1])
    return Layout(kind, shape[1], shape[2], shape[3] if len(shape) == 4 else 1)


def shape_of_layout(layout: Layout, rows: int) -> Tuple[int, ...]:
    """The inverse of `layout_of_shape`."""
    if layout.kind == "vector":
        return rows, layout.depth
    if layout.kind == "image" and layout.depth == 1:
        return rows, layout.height, layout.width
    return rows, layout.height, layout.width, layout.depth
