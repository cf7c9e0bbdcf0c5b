"""Choose C and gamma: the surface of a search.

A grid over both shows where the best values are, and whether the grid reaches far enough.
"""
import matplotlib.pyplot as plt
from sklearn.datasets import load_digits
from sklearn.model_selection import GridSearchCV

from semblance import KernelSVM

X, y = load_digits(return_X_y=True)
X, y = (X[:600] / 16).astype("float32"), y[:600]
search = GridSearchCV(KernelSVM(n_jobs=1), {
    "C": [0.1, 1, 10, 100, 1000], "kernel__gamma": [0.001, 0.01, "scale", 0.1, 1]}, cv=3)
search.fit(X, y)
print(search.best_params_, f"{search.best_score_:.3f}")

grid = search.param_grid
plt.imshow(search.cv_results_["mean_test_score"].reshape(5, 5), cmap="cividis")
plt.xticks(range(5), grid["kernel__gamma"]), plt.xlabel("gamma")
plt.yticks(range(5), grid["C"]), plt.ylabel("C")
plt.colorbar(label="accuracy in cross-validation")
plt.show()
