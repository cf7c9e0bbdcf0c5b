# SPDX-License-Identifier: MIT
"""Large-margin learning with similarity measures.

Estimators for scikit-learn, such as :class:`KernelSVM`, :class:`BasisExpandingSVM` and
:class:`PipelineEstimator`; :func:`run`, :func:`ablate` and :func:`load` for pipelines, studies and
models in files; the components by kind, such as :mod:`semblance.similarity`; and :func:`measure`,
:func:`number` and others to declare components in Python.
"""

# Names are imported on first use: when the program reads a file of components written in Python, it
# loads nothing else.

import importlib
import importlib.util
from typing import TYPE_CHECKING, Any, Dict, List

from . import _declare
from ._declare import (Bars as Bars, Curve as Curve, HeatMap as HeatMap, Refused as Refused,
                       Picture as Picture, Scatter as Scatter, boolean as boolean,
                       choice as choice, figure as figure, integer as integer,
                       integers as integers, mapping as mapping, measure as measure,
                       number as number, numbers as numbers, path as path, text as text,
                       texts as texts)

if TYPE_CHECKING:
    # Modules that are decorators as well: type checkers do not know callable modules.
    basis: _declare.Kind
    evaluator: _declare.Kind
    feature: _declare.Kind
    normalizer: _declare.Kind
    similarity: _declare.Kind
    solver: _declare.Kind
    from . import (calibrator as calibrator, diagnostics as diagnostics,
                   pair_kernel as pair_kernel, pairs as pairs)
    from ._component import component as component
    from ._generated.composite import *  # noqa: F401,F403
    from ._generated.feature import *  # noqa: F401,F403
    from ._generated.normalizer import *  # type: ignore[assignment]  # noqa: F401,F403
    from ._generated.solver import *  # noqa: F401,F403
    from ._model import Model as Model, load as load
    from ._native import (DataError as DataError, PipelineError as PipelineError,
                          SemblanceError as SemblanceError, SemblanceWarning as SemblanceWarning,
                          Stopped as Stopped, use_device as use_device)
    from ._pipeline_estimator import (PipelineEstimator as PipelineEstimator,
                                      PipelineNoveltyDetector as PipelineNoveltyDetector,
                                      PipelineRegressor as PipelineRegressor)
    from ._rows import from_tslearn as from_tslearn
    from ._runs import (RunResult as RunResult, StudyResult as StudyResult, ablate as ablate,
                        check as check, run as run)

#: The module of each name that is imported on first use.
_PLACES = {
    **dict.fromkeys(("DataError", "PipelineError", "SemblanceError", "SemblanceWarning",
                     "Stopped", "use_device"), "_native"),
    **dict.fromkeys(("Model", "load"), "_model"),
    **dict.fromkeys(("RunResult", "StudyResult", "ablate", "check", "run"), "_runs"),
    "component": "_component",
    "from_tslearn": "_rows",
    **dict.fromkeys(("PipelineEstimator", "PipelineNoveltyDetector", "PipelineRegressor"),
                    "_pipeline_estimator"),
}

#: Modules that are not decorators.
_MODULES = ("calibrator", "diagnostics", "pair_kernel", "pairs")

#: Names of earlier versions: the other fields of Former.
_FORMER = {"displays": {
    "since": "1.0", "gone": True,
    "advice": "scikit-learn's displays take these estimators, similarity.dtw_path() gives the "
              "steps to draw, and the report of a study has the critical difference"}}

#: What files of components written in Python use.
_DECLARATIONS = (*(name for name in _declare.__all__ if name in globals()), *_declare.KINDS)


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return _offered()
    if name == "__version__":
        return importlib.import_module("semblance._native").version
    if name in _PLACES:
        return getattr(importlib.import_module(f"semblance.{_PLACES[name]}"), name)
    if name in _declare.KINDS:
        if _declare.decorators.in_program or not importlib.util.find_spec(f"semblance.{name}"):
            return _declare.Kind(name)
        return importlib.import_module(f"semblance.{name}")
    if name in _MODULES:
        return importlib.import_module(f"semblance.{name}")
    if not name.startswith("_") and name in _generated_estimators():
        module = importlib.import_module(f"semblance._generated.{_generated_estimators()[name]}")
        globals()[name] = getattr(module, name)  # without the imports next time
        return globals()[name]
    if name not in _FORMER:
        raise AttributeError(f"module 'semblance' has no attribute '{name}'")
    former = importlib.import_module("semblance._former").Former(name, **_FORMER[name])
    if former.gone:
        raise AttributeError(f"semblance.{name} is gone: {former.remedy()}")
    former.tell(f"semblance.{name}", former.remedy())
    return __getattr__(former.instead)


def _generated_estimators() -> Dict[str, str]:
    """The generated estimators, and the modules that they are in."""
    index = importlib.import_module("semblance._generated")
    found: Dict[str, str] = index.ESTIMATORS
    return found


def _offered() -> List[str]:
    """What ``from semblance import *`` gives: in a file of components, which the program reads, the
    declarations alone."""
    if _declare.decorators.in_program:
        return sorted(_DECLARATIONS)
    return sorted({*_DECLARATIONS, *_PLACES, *_MODULES, *_generated_estimators()})


def __dir__() -> List[str]:
    return sorted({*_offered(), "__version__", "__doc__", "__file__", "__name__", "__path__"})
