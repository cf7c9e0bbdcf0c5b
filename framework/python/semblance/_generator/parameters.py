# SPDX-License-Identifier: MIT
"""Default, type and range of a declared parameter in Python."""

from __future__ import annotations

import json
from typing import Any

from .names import python_name

Declaration = dict  # one entry of the catalogue's JSON

TYPES = {
    "number": "float", "integer": "int", "text": "str", "true or false": "bool", "path": "str",
    "list of numbers": "Sequence[float]", "list of integers": "Sequence[int]",
    "list of texts": "Sequence[str]", "mapping": "Mapping[str, Any]",
}


def default_of(parameter: dict) -> Any:
    """Default of a declared parameter as a simple Python value; lists are tuples. For a mapping it
    is None, as scikit-learn's clones require; the component then uses its own default."""
    if parameter["type"] == "mapping":
        return None
    if parameter["type"] == "component":
        chosen = parameter.get("default_component")
        return chosen.split("/", 1)[1] if chosen else None
    value = parameter.get("default")
    if isinstance(value, list):
        return tuple(value)
    if value == "" and parameter.get("optional"):
        return None
    return value


def required(parameter: dict) -> bool:
    return bool(parameter.get("required"))


def annotation_of(parameter: dict) -> str:
    if parameter["type"] == "component":
        optional = not parameter.get("default_component") and not required(parameter)
        return "Union[str, Component, None]" if optional else "Union[str, Component]"
    if parameter["type"] == "text" and not parameter.get("choices"):
        return "Union[str, float]"
    if number_or_word(parameter):
        return "Union[str, float]"
    name = TYPES[parameter["type"]]
    return f"Optional[{name}]" if default_of(parameter) is None and not required(
        parameter) else name


def number_or_word(parameter: dict) -> bool:
    """Whether it is one of some words, or a number in a range."""
    return bool(parameter.get("choices")) and any(
        end in parameter for end in ("minimum", "maximum", "exclusive_minimum",
                                     "exclusive_maximum"))


def range_of(parameter: dict) -> str:
    """The allowed values of a parameter in words; empty if there is nothing to say."""
    words = ""
    if parameter.get("choices"):
        words = "one of " + ", ".join(json.dumps(choice) for choice in parameter["choices"])
        if not number_or_word(parameter):
            return words
    low, high = parameter.get("minimum"), parameter.get("maximum")
    above, below = parameter.get("exclusive_minimum"), parameter.get("exclusive_maximum")
    parts = []
    if low is not None:
        parts.append(f"at least {low:.15g}")
    if above is not None:
        parts.append(f"above {above:.15g}")
    if high is not None:
        parts.append(f"at most {high:.15g}")
    if below is not None:
        parts.append(f"below {below:.15g}")
    limits = " and ".join(parts)
    return f"{words}, or a number {limits}" if words else limits


def declared_source(parameter: dict) -> str:
    """A parameter's declaration as the constructor call of Declared."""
    fields = {"kind": parameter["type"]}
    name = parameter["name"]
    if python_name(name) != name:
        fields["name"] = name
    for key, field in (("minimum", "minimum"), ("maximum", "maximum"),
                       ("exclusive_minimum", "above"), ("exclusive_maximum", "below"),
                       ("kind", "component"), ("default", "default")):
        if key in parameter:
            fields[field] = parameter[key]
    if "choices" in parameter:
        fields["choices"] = tuple(parameter["choices"])
    simple = parameter["type"] not in ("component", "mapping")
    if not simple or isinstance(parameter.get("default"), list):
        fields["default"] = default_of(parameter)
    if required(parameter):
        fields["required"] = True
    if parameter.get("optional"):
        fields["optional"] = True
    return "Declared(" + ", ".join(f"{key}={value!r}" for key, value in fields.items()) + ")"
