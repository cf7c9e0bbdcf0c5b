# SPDX-License-Identifier: MIT
"""Options of a component, besides its parameters."""

from __future__ import annotations

from typing import Any, Dict, Sequence

from .arguments import arguments
from .errors import did_you_mean
from .figures import Figure
from .parameters import Parameter

LAYOUTS = ("vector", "image", "grid", "sequence", "string", "set")

_OPTIONS: Dict[str, Any] = {
    "summary": "",
    "documentation": "",
    "reference": "",
    "complexity": "",
    "example": "",
    "accepts": (),
    "gives": "",
    "reports": {},
    "random": False,
    "symmetric": False,
    "positive_semidefinite": False,
    "exact": False,
    "inexpensive": False,
    "columns_are_rows": False,
    "count": None,
    "size": None,
}

#: Options that only some kinds have.
_OPTIONS_OF = {
    "symmetric": ("similarity",),
    "positive_semidefinite": ("similarity",),
    "exact": ("similarity",),
    "count": ("basis",),
    "size": ("normalizer",),
    "reports": ("solver", "evaluator"),
    "gives": ("feature", "normalizer"),
}


def checked_options(kind: str, given: Dict[str, Any]) -> Dict[str, Any]:
    """The options of a component of the kind, with defaults for those that are not given."""
    for name, value in given.items():
        if name not in _OPTIONS:
            raise TypeError(f"'{name}' is neither a parameter, such as semblance.number(1.0), nor "
                            f"an option{did_you_mean(name, list(_OPTIONS))}")
        of = _OPTIONS_OF.get(name, (kind,))
        if kind not in of:
            raise TypeError(f"'{name}' is an option of a {' or '.join(of)}, not of a {kind}")
        default = _OPTIONS[name]
        if isinstance(default, (bool, str)) and not isinstance(value, type(default)):
            what = "true or false" if default is False else "a text"
            raise TypeError(f"the option '{name}' is {what}, not {value!r}")
    options = {**_OPTIONS, **given}
    accepts = options["accepts"]
    options["accepts"] = (accepts,) if isinstance(accepts, str) else tuple(accepts)
    for layout in [*options["accepts"], *filter(None, [options["gives"]])]:
        if layout not in LAYOUTS:
            raise ValueError(f"there is no layout {layout!r}; choose from {', '.join(LAYOUTS)}")
    if options["gives"] and options["gives"] not in ("vector", "image", "grid"):
        raise ValueError(f"a component written in Python gives vectors, images or grids, not "
                         f"{options['gives']}s")
    for name, about in options["reports"].items():
        if not isinstance(about, Figure):
            raise TypeError(f"the figure '{name}' is declared by semblance.figure(\"what it is\"), "
                            f"not by {about!r}")
    return options


def check_announced(name: str, options: Dict[str, Any], parameters: Dict[str, Parameter],
                    known: Sequence[str]) -> None:
    """Checks an option that gives a size beforehand: it names a parameter, or is a function."""
    how = options[name]
    if isinstance(how, str) and how not in parameters:
        raise ValueError(f"the option '{name}' names the parameter '{how}', which is not declared")
    if callable(how):
        arguments(how, f"the function of the option '{name}'", (), [*known, *parameters])
    elif how is not None and not isinstance(how, str):
        raise TypeError(f"the option '{name}' is the name of a parameter, or a function of "
                        f"{' and '.join(known)} and the parameters, not {how!r}")
