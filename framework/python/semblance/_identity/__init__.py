# SPDX-License-Identifier: MIT
"""The identity of a component written in Python: its source, and the versions it uses.

Results are stored under a hash of the code that made them. Two components that may give different
results must never have the same hash.
"""

from .content import of_target
from .fresh_modules import is_installed, read_fresh
from .sources import of_file

__all__ = ["is_installed", "of_file", "of_target", "read_fresh"]
