# SPDX-License-Identifier: MIT
"""Features: computed from each sample by itself."""

import sys
from typing import TYPE_CHECKING

from ._kinds import KindModule

if TYPE_CHECKING:
    from ._generated.feature import *  # noqa: F401,F403

sys.modules[__name__].__class__ = KindModule
