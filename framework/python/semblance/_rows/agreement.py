# SPDX-License-Identifier: MIT
"""Agreement of samples with the training samples, or with one another."""

from __future__ import annotations

from typing import Any, Dict, Mapping, Optional, Tuple

from .form import FORMS, TABLES, Samples, is_ragged, size_of


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
