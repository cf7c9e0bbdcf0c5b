# SPDX-License-Identifier: MIT
"""The package can be imported, and knows the components that come with it."""

import json

from semblance import _native


def test_the_shipped_components_are_known():
    ids = {declaration["id"] for declaration in json.loads(_native.catalogue())}
    assert {"solver/linear_svm", "similarity/rbf", "normalizer/zscore"} <= ids
