# SPDX-License-Identifier: MIT
"""A function or class declared as a component, with everything that the runtime needs from it."""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass, field, replace
from typing import Any, Dict, Tuple

from .arguments import wanted_by_class, wanted_by_function
from .figures import Figure
from .options import check_announced, checked_options
from .parameters import Parameter


@dataclass
class Declaration:
    """A function or class that was declared as a component."""

    id: str
    target: Any
    parameters: Dict[str, Parameter]
    summary: str
    documentation: str
    options: Dict[str, Any]
    file: str = ""
    line: int = 0
    wanted: Dict[str, Tuple[str, ...]] = field(default_factory=dict)

    @property
    def kind(self) -> str:
        return self.id.partition("/")[0]

    @property
    def learns(self) -> bool:
        """Whether the target is a class with a method ``fit``."""
        return inspect.isclass(self.target) and "fit" in self.wanted

    @property
    def uses_samples(self) -> bool:
        """Whether a basis asks for the training rows themselves."""
        return "samples" in self.wanted.get("call", ())

    @property
    def uses_classes(self) -> bool:
        """Whether a normalizer or a basis asks for the labels of the training rows, or their names."""
        wanted = (*self.wanted.get("call", ()), *self.wanted.get("fit", ()))
        return self.kind in ("basis", "normalizer") and bool({"labels", "classes"} & {*wanted})


def declaration_of(kind: str, id: str, given: Dict[str, Any], target: Any) -> Declaration:
    """The declaration that a kind's decorator makes from its arguments and its target."""
    parameters = {n: p for n, p in given.items() if isinstance(p, Parameter)}
    options = checked_options(kind, {n: o for n, o in given.items() if n not in parameters})
    where = getattr(target, "__qualname__", repr(target))
    if inspect.isclass(target):
        wanted = wanted_by_class(kind, target, parameters, where)
    elif callable(target):
        wanted = wanted_by_function(kind, target, parameters, where)
    else:
        raise TypeError(f"a {kind} is a function or a class, not {target!r}")
    check_announced("count", options, parameters, ("rows", "classes"))
    check_announced("size", options, parameters, ("layout",))
    if kind == "basis" and options["count"] is None:
        raise TypeError("a basis needs the option 'count', which says in advance how many rows "
                        "it chooses: the name of a parameter, or a function of rows and classes")
    if kind == "solver":
        options["reports"] = {
            "objective": Figure("what fit() says that it has minimized", better="lower"),
            **options["reports"],
            "train_seconds": Figure("time to train", unit="seconds", better="lower")}
    if inspect.isclass(target) and options["exact"]:
        raise TypeError("'exact' is for functions, whose result for a pair depends only on the "
                        "pair; a class learns from all bases")
    summary, documentation, about = _documented(getattr(target, "__doc__", "") or "")
    for name, p in parameters.items():
        if not p.documentation:
            said = about.get(name) or f"the argument '{name}' of {where}"
            parameters[name] = replace(p, documentation=said)
    summary = options["summary"] or summary or f"The {kind} {where}, written in Python"
    file, line = _place(target)
    return Declaration(id, target, parameters, summary,
                       options["documentation"] or documentation, options, file, line, wanted)


def _place(target: Any) -> Tuple[str, int]:
    function = target
    if inspect.isclass(target):
        own = [f for f in vars(target).values() if inspect.isfunction(f)]
        if not own:
            return "", 0
        function = own[0]
    code = getattr(inspect.unwrap(function), "__code__", None)
    return (code.co_filename, code.co_firstlineno) if code else ("", 0)


def _documented(docstring: str) -> Tuple[str, str, Dict[str, str]]:
    """Summary, paragraphs, and the texts of a numpydoc section "Parameters", by name."""
    lines = inspect.cleandoc(docstring).splitlines() if docstring else []
    first = next((i for i, line in enumerate(lines) if not line.strip()), len(lines))
    summary = " ".join(line.strip() for line in lines[:first])
    body, sections = "\n".join(lines[first:]).strip(), {}
    parts = re.split(r"^(\w[\w ]*)\n-{3,}\n", body + "\n", flags=re.MULTILINE)
    for title, content in zip(parts[1::2], parts[2::2]):
        sections[title] = content
    about = {}
    for item in re.finditer(r"^(\w+)\b[^\n]*\n((?:[ \t]+[^\n]*\n?)+)",
                            sections.get("Parameters", ""), re.MULTILINE):
        about[item[1]] = " ".join(item[2].split()).rstrip(".")
    return summary, parts[0].strip(), about
