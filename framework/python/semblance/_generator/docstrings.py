# SPDX-License-Identifier: MIT
"""The documentation of generated classes and functions, in numpydoc form: parameters, attributes that
fit() sets, examples."""

from __future__ import annotations

import re
import textwrap
from typing import Optional

from .shapes import (Declaration, Extra, Shape, annotation_of, class_name, default_of,
                     input_layouts, python_name, range_of, required)

_EXPANSION = (
    ("support_", "ndarray of int", "the training samples that are support vectors"),
    ("support_vectors_", "ndarray of shape (vectors, columns)", "the support vectors, for tables"),
    ("n_support_", "ndarray of int", "number of support vectors; of a classifier, of each class"),
    ("dual_coef_", "ndarray of shape (functions, vectors)",
     "their coefficients, in scikit-learn's form"),
    ("intercept_", "ndarray of shape (functions,)", "constants of the functions"),
    ("coef_", "ndarray of shape (functions, columns)", "weights, where the kernel is linear"),
)
_BASES = (("basis_indices_", "ndarray of int", "the training samples that are bases"),)
_CLASSES = (("classes_", "ndarray of shape (classes,)", "the labels, in the order of the scores"),)
_TRAINING = (
    ("certificate_", "str", "why training stopped: \"converged\", \"all passes made\", "
     "\"iteration limit\", \"deadline\" or \"cancelled\""),
    ("n_iter_", "int", "number of iterations, where the solver counts them; of KernelSVM an array, "
     "one for each pair of classes"),
)
_COMMON = (
    ("n_features_in_", "int", "number of columns, for tables"),
    ("feature_names_in_", "ndarray of str", "names of the columns, where all have one"),
    ("metrics_", "dict", "what the component reported of its training"),
)

#: The attributes by base class: those of its form, then of its role.
_OF_BASES = {
    "LinearFunctions": (
        ("coef_", "ndarray of shape (functions, columns)",
         "weights; for two classes (1, columns), those of the second one; (columns,) where y is one "
         "column of numbers; of intervals, those of the median"),
        ("intercept_", "ndarray of shape (functions,)", "constants; of Ridge a number where y has "
         "one column"),
    ),
    "OnKernel": _EXPANSION,
    "KernelClassifier": _EXPANSION + _CLASSES + _TRAINING,
    "OnBases": _BASES,
    "Neighbours": _BASES,
    "SimilarityTransformer": _BASES,
    "Classifier": _CLASSES + _TRAINING,
    "Regressor": (("n_outputs_", "int", "how many numbers it predicts"),) + _TRAINING,
    "Detector": (("offset_", "float", "decision_function(X) is score_samples(X) - offset_"),)
    + _TRAINING,
    "PairMachine": (
        ("classes_", "ndarray of shape (2,)",
         "what predict() says: False and True; where it was trained on pairs the two values of y, "
         "the larger one for pairs that belong together"),
    ) + _TRAINING,
    "Reversible": (
        ("output_shape_", "tuple of int", "shape of an output sample"),
    ),
    "Transformer": (
        ("output_shape_", "tuple of int", "shape of an output sample, before it is flattened "
         "into a row; if all have the same"),
    ),
}


def attributes_of(shape: Shape) -> tuple:
    """The attributes, (name, type, documentation), of a class of this shape."""
    if not shape.is_estimator:
        return ()
    return sum((_OF_BASES.get(base, ()) for base in shape.bases), ()) + _COMMON


_IRIS = """
>>> from sklearn.datasets import load_iris
>>> from semblance import {name}
>>> X, y = load_iris(return_X_y=True)
"""
_DIGITS = """
>>> from sklearn.datasets import load_digits
>>> from semblance import {name}
>>> images = load_digits().images
"""

#: Examples of estimators, by the class; what they print is tested.
EXAMPLES = {
    "LinearSVM": _IRIS + """
>>> machine = LinearSVM(C=10).fit(X, y)
>>> machine.predict(X[:3])
array([0, 0, 0])
>>> machine.certificate_
'converged'
""",
    "RidgeClassifier": _IRIS + """
>>> machine = RidgeClassifier().fit(X, y)
>>> machine.predict(X[:3])
array([0, 0, 0])
>>> round(machine.metrics_["leave_one_out_error_rate"], 2)
0.16
""",
    "KernelSVM": _IRIS + """
>>> from semblance.similarity import RBF
>>> machine = KernelSVM(kernel=RBF(gamma=0.1), C=10).fit(X, y)
>>> round(machine.score(X, y), 2)
0.99
>>> machine.set_params(kernel__gamma=1).kernel
RBF(gamma=1)
""",
    "BasisExpandingSVM": _IRIS + """
>>> from semblance.basis import RandomPerClass
>>> machine = BasisExpandingSVM(similarities=["rbf", "linear"],
...                             bases=RandomPerClass(per_class=10), random_state=1)
>>> machine.fit(X, y).decision_function(X[:2]).shape
(2, 3)
""",
    "ML3": _IRIS + """
>>> ML3(models=3, lambda_=1e-3, random_state=1).fit(X, y).certificate_
'all passes made'
""",
    "NearestNeighbour": """
>>> import numpy as np
>>> from semblance import NearestNeighbour
>>> from semblance.similarity import DTW
>>> series = [np.array([0.0, 1, 2, 3]), np.array([3.0, 2, 1]), np.array([0.0, 2, 3])]
>>> machine = NearestNeighbour(similarity=DTW(as_="negative")).fit(series, ["up", "down", "up"])
>>> machine.predict([np.array([0.0, 1, 1, 3])]).tolist()
['up']
""",
    "PairwiseSVM": _IRIS + """
>>> machine = PairwiseSVM(kernel="metric_learning", C=0.001).fit(X[::3], y[::3])
>>> machine.predict((X[:2], X[[1, 70]]))
array([ True, False])
""",
    "SimilarityMap": _IRIS + """
>>> SimilarityMap(similarity="rbf", bases=20).fit_transform(X).shape
(150, 20)
""",
    "Nystroem": _IRIS + """
>>> Nystroem(similarity="rbf", bases=20).fit_transform(X).shape
(150, 20)
""",
    "HOG": _DIGITS + """
>>> HOG(cell=4).fit_transform(images).shape
(1797, 124)
>>> HOG(cell=4, flatten=False).fit_transform(images).shape
(1797, 2, 2, 31)
""",
    "ZScore": _IRIS + """
>>> bool(abs(ZScore().fit_transform(X).mean()) < 1e-6)
True
""",
}


def class_docstring(name: str, shape: Shape, summary: str, declaration: Optional[Declaration],
                    own: list, extras: list, introduction: str = "") -> str:
    """The docstring, indented, of a class with the parameters `own` and `extras`."""
    parts = ["    " + sentence(summary)]
    if introduction:
        parts.append(wrapped(introduction, 4))
    if declaration and declaration.get("documentation"):
        # Without paragraphs about an option of the program alone.
        text = "\n\n".join(part for part in declaration["documentation"].split("\n\n")
                           if "--mpi" not in part)
        parts.append(wrapped(in_python(text, own), 4))
    described = ([parameter_documentation(parameter, own) for parameter in own]
                 + [extra_documentation(extra) for extra in extras])
    if described:
        parts.append("    Parameters\n    ----------\n" + "\n".join(described))
    left = [documented(attribute, kind, "", sentence(text))
            for attribute, kind, text in attributes_of(shape)]
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
        example = textwrap.dedent(declaration["example"]).strip("\n")
        examples.append("    In a pipeline file::\n\n" + textwrap.indent(example, "        "))
    if examples:
        parts.append("    Examples\n    --------\n" + "\n\n".join(examples))
    return quoted("\n\n".join(parts))


def quoted(text: str) -> str:
    """A docstring's source, of indented text."""
    text = text.strip().replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    return f'    """{text}{" " * text.endswith(chr(34))}\n    """'


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
    described += [parameter_documentation(parameter, own) for parameter in own]
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
    return quoted(textwrap.indent(text, "    "))


def in_python(text: str, own: list) -> str:
    """A declaration's text in Python's terms: `as_="negative"` in place of `as: negative`."""
    names = {"as": "as_", "balanced": 'class_weight="balanced"', "class_weights": "class_weight",
             **{one["name"]: python_name(one["name"]) for one in own}}

    def renamed(match: re.Match) -> str:
        quote, name, value = match.groups()
        if name not in names:
            return match[0]
        if value and not value[0].isdigit():
            value = {"true": "True", "false": "False"}.get(value, f'"{value}"')
        return quote + names[name] + (f"={value}" if value else "") + quote

    return re.sub(r"([`'])(\w+)(?:: ([\w.+-]+))?\1", renamed, text)


def parameter_documentation(parameter: dict, own: list) -> str:
    text = in_python(sentence(parameter.get("documentation", "")), own)
    unit, values = parameter.get("unit"), range_of(parameter)
    if unit:
        text += f" Unit: {unit}."
    if values:
        text += f" {sentence(values)}"
    if parameter["type"] == "mapping" and parameter.get("default"):
        text += f" None: {parameter['default']!r}."
    default = "" if required(parameter) else repr(default_of(parameter))
    return documented(python_name(parameter["name"]), in_words(annotation_of(parameter)), default,
                      text)


def extra_documentation(extra: Extra) -> str:
    return documented(extra.name, in_words(extra.annotation), repr(extra.default),
                      sentence(extra.documentation))


def in_words(annotation: str) -> str:
    """A type as numpydoc says it: "str, component or None"."""
    for old, new in (("Mapping[str, Any]", "mapping"), ("Mapping[Any, float]", "mapping"),
                     ("Callable[..., Any]", "function"), ("Any", "object"), ("Union[", ""),
                     ("Sequence[", "sequence of "), ("Component", "component")):
        annotation = annotation.replace(old, new)
    if annotation.startswith("Optional["):
        annotation = annotation[len("Optional["):] + ", None"
    *first, last = annotation.replace("]", "").split(", ")
    return f"{', '.join(first)} or {last}" if first else last


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
    """The text with a full stop, and a capital if it begins with a word: neither with a formula nor,
    as in "none: counts", with a value."""
    first = text.split(" ", 1)[0].rstrip(",;")
    if first.isalpha() and first.islower() and (len(first) > 1 or first == "a"):
        text = text[:1].upper() + text[1:]
    return text if text.endswith((".", ":", "`")) else text + "."
