# SPDX-License-Identifier: MIT
"""Modules of one kind of component: they know the generated classes and those of components that
were added since, by plugins or in Python, and are decorators."""

from __future__ import annotations

import builtins
import functools
import importlib
import inspect
import json
import re
from types import ModuleType
from typing import Any, Callable, Dict, List, Mapping, Set

from . import _declare


class KindModule(ModuleType):
    """The components of one kind, and their decorator: ``@semblance.similarity(...)``. Its classes
    are loaded on first use, so that importing it costs nothing.

    A module becomes one by ``sys.modules[__name__].__class__ = KindModule``.
    """

    def __call__(self, id: str, **given: Any) -> Callable[[Any], Any]:
        return _declare.declare(self._kind(), id, **given)

    def _kind(self) -> str:
        return self.__name__.rpartition(".")[2]

    def _generated(self) -> ModuleType:
        return importlib.import_module("semblance._generated." + self._kind())

    def __getattr__(self, name: str) -> Any:
        if name == "__all__":
            return self._names()
        if name.startswith("__"):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        generated = self._generated()
        if name in generated.__all__:
            return getattr(generated, name)
        for declaration in self._declarations():
            if name in _names_of(declaration):
                return _named(declaration, name)
        id = f"{self._kind()}/{re.sub('(?<=[a-z0-9])(?=[A-Z])', '_', name).lower()}"
        from ._former import former_id, values_of
        now, former = former_id(id, self._declarations())
        if former and former.gone:  # ``from ... import`` says nothing of an AttributeError
            raise ImportError(f"{name} is gone from {self.__name__}; {former.remedy(now)}",
                              name=name)
        if former:
            from ._generator.shapes import class_name, python_name
            former.tell(f"{name} of {self.__name__}", former.remedy(now))
            made = getattr(self, python_name(now.partition("/")[2]) if name.islower()
                           else class_name(now))
            return functools.partial(made, **values_of(former)) if former.instead else made
        raise AttributeError(f"module {self.__name__!r} has no component {name!r}")

    def _declarations(self) -> List[Mapping[str, Any]]:
        native = importlib.import_module("semblance._native")
        return [declaration for declaration in json.loads(native.catalogue())
                if declaration["kind"] == self._kind()]

    def _names(self) -> List[str]:
        """What ``from semblance.KIND import *`` gives: none hides one of Python's own functions, as
        ``sum`` would."""
        return sorted(name for name in self._known() if not hasattr(builtins, name))

    def _known(self) -> Set[str]:
        """The names of components, and of the module's own functions."""
        own = (name for name, value in self.__dict__.items()
               if inspect.isfunction(value) and value.__module__.startswith("semblance."))
        added = (name for declaration in self._declarations() for name in _names_of(declaration))
        return {*self._generated().__all__, *added, *own}

    def __dir__(self) -> List[str]:
        return sorted({*self._known(), *(name for name in self.__dict__ if name.startswith("__"))})


def _names_of(declaration: Mapping[str, Any]) -> List[str]:
    """The names of a component's class, and of its function if it is a measure."""
    from ._generator.shapes import class_name, python_name
    from ._generator.sources import has_function
    id = declaration["id"]
    function = declaration["kind"] == "similarity" and has_function(declaration)
    return [class_name(id)] + [python_name(id.split("/", 1)[1])] * function


def _named(declaration: Mapping[str, Any], name: str) -> Any:
    """The class or function; the same one as long as its declaration stands."""
    from ._component import class_of
    from ._generator.shapes import class_name
    from ._generator.sources import function_source
    made = class_of(declaration["id"])
    if name == class_name(declaration["id"]):
        return made
    return _function_from(function_source(dict(declaration)), name, made)


@functools.lru_cache(maxsize=None)
def _function_from(source: str, name: str, made: Any) -> Callable[..., Any]:
    scope: Dict[str, Any] = {"__name__": "semblance.similarity", made.__name__: made}
    exec("from __future__ import annotations\n" + source, scope)  # our own generator's text
    found: Callable[..., Any] = scope[name]
    return found
