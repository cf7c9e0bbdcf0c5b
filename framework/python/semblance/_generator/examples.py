# SPDX-License-Identifier: MIT
"""Examples of estimators in their documentation."""

from __future__ import annotations

_IRIS = """
>>> from sklearn.datasets import load_iris
>>> from semblance import {name}
>>> X, y = load_iris(return_X_y=True)
"""
_DIGITS = """
>>> from sklearn.datasets import load_digits
>>> from semblance import {name}
>>> images = load_digits().images
"""

#: Examples of estimators, by the class; what they print is tested.
EXAMPLES = {
    "LinearSVM": _IRIS + """
>>> machine = LinearSVM(C=10).fit(X, y)
>>> machine.predict(X[:3])
array([0, 0, 0])
>>> machine.certificate_
'converged'
""",
    "RidgeClassifier": _IRIS + """
>>> machine = RidgeClassifier().fit(X, y)
>>> machine.predict(X[:3])
array([0, 0, 0])
>>> round(machine.metrics_["leave_one_out_error_rate"], 2)
0.16
""",
    "KernelSVM": _IRIS + """
>>> from semblance.similarity import RBF
>>> machine = KernelSVM(kernel=RBF(gamma=0.1), C=10).fit(X, y)
>>> round(machine.score(X, y), 2)
0.99
>>> machine.set_params(kernel__gamma=1).kernel
RBF(gamma=1)
""",
    "BasisExpandingSVM": _IRIS + """
>>> from semblance.basis import RandomPerClass
>>> machine = BasisExpandingSVM(similarities=["rbf", "linear"],
...                             bases=RandomPerClass(per_class=10), random_state=1)
>>> machine.fit(X, y).decision_function(X[:2]).shape
(2, 3)
""",
    "ML3": _IRIS + """
>>> ML3(models=3, lambda_=1e-3, random_state=1).fit(X, y).certificate_
'all passes made'
""",
    "NearestNeighbour": """
>>> import numpy as np
>>> from semblance import NearestNeighbour
>>> from semblance.similarity import DTW
>>> series = [np.array([0.0, 1, 2, 3]), np.array([3.0, 2, 1]), np.array([0.0, 2, 3])]
>>> machine = NearestNeighbour(similarity=DTW(as_="negative")).fit(series, ["up", "down", "up"])
>>> machine.predict([np.array([0.0, 1, 1, 3])]).tolist()
['up']
""",
    "PairwiseSVM": _IRIS + """
>>> machine = PairwiseSVM(kernel="metric_learning", C=0.001).fit(X[::3], y[::3])
>>> machine.predict((X[:2], X[[1, 70]]))
array([ True, False])
""",
    "SimilarityMap": _IRIS + """
>>> SimilarityMap(similarity="rbf", bases=20).fit_transform(X).shape
(150, 20)
""",
    "Nystroem": _IRIS + """
>>> Nystroem(similarity="rbf", bases=20).fit_transform(X).shape
(150, 20)
""",
    "HOG": _DIGITS + """
>>> HOG(cell=4).fit_transform(images).shape
(1797, 124)
>>> HOG(cell=4, flatten=False).fit_transform(images).shape
(1797, 2, 2, 31)
""",
    "ZScore": _IRIS + """
>>> bool(abs(ZScore().fit_transform(X).mean()) < 1e-6)
True
""",
}
