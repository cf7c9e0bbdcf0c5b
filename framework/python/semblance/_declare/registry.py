# SPDX-License-Identifier: MIT
"""The declarations of this process, and the plugin files that are being read."""

from __future__ import annotations

import sys
from typing import Any, Dict, List

from .declaration import Declaration

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
