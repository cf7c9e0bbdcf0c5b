# SPDX-License-Identifier: MIT
"""Similarity measures: one class each, and a function of the same name in lower case.

:func:`dtw_path` has the steps that :func:`dtw` aligns.
"""

import sys
from typing import TYPE_CHECKING

from ._kinds import KindModule
from ._warping import dtw_path as dtw_path

if TYPE_CHECKING:
    from ._generated.similarity import *  # noqa: F401,F403

sys.modules[__name__].__class__ = KindModule
