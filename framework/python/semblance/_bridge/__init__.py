# SPDX-License-Identifier: MIT
"""Components written in Python, as the runtime calls them.

The runtime's side (framework/python/bridge) hands over views of its rows; this side gives them the shape
that a user knows them in, calls the component, and checks what comes back. A component that is a
function without a state of its own is always given the same number of rows, and of bases: which
other rows are computed with a row may change the last bits of matrix products, and a row must get
the same bits wherever it stands.
"""

from __future__ import annotations

from typing import Any, Dict

from .._declare import Declaration
from .adapter import Adapter
from .basis import Basis
from .evaluator import Evaluator
from .similarity import Similarity
from .solver import Solver
from .transforms import Normalizer, Transform

KINDS: Dict[str, Any] = {
    "basis": Basis,
    "evaluator": Evaluator,
    "feature": Transform,
    "normalizer": Normalizer,
    "similarity": Similarity,
    "solver": Solver,
}


def adapter(declaration: Declaration, values: Dict[str, Any]) -> Adapter:
    """The component with these parameters."""
    return KINDS[declaration.kind](declaration, values)
