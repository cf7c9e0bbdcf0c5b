# SPDX-License-Identifier: MIT
"""The decorators ``@semblance.similarity(...)`` and those of the other kinds, and the declarations
of this process."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import re
import sys
from typing import Any, Callable, Dict, List

from .declaration import Declaration, declaration_of

#: The declarations of this process, by id; a plugin's file has a list of its own.
declared: Dict[str, Declaration] = {}

#: The number of declarations so far; it shows whether a copy of `declared` is still up to date.
changes = 0

#: The lists of the plugin files that are being read, the innermost last.
readers: List[List[Declaration]] = []


def can_be_sent(declaration: Declaration) -> bool:
    """Whether the declaration can be pickled: its function or class has a name in its module."""
    target = declaration.target
    found: Any = sys.modules.get(getattr(target, "__module__", ""))
    for name in getattr(target, "__qualname__", "").split("."):
        found = getattr(found, name, None)
    return found is target and not any(map(callable, declaration.options.values()))


def register(declaration: Declaration) -> None:
    """Adds it to the declarations of this process; it replaces one of the same id.

    Pickling a function or an estimator includes the declaration, so that other processes know the
    component as well.
    """
    global changes
    if declared.get(declaration.id) is not declaration:
        declared[declaration.id] = declaration
        changes += 1


KINDS = ("similarity", "feature", "normalizer", "basis", "solver", "evaluator")

#: Whether the program itself runs this interpreter, to use components written in Python.
in_program = False


def declare(kind: str, id: str, **given: Any) -> Callable[[Any], Any]:
    """The decorator behind ``@semblance.similarity(...)`` and those of the other kinds."""
    if not isinstance(id, str):
        raise TypeError(f"the first argument of @semblance.{kind} is the component's id, as in "
                        f"@semblance.{kind}(\"{kind}/mine\")")
    if not re.fullmatch(rf"{kind}/[a-z][a-z0-9_]*", id):
        raise ValueError(f"the id of a {kind} is '{kind}/NAME', its name in lower case, letters, "
                         f"digits and underscores, not '{id}'")

    def decorate(target: Any) -> Any:
        made = declaration_of(kind, id, given, target)
        if readers:
            if any(other.id == id for other in readers[-1]):
                raise ValueError(f"the component '{id}' is declared twice")
            readers[-1].append(made)
        else:
            register(made)
            with contextlib.suppress(AttributeError, TypeError):  # objects without attributes
                target.__semblance__ = made
        return target

    return decorate


class Kind:
    """The decorator without the module, which is imported only when another name is used.

    The program reads a plugin file with these, so that it loads no generated classes.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __call__(self, id: str, **given: Any) -> Callable[[Any], Any]:
        return declare(self._name, id, **given)

    def __getattr__(self, name: str) -> Any:
        module = f"semblance.{self._name}"
        if name.startswith("__") or importlib.util.find_spec(module) is None:
            raise AttributeError(f"the decorator '{self._name}' has no attribute '{name}'")
        return getattr(importlib.import_module(module), name)
