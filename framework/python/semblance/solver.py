# SPDX-License-Identifier: MIT
"""Solvers: those that score single samples are classifiers."""

import sys
from typing import TYPE_CHECKING

from ._kinds import KindModule

if TYPE_CHECKING:
    from ._generated.solver import *  # noqa: F401,F403

sys.modules[__name__].__class__ = KindModule
