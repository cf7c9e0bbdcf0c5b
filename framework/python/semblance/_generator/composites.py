# SPDX-License-Identifier: MIT
"""Estimators that are more than one component: a component in surroundings of its own."""

from __future__ import annotations

from dataclasses import dataclass

from .extras import (BASES, CLASS_WEIGHT, FEATURES, IMAGE_SHAPE, NORMALIZER, OUTPUT_NORMALIZER,
                     SIMILARITIES, SIMILARITY)
from .shapes import WEIGHTS, Shape

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
               IMAGE_SHAPE), WEIGHTS),
        "Basis Expanding SVM: a linear SVM on similarities to bases, by any measures",
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
