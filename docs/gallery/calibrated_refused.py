"""Calibrated, and refused: the doubtful cases are left to a person.

`probability=True` makes probabilities of scores. Who answers only where they are high errs rarely.
"""
import matplotlib.pyplot as plt
import numpy as np
from sklearn.calibration import CalibrationDisplay
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from semblance import KernelSVM

X, y = load_breast_cancer(return_X_y=True)
machine = make_pipeline(StandardScaler(), KernelSVM(probability=True))
probabilities = cross_val_predict(machine, X, y, cv=5, method="predict_proba")

certainty = probabilities.max(axis=1)
right = probabilities.argmax(axis=1) == y
order = np.argsort(-certainty)
answered = np.arange(1, len(y) + 1) / len(y)
errors = np.cumsum(~right[order]) / np.arange(1, len(y) + 1)
error_of_all, error_of_most = errors[-1], errors[int(0.9 * len(y)) - 1]

_, (left, beside) = plt.subplots(1, 2, figsize=(8, 3.8), layout="constrained")
CalibrationDisplay.from_predictions(y, probabilities[:, 1], n_bins=6, strategy="quantile",
                                    ax=left, name="KernelSVM")
left.set(xlabel="predicted probability", ylabel="true share", title="calibrated")
beside.plot(100 * answered, 100 * errors)
for share, error in ((90, error_of_most), (100, error_of_all)):
    beside.plot(share, 100 * error, "o", color="#D55E00")
    beside.annotate(f"{error:.1%}", (share, 100 * error), xytext=(-6, 6), ha="right",
                    textcoords="offset points")
beside.set(xlabel="answered, the most certain first (%)", ylabel="errors among these (%)",
           ylim=(-0.1, 3.3), title="who answers less errs less")
plt.show()
