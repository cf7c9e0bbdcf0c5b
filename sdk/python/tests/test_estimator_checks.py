# SPDX-License-Identifier: MIT
"""All estimators that take tables pass scikit-learn's own checks, with none skipped."""

from sklearn.utils.estimator_checks import parametrize_with_checks

import semblance
from semblance import _generated

#: What the checks' small tables need: fewer models than they have rows or columns.
SMALL = {
    "LCC": {"anchors": 4, "neighbours": 2},
    "LLSVM": {"models": 2, "neighbours": 2},
    "OCC": {"models": 1},
}


def estimators():
    for name in _generated.ESTIMATORS:
        made = getattr(semblance, name)
        try:
            estimator = made(n_jobs=1, **SMALL.get(name, {}))
        except TypeError:
            continue
        if "2darray" in estimator._more_tags()["X_types"]:
            yield estimator


@parametrize_with_checks(list(estimators()))
def test_scikit_learns_check(estimator, check):
    check(estimator)
