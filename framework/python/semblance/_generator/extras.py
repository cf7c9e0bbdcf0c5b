# SPDX-License-Identifier: MIT
"""Parameters that estimators have besides those that their components declare."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


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
          "the seed of everything that is drawn at random, as the program's ``--seed``; None: the "
          "program's own default, the same each time"),
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
