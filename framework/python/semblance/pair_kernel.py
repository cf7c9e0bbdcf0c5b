# SPDX-License-Identifier: MIT
"""Kernels of pairs of samples."""

import sys
from typing import TYPE_CHECKING

from ._kinds import KindModule

if TYPE_CHECKING:
    from ._generated.pair_kernel import *  # noqa: F401,F403

sys.modules[__name__].__class__ = KindModule
