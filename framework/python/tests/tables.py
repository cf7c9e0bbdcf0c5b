# SPDX-License-Identifier: MIT
"""Tables from scikit-learn, for tests of estimators."""

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

DATA = {"iris": load_iris, "wine": load_wine, "breast cancer": load_breast_cancer,
        "digits": load_digits}


def table(name, **split):
    """Training and test rows, scaled to mean 0 and deviation 1 by the training rows."""
    X, y = DATA[name](return_X_y=True)
    X, new, y, true = train_test_split(X, y, test_size=0.4, random_state=0, **split)
    scaler = StandardScaler().fit(X)
    return (scaler.transform(X).astype(np.float32), y, scaler.transform(new).astype(np.float32),
            true)
