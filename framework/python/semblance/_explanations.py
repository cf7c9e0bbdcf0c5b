# SPDX-License-Identifier: MIT
"""Why a machine gives its result for samples."""

from __future__ import annotations

import numbers
from typing import Any, Callable, Dict, List, Mapping, Optional

import numpy as np


def _whole(value: Any, name: str, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise TypeError(f"{name} must be a whole number, got {value!r}")
    if value < least:
        raise ValueError(f"{name} must be at least {least}, got {value}")
    return int(value)


def _chosen(rows: Any, count: int) -> List[int]:
    if rows is None:
        return list(range(count))
    places = np.asarray(rows)
    if places.dtype.kind not in "iu" and places.size or places.ndim > 1:
        raise TypeError(f"rows must be whole numbers, the places in X of samples, got {rows!r}")
    for place in places.reshape(-1):
        if not 0 <= place < count:
            raise ValueError(f"rows has {place}, but X has {count} samples, counted from 0")
    return [int(place) for place in places.reshape(-1)]


def _with_labels(made: Dict[str, Any], labels: Mapping[str, Any]) -> Dict[str, Any]:
    """The same with the user's labels in place of the program's names of classes."""
    if labels:
        made.update((key, labels[made[key]]) for key in ("predicted", "explained", "against")
                    if key in made)
        for example in made.get("examples", ()):
            if "class" in example:
                example["class"] = labels[example["class"]]
    return made


def explanations(trained: Any, node: str, samples: Any, background: Any,
                 rows_of: Callable[[Any], Any], labels: Mapping[str, Any], *, rows: Any,
                 of_class: Any, target: Optional[str], top: Any,
                 seed: Optional[int]) -> List[Dict[str, Any]]:
    """What ``semblance explain --json`` says of samples, rows of the native module.

    `rows_of` makes such rows of a background of samples; `labels` has the label of each class.
    """
    top = _whole(top, "top", 1)
    if seed is not None:
        seed = _whole(seed, "seed", 0)
    others, count = None, 0
    if background is None or isinstance(background, numbers.Number):
        count = _whole(background or 0, "background", 0)
    else:
        others = rows_of(background)
    name = ""
    if of_class is not None:
        known = [text for text, label in labels.items() if label == of_class]
        name = known[0] if known else str(of_class)
    made = trained.explain(node, samples, _chosen(rows, len(samples)), others, count, name,
                           target or "", top, seed)
    return [_with_labels(each, labels) for each in made]
