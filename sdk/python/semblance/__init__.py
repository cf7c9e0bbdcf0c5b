# SPDX-License-Identifier: MIT
"""Large-margin classification with similarity measures."""

from ._native import DataError, PipelineError, SemblanceError, SemblanceWarning, Stopped
from ._native import version as __version__

__all__ = ["DataError", "PipelineError", "SemblanceError", "SemblanceWarning", "Stopped",
           "__version__"]
