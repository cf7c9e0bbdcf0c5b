# SPDX-License-Identifier: MIT
"""Components as values: an id and parameters, for estimators, runs and studies."""

from __future__ import annotations

import functools
import importlib
import inspect
import json
from dataclasses import dataclass
from typing import Any, ClassVar, Dict, List, Mapping, Optional, Tuple, Type

import numpy as np

from ._generator.shapes import BASE_MODULES, class_name, python_name, shape_of
from ._generator.sources import class_source
from ._former import current, former_id, values_of
from ._names import Hinting, class_names, of_symbols

KINDS = ("similarity", "feature", "normalizer", "basis", "pair_kernel", "pairs", "solver",
         "calibrator")

#: Parameters of estimators that are components, where their names are not the kind's.
_KINDS_OF_EXTRAS = {"similarities": "similarity", "bases": "basis", "features": "feature",
                    "output_normalizer": "normalizer"}


@dataclass(frozen=True)
class Declared:
    """A parameter as its component declares it; its type and range are checked by the runtime."""

    name: str = ""  #: in the component, where Python has another
    default: Any = None
    component: str = ""  #: kind of the component that it is
    required: bool = False
    optional: bool = False

    def is_default(self, value: Any) -> bool:
        """Whether this value, in the form of JSON, need not be said."""
        usual = list(self.default) if isinstance(self.default, tuple) else self.default
        same_type = isinstance(value, bool) == isinstance(usual, bool)
        return not self.required and same_type and bool(value == usual)


#: Names that are for the package itself, and not offered for completion.
_INNER = frozenset(("accepted_layouts", "component", "declared", "former", "gives", "intervals",
                    "layouts", "layouts_where", "positive_only", "spec", "takes_missing",
                    "takes_weights"))


class Parameterized(metaclass=Hinting):
    """The common base of components and estimators: declared parameters."""

    component: ClassVar[str] = ""
    layouts: ClassVar[Tuple[str, ...]] = ()  #: kinds of samples that it takes
    #: kinds that it takes instead, if a parameter has a value: (parameter, value, kinds)
    layouts_where: ClassVar[Tuple[Tuple[str, str, Tuple[str, ...]], ...]] = ()
    gives: ClassVar[Tuple[str, ...]] = ()  #: kinds of samples that come out; (): the same
    positive_only: ClassVar[bool] = False  #: whether it refuses negative values
    takes_missing: ClassVar[bool] = False  #: whether samples may have missing values (NaN)
    declared: ClassVar[Dict[str, Declared]] = {}
    #: of each former name of a parameter: the fields of _former.Former
    former: ClassVar[Tuple[Tuple[Any, ...], ...]] = ()

    def __dir__(self) -> List[str]:
        return [name for name in super().__dir__() if name not in _INNER]

    def spec(self) -> Dict[str, Any]:
        """The component in the form of a pipeline: {"is": id, parameter: value, ...}. Raises
        TypeError or ValueError where a parameter cannot be a value of a pipeline, or a component is
        of another kind. Types and ranges are checked when it is used."""
        from ._pipeline_text import plain
        said: Dict[str, Any] = {"is": self.component}
        for name, declared in self.declared.items():
            value = self._given(name)
            if value is None and (declared.optional or declared.default is None):
                continue
            if value is None:
                raise ValueError(f"The {name!r} parameter of {type(self).__name__} must have a "
                                 f"value, got None.")
            if declared.component:
                said[declared.name or name] = spec_of(value, declared.component,
                                                      type(self).__name__, name)
            elif not declared.is_default(value := plain(value)):
                said[declared.name or name] = value
        return said

    def _given(self, name: str) -> Any:
        """The value of a parameter, as the program gets it."""
        value = getattr(self, name)
        if name == "class_weights" and isinstance(value, Mapping):  # of labels of any type
            return dict(zip(class_names(list(value)), value.values()))
        return value

    def _opened(self, name: str) -> Any:
        """A parameter's component, to set parameters of it: one that is given by its name, or as a
        dict, becomes an object, with its defaults or the dict's values. Raises ValueError where the
        parameter is no component."""
        value = getattr(self, name)
        if hasattr(value, "set_params"):
            return value
        declared = self.declared.get(name)
        kind = declared.component if declared else _KINDS_OF_EXTRAS.get(name, name)
        if kind in KINDS and isinstance(value, (str, Mapping)):
            value = resolved(value, kind, type(self).__name__, name)
            setattr(self, name, value)
            return value
        raise ValueError(f"The {name!r} parameter of {type(self).__name__} is {value!r}, which has "
                         f"no parameters to set.")

    def accepted_layouts(self) -> Tuple[str, ...]:
        """Kinds of samples that it takes, together with the components inside it."""
        if tuple(self.layouts) == ("pair",):
            return ("pair",)  # those inside get the two samples of a pair
        taken: Optional[Tuple[str, ...]] = self.layouts or None  # None: its inside decides
        for parameter, value, kinds in self.layouts_where:
            given = self._given(parameter)
            if value == (str(given).lower() if isinstance(given, (bool, np.bool_)) else given):
                taken = kinds
                break
        for name, declared in self.declared.items():
            if declared.component != "similarity":
                continue
            inner = resolved(self._given(name), declared.component, type(self).__name__, name)
            own = inner.accepted_layouts()
            taken = own if taken is None else tuple(kind for kind in taken if kind in own)
        return taken or ()


@functools.lru_cache(maxsize=None)
def _parameters_of(made: type) -> Tuple[str, ...]:
    return tuple(inspect.signature(made).parameters)


class Component(Parameterized):
    """A component and its parameters.

    Two are equal if they are the same component with the same parameters. Parameters are checked
    when the component is used, as in scikit-learn's estimators.
    """

    @classmethod
    def _names(cls) -> Tuple[str, ...]:
        return _parameters_of(cls)

    def get_params(self, deep: bool = True) -> Dict[str, Any]:
        """Parameters by name; with `deep` also those of components inside, as NAME__PARAMETER."""
        found: Dict[str, Any] = {}
        for name in self._names():
            value = getattr(self, name)
            if deep and hasattr(value, "get_params") and not isinstance(value, type):
                found.update((f"{name}__{key}", inner)
                             for key, inner in value.get_params().items())
            found[name] = value
        return found

    def set_params(self, **parameters: Any) -> "Component":
        """Sets parameters, those of components inside by NAME__PARAMETER."""
        nested: Dict[str, Dict[str, Any]] = {}
        for key, value in current(self.former, parameters, type(self).__name__,
                                  self._names()).items():
            name, inside, inner = key.partition("__")
            if name not in self._names():
                raise ValueError(f"Invalid parameter {name!r} for {type(self).__name__}. Valid "
                                 f"parameters are: {list(self._names())!r}.")
            if inside:
                nested.setdefault(name, {})[inner] = value
            else:
                setattr(self, name, value)
        for name, values in nested.items():
            self._opened(name).set_params(**values)
        return self

    def __repr__(self) -> str:
        signature = inspect.signature(type(self)).parameters
        changed = (f"{name}={value!r}" for name, value in self.get_params(deep=False).items()
                   if repr(value) != repr(signature[name].default))
        return f"{type(self).__name__}({', '.join(changed)})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Component):
            return NotImplemented
        return (self.component == other.component
                and self.get_params(deep=False) == other.get_params(deep=False))

    def __hash__(self) -> int:
        return hash(self.component)


def _declarations() -> Any:
    from . import _native
    return json.loads(_native.catalogue())


def class_of(id: str) -> Optional[Type[Parameterized]]:
    """The class of a component; None if there is no such component."""
    kind, slash, _ = id.partition("/")
    of_symbols("component", [id])
    if not slash or kind not in KINDS:
        return None
    return _generated(id) or _declared_later(id)


@functools.lru_cache(maxsize=None)
def _generated(id: str) -> Optional[Type[Parameterized]]:
    """The class that was generated when the package was built."""
    try:
        module = importlib.import_module(f"semblance._generated.{id.partition('/')[0]}")
    except ModuleNotFoundError:
        return None
    found = getattr(module, class_name(id), None)
    return found if found is not None and found.component == id else None


def _declared_later(id: str) -> Optional[Type[Parameterized]]:
    """A component added after the package was built: a plugin's, or one written in Python. The same
    class as long as its declaration stands."""
    for declaration in _declarations():
        if declaration["id"] == id:
            return _class_from(class_source(declaration), id, shape_of(declaration).bases)
    return None


@functools.lru_cache(maxsize=None)
def _class_from(source: str, id: str, bases: Tuple[str, ...]) -> Type[Parameterized]:
    names: Dict[str, Any] = {"__name__": "semblance." + id.partition("/")[0],
                             "Component": Component, "Declared": Declared}
    for base in bases:
        module = importlib.import_module(f"semblance.{BASE_MODULES[base]}")
        names[base] = getattr(module, base)
    exec("from __future__ import annotations\n" + source, names)  # our own generator's text
    made: Type[Parameterized] = names[class_name(id)]
    made.__reduce__ = _by_id  # type: ignore[assignment]
    return made


def _by_id(value: Any) -> Any:
    """Pickles a component whose class is in no module: the reader must have declared it."""
    state = value.__getstate__() if hasattr(value, "__setstate__") else None
    from . import _declare
    declaration = _declare.declared.get(value.component)
    sent = declaration if declaration and _declare.can_be_sent(declaration) else None
    return _remade, (value.component, value.get_params(deep=False), sent), state


def _remade(id: str, parameters: Dict[str, Any], declaration: Any = None) -> Any:
    """The component as it was sent, with its declaration if this process does not know it."""
    from . import _declare
    if declaration is not None and id not in _declare.declared:
        _declare.register(declaration)
    return component(id, **parameters)


def _declared_as(target: Any, kind: str) -> Any:
    """The component that a function or class was declared as; the value itself if it was not."""
    from . import _declare, _identity
    sent = getattr(target, "__semblance__", None)
    if sent is None or sent.target is not target or sent.kind != kind:
        return target
    known = _declare.declared.get(sent.id)
    if known is not sent and (known is None or _identity.of_target(known.target)
                              != _identity.of_target(target)):
        _declare.register(sent)  # it came from another process, or has been declared again
    return component(sent.id)


def component(id: str, **parameters: Any) -> Any:
    """A component as a value.

    Parameters
    ----------
    id : str
        Its id, such as "similarity/rbf".
    **parameters
        As the component declares them; ``semblance describe ID`` shows them. If a parameter's
        name is a keyword of Python, a "_" is appended, as in ``lambda_``.

    Returns
    -------
    Component
        An object of the component's class, such as :class:`semblance.similarity.RBF`.

    Raises
    ------
    ValueError
        There is no such component.
    TypeError
        The component has no such parameter.

    Examples
    --------
    >>> import semblance
    >>> semblance.component("similarity/rbf", gamma=2)
    RBF(gamma=2)
    """
    found = class_of(id)
    if found is None:
        id, parameters = _current_id(id, parameters)
        found = class_of(id)
    if found is None:
        raise ValueError(unknown(id))
    parameters = current(found.former, parameters, id)
    names = _parameters_of(found)
    for name in parameters:
        if name not in names:
            raise TypeError(f"{id} has no parameter {name!r}; it has "
                            + (", ".join(names) or "none"))
    return found(**parameters)


def _current_id(id: str, parameters: Dict[str, Any]) -> Tuple[str, Dict[str, Any]]:
    """For a deprecated id the one that has taken its place, and its parameters; else the same."""
    now, former = former_id(id, _declarations())
    if former is None or former.gone:
        return id, parameters
    former.tell(repr(id), former.remedy(now))
    return now, {**values_of(former), **parameters}


def unknown(id: str, kind: str = "") -> str:
    """A sentence that says that there is no such component, with the likely ones."""
    import difflib
    now, former = former_id(id, _declarations())
    if former:
        return f"{id!r} {former.state()}; {former.remedy(now)}"
    if id == "similarity/sigmoid":
        return ("there is no 'similarity/sigmoid'; kernel machines take a function, such as "
                "kernel=lambda X, B: np.tanh(0.1 * X @ B.T)")
    known = [declaration["id"] for declaration in _declarations()
             if not kind or declaration["kind"] == kind]
    close = difflib.get_close_matches(id, known, n=1, cutoff=0.5)
    names = ", ".join(sorted(name.split("/")[1] if kind else name for name in known))
    return (f"there is no component {id!r}; "
            + (f"did you mean {close[0]!r}?" if close else f"there are: {names}"))


def resolved(value: Any, kind: str, owner: str, name: str) -> Any:
    """The component object of a parameter's value: a name, an object, or a pipeline's dict. Raises
    TypeError where it is none of these, or a component of another kind; ValueError where there is
    no such component."""
    where = f"The {name!r} parameter of {owner}"
    if isinstance(value, str):
        id = value if "/" in value else f"{kind}/{value}"
        if id.startswith(kind + "/") and class_of(id) is None:
            id, values = _current_id(id, {})
        else:
            values = {}
        found = class_of(id) if id.startswith(kind + "/") else None
        if found is None:
            raise ValueError(f"{where} must be a component of kind {kind}: {unknown(id, kind)}")
        return found(**values)
    if isinstance(value, Mapping):
        if not isinstance(value.get("is"), str):
            raise ValueError(f"{where} must say its component, such as {{'is': '{kind}/NAME'}}, "
                             f"got {dict(value)!r}.")
        return component(value["is"], **{python_name(key): inner for key, inner in value.items()
                                         if key != "is"})
    if callable(value) and not isinstance(value, Parameterized):
        value = _declared_as(value, kind)
    if isinstance(value, type) or not isinstance(value, Parameterized):
        own = str(getattr(value, "component", "")).startswith(kind + "/")
        instead = (f"; write {value.__name__}()" if own else
                   f"; decorate it with @semblance.{kind}(\"{kind}/NAME\")" if callable(value) else "")
        raise TypeError(f"{where} must be the name of a component of kind {kind} or a component, "
                        f"got {value!r}{instead}.")
    if not value.component.startswith(kind + "/"):
        raise TypeError(f"{where} must be a component of kind {kind}, got {value!r}, which is "
                        f"{value.component or 'an estimator'}.")
    return value


def spec_of(value: Any, kind: str, owner: str, name: str) -> Dict[str, Any]:
    """A parameter's value in the form of a pipeline; see :func:`resolved` for its errors."""
    said: Dict[str, Any] = resolved(value, kind, owner, name).spec()
    return said
