# SPDX-License-Identifier: MIT
"""scikit-learn's example plot_digits_classification, with another machine.

    ./semblance python tests/bench/python/digits.py
"""

from side_by_side import compare
from sklearn import datasets, metrics, svm
from sklearn.model_selection import train_test_split

from semblance import KernelSVM
from semblance.similarity import RBF

digits = datasets.load_digits()
data = digits.images.reshape((len(digits.images), -1))
X_train, X_test, y_train, y_test = train_test_split(data, digits.target, test_size=0.5,
                                                    shuffle=False)
found = compare({"SVC": lambda: svm.SVC(gamma=0.001),
                 "KernelSVM": lambda: KernelSVM(kernel=RBF(gamma=0.001))},
                X_train, y_train, X_test, y_test, rounds=15)
print(metrics.classification_report(y_test, found["KernelSVM"].predictions))
