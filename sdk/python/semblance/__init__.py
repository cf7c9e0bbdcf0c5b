# SPDX-License-Identifier: MIT
"""Large-margin classification with similarity measures."""

from ._native import version as __version__

__all__ = ["__version__"]
