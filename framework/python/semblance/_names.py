# SPDX-License-Identifier: MIT
"""Names: of classes and columns, as the program writes them, and of parameters elsewhere."""

from __future__ import annotations

import inspect
from typing import Any, Iterable, List, Sequence

import numpy as np

from ._former import current


def class_names(classes: Sequence[Any]) -> List[str]:
    """The program's names of classes: 1.0 is "1"."""
    return of_symbols("label", [
        str(int(label)) if isinstance(label, (float, np.floating)) and label == int(label)
        else str(label) for label in classes])


def of_symbols(what: str, names: List[str]) -> List[str]:
    """The names, after a check that they can be written."""
    for name in names:
        if not name.isascii() and any("\ud800" <= symbol <= "\udfff" for symbol in name):
            raise ValueError(f"The {what} {name!r} has half of a surrogate pair, which is no symbol: "
                             f"decode it again.")
    return names


#: Names of scikit-learn, or of older versions, and those that parameters may have here.
_RENAMED = {"alpha": ("penalty",), "class_weight": ("class_weights",),
            "class_weights": ("class_weight",), "kernel": ("similarity",),
            "max_iter": ("max_iterations",), "metric": ("similarity",),
            "n_components": ("components", "bases"), "n_neighbors": ("k",), "overrides": ("set",),
            "tol": ("tolerance",), "weights": ("weighting",)}


class Hinting(type):
    """Classes whose constructors say what a parameter of scikit-learn's is called here."""

    @property
    def __signature__(cls) -> inspect.Signature:
        _, *own = inspect.signature(getattr(cls, "__init__")).parameters.values()
        return inspect.Signature(own)

    def __call__(cls, *arguments: Any, **parameters: Any) -> Any:
        former = getattr(cls, "former")
        if any(name in parameters for name, *_ in former):
            parameters = current(former, parameters, cls.__name__, cls.__signature__.parameters)
        try:
            return super().__call__(*arguments, **parameters)
        except TypeError:
            known = cls.__signature__.parameters
            for name in parameters:
                hint = "" if name in known else hint_for(name, known)
                if hint:
                    raise TypeError(f"{cls.__name__} has no parameter {name!r}: {hint}.") from None
            raise


def hint_for(name: str, known: Iterable[str]) -> str:
    """What to use in place of a parameter that a class does not have; empty: unknown."""
    measures = [each for each in ("kernel", "similarity", "similarities") if each in known]
    if name in ("gamma", "degree", "coef0") and measures:
        return (f"it belongs to a kernel, as in {measures[0]}=RBF(gamma=2), or "
                f"set_params({measures[0]}__gamma=2)")
    if name == "fit_intercept" and {"bias", "center"} <= {*known}:
        return "use bias=0 and center=False for functions without a constant"
    names = [each for each in _RENAMED.get(name, ()) if each in known]
    return f"use {names[0]!r}" if names else ""
