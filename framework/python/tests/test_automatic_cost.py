# SPDX-License-Identifier: MIT
"""LinearSVM(C="automatic")."""

import numpy as np
import pytest
from sklearn.datasets import load_wine
from sklearn.model_selection import cross_val_score
from sklearn.preprocessing import StandardScaler

from semblance import LinearSVM

X, y = load_wine(return_X_y=True)
X = StandardScaler().fit_transform(X).astype(np.float32)


def test_it_learns_what_the_chosen_number_gives():
    chosen = LinearSVM(C="automatic").fit(X, y)
    assert chosen.metrics_["cross_validated_error_rate"] < 0.05
    given = LinearSVM(C=chosen.metrics_["cost"]).fit(X, y)
    assert np.array_equal(chosen.coef_, given.coef_)
    assert cross_val_score(chosen, X, y, cv=3).mean() > 0.94


def test_candidates_and_wrong_ones():
    assert LinearSVM(C="automatic", path=(0.01, 1)).fit(X, y).metrics_["cost"] in (0.01, 1)
    with pytest.raises(ValueError, match="C"):
        LinearSVM(C="best").fit(X, y)
