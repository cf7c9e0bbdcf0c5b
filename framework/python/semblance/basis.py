# SPDX-License-Identifier: MIT
"""Bases: which training rows samples are compared with."""

import sys
from typing import TYPE_CHECKING

from ._kinds import KindModule

if TYPE_CHECKING:
    from ._generated.basis import *  # noqa: F401,F403

sys.modules[__name__].__class__ = KindModule
