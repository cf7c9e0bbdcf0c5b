# SPDX-License-Identifier: MIT
"""Large-margin classification with similarity measures.

What is used is imported when it is used: a file of components written in Python, which the program
reads, loads none of the rest.
"""

import importlib
import importlib.util
from typing import TYPE_CHECKING, Any

from . import _declare
from ._declare import (boolean, choice, figure, integer, integers, number, numbers, path, text,
                       texts)

if TYPE_CHECKING:
    from ._model import Model as Model, load as load
    from ._native import (DataError as DataError, PipelineError as PipelineError,
                          SemblanceError as SemblanceError, SemblanceWarning as SemblanceWarning,
                          Stopped as Stopped)
    from ._runs import (RunResult as RunResult, StudyResult as StudyResult, ablate as ablate,
                        check as check, run as run)

#: Where a name is that is imported when it is used.
_PLACES = {
    **dict.fromkeys(("DataError", "PipelineError", "SemblanceError", "SemblanceWarning",
                     "Stopped"), "_native"),
    **dict.fromkeys(("Model", "load"), "_model"),
    **dict.fromkeys(("RunResult", "StudyResult", "ablate", "check", "run"), "_runs"),
}

__all__ = ["__version__", "boolean", "choice", "figure", "integer", "integers", "number",
           "numbers", "path", "text", "texts", *_PLACES]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return importlib.import_module("semblance._native").version
    if name in _PLACES:
        return getattr(importlib.import_module(f"semblance.{_PLACES[name]}"), name)
    if name in _declare.KINDS:
        if _declare.in_program or not importlib.util.find_spec(f"semblance.{name}"):
            return _declare.Kind(name)
        return importlib.import_module(f"semblance.{name}")
    raise AttributeError(f"module 'semblance' has no attribute '{name}'")
