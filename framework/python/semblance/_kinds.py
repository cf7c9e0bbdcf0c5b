# SPDX-License-Identifier: MIT
"""Modules of one kind of component: they know the generated classes, and are decorators."""

from __future__ import annotations

import builtins
import importlib
import inspect
import re
from types import ModuleType
from typing import Any, List, Set

from . import _declare


class KindModule(_declare.KindModule):
    """The components of one kind, those of plugins included. Its classes are loaded on first use,
    so that importing it costs nothing."""

    def _kind(self) -> str:
        return self.__name__.rpartition(".")[2]

    def _generated(self) -> ModuleType:
        return importlib.import_module("semblance._generated." + self._kind())

    def _added(self) -> ModuleType:
        """Knows the components that were added after the package was built."""
        return importlib.import_module("semblance._added")

    def __getattr__(self, name: str) -> Any:
        if name == "__all__":
            return self._names()
        if name.startswith("__"):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        generated = self._generated()
        if name in generated.__all__:
            return getattr(generated, name)
        found = self._added().named(self._kind(), name)
        if found is None:
            id = f"{self._kind()}/{re.sub('(?<=[a-z0-9])(?=[A-Z])', '_', name).lower()}"
            instead = importlib.import_module("semblance._native").replacement_of(id)
            if instead:  # ``from ... import`` says nothing of an AttributeError
                raise ImportError(f"{name} is gone from {self.__name__}; {instead}", name=name)
            raise AttributeError(f"module {self.__name__!r} has no component {name!r}")
        return found

    def _names(self) -> List[str]:
        """What ``from semblance.KIND import *`` gives: none hides one of Python's own functions, as
        ``sum`` would."""
        return sorted(name for name in self._known() if not hasattr(builtins, name))

    def _known(self) -> Set[str]:
        """The names of components, and of the module's own functions."""
        own = (name for name, value in self.__dict__.items()
               if inspect.isfunction(value) and value.__module__.startswith("semblance."))
        return {*self._generated().__all__, *self._added().names(self._kind()), *own}

    def __dir__(self) -> List[str]:
        return sorted({*self._known(), *(name for name in self.__dict__ if name.startswith("__"))})
