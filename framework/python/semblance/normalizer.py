# SPDX-License-Identifier: MIT
"""Normalizers: they learn a transform from training samples."""

import sys
from typing import TYPE_CHECKING

from ._kinds import KindModule

if TYPE_CHECKING:
    from ._generated.normalizer import *  # noqa: F401,F403

sys.modules[__name__].__class__ = KindModule
