# SPDX-License-Identifier: MIT
"""The choice of pairs of samples for training and testing."""

import sys
from typing import TYPE_CHECKING

from ._kinds import KindModule

if TYPE_CHECKING:
    from ._generated.pairs import *  # noqa: F401,F403

sys.modules[__name__].__class__ = KindModule
