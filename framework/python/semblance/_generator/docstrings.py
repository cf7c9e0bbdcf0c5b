# SPDX-License-Identifier: MIT
"""The documentation of generated classes and functions, in numpydoc form."""

from __future__ import annotations

import textwrap
from typing import Optional

from .attributes import ATTRIBUTES
from .examples import EXAMPLES
from .extras import Extra
from .names import class_name, python_name
from .parameters import Declaration, annotation_of, default_of, range_of, required
from .shapes import input_layouts


def class_docstring(name: str, base: str, summary: str, declaration: Optional[Declaration],
                    own: list, extras: list, introduction: str = "") -> str:
    """The docstring, indented, of a class with the parameters `own` and `extras`."""
    parts = ["    " + sentence(summary)]
    if introduction:
        parts.append(wrapped(introduction, 4))
    if declaration and declaration.get("documentation"):
        parts.append(wrapped(without_ranks(declaration["documentation"]), 4))
    described = ([parameter_documentation(parameter) for parameter in own]
                 + [extra_documentation(extra) for extra in extras])
    if described:
        parts.append("    Parameters\n    ----------\n" + "\n".join(described))
    left = [documented(attribute, kind, "", sentence(text))
            for attribute, kind, text in ATTRIBUTES.get(base, ())]
    if left:
        parts.append("    Attributes\n    ----------\n" + "\n".join(left))
    notes = []
    if declaration:
        notes.append(f"    The component ``{declaration['id']}``; it computes with float32.")
        if declaration.get("complexity"):
            notes.append(wrapped("Complexity: " + declaration["complexity"], 4))
        parts.append("    Notes\n    -----\n" + "\n\n".join(notes))
        if declaration.get("reference"):
            parts.append("    References\n    ----------\n"
                         + wrapped(declaration["reference"], 4))
    examples = []
    if name in EXAMPLES:
        lines = EXAMPLES[name].format(name=name).split("\n")
        examples.append(textwrap.indent("\n".join(filter(None, lines)), "    "))
    if declaration and declaration.get("example") and not introduction:
        examples.append("    In a pipeline file::\n\n" + _literal_block(declaration["example"]))
    if examples:
        parts.append("    Examples\n    --------\n" + "\n\n".join(examples))
    text = "\n\n".join(parts).strip()
    text = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    if text.endswith('"'):
        text += " "
    return f'    """{text}\n    """'


def without_ranks(text: str) -> str:
    """The text without its paragraphs about ``--mpi``, an option of the program alone."""
    return "\n\n".join(part for part in text.split("\n\n") if "--mpi" not in part)


#: Kinds of samples of which a function takes one as well.
ONE = {"series", "strings", "sets"}


def function_docstring(declaration: Declaration, own: list, extras: list) -> str:
    """The docstring of a function: only parameters, since the class has equations and paper."""
    kinds = [{"sequence": "series"}.get(kind, kind + "s") for kind in input_layouts(declaration)]
    listed = " or ".join([", ".join(kinds[:-1])] * (len(kinds) > 1) + kinds[-1:])
    if "series" in kinds:
        listed += ", (n, steps), (n, channels, steps) or a list of (steps,) or (channels, steps)"
    name = class_name(declaration["id"])
    described = [documented("X", "array-like", "", f"The samples: {listed}."),
                 documented("B", "array-like", "None", "The bases; None: the samples.")]
    described += [parameter_documentation(parameter) for parameter in own]
    described += [extra_documentation(extra) for extra in extras]
    text = "\n\n".join([
        sentence(declaration["summary"]), f"The function of :class:`{name}`, which has the "
        "equation and the paper.",
        "Parameters\n----------\n" + textwrap.dedent("\n".join(described)),
        "Returns\n-------\nndarray of shape (samples, bases), float32\n" + wrapped(
            "The similarity of sample i and basis j in row i, column j" + (
                "; a float if both are one sample." if ONE.intersection(kinds) else "."),
            4),
        "Raises\n------\nValueError, TypeError\n    A parameter is out of its range; X or B are "
        "no samples of the measure."])
    text = textwrap.indent(text, "    ").strip().replace("\\", "\\\\")
    return f'    """{text}\n    """'


def parameter_documentation(parameter: dict) -> str:
    text = sentence(parameter.get("documentation", ""))
    unit, values = parameter.get("unit"), range_of(parameter)
    if unit:
        text += f" Unit: {unit}."
    if values:
        text += f" {sentence(values)}"
    if parameter["type"] == "mapping" and parameter.get("default"):
        text += f" None: {parameter['default']!r}."
    kind = annotation_of(parameter)
    for old, new in (("Union[str, Component, None]", "str or component"),
                     ("Union[str, Component]", "str or component"),
                     ("Union[str, float]", "str or float"), ("Sequence[", "sequence of "),
                     ("Optional[Mapping[str, Any]", "mapping or None"),
                     ("Mapping[str, Any]", "mapping"), ("]", "")):
        kind = kind.replace(old, new)
    default = "" if required(parameter) else repr(default_of(parameter))
    return documented(python_name(parameter["name"]), kind, default, text)


def extra_documentation(extra: Extra) -> str:
    kind = {"Any": "object"}.get(extra.annotation, extra.annotation)
    for old, new in (("Union[", ""), ("Optional[", ""), ("Sequence[", "sequence of "),
                     ("Mapping[Any, float", "mapping"), ("]", ""), (", None", " or None")):
        kind = kind.replace(old, new)
    if extra.annotation.startswith("Optional["):
        kind += " or None"
    return documented(extra.name, kind, repr(extra.default), sentence(extra.documentation))


def documented(name: str, kind: str, default: str, text: str) -> str:
    head = f"    {name} : {kind}" + (f", default={default}" if default else "")
    return head + "\n" + wrapped(text, 8)


def wrapped(text: str, indent: int) -> str:
    """Paragraphs of at most 99 columns."""
    prefix = " " * indent
    paragraphs = [textwrap.fill(part, 99, initial_indent=prefix, subsequent_indent=prefix,
                                break_long_words=False, break_on_hyphens=False)
                  for part in text.split("\n\n")]
    return "\n\n".join(paragraphs)


def sentence(text: str) -> str:
    """The text with a full stop, and a capital if it begins with a word, not with a formula."""
    first = text.split(" ", 1)[0].rstrip(",;:")
    if first.isalpha() and first.islower() and (len(first) > 1 or first == "a"):
        text = text[:1].upper() + text[1:]
    return text if text.endswith((".", ":", "`")) else text + "."


def _literal_block(text: str) -> str:
    return textwrap.indent(textwrap.dedent(text).strip("\n"), "        ")
