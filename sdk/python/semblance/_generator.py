# SPDX-License-Identifier: MIT
"""Writes one Python class a component, from the components' declarations.

The build calls it as a program, with what ``semblance describe --all --json`` prints::

    python3 _generator.py --declarations components.json --output semblance/_generated

Components that are declared while Python runs get theirs from :func:`class_source`. It imports
nothing of the package, as the package is not there yet when the build calls it.
"""

from __future__ import annotations

import argparse
import json
import keyword
import pprint
import textwrap
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Optional

Declaration = dict  # one entry of the catalogue's JSON

#: Words of ids that CamelCase would misspell.
WORDS = {
    "rbf": "RBF", "hog": "HOG", "lbp": "LBP", "tplbp": "TPLBP", "sift": "SIFT", "dtw": "DTW",
    "wdtw": "WDTW", "gak": "GAK", "msm": "MSM", "twe": "TWE", "erp": "ERP", "edr": "EDR",
    "lcs": "LCS", "lcss": "LCSS", "sbd": "SBD", "llc": "LLC", "lcc": "LCC", "occ": "OCC",
    "ml3": "ML3", "llsvm": "LLSVM", "svm": "SVM", "sgd": "SGD", "mkl": "MKL", "zscore": "ZScore",
    "znorm": "ZNorm", "minirocket": "MiniRocket", "multirocket": "MultiRocket",
    "liblinear": "LIBLINEAR", "libsvm": "LIBSVM", "onehot": "OneHot",
}

#: Ids whose class has a name of its own: "None" is a word of the language.
NAMES = {"normalizer/none": "Identity"}

TYPES = {
    "number": "float", "integer": "int", "text": "str", "true or false": "bool", "path": "str",
    "list of numbers": "Sequence[float]", "list of integers": "Sequence[int]",
    "list of texts": "Sequence[str]", "mapping": "Mapping[str, Any]",
}


@dataclass(frozen=True)
class Extra:
    """A parameter that an estimator has besides those that its component declares."""

    name: str
    annotation: str
    default: Any
    documentation: str


@dataclass(frozen=True)
class Shape:
    """What a generated class is: its base class and what it has besides its component's."""

    base: str
    extras: tuple = ()
    hidden: tuple = ()  #: parameters that the estimator has in another form


CLASS_WEIGHT = Extra(
    "class_weight", "Union[Mapping[Any, float], str, None]", None,
    "factors of C for the rows of each class, {class: factor}; classes that are not named have 1. "
    "\"balanced\": rows / (classes * rows of the class)")
IMAGE_SHAPE = Extra(
    "image_shape", "Optional[Sequence[int]]", None,
    "(height, width) or (height, width, channels) of pictures that come as flat rows; else they "
    "are arrays (n, height, width) or (n, height, width, channels)")
FLATTEN = Extra(
    "flatten", "bool", True,
    "give each sample as one flat row, as scikit-learn's estimators need it; else cells as an "
    "array (n, height, width, values), as components that take grids need them")
SIMILARITY = Extra(
    "similarity", "Union[str, Component]", "rbf",
    "the similarity measure: a name, or a component such as ``RBF(gamma=2)``")
SIMILARITIES = Extra(
    "similarities", "Union[str, Component, Sequence[Union[str, Component]]]", "rbf",
    "the similarity measure, or a list of several, whose values stand side by side: names or "
    "components such as ``RBF(gamma=2)``")
BASES = Extra(
    "bases", "Union[int, str, Component]", 1000,
    "the samples to compare with: how many of the training rows to draw at random, all where "
    "there are fewer, or a component such as ``RandomPerClass(per_class=100)``")
FEATURES = Extra(
    "features", "Any", None,
    "what is computed of each sample first: a component such as ``HOG(cell=4)``, a tuple of "
    "several that follow each other, or a list with one of these for each similarity")
NORMALIZER = Extra(
    "normalizer", "Union[str, Component, None]", "auto",
    "how samples are scaled before they are compared: a name, a component, or None; \"auto\": "
    "\"mean_norm\" where all samples have the same size, else None")
OUTPUT_NORMALIZER = Extra(
    "output_normalizer", "Union[str, Component, None]", "mean_norm",
    "how similarities are scaled: a name, a component, or None")
PAIRS = Extra(
    "pairs", "Union[str, Component]", "all",
    "which pairs of the examples to train on: a name, or a component such as "
    "``Sampled(count=100000)``; not used where pairs are given")

COMMON = (
    Extra("random_state", "Any", None,
          "the seed of everything that is drawn at random, as the program's ``--seed``; None: the "
          "program's own default, the same each time"),
    Extra("n_jobs", "Optional[int]", None,
          "number of threads, which no result depends on; -1: all cores; None: all cores, or as "
          "many as the variable OMP_NUM_THREADS says"),
    Extra("memory", "Union[int, str, None]", None,
          "what may be used, in bytes or such as ``\"4G\"``; None: most of what is free"),
    Extra("deadline", "Optional[float]", None,
          "seconds after which training stops with the best model so far; None: never"),
    Extra("verbose", "bool", False, "show progress"),
)

MAP = (SIMILARITY, BASES, FEATURES, NORMALIZER, IMAGE_SHAPE)


@dataclass(frozen=True)
class Estimator:
    """An estimator that is more than one component: a component in surroundings of its own."""

    name: str
    component: str
    shape: Shape
    summary: str = ""
    documentation: str = ""


COMPOSITES = (
    Estimator(
        "BasisExpandingSVM", "solver/linear_svm",
        Shape("BasisExpandingMachine",
              (SIMILARITIES, BASES, FEATURES, NORMALIZER, OUTPUT_NORMALIZER, CLASS_WEIGHT,
               IMAGE_SHAPE), ("class_weights",)),
        "Basis Expanding SVM: a linear SVM on similarities to bases, whichever measures they are",
        "Each sample becomes the vector of its similarities to the bases, of one measure or of "
        "several side by side, and a linear SVM is trained on these vectors. Measures need be "
        "neither symmetric nor positive semi-definite. The linear SVM, whose parameters follow:"),
    Estimator(
        "SimilarityMap", "",
        Shape("MapTransformer", MAP),
        "The similarities of samples to bases",
        "Each sample becomes the vector of its similarities to the bases, which are training "
        "samples."),
    Estimator(
        "Nystroem", "normalizer/nystrom", Shape("NystroemTransformer", MAP)),
)

#: Solvers that are not an estimator of one table: they choose among several inputs.
PLAIN = ("solver/greedy_selection", "normalizer/nystrom")

SHAPES = {
    "solver/kernel_svm": Shape("KernelMachine", (CLASS_WEIGHT, IMAGE_SHAPE),
                               ("class_weights", "balanced")),
    "solver/linear_svm": Shape("LinearMachine", (CLASS_WEIGHT,), ("class_weights",)),
    "solver/nearest_neighbour": Shape(
        "NearestNeighbourMachine",
        (Extra("similarity", SIMILARITY.annotation, "auto", SIMILARITY.documentation
               + "; \"auto\": of tables the Euclidean distance, the smaller the nearer"),
         Extra("bases", "Union[int, str, Component]", "all", BASES.documentation),
         FEATURES, NORMALIZER, IMAGE_SHAPE)),
}

#: Components that take no negative values.
POSITIVE = ("feature/log",)

#: Per kind of component: the module that has the base classes.
BASE_MODULES = {
    "Component": "_component", "SimilarityComponent": "_similarity",
    "Machine": "_machines", "LinearMachine": "_machines", "KernelMachine": "_machines",
    "BasisExpandingMachine": "_machines", "NearestNeighbourMachine": "_machines",
    "PairMachine": "_pair_machines",
    "Transformer": "_transformers", "MapTransformer": "_transformers",
    "NystroemTransformer": "_transformers",
}


#: What fit() leaves in every estimator, in classifiers, and so on; by the base class.
_COMMON_ATTRIBUTES = (
    ("n_features_in_", "int", "number of columns, of tables"),
    ("feature_names_in_", "ndarray of str", "names of the columns, where all have one"),
    ("metrics_", "dict", "what the component reported of its training"),
)
_CLASSIFIER_ATTRIBUTES = (
    ("classes_", "ndarray of shape (classes,)", "the labels, in the order of the scores"),
    ("certificate_", "str", "why training stopped: \"converged\", \"all passes made\", "
     "\"iteration limit\", \"deadline\" or \"cancelled\""),
    ("n_iter_", "int", "number of iterations, where the solver counts them"),
) + _COMMON_ATTRIBUTES
ATTRIBUTES = {
    "LinearMachine": (
        ("coef_", "ndarray of shape (classes, columns)",
         "weights; of two classes (1, columns), those of the second one"),
        ("intercept_", "ndarray of shape (classes,)", "constants; of two classes (1,)"),
    ) + _CLASSIFIER_ATTRIBUTES,
    "PairMachine": (
        ("classes_", "ndarray of shape (2,)",
         "what predict() says: False and True; where it was trained on pairs the two values of y, "
         "the larger one for pairs that belong together"),
    ) + _CLASSIFIER_ATTRIBUTES[1:],
    **dict.fromkeys(("Machine", "KernelMachine", "BasisExpandingMachine",
                     "NearestNeighbourMachine"), _CLASSIFIER_ATTRIBUTES),
    "Transformer": (
        ("output_shape_", "tuple of int", "shape of a sample that comes out, before it is made a "
         "flat row; where all have the same"),
    ) + _COMMON_ATTRIBUTES,
    **dict.fromkeys(("MapTransformer", "NystroemTransformer"), _COMMON_ATTRIBUTES),
}

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
>>> list(machine.predict([np.array([0.0, 1, 1, 3])]))
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
>>> abs(ZScore().fit_transform(X).mean()) < 1e-6
True
""",
}


def class_name(id: str) -> str:
    """Name of a component's class: "similarity/soft_dtw" is SoftDTW."""
    if id in NAMES:
        return NAMES[id]
    words = id.split("/", 1)[1].split("_")
    return "".join(WORDS.get(word, word[:1].upper() + word[1:]) for word in words)


def python_name(name: str) -> str:
    """A parameter's name in Python: words of the language, such as "lambda", get a "_" behind."""
    return name + "_" if keyword.iskeyword(name) else name


def input_layouts(declaration: Declaration) -> tuple:
    """Kinds of samples that a component takes; those of equal size where it does not say."""
    for port in declaration["inputs"]:
        if port["name"] == "from":
            return tuple(port.get("layouts") or ("vector", "image", "grid"))
    return ()


def shape_of(declaration: Declaration) -> Shape:
    """Which base class a component's class has."""
    id, kind = declaration["id"], declaration["kind"]
    output = declaration.get("output", {})
    if id in PLAIN:
        return Shape("Component")
    if id in SHAPES:
        return SHAPES[id]
    if kind == "similarity":
        return Shape("SimilarityComponent")
    if kind == "solver" and output.get("type") == "scores of pairs":
        return Shape("PairMachine", (PAIRS,))
    if kind == "solver":
        return Shape("Machine")
    if kind in ("feature", "normalizer"):
        taken, given = input_layouts(declaration), output.get("layouts") or []
        extras = (IMAGE_SHAPE,) if "image" in taken else ()
        grids = "grid" in given or (not given and "grid" in taken)
        return Shape("Transformer", extras + ((FLATTEN,) if grids else ()))
    return Shape("Component")


def default_of(parameter: dict) -> Any:
    """Default of a declared parameter as a simple Python value; lists are tuples. Of a mapping it is
    None, as scikit-learn's clones want it: what is not given has the component's own default."""
    if parameter["type"] == "component":
        chosen = parameter.get("default_component")
        return chosen.split("/", 1)[1] if chosen else None
    if parameter["type"] == "mapping":
        return None
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
    name = TYPES[parameter["type"]]
    return f"Optional[{name}]" if default_of(parameter) is None and not required(
        parameter) else name


def range_of(parameter: dict) -> str:
    """The values that a parameter may have, in words; empty where there is nothing to say."""
    if parameter.get("choices"):
        return "one of " + ", ".join(json.dumps(choice) for choice in parameter["choices"])
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
    return " and ".join(parts)


def _wrapped(text: str, indent: int) -> str:
    """Paragraphs of at most 99 columns."""
    prefix = " " * indent
    paragraphs = [textwrap.fill(part, 99, initial_indent=prefix, subsequent_indent=prefix,
                                break_long_words=False, break_on_hyphens=False)
                  for part in text.split("\n\n")]
    return "\n\n".join(paragraphs)


def _sentence(text: str) -> str:
    """A capital where a word begins it, and no letter of a formula; a full stop behind."""
    first = text.split(" ", 1)[0].rstrip(",;:")
    if first.isalpha() and first.islower() and (len(first) > 1 or first == "a"):
        text = text[:1].upper() + text[1:]
    return text if text.endswith((".", ":", "`")) else text + "."


def _documented(name: str, kind: str, default: str, text: str) -> str:
    head = f"    {name} : {kind}" + (f", default={default}" if default else "")
    return head + "\n" + _wrapped(text, 8)


def _parameter_documentation(parameter: dict) -> str:
    text = _sentence(parameter.get("documentation", ""))
    unit, values = parameter.get("unit"), range_of(parameter)
    if unit:
        text += f" Unit: {unit}."
    if values:
        text += f" {_sentence(values)}"
    if parameter["type"] == "mapping" and parameter.get("default"):
        text += f" None: {parameter['default']!r}."
    kind = annotation_of(parameter).replace("Union[str, Component, None]", "str or component")
    kind = kind.replace("Union[str, Component]", "str or component").replace(
        "Union[str, float]", "str or float").replace("Sequence[", "sequence of ").replace(
        "Optional[Mapping[str, Any]", "mapping or None").replace("]", "")
    default = "" if required(parameter) else repr(default_of(parameter))
    return _documented(python_name(parameter["name"]), kind, default, text)


def _extra_documentation(extra: Extra) -> str:
    kind = {"Any": "object"}.get(extra.annotation, extra.annotation)
    for old, new in (("Union[", ""), ("Optional[", ""), ("Sequence[", "sequence of "),
                     ("Mapping[Any, float", "mapping"), ("]", ""), (", None", " or None")):
        kind = kind.replace(old, new)
    if extra.annotation.startswith("Optional["):
        kind += " or None"
    return _documented(extra.name, kind, repr(extra.default), _sentence(extra.documentation))


def _literal_block(text: str) -> str:
    return textwrap.indent(textwrap.dedent(text).strip("\n"), "        ")


def _docstring(name: str, base: str, summary: str, declaration: Optional[Declaration], own: list,
               extras: list, introduction: str = "") -> str:
    parts = ["    " + _sentence(summary)]
    if introduction:
        parts.append(_wrapped(introduction, 4))
    if declaration and declaration.get("documentation"):
        parts.append(_wrapped(declaration["documentation"], 4))
    described = ([_parameter_documentation(parameter) for parameter in own]
                 + [_extra_documentation(extra) for extra in extras])
    if described:
        parts.append("    Parameters\n    ----------\n" + "\n".join(described))
    left = [_documented(attribute, kind, "", _sentence(text))
            for attribute, kind, text in ATTRIBUTES.get(base, ())]
    if left:
        parts.append("    Attributes\n    ----------\n" + "\n".join(left))
    notes = []
    if declaration:
        notes.append(f"    The component ``{declaration['id']}``; it computes with float32.")
        if declaration.get("complexity"):
            notes.append(_wrapped("Complexity: " + declaration["complexity"], 4))
        parts.append("    Notes\n    -----\n" + "\n\n".join(notes))
        if declaration.get("reference"):
            parts.append("    References\n    ----------\n"
                         + _wrapped(declaration["reference"], 4))
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


def _declared_source(parameter: dict) -> str:
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
    if parameter["type"] in ("component", "mapping") or isinstance(parameter.get("default"),
                                                                   list):
        fields["default"] = default_of(parameter)
    if required(parameter):
        fields["required"] = True
    if parameter.get("optional"):
        fields["optional"] = True
    return "Declared(" + ", ".join(f"{key}={value!r}" for key, value in fields.items()) + ")"


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
             _docstring(name, shape.base, summary or (declaration or {}).get("summary", name),
                        declaration, own, extras, introduction), ""]
    if id:
        lines.append(f"    component = {id!r}")
        lines.append(f"    layouts = {input_layouts(declaration or {})!r}")
        output = (declaration or {}).get("output", {})
        given = tuple(output.get("layouts") or ())
        lines.append(f"    gives = {given!r}")
        if id in POSITIVE:
            lines.append("    positive_only = True")
    declared = [f"        {python_name(parameter['name'])!r}: {_declared_source(parameter)},"
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


#: The columns of a given matrix are no function of two lists of samples.
NO_FUNCTION = ("similarity/precomputed",)


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
            + ") -> np.ndarray:\n" + _function_docstring(declaration, own, extras)
            + f"\n    return {class_name(id)}({given}).similarities(\n"
              f"        X, X if B is None else B, {passed})\n")


def _function_docstring(declaration: Declaration, own: list, extras: list) -> str:
    """Of the parameters alone: the equations and the paper are with the class."""
    kinds = [{"sequence": "series"}.get(kind, kind + "s") for kind in input_layouts(declaration)]
    listed = " or ".join([", ".join(kinds[:-1])] * (len(kinds) > 1) + kinds[-1:])
    name = class_name(declaration["id"])
    described = [_documented("X", "array-like", "", f"The samples: {listed}."),
                 _documented("B", "array-like", "None", "The bases; None: the samples.")]
    described += [_parameter_documentation(parameter) for parameter in own]
    described += [_extra_documentation(extra) for extra in extras]
    text = "\n\n".join([
        _sentence(declaration["summary"]), f"The function of :class:`{name}`, which has the "
        "equation and the paper.",
        "Parameters\n----------\n" + textwrap.dedent("\n".join(described)),
        "Returns\n-------\nndarray of shape (samples, bases), float32\n    The similarity of "
        "sample i and basis j in row i, column j.",
        "Raises\n------\nValueError, TypeError\n    A parameter is out of its range; X or B are "
        "no samples of the measure."])
    text = textwrap.indent(text, "    ").strip().replace("\\", "\\\\")
    return f'    """{text}\n    """'


HEADER = '''# SPDX-License-Identifier: MIT
# Written by semblance/_generator.py from the components' declarations. Changes are lost.
"""{title}"""

from __future__ import annotations

from typing import Any, Mapping, Optional, Sequence, Union

import numpy as np

from semblance._component import Component
from semblance._declared import Declared
{imports}
__all__ = {names!r}


'''


INDEX = '''# SPDX-License-Identifier: MIT
# Written by semblance/_generator.py from the components' declarations. Changes are lost.
"""One class a component."""

#: Estimators, and the modules that they are in.
ESTIMATORS = {places}
'''


def module_source(title: str, classes: list, functions: list) -> str:
    """A module of classes, given as (name, base class, source), and functions (name, source)."""
    bases = sorted({base for _, base, _ in classes} - {"Component"},
                   key=lambda base: (BASE_MODULES[base], base))
    imports = "".join(f"from semblance.{BASE_MODULES[base]} import {base}\n" for base in bases)
    names = [name for name, _, _ in classes] + [name for name, _ in functions]
    sources = [source for _, _, source in classes] + [source for _, source in functions]
    return (HEADER.format(title=title, imports=imports, names=names)
            + "\n\n".join(sources))


def modules(declarations: list) -> dict:
    """Texts of all generated modules by their names: one a kind, one of composite estimators."""
    by_id = {declaration["id"]: declaration for declaration in declarations}
    kinds: dict = {}
    functions: dict = {}
    for declaration in declarations:
        kind = declaration["kind"]
        if kind in ("source", "evaluator"):
            continue
        shape = shape_of(declaration)
        kinds.setdefault(kind, []).append(
            (class_name(declaration["id"]), shape.base, class_source(declaration, shape)))
        if kind == "similarity" and declaration["id"] not in NO_FUNCTION:
            functions.setdefault(kind, []).append(
                (python_name(declaration["id"].split("/", 1)[1]), function_source(declaration)))
    texts = {kind: module_source(f"The components of kind {kind}.", classes,
                                 functions.get(kind, []))
             for kind, classes in kinds.items()}
    composites = [
        (made.name, made.shape.base,
         class_source(by_id.get(made.component), made.shape, made.name, made.summary,
                      made.documentation))
        for made in COMPOSITES]
    texts["composite"] = module_source("Estimators of several components.", composites, [])
    found = {"composite": composites, **kinds}
    places = {name: module for module, classes in found.items() for name, base, _ in classes
              if base not in ("Component", "SimilarityComponent")}
    texts["__init__"] = INDEX.format(places=pprint.pformat(dict(sorted(places.items())), width=95))
    return texts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--declarations", type=Path, required=True,
                        help="what `semblance describe --all --json` prints")
    parser.add_argument("--output", type=Path, required=True, help="folder of the modules")
    parser.add_argument("--plugins", type=Path,
                        help="folder of the plugins whose components are wanted; all without it")
    arguments = parser.parse_args()
    declarations = json.loads(arguments.declarations.read_text(encoding="utf-8"))
    if arguments.plugins:
        folder = arguments.plugins.resolve()
        declarations = [declaration for declaration in declarations
                        if Path(declaration["plugin"]["library"]).resolve().parent == folder]
    arguments.output.mkdir(parents=True, exist_ok=True)
    for name, text in modules(declarations).items():
        (arguments.output / f"{name}.py").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
