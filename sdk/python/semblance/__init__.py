# SPDX-License-Identifier: MIT
"""Large-margin classification with similarity measures.

What is used is imported when it is used: a file of components written in Python, which the program
reads, loads none of the rest.
"""

import importlib
import importlib.util
from typing import TYPE_CHECKING, Any, List

from . import _declare
from ._declare import (boolean, choice, figure, integer, integers, number, numbers, path, text,
                       texts)

if TYPE_CHECKING:
    from . import (basis, diagnostics, feature, normalizer, pair_kernel, pairs, similarity,
                   solver)
    from ._component import component
    from ._generated.composite import *  # noqa: F401,F403
    from ._generated.feature import *  # noqa: F401,F403
    from ._generated.normalizer import *  # noqa: F401,F403
    from ._generated.solver import *  # noqa: F401,F403
    from ._pipeline_estimator import PipelineEstimator

__all__ = ["PipelineEstimator", "__version__", "basis", "boolean", "choice", "component",
           "diagnostics", "feature", "figure", "integer", "integers", "normalizer", "number",
           "numbers", "pair_kernel", "pairs", "path", "similarity", "solver", "text", "texts"]

#: Names of the package, and the modules that they are in; imported when they are asked for.
_PLACES = {"component": "_component", "PipelineEstimator": "_pipeline_estimator"}
_MODULES = ("diagnostics", "pair_kernel", "pairs")


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return importlib.import_module("semblance._native").version
    if name in _declare.KINDS:
        if _declare.in_program or not importlib.util.find_spec(f"semblance.{name}"):
            return _declare.Kind(name)
        return importlib.import_module(f"semblance.{name}")
    if name in _MODULES:
        return importlib.import_module(f"semblance.{name}")
    if name in _PLACES:
        return getattr(importlib.import_module(f"semblance.{_PLACES[name]}"), name)
    if name in _estimators():
        return getattr(importlib.import_module(f"semblance._generated.{_estimators()[name]}"),
                       name)
    raise AttributeError(f"module 'semblance' has no attribute '{name}'")


def _estimators() -> "dict[str, str]":
    """The generated estimators, and the modules that they are in."""
    try:
        return importlib.import_module("semblance._generated").ESTIMATORS
    except ModuleNotFoundError:  # the package is not built yet
        return {}


def __dir__() -> List[str]:
    return sorted({*globals(), *__all__, *_estimators()})
