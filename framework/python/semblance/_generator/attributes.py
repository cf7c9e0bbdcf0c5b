# SPDX-License-Identifier: MIT
"""The attributes that fit() sets in estimators, as their documentation lists them."""

from __future__ import annotations

#: Attributes that fit() sets in every estimator, in classifiers, and so on; by the base class.
_COMMON_ATTRIBUTES = (
    ("n_features_in_", "int", "number of columns, for tables"),
    ("feature_names_in_", "ndarray of str", "names of the columns, where all have one"),
    ("metrics_", "dict", "what the component reported of its training"),
)
_CLASSIFIER_ATTRIBUTES = (
    ("classes_", "ndarray of shape (classes,)", "the labels, in the order of the scores"),
    ("certificate_", "str", "why training stopped: \"converged\", \"all passes made\", "
     "\"iteration limit\", \"deadline\" or \"cancelled\""),
    ("n_iter_", "int", "number of iterations, where the solver counts them"),
) + _COMMON_ATTRIBUTES
_REGRESSOR_ATTRIBUTES = (
    ("n_outputs_", "int", "how many numbers it predicts"),
) + _CLASSIFIER_ATTRIBUTES[1:]
ATTRIBUTES = {
    "LinearMachine": (
        ("coef_", "ndarray of shape (classes, columns)",
         "weights; for two classes (1, columns), those of the second one"),
        ("intercept_", "ndarray of shape (classes,)", "constants; for two classes (1,)"),
    ) + _CLASSIFIER_ATTRIBUTES,
    "PairMachine": (
        ("classes_", "ndarray of shape (2,)",
         "what predict() says: False and True; where it was trained on pairs the two values of y, "
         "the larger one for pairs that belong together"),
    ) + _CLASSIFIER_ATTRIBUTES[1:],
    **dict.fromkeys(("Machine", "WeightedMachine", "KernelMachine", "BasisExpandingMachine",
                     "NearestNeighbourMachine"), _CLASSIFIER_ATTRIBUTES),
    **dict.fromkeys(("Regressor", "WeightedRegressor", "KernelRegressor", "NeighbourRegressor"),
                    _REGRESSOR_ATTRIBUTES),
    **dict.fromkeys(("NoveltyDetector", "WeightedDetector", "KernelDetector"), (
        ("offset_", "float", "decision_function(X) is score_samples(X) - offset_"),
    ) + _CLASSIFIER_ATTRIBUTES[1:]),
    "Transformer": (
        ("output_shape_", "tuple of int", "shape of an output sample, before it is flattened "
         "into a row; if all have the same"),
    ) + _COMMON_ATTRIBUTES,
    **dict.fromkeys(("MapTransformer", "NystroemTransformer"), _COMMON_ATTRIBUTES),
}
