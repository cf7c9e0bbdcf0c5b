# SPDX-License-Identifier: MIT
"""The package can be imported, and knows the components that come with it."""

import json

import pytest

import semblance
from semblance import _native


def test_the_shipped_components_are_known():
    ids = {declaration["id"] for declaration in json.loads(_native.catalogue())}
    assert {"solver/linear_svm", "similarity/rbf", "normalizer/zscore"} <= ids


def test_names_that_are_gone_say_what_to_use():
    with pytest.raises(AttributeError, match="scikit-learn's displays take these estimators"):
        semblance.displays


def test_star_brings_the_estimators_and_the_decorators():
    names = {}
    exec("from semblance import *", names)
    assert {"KernelSVM", "BasisExpandingSVM", "ZScore", "run", "load", "similarity", "evaluator",
            "number", "DataError"} <= set(names)
    assert names["KernelSVM"] is semblance.KernelSVM
    assert not any(name.startswith("_") for name in semblance.__all__)
