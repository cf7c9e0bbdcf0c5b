# SPDX-License-Identifier: MIT
"""Large-margin classification with similarity measures.

What is used is imported when it is used: a file of components written in Python, which the program
reads, loads none of the rest.
"""

import importlib
import importlib.util
from typing import Any

from . import _declare
from ._declare import (boolean, choice, figure, integer, integers, number, numbers, path, text,
                       texts)

__all__ = ["__version__", "boolean", "choice", "figure", "integer", "integers", "number",
           "numbers", "path", "text", "texts"]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return importlib.import_module("semblance._native").version
    if name in _declare.KINDS:
        if _declare.in_program or not importlib.util.find_spec(f"semblance.{name}"):
            return _declare.Kind(name)
        return importlib.import_module(f"semblance.{name}")
    raise AttributeError(f"module 'semblance' has no attribute '{name}'")
