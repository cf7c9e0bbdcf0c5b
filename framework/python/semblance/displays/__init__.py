# SPDX-License-Identifier: MIT
"""Pictures on Matplotlib, in the manner of scikit-learn's displays.

scikit-learn's own displays take this package's estimators as they are: ``RocCurveDisplay``,
``DetCurveDisplay``, ``PrecisionRecallDisplay``, ``ConfusionMatrixDisplay``, ``CalibrationDisplay``
and ``DecisionBoundaryDisplay``. Here are those that it does not have. Each holds what it draws,
``plot(ax=None)`` draws it, and then ``ax_`` and ``figure_`` are Matplotlib's objects. Only
``plot`` needs Matplotlib.
"""

from .critical_difference import CriticalDifferenceDisplay
from .validation_surface import ValidationSurfaceDisplay
from .warping_path import WarpingPathDisplay

__all__ = ["CriticalDifferenceDisplay", "ValidationSurfaceDisplay", "WarpingPathDisplay"]
