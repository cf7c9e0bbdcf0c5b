# SPDX-License-Identifier: MIT
"""The decorators ``@semblance.similarity(...)`` and those of the other kinds."""

from __future__ import annotations

import contextlib
import importlib
import re
from types import ModuleType
from typing import Any, Callable

from .declaration import declaration_of
from .registry import readers, register

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


class KindModule(ModuleType):
    """A module of the package that is a decorator as well: ``@semblance.similarity(...)``.

    A module becomes one by ``sys.modules[__name__].__class__ = KindModule``.
    """

    def __call__(self, id: str, **given: Any) -> Callable[[Any], Any]:
        return declare(self.__name__.rpartition(".")[2], id, **given)


class Kind:
    """The decorator without the module, which is imported only when another name is used.

    The program reads a plugin file with these, so that it loads no generated classes.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __call__(self, id: str, **given: Any) -> Callable[[Any], Any]:
        return declare(self._name, id, **given)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(importlib.import_module(f"semblance.{self._name}"), name)
