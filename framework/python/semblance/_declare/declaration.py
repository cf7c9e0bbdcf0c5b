# SPDX-License-Identifier: MIT
"""A function or class declared as a component, with everything that the runtime needs from it."""

from __future__ import annotations

import inspect
import json
import re
from dataclasses import dataclass, field, replace
from typing import Any, Callable, Dict, Sequence, Tuple

from .._former import Former
from .parameters import Figure, Parameter, did_you_mean

LAYOUTS = ("vector", "image", "grid", "sequence", "string", "set")

_OPTIONS: Dict[str, Any] = {
    "summary": "",
    "documentation": "",
    "reference": "",
    "complexity": "",
    "example": "",
    "accepts": (),
    "gives": "",
    "reports": {},
    "former": {},
    "random": False,
    "symmetric": False,
    "positive_semidefinite": False,
    "exact": False,
    "inexpensive": False,
    "columns_are_rows": False,
    "count": None,
    "size": None,
}

#: Options that only some kinds have.
_OPTIONS_OF = {
    "symmetric": ("similarity",),
    "positive_semidefinite": ("similarity",),
    "exact": ("similarity",),
    "count": ("basis",),
    "size": ("normalizer",),
    "reports": ("solver", "evaluator"),
    "gives": ("feature", "normalizer"),
}


def checked_options(kind: str, given: Dict[str, Any]) -> Dict[str, Any]:
    """The options of a component of the kind, with defaults for those that are not given."""
    for name, value in given.items():
        if name not in _OPTIONS:
            raise TypeError(f"'{name}' is neither a parameter, such as semblance.number(1.0), nor "
                            f"an option{did_you_mean(name, list(_OPTIONS))}")
        of = _OPTIONS_OF.get(name, (kind,))
        if kind not in of:
            raise TypeError(f"'{name}' is an option of a {' or '.join(of)}, not of a {kind}")
        default = _OPTIONS[name]
        if isinstance(default, (bool, str)) and not isinstance(value, type(default)):
            what = "true or false" if default is False else "a text"
            raise TypeError(f"the option '{name}' is {what}, not {value!r}")
    options = {**_OPTIONS, **given}
    accepts = options["accepts"]
    options["accepts"] = (accepts,) if isinstance(accepts, str) else tuple(accepts)
    for layout in [*options["accepts"], *filter(None, [options["gives"]])]:
        if layout not in LAYOUTS:
            raise ValueError(f"there is no layout {layout!r}; choose from {', '.join(LAYOUTS)}")
    if options["gives"] and options["gives"] not in ("vector", "image", "grid"):
        raise ValueError(f"a component written in Python gives vectors, images or grids, not "
                         f"{options['gives']}s")
    for name, about in options["reports"].items():
        if not isinstance(about, Figure):
            raise TypeError(f"the figure '{name}' is declared by semblance.figure(\"what it is\"), "
                            f"not by {about!r}")
    return options


def check_announced(name: str, options: Dict[str, Any], parameters: Dict[str, Parameter],
                    known: Sequence[str]) -> None:
    """Checks an option that gives a size beforehand: it names a parameter, or is a function."""
    how = options[name]
    if isinstance(how, str) and how not in parameters:
        raise ValueError(f"the option '{name}' names the parameter '{how}', which is not declared")
    if callable(how):
        arguments(how, f"the function of the option '{name}'", (), [*known, *parameters])
    elif how is not None and not isinstance(how, str):
        raise TypeError(f"the option '{name}' is the name of a parameter, or a function of "
                        f"{' and '.join(known)} and the parameters, not {how!r}")


#: Arguments by name of a function of the kind, besides its parameters: required, and optional.
_FUNCTIONS = {
    "similarity": (("bases", "samples"), ("layout",)),
    "feature": (("samples",), ("layout",)),
    "normalizer": (("samples",), ("layout",)),
    "basis": ((), ("samples", "labels", "classes", "layout", "context")),
    "evaluator": (("scores", "labels"), ("classes", "context")),
}

#: Arguments by name of the methods of a class of the kind: required, and optional.
_METHODS: Dict[str, Dict[str, Tuple[Tuple[str, ...], Tuple[str, ...]]]] = {
    "similarity": {
        "fit": (("bases",), ("indices", "layout", "context")),
        "apply": (("samples",), ("layout",)),
    },
    "feature": {"apply": (("samples",), ("layout",))},
    "normalizer": {
        "fit": (("samples",), ("labels", "classes", "layout", "context")),
        "apply": (("samples",), ("layout",)),
    },
    "solver": {
        "fit": (("samples", "labels"), ("classes", "layout", "context")),
        "apply": (("samples",), ("layout",)),
    },
}


def arguments(function: Callable[..., Any], where: str, needed: Sequence[str],
              optional: Sequence[str]) -> Tuple[str, ...]:
    """The names that the function asks for, after a check that they are available."""
    names, taken = [], inspect.signature(function).parameters.values()
    for p in taken:
        if p.kind == p.VAR_KEYWORD:  # takes all required arguments
            names += [name for name in needed if name not in names]
            continue
        if p.kind in (p.POSITIONAL_ONLY, p.VAR_POSITIONAL):
            raise TypeError(f"{where} is given its arguments by name; '{p.name}' takes them by "
                            "position")
        if p.name in needed or p.name in optional:
            names.append(p.name)
        elif p.default is p.empty:
            known = [*needed, *optional]
            raise TypeError(f"{where} takes '{p.name}', which is neither a declared parameter nor "
                            f"one of {', '.join(known)}{did_you_mean(p.name, known)}")
    for name in needed:
        if name not in names:
            raise TypeError(f"{where} must take the argument '{name}'")
    return tuple(names)


def wanted_by_function(kind: str, target: Any, parameters: Dict[str, Parameter],
                       where: str) -> Dict[str, Tuple[str, ...]]:
    """The arguments that a function of the kind asks for, besides its parameters."""
    if kind not in _FUNCTIONS:
        raise TypeError(f"{where}: a {kind} learns, so declare a class with the methods fit and "
                        "apply, not a function")
    needed, optional = _FUNCTIONS[kind]
    names = arguments(target, f"{where}()", [*needed, *parameters], optional)
    return {"call": tuple(n for n in names if n not in parameters)}


def wanted_by_class(kind: str, target: Any, parameters: Dict[str, Parameter],
                    where: str) -> Dict[str, Tuple[str, ...]]:
    """The arguments that each method of a class of the kind asks for."""
    if kind not in _METHODS:
        raise TypeError(f"{where}: declare a {kind} as a function, not as a class")
    if parameters or target.__init__ is not object.__init__:
        arguments(_without_self(target.__init__), f"{where}.__init__()", list(parameters), ())
    wanted = {}
    for method, (needed, optional) in _METHODS[kind].items():
        function = getattr(target, method, None)
        if function is None:
            if method == "fit" and kind == "normalizer":
                continue
            raise TypeError(f"{where}: the class of a {kind} needs the method {method}("
                            f"{', '.join(('self', *needed))})")
        wanted[method] = arguments(_without_self(function), f"{where}.{method}()", needed,
                                   optional)
    if hasattr(target, "save") != hasattr(target, "load"):
        raise TypeError(f"{where}: a class that has one of the methods save() and load(state) "
                        "needs the other one")
    return wanted


def _without_self(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function as a bound method, without its first argument."""
    return function.__get__(object(), object) if hasattr(function, "__get__") else function


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

    def described(self) -> str:
        """The declaration as JSON, in the form of ``semblance describe --json``."""
        options = ("reference", "complexity", "example", "random", "symmetric", "inexpensive",
                   "columns_are_rows")
        never = ("distributed", "uses_device", "keeps_columns", "takes_missing", "takes_weights")
        # Basis and normalizer may ask for the labels of the training rows, or their names.
        asks = {*self.wanted.get("call", ()), *self.wanted.get("fit", ())} if self.kind in (
            "basis", "normalizer") else set()
        figures = [{"name": name, **vars(figure)} for name, figure in self.options["reports"].items()]
        return json.dumps({
            "id": self.id, "summary": self.summary, "documentation": self.documentation,
            **{name: self.options[name] for name in options}, **dict.fromkeys(never, False),
            "targets": ["classes"] * bool(asks & {"labels", "classes"}), "inputs": [],
            "figures": figures,
            "former": [vars(Former(name, **fields))
                       for name, fields in self.options["former"].items()],
            "parameters": [p.described(name) for name, p in self.parameters.items()]})

    @property
    def uses_samples(self) -> bool:
        """Whether a basis asks for the training rows themselves."""
        return "samples" in self.wanted.get("call", ())


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
