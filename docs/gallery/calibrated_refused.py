"""Calibrated, and refused: the doubtful cases are left to a person.

`CalibratedClassifierCV` learns probabilities. Who answers only where they are high errs rarely.
"""
import matplotlib.pyplot as plt
import numpy as np
from sklearn.calibration import CalibratedClassifierCV, CalibrationDisplay
from sklearn.datasets import make_moons
from sklearn.model_selection import cross_val_predict

from semblance import KernelSVM

X, y = make_moons(2000, noise=0.4, random_state=0)
machine = CalibratedClassifierCV(KernelSVM(), ensemble=False)
probabilities = cross_val_predict(machine, X, y, cv=5, method="predict_proba")

right = probabilities.argmax(axis=1) == y
order = np.argsort(-probabilities.max(axis=1))  # the most certain first
answered = np.arange(1, len(y) + 1)
errors = np.cumsum(~right[order]) / answered
error_of_all, error_of_half = errors[-1], errors[len(y) // 2 - 1]

_, (left, beside) = plt.subplots(1, 2, figsize=(8, 3.8), layout="constrained")
calibration = CalibrationDisplay.from_predictions(y, probabilities[:, 1], n_bins=10, ax=left,
                                                  name="KernelSVM")
left.set(xlabel="predicted probability", ylabel="true share", title="calibrated")
beside.plot(100 * answered / len(y), 100 * errors)
for share, error in ((50, error_of_half), (100, error_of_all)):
    beside.plot(share, 100 * error, "o", color="#D55E00")
    beside.annotate(f"{error:.1%}", (share, 100 * error), xytext=(-6, 6), ha="right",
                    textcoords="offset points")
beside.set(xlabel="answered, the most certain first (%)", ylabel="errors among these (%)",
           title="who answers less errs less", ylim=(-0.5, 16))
plt.show()
