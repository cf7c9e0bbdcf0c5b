# SPDX-License-Identifier: MIT
"""The source texts of the generated modules."""

from __future__ import annotations

import pprint
from typing import Any, Mapping

from .composites import COMPOSITES
from .names import class_name, python_name
from .shapes import BASE_MODULES, shape_of
from .sources import class_source, function_source


def has_function(declaration: Mapping[str, Any]) -> bool:
    """Whether a similarity has a function of two lists of samples: not if it takes the columns of a
    given matrix, or pairs, which arrays cannot hold."""
    layouts = [port.get("layouts") for port in declaration["inputs"] if port["name"] == "from"]
    return declaration["id"] != "similarity/precomputed" and layouts != [["pair"]]


HEADER = '''# SPDX-License-Identifier: MIT
# Written by semblance/_generator from the components' declarations. Changes are lost.
"""{title}"""

from __future__ import annotations

from typing import Any, Mapping, Optional, Sequence, Union

import numpy as np

from semblance._component import Component
from semblance._declared import Declared
{imports}
__all__ = {names!r}


'''

INDEX = '''# SPDX-License-Identifier: MIT
# Written by semblance/_generator from the components' declarations. Changes are lost.
"""One class a component."""

#: Estimators, and the modules that they are in.
ESTIMATORS = {places}
'''


def module_source(title: str, classes: list, functions: list) -> str:
    """A module of classes, given as (name, base class, source), and functions (name, source)."""
    bases = sorted({base for _, base, _ in classes} - {"Component"},
                   key=lambda base: (BASE_MODULES[base], base))
    imports = "".join(f"from semblance.{BASE_MODULES[base]} import {base}\n" for base in bases)
    names = [name for name, _, _ in classes] + [name for name, _ in functions]
    sources = [source for _, _, source in classes] + [source for _, source in functions]
    return (HEADER.format(title=title, imports=imports, names=names)
            + "\n\n".join(sources))


def modules(declarations: list) -> dict:
    """Texts of the generated modules by name: one per kind, and one of composite estimators."""
    by_id = {declaration["id"]: declaration for declaration in declarations}
    kinds: dict = {}
    functions: dict = {}
    for declaration in declarations:
        kind = declaration["kind"]
        if kind in ("source", "evaluator"):
            continue
        shape = shape_of(declaration)
        kinds.setdefault(kind, []).append(
            (class_name(declaration["id"]), shape.base, class_source(declaration, shape)))
        if kind == "similarity" and has_function(declaration):
            functions.setdefault(kind, []).append(
                (python_name(declaration["id"].split("/", 1)[1]), function_source(declaration)))
    texts = {kind: module_source(f"The components of kind {kind}.", classes,
                                 functions.get(kind, []))
             for kind, classes in kinds.items()}
    composites = [
        (made.name, made.shape.base,
         class_source(by_id.get(made.component), made.shape, made.name, made.summary,
                      made.documentation))
        for made in COMPOSITES]
    texts["composite"] = module_source("Estimators of several components.", composites, [])
    found = {"composite": composites, **kinds}
    places = {name: module for module, classes in found.items() for name, base, _ in classes
              if base not in ("Component", "SimilarityComponent")}
    texts["__init__"] = INDEX.format(places=pprint.pformat(dict(sorted(places.items())), width=95))
    return texts
