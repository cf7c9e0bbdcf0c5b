# SPDX-License-Identifier: MIT
"""Names of components that were added after the package was built: those of plugins, and those
written in Python."""

from __future__ import annotations

import json
from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple

from . import _native
from ._component import class_of
from ._generator.sources import function_source, has_function
from ._generator.shapes import class_name, python_name

#: The functions that were made, and their source texts.
_functions: Dict[str, Tuple[str, Callable[..., Any]]] = {}


def names(kind: str) -> List[str]:
    """Names of all components of a kind: of their classes, and of the functions of measures."""
    return [name for declaration in _of_kind(kind) for name in _names_of(declaration)]


def named(kind: str, name: str) -> Optional[Any]:
    """The class or function of this name; None if there is no such component."""
    for declaration in _of_kind(kind):
        if name in _names_of(declaration):
            is_class = name == class_name(declaration["id"])
            return class_of(declaration["id"]) if is_class else _function(dict(declaration))
    return None


def _of_kind(kind: str) -> List[Mapping[str, Any]]:
    return [declaration for declaration in json.loads(_native.catalogue())
            if declaration["kind"] == kind]


def _names_of(declaration: Mapping[str, Any]) -> List[str]:
    id = declaration["id"]
    found = [class_name(id)]
    if declaration["kind"] == "similarity" and has_function(declaration):
        found.append(python_name(id.split("/", 1)[1]))
    return found


def _function(declaration: Dict[str, Any]) -> Callable[..., Any]:
    """The function of a measure for arrays; the same one as long as its declaration stands."""
    id, source = declaration["id"], function_source(declaration)
    if id not in _functions or _functions[id][0] != source:
        scope: Dict[str, Any] = {"__name__": "semblance.similarity", class_name(id): class_of(id)}
        exec("from __future__ import annotations\n" + source, scope)  # our own generator's text
        _functions[id] = source, scope[python_name(id.split("/", 1)[1])]
    return _functions[id][1]
