# SPDX-License-Identifier: MIT
"""Components written in Python, as the runtime calls them.

The runtime's side (framework/python/bridge) passes views of its rows. This side gives them the
shape that users know, calls the component, and checks the result. A component that is a stateless
function always gets the same number of rows, and of bases: the rows computed together with a row
may change the last bits of matrix products, but a row must get the same bits at any position.
"""

from __future__ import annotations

from typing import Any, Dict

from .._declare import Declaration
from .adapter import Adapter
from .kinds import Basis, Evaluator, Normalizer, Similarity, Solver, Transform

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
