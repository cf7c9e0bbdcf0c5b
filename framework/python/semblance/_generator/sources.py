# SPDX-License-Identifier: MIT
"""The source texts of generated classes, functions and modules."""

from __future__ import annotations

import pprint
from typing import Any, Mapping, Optional

from .docstrings import class_docstring, function_docstring
from .shapes import (BASE_MODULES, COMMON, COMPOSITES, Declaration, IMAGE_SHAPE, Shape,
                     annotation_of, class_name, declared_source, default_of, input_layouts,
                     input_layouts_where, python_name, required, shape_of)

#: Components that refuse negative values.
POSITIVE = ("feature/log", "normalizer/tfidf")


def class_source(declaration: Optional[Declaration], shape: Optional[Shape] = None,
                 name: str = "", summary: str = "", introduction: str = "") -> str:
    """The source text of a component's class, which needs the names that a module has."""
    if shape is None:
        assert declaration is not None
        shape = shape_of(declaration)
    id = declaration["id"] if declaration else ""
    name = name or class_name(id)
    own = [parameter for parameter in (declaration or {}).get("parameters", [])
           if parameter["name"] not in shape.hidden]
    own.sort(key=lambda parameter: not required(parameter))
    extras = list(shape.extras)
    if shape.is_estimator:
        extras += COMMON
    signature = signature_of(own, extras)
    names = [part.split(":")[0] for part in signature]
    body = [f"        self.{part} = {part}" for part in names]
    lines = [f"class {name}({', '.join(shape.bases)}):",
             class_docstring(name, shape, summary or (declaration or {}).get("summary", name),
                             declaration, own, extras, introduction), ""]
    if id:
        lines.append(f"    component = {id!r}")
        lines.append(f"    layouts = {input_layouts(declaration or {})!r}")
        where = input_layouts_where(declaration or {})
        if where:
            lines += ["    layouts_where = (", *(f"        {one!r}," for one in where), "    )"]
        output = (declaration or {}).get("output", {})
        given = tuple(output.get("layouts") or ())
        lines.append(f"    gives = {given!r}")
        if id in POSITIVE:
            lines.append("    positive_only = True")
        lines += [f"    {flag} = True" for flag in ("takes_missing", "takes_weights")
                  if (declaration or {}).get(flag)]
        former = former_parameters(declaration or {})
        if former:
            lines += ["    former = (", *(f"        {one!r}," for one in former), "    )"]
        if output.get("type") == "intervals":
            lines.append("    intervals = True")
        if "Component" in shape.bases[1:]:
            lines.append("    __hash__ = Component.__hash__")
    declared = [f"        {python_name(parameter['name'])!r}: {declared_source(parameter)},"
                for parameter in own]
    lines += ["    declared = {", *declared, "    }"]
    lines.append("")
    if signature:
        lines.append("    def __init__(self, *, " + ",\n                 ".join(signature)
                     + ") -> None:")
        lines += body
    else:
        lines.append("    def __init__(self) -> None:")
        lines.append("        pass")
    return "\n".join(lines) + "\n"


def former_parameters(declaration: Mapping[str, Any]) -> list:
    """The fields of each former name of a parameter, as Python writes it."""
    return [tuple({**one, "written": python_name(one["written"]),
                   "instead": python_name(one["instead"])}.values())
            for one in declaration.get("former", [])
            if "/" not in one["written"] and ": " not in one["written"]]


def signature_of(own: list, extras: list) -> list:
    """The parameters as a function declares them, with types and defaults."""
    defaults = ["" if required(parameter) else f" = {default_of(parameter)!r}" for parameter in own]
    return [f"{python_name(parameter['name'])}: {annotation_of(parameter)}{default}"
            for parameter, default in zip(own, defaults)] + [
        f"{extra.name}: {extra.annotation} = {extra.default!r}" for extra in extras]


def function_source(declaration: Declaration) -> str:
    """The source text of a similarity's function for arrays."""
    id = declaration["id"]
    own = sorted(declaration["parameters"], key=lambda parameter: not required(parameter))
    images = "image" in input_layouts(declaration)
    extras = [IMAGE_SHAPE] * images + [extra for extra in COMMON if extra.name == "n_jobs"]
    signature = ["X: Any", "B: Any = None", "*", *signature_of(own, extras)]
    given = ", ".join(f"{name}={name}" for name in map(
        python_name, (parameter["name"] for parameter in own)))
    passed = ", ".join(f"{extra.name}={extra.name}" for extra in extras)
    before, made = "", class_name(id)
    if former_parameters(declaration):
        signature.append("**former: Any")
        before = ("\n    from semblance._former import current\n"
                  f"    given: dict[str, Any] = {{**dict({given}),\n"
                  f"                             **current({made}.former, former, {id!r})}}")
        given = "**given"
    return (f"def {python_name(id.split('/', 1)[1])}(" + ",\n    ".join(signature)
            + ") -> Any:\n" + function_docstring(declaration, own, extras)
            + f"{before}\n    return {made}({given}).similarities(\n"
              f"        X, X if B is None else B, {passed})\n")


def has_function(declaration: Mapping[str, Any]) -> bool:
    """Whether a similarity has a function of two lists of samples: not if it takes the columns of a
    given matrix, or pairs, which arrays cannot hold."""
    layouts = [port.get("layouts") for port in declaration["inputs"] if port["name"] == "from"]
    return declaration["id"] != "similarity/precomputed" and layouts != [["pair"]]


HEADER = '''# SPDX-License-Identifier: MIT
# Written by semblance/_generator from the components' declarations. Changes are lost.
"""{title}"""

from __future__ import annotations

from typing import Any, Callable, Mapping, Optional, Sequence, Union

import numpy as np

from semblance._component import Component, Declared
{imports}
__all__ = {names!r}


'''

#: The modules of kinds, and what they are about.
KINDS = {
    "basis": "Bases: the choice of the training samples that all samples are compared with.",
    "calibrator": "Calibrators: they turn scores into probabilities, or move the boundaries "
                  "between classes.",
    "feature": "Features: computed from each sample by itself.",
    "normalizer": "Normalizers: they learn a transform from training samples.",
    "pair_kernel": "Kernels of pairs of samples.",
    "pairs": "The choice of pairs of samples for training and testing.",
    "similarity": "Similarity measures: one class each, and a function of the same name in lower "
                  "case.\n\n:func:`dtw_path` has the steps that :func:`dtw` aligns.\n",
    "solver": "Solvers: those that score single samples are classifiers.",
}

KIND = '''# SPDX-License-Identifier: MIT
# Written by semblance/_generator. Changes are lost.
"""{title}"""

import sys
from typing import TYPE_CHECKING

from ._kinds import KindModule
{functions}
if TYPE_CHECKING:
    from ._generated.{kind} import *  # noqa: F401,F403

sys.modules[__name__].__class__ = KindModule
'''

INDEX = '''# SPDX-License-Identifier: MIT
# Written by semblance/_generator from the components' declarations. Changes are lost.
"""One class a component."""

#: Estimators, and the modules that they are in.
ESTIMATORS = {places}
'''


def module_source(title: str, classes: list, functions: list) -> str:
    """A module of classes, given as (name, shape, source), and functions (name, source)."""
    bases = sorted({base for _, shape, _ in classes for base in shape.bases} - {"Component"},
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
            (class_name(declaration["id"]), shape, class_source(declaration, shape)))
        if kind == "similarity" and has_function(declaration):
            functions.setdefault(kind, []).append(
                (python_name(declaration["id"].split("/", 1)[1]), function_source(declaration)))
    texts = {kind: module_source(f"The components of kind {kind}.", classes,
                                 functions.get(kind, []))
             for kind, classes in kinds.items()}
    composites = [
        (made.name, made.shape,
         class_source(by_id.get(made.component), made.shape, made.name, made.summary,
                      made.documentation))
        for made in COMPOSITES]
    texts["composite"] = module_source("Estimators of several components.", composites, [])
    found = {"composite": composites, **kinds}
    places = {name: module for module, classes in found.items() for name, shape, _ in classes
              if shape.is_estimator}
    texts["__init__"] = INDEX.format(places=pprint.pformat(dict(sorted(places.items())), width=95))
    return texts


def kind_modules() -> dict:
    """Texts of the modules semblance.KIND by name: they load the generated classes on first use."""
    functions = {"similarity": "from ._warping import dtw_path as dtw_path\n"}
    return {kind: KIND.format(kind=kind, title=title, functions=functions.get(kind, ""))
            for kind, title in KINDS.items()}
