"""Local linear machines: ML3 bends a boundary piece by piece.

Each class has several linear models, and each sample weighs them. No kernel is computed.
"""
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_circles
from sklearn.inspection import DecisionBoundaryDisplay

from semblance import ML3

X, y = make_circles(800, noise=0.12, factor=0.45, random_state=0)
accuracies = []
_, axes = plt.subplots(1, 4, figsize=(9, 2.6), layout="constrained")
for models, ax in zip((1, 2, 4, 16), axes):
    machine = ML3(models=models, lambda_=1e-3, random_state=1).fit(X[:400], y[:400])
    accuracies.append(machine.score(X[400:], y[400:]))
    DecisionBoundaryDisplay.from_estimator(machine, X, ax=ax, response_method="predict",
                                           cmap="PuOr_r", alpha=0.5, eps=0.15)
    ax.scatter(*X[:400].T, c=y[:400], cmap="PuOr_r", s=5)
    ax.set(title=f"{models} model{'s' * (models > 1)}: {accuracies[-1]:.0%}", xticks=[], yticks=[],
           aspect="equal")
print(np.round(accuracies, 3))
plt.show()
