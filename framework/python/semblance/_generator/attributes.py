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
_DETECTOR_ATTRIBUTES = (
    ("offset_", "float", "decision_function(X) is score_samples(X) - offset_"),
) + _CLASSIFIER_ATTRIBUTES[1:]
_EXPANSION_ATTRIBUTES = (
    ("support_", "ndarray of int", "the training samples that are support vectors"),
    ("support_vectors_", "ndarray of shape (vectors, columns)", "they themselves, for tables"),
    ("n_support_", "ndarray of int", "their number; of a classifier, of each class"),
    ("dual_coef_", "ndarray of shape (functions, vectors)",
     "their coefficients, in scikit-learn's form"),
    ("intercept_", "ndarray of shape (functions,)", "constants of the functions"),
    ("coef_", "ndarray of shape (functions, columns)", "weights, where the kernel is linear"),
)
_KERNEL_MACHINE_ATTRIBUTES = tuple(
    (name, "ndarray of int", "number of iterations for each pair of classes")
    if name == "n_iter_" else (name, kind, text)
    for name, kind, text in _EXPANSION_ATTRIBUTES + _CLASSIFIER_ATTRIBUTES)
_LINEAR_REGRESSOR_ATTRIBUTES = (
    ("coef_", "ndarray of shape (columns,) or (numbers, columns)", "weights of the columns"),
    ("intercept_", "ndarray of shape (numbers,)", "constants; of Ridge a number where y has one "
     "column"),
) + _REGRESSOR_ATTRIBUTES
_BASES = (("basis_indices_", "ndarray of int", "the training samples that are bases"),)
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
    **dict.fromkeys(("Machine", "WeightedMachine"), _CLASSIFIER_ATTRIBUTES),
    **dict.fromkeys(("BasisExpandingMachine", "NearestNeighbourMachine"),
                    _BASES + _CLASSIFIER_ATTRIBUTES),
    "KernelMachine": _KERNEL_MACHINE_ATTRIBUTES,
    **dict.fromkeys(("Regressor", "WeightedRegressor", "IntervalRegressor"), _REGRESSOR_ATTRIBUTES),
    "NeighbourRegressor": _BASES + _REGRESSOR_ATTRIBUTES,
    "LinearRegressor": _LINEAR_REGRESSOR_ATTRIBUTES,
    "LinearIntervalRegressor": tuple(
        (name, kind, text + ("; those of the median" if name in ("coef_", "intercept_") else ""))
        for name, kind, text in _LINEAR_REGRESSOR_ATTRIBUTES),
    "KernelRegressor": _EXPANSION_ATTRIBUTES + _REGRESSOR_ATTRIBUTES,
    **dict.fromkeys(("NoveltyDetector", "WeightedDetector"), _DETECTOR_ATTRIBUTES),
    "KernelDetector": _EXPANSION_ATTRIBUTES + _DETECTOR_ATTRIBUTES,
    "Transformer": (
        ("output_shape_", "tuple of int", "shape of an output sample, before it is flattened "
         "into a row; if all have the same"),
    ) + _COMMON_ATTRIBUTES,
    **dict.fromkeys(("MapTransformer", "NystroemTransformer"), _BASES + _COMMON_ATTRIBUTES),
}
