# SPDX-License-Identifier: MIT
"""What a component's class in Python is like: its name, base classes and parameters."""

from __future__ import annotations

import json
import keyword
from dataclasses import dataclass
from typing import Any

#: Words of ids that CamelCase would misspell.
WORDS = {
    "rbf": "RBF", "hog": "HOG", "lbp": "LBP", "tplbp": "TPLBP", "sift": "SIFT", "dtw": "DTW",
    "wdtw": "WDTW", "gak": "GAK", "msm": "MSM", "twe": "TWE", "erp": "ERP", "edr": "EDR",
    "lcs": "LCS", "lcss": "LCSS", "sbd": "SBD", "llc": "LLC", "lcc": "LCC", "occ": "OCC",
    "ml3": "ML3", "llsvm": "LLSVM", "svm": "SVM", "svr": "SVR", "svdd": "SVDD", "sgd": "SGD",
    "mkl": "MKL", "zscore": "ZScore",
    "znorm": "ZNorm", "minirocket": "MiniRocket", "multirocket": "MultiRocket",
    "rdst": "RDST", "liblinear": "LIBLINEAR", "libsvm": "LIBSVM", "onehot": "OneHot",
}

#: Ids whose class has a name of its own: "None" is a keyword.
NAMES = {"normalizer/none": "Identity"}

#: Methods of estimators, which a parameter must not hide.
METHODS = {"score"}


def class_name(id: str) -> str:
    """Name of a component's class: "similarity/soft_dtw" is SoftDTW."""
    if id in NAMES:
        return NAMES[id]
    words = id.split("/", 1)[1].split("_")
    return "".join(WORDS.get(word, word[:1].upper() + word[1:]) for word in words)


def python_name(name: str) -> str:
    """A parameter's name in Python: scikit-learn's, or with a "_" after keywords and names of methods,
    as "lambda_"."""
    if name == "intercept":
        return "fit_intercept"
    return name + "_" if keyword.iskeyword(name) or name in METHODS else name


@dataclass(frozen=True)
class Extra:
    """A parameter that an estimator has besides those that its component declares."""

    name: str
    annotation: str
    default: Any
    documentation: str


CLASS_WEIGHT = Extra(
    "class_weight", "Union[Mapping[Any, float], str, None]", None,
    "factors on the losses of a class's samples, {class: factor}; classes that are not named "
    "have 1. \"balanced\": samples / (classes * samples of the class), or the sums of their "
    "sample_weight in place of these numbers")
CANDIDATES = Extra(
    "Cs", "Optional[Sequence[float]]", None,
    "the values that C=\"automatic\" chooses from, at least two, in any order; None: decades")
IMAGE_SHAPE = Extra(
    "image_shape", "Optional[Sequence[int]]", None,
    "(height, width) or (height, width, channels) of pictures that come as flat rows; else they "
    "are arrays (n, height, width) or (n, height, width, channels)")
DECISION_FUNCTION_SHAPE = Extra(
    "decision_function_shape", "str", "ovr",
    "what decision_function() gives for more than two classes: \"ovr\", a score for each class; "
    "\"ovo\", a value for each pair of classes")
BREAK_TIES = Extra(
    "break_ties", "bool", True,
    "which of classes with equally many votes predict() says: the one with the larger score, as "
    "the program does; False: the first one, as scikit-learn's SVC does by default")
PROBABILITY = Extra(
    "probability", "bool", False,
    "learn probabilities too, with calibrator/probabilities, whose five folds are five more "
    "trainings; predict_proba() gives them")
FLATTEN = Extra(
    "flatten", "bool", True,
    "give each sample as one flat row, as scikit-learn's estimators need it; else cells as an "
    "array (n, height, width, values), as components that take grids need them")
SIMILARITY = Extra(
    "similarity", "Union[str, Component, Callable[..., Any]]", "rbf",
    "the similarity measure: a name, a component such as ``RBF(gamma=2)``, or a function f(X, B) of "
    "arrays that gives (samples, bases), the larger the more similar")
SIMILARITIES = Extra(
    "similarities",
    "Union[str, Component, Callable[..., Any], Sequence[Union[str, Component]]]", "rbf",
    "the similarity measure, or a list of several, whose values stand side by side: names or "
    "components such as ``RBF(gamma=2)``; or one function f(X, B) of arrays that gives (samples, "
    "bases), the larger the more similar")
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
    "\"mean_norm\" where all samples have the same size and are dense, else None, and None before "
    "\"precomputed\"")
OUTPUT_NORMALIZER = Extra(
    "output_normalizer", "Union[str, Component, None]", "mean_norm",
    "how similarities are scaled: a name, a component, or None")
PAIRS = Extra(
    "pairs", "Union[str, Component]", "all",
    "which pairs of the examples to train on: a name, or a component such as "
    "``Sampled(count=100000)``; not used where pairs are given")

COMMON = (
    Extra("random_state", "Any", None,
          "the seed of everything that is drawn at random, as the program's ``--seed``; None: that "
          "of the pipeline, or the program's own default, the same each time"),
    Extra("n_jobs", "Optional[int]", None,
          "number of threads; results do not depend on it; -1: all cores; None: all cores, or "
          "the number that the variable OMP_NUM_THREADS gives"),
    Extra("memory", "Union[int, str, None]", None,
          "the most that may be used, in bytes or as text such as ``\"4G\"``; None: most of "
          "what is free"),
    Extra("deadline", "Optional[float]", None,
          "seconds after which training stops with the best model so far; None: never"),
    Extra("verbose", "bool", False, "show progress"),
)


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
        functions = ", Callable[..., Any]" if parameter.get("kind") == "similarity" else ""
        return f"Union[str, Component{functions}{', None' if optional else ''}]"
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
    name, default = parameter["name"], default_of(parameter)
    fields = [f"name={name!r}"] if python_name(name) != name else []
    fields += [f"default={default!r}"] if default is not None else []
    fields += [f"component={parameter['kind']!r}"] if parameter.get("kind") else []
    fields += [f"{flag}=True" for flag in ("required", "optional") if parameter.get(flag)]
    return f"Declared({', '.join(fields)})"


@dataclass(frozen=True)
class Shape:
    """A generated class: its base classes, and what it has besides its component's parameters."""

    bases: tuple
    extras: tuple = ()
    hidden: tuple = ()  #: parameters that the estimator has in another form

    @property
    def is_estimator(self) -> bool:
        return not {"Component", "SimilarityComponent"} & {*self.bases[:1]}


#: Components that are not estimators of one table: they choose among several inputs, have a class
#: of their own, or learn from classes, which a transformer does not get.
PLAIN = ("solver/greedy_selection", "normalizer/nystrom", "normalizer/lda")

#: Normalizers that learn from classes or numbers.
SUPERVISED = ("normalizer/learned_metric",)

#: Normalizers whose transformers have attributes and inverse_transform().
REVERSIBLE = tuple(f"normalizer/{name}" for name in ("zscore", "min_max", "max_abs", "mean_norm",
                                                     "pca"))

#: Parameters of solvers that an estimator has as class_weight.
WEIGHTS = ("class_weights", "balanced")

NEIGHBOURS = (Extra("similarity", SIMILARITY.annotation, "auto", SIMILARITY.documentation
                    + "; \"auto\": for tables the Euclidean distance, smaller is nearer"),
              Extra("bases", "Union[int, str, Component]", "all", BASES.documentation),
              FEATURES, NORMALIZER, IMAGE_SHAPE)

SHAPES = {
    "solver/kernel_svm": Shape(("KernelClassifier",), (
        CANDIDATES, CLASS_WEIGHT, DECISION_FUNCTION_SHAPE, BREAK_TIES, PROBABILITY, IMAGE_SHAPE),
        (*WEIGHTS, "path")),  # path() is a method
    "solver/linear_svm": Shape(("LinearFunctions", "Classifier"), (CLASS_WEIGHT,), WEIGHTS),
    "solver/ridge_classifier": Shape(("LinearFunctions", "Classifier"), (CLASS_WEIGHT,), WEIGHTS),
    "solver/linear_svr": Shape(("LinearFunctions", "Regressor")),
    "solver/ridge": Shape(("LinearFunctions", "Regressor")),
    "solver/quantile_regression": Shape(("LinearFunctions", "Regressor")),
    "solver/nearest_neighbour": Shape(("Neighbours", "Classifier"), NEIGHBOURS),
    "solver/neighbour_regression": Shape(("Neighbours", "Regressor"), NEIGHBOURS),
    # With more than two classes it refuses class weights; an estimator's class_weight must work.
    "solver/liblinear": Shape(("Classifier",)),
}

#: The module of each base class.
BASE_MODULES = {"Component": "_component", "SimilarityComponent": "_similarity", **{
    base: f"_estimators.{module}" for module, bases in {
        "bases": ["OnBases"], "classifiers": ["Classifier"], "kernel": ["WithKernel", "OnKernel"],
        "kernel_classifiers": ["KernelClassifier"], "linear": ["LinearFunctions"],
        "neighbours": ["Neighbours"], "pair_machines": ["PairMachine"],
        "regressors": ["Regressor", "Detector"],
        "transformers": ["Transformer", "SimilarityTransformer", "Reversible", "Supervised"],
    }.items() for base in bases}}

#: The base class of solvers by what they give.
ROLES = {"estimates": "Regressor", "intervals": "Regressor", "novelty scores": "Detector"}


def input_layouts(declaration: Declaration) -> tuple:
    """Kinds of samples that a component takes; by default those of equal size."""
    for port in declaration["inputs"]:
        if port["name"] == "from":
            return tuple(port.get("layouts") or ("vector", "image", "grid"))
    return ()


def input_layouts_where(declaration: Declaration) -> tuple:
    """Kinds of samples that a component takes instead, if a parameter has a value: (parameter,
    value, kinds)."""
    return tuple((python_name(where["parameter"]), where["value"], tuple(where["layouts"]))
                 for port in declaration["inputs"] if port["name"] == "from"
                 for where in port.get("layouts_where", ()))


def shape_of(declaration: Declaration) -> Shape:
    """The shape of a component's class."""
    id, kind = declaration["id"], declaration["kind"]
    output = declaration.get("output", {})
    names = {parameter["name"] for parameter in declaration["parameters"]}
    if id in PLAIN or input_layouts(declaration) == ("pair",):  # arrays cannot hold pairs
        return Shape(("Component",))
    if id in SHAPES:
        return SHAPES[id]
    if kind == "similarity":
        return Shape(("SimilarityComponent",))
    if kind == "solver" and output.get("type") == "scores of pairs":
        return Shape(("PairMachine",), (PAIRS,))
    if kind == "solver" and output.get("type") in ROLES:
        role = ROLES[output["type"]]
        if "kernel" not in names or not declaration.get("takes_weights"):
            return Shape((role,))
        # Intervals are made of further functions.
        base = "WithKernel" if output["type"] == "intervals" else "OnKernel"
        return Shape((base, role), (IMAGE_SHAPE,))
    if kind == "solver":
        weighs = bool(names & {*WEIGHTS})
        return Shape(("Classifier",), (CLASS_WEIGHT,), WEIGHTS) if weighs else Shape(("Classifier",))
    if kind in ("feature", "normalizer"):
        taken, given = input_layouts(declaration), output.get("layouts") or []
        extras = (IMAGE_SHAPE,) if "image" in taken else ()
        grids = "grid" in given or (not given and "grid" in taken)
        base = ("Reversible" if id in REVERSIBLE else "Supervised" if id in SUPERVISED
                else "Transformer")
        return Shape((base, "Component"), extras + ((FLATTEN,) if grids else ()))
    return Shape(("Component",))


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
        Shape(("OnBases", "Classifier"),
              (SIMILARITIES, BASES, FEATURES, NORMALIZER, OUTPUT_NORMALIZER, CLASS_WEIGHT,
               IMAGE_SHAPE), WEIGHTS),
        "Basis Expanding SVM: a linear SVM on similarities to bases, by any measures",
        "Each sample becomes the vector of its similarities to the bases, of one measure or of "
        "several side by side, and a linear SVM is trained on these vectors. Measures need be "
        "neither symmetric nor positive semi-definite. The linear SVM, whose parameters follow:"),
    Estimator(
        "SimilarityMap", "",
        Shape(("SimilarityTransformer",), MAP),
        "The similarities of samples to bases",
        "Each sample becomes the vector of its similarities to the bases, which are training "
        "samples."),
    Estimator(
        "Nystroem", "normalizer/nystrom", Shape(("SimilarityTransformer",), MAP)),
)
