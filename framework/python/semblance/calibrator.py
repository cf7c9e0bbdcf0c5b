# SPDX-License-Identifier: MIT
"""Calibrators: they turn scores into probabilities, or move the boundaries between classes."""

import sys
from typing import TYPE_CHECKING

from ._kinds import KindModule

if TYPE_CHECKING:
    from ._generated.calibrator import *  # noqa: F401,F403

sys.modules[__name__].__class__ = KindModule
