# SPDX-License-Identifier: MIT
"""Evaluators written in Python."""

from __future__ import annotations

from typing import Any, Dict, Tuple

import numpy as np

from .adapter import Adapter
from .figures import figures


class Evaluator(Adapter):
    """A function of scores and labels that returns figures and drawings by name."""

    def evaluate(self, scores: np.ndarray, labels: np.ndarray, classes: Tuple[str, ...],
                 context: Any) -> Dict[str, Any]:
        """The figures."""
        result = self._call("call", scores=scores, labels=labels, classes=classes,
                            context=self._context(context))
        return figures(result, self._said(), none_is_well=False)
