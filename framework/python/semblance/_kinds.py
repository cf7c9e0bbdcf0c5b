# SPDX-License-Identifier: MIT
"""Modules of one kind of component: they know the generated classes, and are decorators."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any, List

from . import _declare


class KindModule(_declare.KindModule):
    """The components of one kind. Its classes are loaded on first use, so that importing it costs
    nothing."""

    def _generated(self) -> ModuleType:
        return importlib.import_module("semblance._generated." + self.__name__.rpartition(".")[2])

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        try:
            return getattr(self._generated(), name)
        except AttributeError:
            raise AttributeError(f"module {self.__name__!r} has no component {name!r}") from None

    def __dir__(self) -> List[str]:
        return sorted({*super().__dir__(), *self._generated().__all__})
