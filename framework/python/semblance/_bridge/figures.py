# SPDX-License-Identifier: MIT
"""What a solver or an evaluator returns: figures, and drawings of them, by name."""

from __future__ import annotations

from typing import Any, Dict

import numpy as np

from .._declare import Refused
from .drawings import DRAWINGS, plain


def figures(result: Any, what: str, none_is_well: bool) -> Dict[str, Any]:
    """Numbers and texts by name, as Python's own types, and drawings as kind and parts."""
    if result is None and none_is_well:
        return {}
    if not isinstance(result, dict):
        raise Refused(f"{what} is no dictionary of figures by name, but {type(result).__name__}")
    return {str(name): _plain(str(name), value, what) for name, value in result.items()}


def _plain(name: str, value: Any, what: str) -> Any:
    if isinstance(value, DRAWINGS):
        return plain(name, value)
    if isinstance(value, (bool, np.bool_)) or not isinstance(
            value, (int, float, str, np.integer, np.floating)):
        raise Refused(f"the figure '{name}' in {what} is {value!r}, not a number or a text")
    if not isinstance(value, (str, int, np.integer)) and not np.isfinite(value):
        raise Refused(f"the figure '{name}' in {what} is {value}")
    if isinstance(value, str):
        return value
    return int(value) if isinstance(value, (int, np.integer)) else float(value)
