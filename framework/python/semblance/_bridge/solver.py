# SPDX-License-Identifier: MIT
"""Solvers written in Python."""

from __future__ import annotations

from typing import Any, Dict, Tuple

import numpy as np

from .figures import figures
from .layouts import Layout, shaped
from .results import whole_number
from .rows import Values
from .transforms import Normalizer


class Solver(Normalizer):
    """A class with ``fit(samples, labels)``; ``apply(samples)`` gives a score for each class."""

    scores = 0

    def _output(self) -> Layout:
        return Layout("vector", 1, 1, self.scores)

    def fit(self, samples: Values, labels: np.ndarray, classes: Tuple[str, ...],
            context: Any) -> Dict[str, Any]:
        """Learns from the training samples; returns the reported figures."""
        result = self._learn(samples=shaped(self.shown, samples), labels=labels,
                             classes=classes, context=self._context(context))
        self._set_scores(len(classes))
        return figures(result, self._said("fit"), none_is_well=True)

    def _set_scores(self, count: int) -> None:
        self.scores = count
        self.given = self._output()

    def _learned(self) -> Any:
        return {"classes": self.scores, "learned": self.learned}

    def _take(self, learned: Any) -> None:
        self._restore(learned["learned"])
        self._set_scores(whole_number(learned["classes"], "its saved number of classes"))

    def _shape_says(self) -> str:
        return "a row for each sample, a score for each class"
