# SPDX-License-Identifier: MIT
"""What a component written in Python is: the source it comes from, and the versions it uses.

Results are stored under a hash of what made them. Two components that may give different results
must never have the same one.
"""

from .content import of_target
from .fresh_modules import is_installed, read_fresh
from .sources import of_file

__all__ = ["is_installed", "of_file", "of_target", "read_fresh"]
