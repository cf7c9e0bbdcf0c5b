# SPDX-License-Identifier: MIT
"""What this process has declared, and the plugin files that are being read."""

from __future__ import annotations

import sys
from typing import Any, Dict, List

from .declaration import Declaration

#: What this process has declared, by id; a plugin's file has a list of its own.
declared: Dict[str, Declaration] = {}

#: Counts what was declared: who keeps a copy of `declared` sees by it whether it is still right.
changes = 0

#: The lists of the plugin files that are being read, the innermost last.
readers: List[List[Declaration]] = []


def can_be_sent(declaration: Declaration) -> bool:
    """Whether pickle takes the declaration: its function or class has a name in its module."""
    target = declaration.target
    found: Any = sys.modules.get(getattr(target, "__module__", ""))
    for name in getattr(target, "__qualname__", "").split("."):
        found = getattr(found, name, None)
    return found is target and not any(map(callable, declaration.options.values()))


def register(declaration: Declaration) -> None:
    """Make it one of this process's, in place of what was called so before.

    A declaration goes along where a function or an estimator is pickled, so that other processes
    know the component as well.
    """
    global changes
    if declared.get(declaration.id) is not declaration:
        declared[declaration.id] = declaration
        changes += 1
