# SPDX-License-Identifier: MIT
"""The kind of the given samples."""

from __future__ import annotations

from typing import Any, Sequence, Tuple

import numpy as np

from .form import FORMS
from .series import unnested
from .sparse import DENSE_NEEDED, is_sparse


def layout_kind(values: Any, taken: Sequence[str], image_shape: Any, owner: str) -> str:
    """The kind of these samples, for a component that takes the kinds `taken`.

    Raises
    ------
    TypeError, ValueError
        The component does not take such samples, or not their number of dimensions.
    """
    if is_sparse(values):
        if "sparse vector" not in taken or image_shape is not None:
            raise TypeError(DENSE_NEEDED)
        return "sparse vector"
    if taken and all(kind == "pair" for kind in taken):
        raise TypeError(f"{owner} takes {FORMS['pair']}: run a pipeline with semblance.run.")
    if taken and all(kind == "graph" for kind in taken):
        return "graph"
    values = unnested(values)
    if image_shape is not None:
        if "image" not in taken:
            raise ValueError(f"{owner} takes no images, so 'image_shape' has no meaning: omit it.")
        return "image"
    if _is_text(values):
        if "string" in taken:
            return "string"
        raise ValueError(f"{owner} takes {_listed(taken)}, got strings: dtype='numeric' is not "
                         f"compatible with arrays of bytes/strings.")
    if taken == ("string",):
        raise TypeError(f"{owner} takes strings: give a list of str, got "
                        f"{type(values).__name__}"
                        f"{_of_first(values)}.")
    if is_list_of_arrays(values):
        for kind in ("sequence", "set"):
            if kind in taken:
                return kind
    shape = values.shape if hasattr(values, "shape") else np.asarray(values).shape
    dimensions = len(shape)
    for kind in _by_dimensions(values, dimensions):
        if kind in taken:
            return kind
    if "vector" in taken:
        return "vector"  # its own check says what is wrong
    raise ValueError(f"{owner} takes {_listed(taken)}; got an array of {dimensions} dimensions.")


def _of_first(values: Any) -> str:
    first = values[0] if isinstance(values, (list, tuple)) and values else None
    return "" if first is None else f" of {type(first).__name__}"


def _by_dimensions(values: Any, dimensions: int) -> Tuple[str, ...]:
    """Possible kinds of an array with this number of dimensions, the likeliest first."""
    if dimensions == 4:
        bytes_ = getattr(values, "dtype", None) == np.uint8
        return ("image", "grid") if bytes_ else ("grid", "image")
    return {2: ("vector", "sequence"), 3: ("image", "sequence", "set")}.get(dimensions, ())


def _is_text(values: Any) -> bool:
    if isinstance(values, np.ndarray):
        if values.dtype.kind == "U":
            return True
        return (values.dtype == object and values.ndim == 1 and len(values) > 0
                and isinstance(values[0], str))
    if hasattr(values, "iloc") and getattr(values, "ndim", 0) == 1:
        return len(values) > 0 and isinstance(values.iloc[0], str)
    return (isinstance(values, (list, tuple)) and len(values) > 0
            and isinstance(values[0], str))


def is_list_of_arrays(values: Any) -> bool:
    """Whether samples are a list, and differ in size or may do so."""
    if isinstance(values, np.ndarray):
        return values.dtype == object and values.ndim == 1
    if not isinstance(values, (list, tuple)) or not values:
        return False
    if any(np.ndim(sample) == 0 for sample in values[:1]):
        return False
    return len({np.shape(sample) for sample in values}) > 1 or np.ndim(values[0]) == 2


def _listed(taken: Sequence[str]) -> str:
    dense = [kind for kind in taken if kind not in ("sparse vector", "pair")]
    return ", ".join(FORMS[kind] for kind in dense or taken) or "nothing"
