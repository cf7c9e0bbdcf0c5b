# SPDX-License-Identifier: MIT
"""The base class of a component's class, and its parameters besides the component's."""

from __future__ import annotations

from dataclasses import dataclass

from .extras import (BASES, BREAK_TIES, CANDIDATES, CLASS_WEIGHT, DECISION_FUNCTION_SHAPE,
                     FEATURES, FLATTEN, IMAGE_SHAPE, NORMALIZER, PAIRS, PROBABILITY, SIMILARITY, Extra)
from .names import python_name
from .parameters import Declaration


@dataclass(frozen=True)
class Shape:
    """A generated class: its base class, and what it has besides its component's parameters."""

    base: str
    extras: tuple = ()
    hidden: tuple = ()  #: parameters that the estimator has in another form


#: Components that are not estimators of one table: they choose among several inputs, have a class
#: of their own, or learn from classes, which a transformer does not get.
PLAIN = ("solver/greedy_selection", "normalizer/nystrom", "normalizer/lda")

#: Parameters of solvers that an estimator has as class_weight.
WEIGHTS = ("class_weights", "balanced")

NEIGHBOURS = (Extra("similarity", SIMILARITY.annotation, "auto", SIMILARITY.documentation
                    + "; \"auto\": for tables the Euclidean distance, smaller is nearer"),
              Extra("bases", "Union[int, str, Component]", "all", BASES.documentation),
              FEATURES, NORMALIZER, IMAGE_SHAPE)

SHAPES = {
    "solver/kernel_svm": Shape("KernelMachine", (CANDIDATES, CLASS_WEIGHT, DECISION_FUNCTION_SHAPE,
                                                 BREAK_TIES, PROBABILITY, IMAGE_SHAPE),
                                  (*WEIGHTS, "path")),  # path() is a method
    "solver/linear_svm": Shape("LinearMachine", (CLASS_WEIGHT,), (*WEIGHTS, "solved_before")),
    "solver/ridge_classifier": Shape("LinearMachine", (CLASS_WEIGHT,), WEIGHTS),
    "solver/linear_svr": Shape("LinearRegressor"),
    "solver/ridge": Shape("LinearRegressor"),
    "solver/quantile_regression": Shape("LinearIntervalRegressor"),
    "solver/nearest_neighbour": Shape("NearestNeighbourMachine", NEIGHBOURS),
    "solver/neighbour_regression": Shape("NeighbourRegressor", NEIGHBOURS),
    # With more than two classes it refuses class weights; an estimator's class_weight must work.
    "solver/liblinear": Shape("Machine"),
}

#: Per kind of component: the module that has the base classes.
BASE_MODULES = {
    "Component": "_component", "SimilarityComponent": "_similarity",
    "Machine": "_machines", "WeightedMachine": "_machines",
    "LinearMachine": "_machines", "KernelMachine": "_kernel_machines",
    "BasisExpandingMachine": "_basis_machines", "NearestNeighbourMachine": "_basis_machines",
    "PairMachine": "_pair_machines",
    "Regressor": "_regressors", "WeightedRegressor": "_regressors",
    "LinearRegressor": "_regressors", "IntervalRegressor": "_regressors",
    "LinearIntervalRegressor": "_regressors",
    "KernelRegressor": "_regressors", "NeighbourRegressor": "_regressors",
    "NoveltyDetector": "_novelty", "WeightedDetector": "_novelty", "KernelDetector": "_novelty",
    "Transformer": "_transformers", "MapTransformer": "_transformers",
    "NystroemTransformer": "_transformers",
}


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


def learner_shape(declaration: Declaration, output: str) -> Shape:
    """The shape of a regressor's or a novelty detector's class."""
    kind = "Detector" if output == "novelty scores" else "Regressor"
    if output == "intervals":
        return Shape("IntervalRegressor")
    if not declaration.get("takes_weights"):
        return Shape("NoveltyDetector" if kind == "Detector" else kind)
    if any(parameter["name"] == "kernel" for parameter in declaration["parameters"]):
        return Shape("Kernel" + kind, (IMAGE_SHAPE,))
    return Shape("Weighted" + kind)


def shape_of(declaration: Declaration) -> Shape:
    """The shape of a component's class."""
    id, kind = declaration["id"], declaration["kind"]
    output = declaration.get("output", {})
    if id in PLAIN or input_layouts(declaration) == ("pair",):  # arrays cannot hold pairs
        return Shape("Component")
    if id in SHAPES:
        return SHAPES[id]
    if kind == "similarity":
        return Shape("SimilarityComponent")
    if kind == "solver" and output.get("type") == "scores of pairs":
        return Shape("PairMachine", (PAIRS,))
    if kind == "solver" and output.get("type") in ("estimates", "intervals",
                                                   "novelty scores"):
        return learner_shape(declaration, output["type"])
    if kind == "solver":
        base = "WeightedMachine" if declaration.get("takes_weights") else "Machine"
        weighs = any(parameter["name"] in WEIGHTS for parameter in declaration["parameters"])
        return Shape(base, (CLASS_WEIGHT,), WEIGHTS) if weighs else Shape(base)
    if kind in ("feature", "normalizer"):
        taken, given = input_layouts(declaration), output.get("layouts") or []
        extras = (IMAGE_SHAPE,) if "image" in taken else ()
        grids = "grid" in given or (not given and "grid" in taken)
        return Shape("Transformer", extras + ((FLATTEN,) if grids else ()))
    return Shape("Component")
