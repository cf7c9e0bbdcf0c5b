# SPDX-License-Identifier: MIT
"""Bases: the choice of the training samples that all samples are compared with."""

import sys
from typing import TYPE_CHECKING

from ._kinds import KindModule

if TYPE_CHECKING:
    from ._generated.basis import *  # noqa: F401,F403

sys.modules[__name__].__class__ = KindModule
