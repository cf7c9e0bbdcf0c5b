"""A measure of my own: angles, which end where they begin.

One function of two arrays is a kernel. This one knows that -180 and 180 degrees are the same.
"""
import matplotlib.pyplot as plt
import numpy as np
from sklearn.inspection import DecisionBoundaryDisplay

import semblance
from semblance import KernelSVM


@semblance.similarity("similarity/von_mises", sharpness=semblance.number(1.0, above=0))
def von_mises(bases, samples, sharpness):
    """exp(sharpness * (the sum of the cosines of all angles' differences - their number))."""
    cosines = np.cos(samples[:, None] - bases).sum(axis=2)
    return np.exp(sharpness * (cosines - samples.shape[1]))


random = np.random.RandomState(0)
X = random.uniform(-np.pi, np.pi, (2030, 2)).astype("float32")
y = np.cos(X[:, 0]) + np.cos(X[:, 1]) > -0.4  # not so around (180, 180) degrees, in all corners
machines = {"RBF": KernelSVM(C=10), "von Mises": KernelSVM(
    C=10, kernel=semblance.component("similarity/von_mises", sharpness=0.5))}
accuracy = {}
_, axes = plt.subplots(1, 2, figsize=(8, 4.2), sharey=True, layout="constrained")
for (name, machine), ax in zip(machines.items(), axes):
    accuracy[name] = machine.fit(X[:30], y[:30]).score(X[30:], y[30:])
    DecisionBoundaryDisplay.from_estimator(machine, X, ax=ax, eps=0, cmap="PuOr_r", alpha=0.5,
                                           response_method="predict", grid_resolution=60)
    ax.scatter(*X[:30].T, c=y[:30], cmap="PuOr_r", edgecolors="black", linewidths=0.5, s=30)
    ax.set(title=f"{name}: {accuracy[name]:.1%} right", xlabel="first angle", aspect="equal",
           xticks=[-3.14, 0, 3.14], xticklabels=["-180°", "0°", "180°"], yticks=[-3.14, 0, 3.14],
           yticklabels=["-180°", "0°", "180°"])
axes[0].set_ylabel("second angle")
plt.show()
