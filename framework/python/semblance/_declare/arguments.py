# SPDX-License-Identifier: MIT
"""The arguments that functions and methods receive by name, and the check that they take them."""

from __future__ import annotations

import inspect
from typing import Any, Callable, Dict, Sequence, Tuple

from .errors import did_you_mean
from .parameters import Parameter

#: Arguments by name of a function of the kind, besides its parameters: required, and optional.
_FUNCTIONS = {
    "similarity": (("bases", "samples"), ("layout",)),
    "feature": (("samples",), ("layout",)),
    "normalizer": (("samples",), ("layout",)),
    "basis": ((), ("samples", "labels", "classes", "layout", "context")),
    "evaluator": (("scores", "labels"), ("classes", "context")),
}

#: Arguments by name of the methods of a class of the kind: required, and optional.
_METHODS: Dict[str, Dict[str, Tuple[Tuple[str, ...], Tuple[str, ...]]]] = {
    "similarity": {
        "fit": (("bases",), ("indices", "layout", "context")),
        "apply": (("samples",), ("layout",)),
    },
    "feature": {"apply": (("samples",), ("layout",))},
    "normalizer": {
        "fit": (("samples",), ("labels", "classes", "layout", "context")),
        "apply": (("samples",), ("layout",)),
    },
    "solver": {
        "fit": (("samples", "labels"), ("classes", "layout", "context")),
        "apply": (("samples",), ("layout",)),
    },
}


def arguments(function: Callable[..., Any], where: str, needed: Sequence[str],
              optional: Sequence[str]) -> Tuple[str, ...]:
    """The names that the function asks for, after a check that they are available."""
    names, taken = [], inspect.signature(function).parameters.values()
    for p in taken:
        if p.kind == p.VAR_KEYWORD:  # takes all required arguments
            names += [name for name in needed if name not in names]
            continue
        if p.kind in (p.POSITIONAL_ONLY, p.VAR_POSITIONAL):
            raise TypeError(f"{where} is given its arguments by name; '{p.name}' takes them by "
                            "position")
        if p.name in needed or p.name in optional:
            names.append(p.name)
        elif p.default is p.empty:
            known = [*needed, *optional]
            raise TypeError(f"{where} takes '{p.name}', which is neither a declared parameter nor "
                            f"one of {', '.join(known)}{did_you_mean(p.name, known)}")
    for name in needed:
        if name not in names:
            raise TypeError(f"{where} must take the argument '{name}'")
    return tuple(names)


def wanted_by_function(kind: str, target: Any, parameters: Dict[str, Parameter],
                       where: str) -> Dict[str, Tuple[str, ...]]:
    """The arguments that a function of the kind asks for, besides its parameters."""
    if kind not in _FUNCTIONS:
        raise TypeError(f"{where}: a {kind} learns, so declare a class with the methods fit and "
                        "apply, not a function")
    needed, optional = _FUNCTIONS[kind]
    names = arguments(target, f"{where}()", [*needed, *parameters], optional)
    return {"call": tuple(n for n in names if n not in parameters)}


def wanted_by_class(kind: str, target: Any, parameters: Dict[str, Parameter],
                    where: str) -> Dict[str, Tuple[str, ...]]:
    """The arguments that each method of a class of the kind asks for."""
    if kind not in _METHODS:
        raise TypeError(f"{where}: declare a {kind} as a function, not as a class")
    if parameters or target.__init__ is not object.__init__:
        arguments(_without_self(target.__init__), f"{where}.__init__()", list(parameters), ())
    wanted = {}
    for method, (needed, optional) in _METHODS[kind].items():
        function = getattr(target, method, None)
        if function is None:
            if method == "fit" and kind == "normalizer":
                continue
            raise TypeError(f"{where}: the class of a {kind} needs the method {method}("
                            f"{', '.join(('self', *needed))})")
        wanted[method] = arguments(_without_self(function), f"{where}.{method}()", needed,
                                   optional)
    if hasattr(target, "save") != hasattr(target, "load"):
        raise TypeError(f"{where}: a class that has one of the methods save() and load(state) "
                        "needs the other one")
    return wanted


def _without_self(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function as a bound method, without its first argument."""
    return function.__get__(object(), object) if hasattr(function, "__get__") else function
