"""Replace SVC: one import changes, and the machine is the same.

`KernelSVM` has `SVC`'s parameters, its decisions and its support vectors (circles).
"""
import matplotlib.pyplot as plt
from sklearn.datasets import make_moons
from sklearn.inspection import DecisionBoundaryDisplay
from sklearn.svm import SVC

from semblance import KernelSVM

X, y = make_moons(200, noise=0.25, random_state=0)
machines = SVC(C=10), KernelSVM(C=10)

_, axes = plt.subplots(1, 2, figsize=(8, 3.6), sharey=True, layout="constrained")
for machine, ax in zip(machines, axes):
    machine.fit(X, y)
    DecisionBoundaryDisplay.from_estimator(machine, X, ax=ax, cmap="PuOr_r", alpha=0.7, eps=0.3,
                                           levels=12, vmin=-5, vmax=5)
    ax.scatter(*X.T, c=y, cmap="PuOr_r", edgecolors="0.3", linewidths=0.5, s=18)
    ax.scatter(*machine.support_vectors_.T, s=60, facecolors="none", edgecolors="black",
               linewidths=0.8)
    ax.set(title=f"{type(machine).__name__}: {len(machine.support_)} support vectors",
           xticks=[], yticks=[])

theirs, ours = (machine.decision_function(X) for machine in machines)
difference = abs(theirs - ours).max()
print(f"largest difference of decision values: {difference:.1g}")
plt.show()
