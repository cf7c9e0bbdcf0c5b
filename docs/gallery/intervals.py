"""Regression with intervals: 9 of 10 true values are inside.

`calibrator/conformal_intervals` follows any regressor, and is wide where errors are large.
"""
import matplotlib.pyplot as plt
import numpy as np

import semblance
from semblance.similarity import RBF

random = np.random.RandomState(0)


def draw(count):
    x = random.uniform(0, 10, (count, 1))
    level = 0.2 * x[:, 0] ** 1.5 + 0.3 * np.sin(2 * x[:, 0])
    return x, level + (0.1 + 0.2 * level) * random.randn(count)


X, target = draw(500)
model = semblance.run({"name": "intervals", "nodes": {
    "table": {"is": "source/array"},
    "fit": {"is": "solver/kernel_ridge", "kernel": RBF(gamma=0.5), "penalty": 0.3, "from": "table"},
    "range": {"is": "calibrator/conformal_intervals", "coverage": 0.9, "groups": 8,
              "from": "fit"}}}, data={"table": {"X": X, "target": target}}).model

new, value = draw(2000)
low, high = model.predict_interval(new, "range").T
coverage = np.mean((low <= value) & (value <= high))

order = np.argsort(new[:, 0])
_, ax = plt.subplots(figsize=(7, 4), layout="constrained")
ax.scatter(new[::5], value[::5], s=6, color="0.4", label="new values")
x, estimates = new[order, 0], model.predict(new[order], "fit")
ax.fill_between(x, low[order], high[order], alpha=0.4, color="#E69F00", label="interval")
ax.plot(x, estimates, color="#0072B2", label="estimate")
ax.set(xlabel="x", ylabel="y", title=f"{coverage:.1%} of {len(new)} new values are inside")
ax.legend(loc="upper left")
plt.show()
