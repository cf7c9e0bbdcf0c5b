# SPDX-License-Identifier: MIT
"""Components written in Python: how a function or class is declared as one.

Nothing here imports NumPy or the native module, so that the program reads a plugin quickly.
"""

from __future__ import annotations

import contextlib
import difflib
import importlib
import inspect
import math
import re
import sys
from dataclasses import dataclass, field, replace
from types import ModuleType
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple

from ._named_values import named_values

__all__ = [
    "Declaration",
    "Figure",
    "Parameter",
    "Refused",
    "Stopped",
    "boolean",
    "choice",
    "declare",
    "declared",
    "figure",
    "integer",
    "integers",
    "mapping",
    "number",
    "numbers",
    "path",
    "text",
    "texts",
]


class Stopped(BaseException):
    """Raised by ``context.check_stop()`` once the run is asked to stop."""


class Refused(Exception):
    """What a component raises where it can say in one sentence what is wrong and what to do.

    The sentence is shown as it is, behind node and line of the pipeline; any other exception is
    shown with the file, line and function that raised it.
    """


# Parameters -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Parameter:
    """A parameter of a component: type, default, range and one line of documentation.

    Made by `number`, `integer`, `boolean`, `text`, `choice`, `path`, `numbers`, `integers`, `texts`
    and `mapping`. Without a default, a pipeline must give it.
    """

    type: str
    default: Any = None
    documentation: str = ""
    above: Optional[float] = None
    at_least: Optional[float] = None
    below: Optional[float] = None
    at_most: Optional[float] = None
    unit: str = ""
    choices: Tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.documentation, str):
            raise TypeError(f"the documentation of a parameter is a text, not "
                            f"{self.documentation!r}; a range is given by name, as above=0")
        if self.above is not None and self.at_least is not None:
            raise ValueError("a parameter has the lower limit 'above' or 'at_least', not both")
        if self.below is not None and self.at_most is not None:
            raise ValueError("a parameter has the upper limit 'below' or 'at_most', not both")
        if self.default is not None:
            object.__setattr__(self, "default", self._checked(self.default))

    def _checked(self, value: Any) -> Any:
        if self.type == "mapping":
            return named_values(value, "the default of a mapping")
        if self.type.endswith("s") and self.type != "text":
            if isinstance(value, (str, bytes)) or not isinstance(value, Sequence):
                raise TypeError(f"the default of a list of {self.type} is a list, not {value!r}")
            return [self._element(self.type[:-1], x) for x in value]
        return self._element(self.type, value)

    def _element(self, kind: str, value: Any) -> Any:
        if kind == "boolean" and isinstance(value, bool):
            return value
        if kind in ("text", "path") and isinstance(value, str):
            if self.choices and value not in self.choices:
                raise ValueError(f"the default {value!r} is none of {list(self.choices)}")
            return value
        if kind in ("integer", "number") and not isinstance(value, (bool, str, bytes)):
            try:
                number_ = int(value) if kind == "integer" else float(value)
            except (TypeError, ValueError, OverflowError):
                number_ = math.nan
            if number_ == value:
                return self._in_range(number_)
        raise TypeError(f"the default of a parameter of type {kind} cannot be {value!r}")

    def _in_range(self, value: float) -> float:
        low_open = self.above is not None and value <= self.above
        low = self.at_least is not None and value < self.at_least
        high_open = self.below is not None and value >= self.below
        high = self.at_most is not None and value > self.at_most
        if low or low_open or high or high_open:
            raise ValueError(f"the default {value!r} is outside of the parameter's own range")
        return value


def number(default: Optional[float] = None, documentation: str = "", *,
           above: Optional[float] = None, at_least: Optional[float] = None,
           below: Optional[float] = None, at_most: Optional[float] = None,
           unit: str = "") -> Parameter:
    """A floating-point parameter, and the range that it must be in.

    Examples
    --------
    >>> number(1.0, "width of the bell", above=0).type
    'number'
    """
    return Parameter("number", default, documentation, above, at_least, below, at_most, unit)


def integer(default: Optional[int] = None, documentation: str = "", *,
            above: Optional[int] = None, at_least: Optional[int] = None,
            below: Optional[int] = None, at_most: Optional[int] = None,
            unit: str = "") -> Parameter:
    """A whole number, and the range that it must be in."""
    return Parameter("integer", default, documentation, above, at_least, below, at_most, unit)


def boolean(default: Optional[bool] = None, documentation: str = "") -> Parameter:
    """True or false."""
    return Parameter("boolean", default, documentation)


def text(default: Optional[str] = None, documentation: str = "") -> Parameter:
    """A text."""
    return Parameter("text", default, documentation)


def choice(default: Optional[str], choices: Sequence[str], documentation: str = "") -> Parameter:
    """One of several texts."""
    if isinstance(choices, str) or not all(isinstance(c, str) for c in choices):
        raise TypeError(f"choices are a list of texts, not {choices!r}")
    return Parameter("text", default, documentation, choices=tuple(choices))


def path(default: Optional[str] = None, documentation: str = "") -> Parameter:
    """A file, relative to the data folder. Its content is part of what the store's keys hash."""
    return Parameter("path", default, documentation)


def numbers(default: Optional[Sequence[float]] = None, documentation: str = "", *,
            above: Optional[float] = None, at_least: Optional[float] = None,
            below: Optional[float] = None, at_most: Optional[float] = None,
            unit: str = "") -> Parameter:
    """A list of numbers; the range holds for each."""
    return Parameter("numbers", default, documentation, above, at_least, below, at_most, unit)


def integers(default: Optional[Sequence[int]] = None, documentation: str = "", *,
             above: Optional[int] = None, at_least: Optional[int] = None,
             below: Optional[int] = None, at_most: Optional[int] = None,
             unit: str = "") -> Parameter:
    """A list of whole numbers; the range holds for each."""
    return Parameter("integers", default, documentation, above, at_least, below, at_most, unit)


def texts(default: Optional[Sequence[str]] = None, documentation: str = "") -> Parameter:
    """A list of texts."""
    return Parameter("texts", default, documentation)


def mapping(default: Optional[Mapping[str, Any]] = None, documentation: str = "") -> Parameter:
    """Values by name, such as another library's parameters; the component is given a dict.

    Each is a number, a text, True, False, None, or a list of these, with its type as the pipeline
    writes it: 1 is an int, 1.0 a float.

    Examples
    --------
    >>> mapping({"max_depth": None, "criterion": "gini"}, "the classifier's own").default
    {'max_depth': None, 'criterion': 'gini'}
    """
    return Parameter("mapping", default, documentation)


@dataclass(frozen=True)
class Figure:
    """A number that a solver or an evaluator reports."""

    documentation: str
    unit: str = "plain"
    better: str = "none"
    headline: bool = False


def figure(documentation: str, *, unit: str = "plain", better: str = "none",
           headline: bool = False) -> Figure:
    """Declare a number that is reported, by its documentation.

    Parameters
    ----------
    documentation : str
        One line.
    unit : {"plain", "share", "count", "seconds", "bytes"}
        What it is measured in; a share of 1 is shown in per cent.
    better : {"none", "lower", "higher"}
        Which of two values is the better one.
    headline : bool
        Whether it says most of a result, and is shown first.
    """
    units, directions = ("plain", "share", "count", "seconds", "bytes"), ("none", "lower", "higher")
    if unit not in units:
        raise ValueError(f"the unit of a figure is one of {', '.join(units)}, not {unit!r}")
    if better not in directions:
        raise ValueError(f"better is one of {', '.join(directions)}, not {better!r}")
    return Figure(documentation, unit, better, headline)


# Declarations -----------------------------------------------------------------------------------

LAYOUTS = ("vector", "image", "grid", "sequence", "string", "set")

#: What a function of the kind is given by name, besides its parameters: needed, and if it asks.
_FUNCTIONS = {
    "similarity": (("bases", "samples"), ("layout",)),
    "feature": (("samples",), ("layout",)),
    "normalizer": (("samples",), ("layout",)),
    "basis": ((), ("samples", "labels", "classes", "layout", "context")),
    "evaluator": (("scores", "labels"), ("classes", "context")),
}

#: What the methods of a class of the kind are given by name: needed, and if they ask.
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

_OPTIONS: Dict[str, Any] = {
    "summary": "",
    "documentation": "",
    "reference": "",
    "complexity": "",
    "example": "",
    "accepts": (),
    "gives": "",
    "reports": {},
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


#: What this process has declared, by id; a plugin's file has a list of its own.
declared: Dict[str, Declaration] = {}

#: Counts what was declared: who keeps a copy of `declared` sees by it whether it is still right.
changes = 0

#: The lists of the plugin files that are being read, the innermost last.
_readers: List[List[Declaration]] = []


def _place(target: Any) -> Tuple[str, int]:
    function = target
    if inspect.isclass(target):
        own = [f for f in vars(target).values() if inspect.isfunction(f)]
        if not own:
            return "", 0
        function = own[0]
    code = getattr(inspect.unwrap(function), "__code__", None)
    return (code.co_filename, code.co_firstlineno) if code else ("", 0)


def _did_you_mean(name: str, known: Sequence[str]) -> str:
    close = difflib.get_close_matches(name, known, 1)
    return f"; did you mean '{close[0]}'?" if close else ""


def _arguments(function: Callable[..., Any], where: str, needed: Sequence[str],
               optional: Sequence[str]) -> Tuple[str, ...]:
    """The names that the function asks for, after checking them against what it can be given."""
    names, taken = [], inspect.signature(function).parameters.values()
    for p in taken:
        if p.kind == p.VAR_KEYWORD:  # takes whatever must be given
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
                            f"one of {', '.join(known)}{_did_you_mean(p.name, known)}")
    for name in needed:
        if name not in names:
            raise TypeError(f"{where} must take the argument '{name}'")
    return tuple(names)


def _wanted_by_function(kind: str, target: Any, parameters: Dict[str, Parameter],
                        where: str) -> Dict[str, Tuple[str, ...]]:
    if kind not in _FUNCTIONS:
        raise TypeError(f"{where}: a {kind} learns, so declare a class with the methods fit and "
                        "apply, not a function")
    needed, optional = _FUNCTIONS[kind]
    names = _arguments(target, f"{where}()", [*needed, *parameters], optional)
    return {"call": tuple(n for n in names if n not in parameters)}


def _wanted_by_class(kind: str, target: Any, parameters: Dict[str, Parameter],
                     where: str) -> Dict[str, Tuple[str, ...]]:
    if kind not in _METHODS:
        raise TypeError(f"{where}: declare a {kind} as a function, not as a class")
    if parameters or target.__init__ is not object.__init__:
        _arguments(_without_self(target.__init__), f"{where}.__init__()", list(parameters), ())
    wanted = {}
    for method, (needed, optional) in _METHODS[kind].items():
        function = getattr(target, method, None)
        if function is None:
            if method == "fit" and kind == "normalizer":
                continue
            raise TypeError(f"{where}: the class of a {kind} needs the method {method}("
                            f"{', '.join(('self', *needed))})")
        wanted[method] = _arguments(_without_self(function), f"{where}.{method}()", needed,
                                    optional)
    if hasattr(target, "save") != hasattr(target, "load"):
        raise TypeError(f"{where}: a class that has one of the methods save() and load(state) "
                        "needs the other one")
    return wanted


def _without_self(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function as a bound method: its first argument is not asked for."""
    return function.__get__(object(), object) if hasattr(function, "__get__") else function


def _documented(docstring: str) -> Tuple[str, str, Dict[str, str]]:
    """Summary, paragraphs, and what a numpydoc section "Parameters" says of each."""
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


def _checked_options(kind: str, given: Dict[str, Any]) -> Dict[str, Any]:
    for name, value in given.items():
        if name not in _OPTIONS:
            raise TypeError(f"'{name}' is neither a parameter, such as semblance.number(1.0), nor "
                            f"an option{_did_you_mean(name, list(_OPTIONS))}")
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


def _check_announced(name: str, options: Dict[str, Any], parameters: Dict[str, Parameter],
                     known: Sequence[str]) -> None:
    """An option that says a size beforehand names a parameter, or is a function."""
    how = options[name]
    if isinstance(how, str) and how not in parameters:
        raise ValueError(f"the option '{name}' names the parameter '{how}', which is not declared")
    if callable(how):
        _arguments(how, f"the function of the option '{name}'", (), [*known, *parameters])
    elif how is not None and not isinstance(how, str):
        raise TypeError(f"the option '{name}' is the name of a parameter, or a function of "
                        f"{' and '.join(known)} and the parameters, not {how!r}")


def _declaration(kind: str, id: str, given: Dict[str, Any], target: Any) -> Declaration:
    parameters = {n: p for n, p in given.items() if isinstance(p, Parameter)}
    options = _checked_options(kind, {n: o for n, o in given.items() if n not in parameters})
    where = getattr(target, "__qualname__", repr(target))
    if inspect.isclass(target):
        wanted = _wanted_by_class(kind, target, parameters, where)
    elif callable(target):
        wanted = _wanted_by_function(kind, target, parameters, where)
    else:
        raise TypeError(f"a {kind} is a function or a class, not {target!r}")
    _check_announced("count", options, parameters, ("rows", "classes"))
    _check_announced("size", options, parameters, ("layout",))
    if kind == "basis" and options["count"] is None:
        raise TypeError("a basis needs the option 'count', which says beforehand how many rows it "
                        "chooses: the name of a parameter, or a function of rows and classes")
    if kind == "solver":
        options["reports"] = {
            "objective": Figure("what fit() says that it has minimized", better="lower"),
            **options["reports"],
            "train_seconds": Figure("time to train", unit="seconds", better="lower")}
    if inspect.isclass(target) and options["exact"]:
        raise TypeError("'exact' is said of a function, whose result for a pair depends on nothing "
                        "but the pair; a class learns from all bases")
    summary, documentation, about = _documented(getattr(target, "__doc__", "") or "")
    for name, p in parameters.items():
        if not p.documentation:
            said = about.get(name) or f"the argument '{name}' of {where}"
            parameters[name] = replace(p, documentation=said)
    file, line = _place(target)
    summary = options["summary"] or summary or f"The {kind} {where}, written in Python"
    return Declaration(id, target, parameters, summary,
                       options["documentation"] or documentation, options, file, line, wanted)


def declare(kind: str, id: str, **given: Any) -> Callable[[Any], Any]:
    """The decorator behind ``@semblance.similarity(...)`` and those of the other kinds."""
    if not isinstance(id, str):
        raise TypeError(f"the first argument of @semblance.{kind} is the component's id, as in "
                        f"@semblance.{kind}(\"{kind}/mine\")")
    if not re.fullmatch(rf"{kind}/[a-z][a-z0-9_]*", id):
        raise ValueError(f"the id of a {kind} is '{kind}/NAME', its name in lower case, letters, "
                         f"digits and underscores, not '{id}'")

    def decorate(target: Any) -> Any:
        made = _declaration(kind, id, given, target)
        if _readers:
            if any(other.id == id for other in _readers[-1]):
                raise ValueError(f"the component '{id}' is declared twice")
            _readers[-1].append(made)
        else:
            register(made)
            with contextlib.suppress(AttributeError, TypeError):  # what has no attributes
                target.__semblance__ = made
        return target

    return decorate


def can_be_sent(declaration: Declaration) -> bool:
    """Whether pickle takes the declaration: its function or class has a name in its module."""
    target = declaration.target
    found: Any = sys.modules.get(getattr(target, "__module__", ""))
    for name in getattr(target, "__qualname__", "").split("."):
        found = getattr(found, name, None)
    return found is target and not any(map(callable, declaration.options.values()))


def register(declaration: Declaration) -> None:
    """Make it one of this process's, in place of what was called so before.

    A declaration goes along where a function or an estimator is pickled, so that other processes
    know the component as well.
    """
    global changes
    if declared.get(declaration.id) is not declaration:
        declared[declaration.id] = declaration
        changes += 1


# Names of the kinds in the package --------------------------------------------------------------

KINDS = ("similarity", "feature", "normalizer", "basis", "solver", "evaluator")


class KindModule(ModuleType):
    """A module of the package that is a decorator as well: ``@semblance.similarity(...)``.

    A module of that name makes itself one by ``sys.modules[__name__].__class__ = KindModule``.
    """

    def __call__(self, id: str, **given: Any) -> Callable[[Any], Any]:
        return declare(self.__name__.rpartition(".")[2], id, **given)


class Kind:
    """The decorator without the module: the module is imported where something else is asked for.

    The program reads a plugin file with these, so that it loads no generated classes.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __call__(self, id: str, **given: Any) -> Callable[[Any], Any]:
        return declare(self._name, id, **given)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(importlib.import_module(f"semblance.{self._name}"), name)


#: Whether the program itself runs this interpreter, to use components written in Python.
in_program = False
