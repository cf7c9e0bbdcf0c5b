# SPDX-License-Identifier: MIT
"""The source texts of generated classes and functions."""

from __future__ import annotations

from typing import Optional

from .docstrings import class_docstring, function_docstring
from .extras import COMMON, IMAGE_SHAPE
from .names import class_name, python_name
from .parameters import Declaration, annotation_of, declared_source, default_of, required
from .shapes import Shape, input_layouts, input_layouts_where, shape_of

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
    if shape.base not in ("Component", "SimilarityComponent"):
        extras += COMMON
    signature, body = [], []
    for parameter in own:
        default = "" if required(parameter) else f" = {default_of(parameter)!r}"
        signature.append(f"{python_name(parameter['name'])}: {annotation_of(parameter)}{default}")
    signature += [f"{extra.name}: {extra.annotation} = {extra.default!r}" for extra in extras]
    names = [part.split(":")[0] for part in signature]
    body = [f"        self.{part} = {part}" for part in names]
    lines = [f"class {name}({shape.base}):",
             class_docstring(name, shape.base, summary or (declaration or {}).get("summary", name),
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
        if (declaration or {}).get("takes_missing"):
            lines.append("    takes_missing = True")
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


def function_source(declaration: Declaration) -> str:
    """The source text of a similarity's function for arrays."""
    id = declaration["id"]
    own = sorted(declaration["parameters"], key=lambda parameter: not required(parameter))
    images = "image" in input_layouts(declaration)
    extras = [IMAGE_SHAPE] * images + [extra for extra in COMMON if extra.name == "n_jobs"]
    signature = ["X: Any", "B: Any = None", "*"]
    for parameter in own:
        default = "" if required(parameter) else f" = {default_of(parameter)!r}"
        signature.append(f"{python_name(parameter['name'])}: {annotation_of(parameter)}{default}")
    signature += [f"{extra.name}: {extra.annotation} = {extra.default!r}" for extra in extras]
    given = ", ".join(f"{name}={name}" for name in map(
        python_name, (parameter["name"] for parameter in own)))
    passed = ", ".join(f"{extra.name}={extra.name}" for extra in extras)
    return (f"def {python_name(id.split('/', 1)[1])}(" + ",\n    ".join(signature)
            + ") -> Any:\n" + function_docstring(declaration, own, extras)
            + f"\n    return {class_name(id)}({given}).similarities(\n"
              f"        X, X if B is None else B, {passed})\n")
