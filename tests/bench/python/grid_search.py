# SPDX-License-Identifier: MIT
"""A grid search over a pipeline of scikit-learn's, with both machines: accuracy, best parameters
and time.

    ./semblance python tests/bench/python/grid_search.py [--jobs N]
"""

import argparse

from side_by_side import compare
from sklearn.datasets import load_digits
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from semblance import KernelSVM
from semblance.similarity import RBF

options = argparse.ArgumentParser()
options.add_argument("--jobs", type=int, default=2, help="processes of the grid search")
jobs = options.parse_args().jobs

X, y = load_digits(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.3, random_state=0,
                                                    stratify=y)
C, gamma = [0.1, 1, 10, 100], [0.001, 0.003, 0.01, 0.03]


def search(machine, grid):
    return GridSearchCV(Pipeline([("scale", StandardScaler()), ("svm", machine)]), grid,
                        cv=5, n_jobs=jobs)


found = compare(
    {"SVC": lambda: search(SVC(), {"svm__C": C, "svm__gamma": gamma}),
     "KernelSVM": lambda: search(KernelSVM(kernel=RBF(), n_jobs=1),
                                 {"svm__C": C, "svm__kernel__gamma": gamma})},
    X_train, y_train, X_test, y_test, rounds=3)
for name, timed in found.items():
    print(f"{name:12}{timed.machine.best_score_:.4f}  {timed.machine.best_params_}")
