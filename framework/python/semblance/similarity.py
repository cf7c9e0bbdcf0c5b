# SPDX-License-Identifier: MIT
"""Similarity measures: one class each, and a function of the same name in lower case."""

import sys
from typing import TYPE_CHECKING

from ._kinds import KindModule

if TYPE_CHECKING:
    from ._generated.similarity import *  # noqa: F401,F403

sys.modules[__name__].__class__ = KindModule
