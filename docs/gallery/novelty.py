"""Novelty: what was never seen in training.

A one-class machine learns zeros alone, and finds what is no zero.
"""
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.metrics import roc_auc_score

from semblance import OneClassSVM
from semblance.similarity import RBF

X, y = load_digits(return_X_y=True)
zeros = np.random.RandomState(0).permutation(X[y == 0])
machine = OneClassSVM(kernel=RBF(gamma=0.0001), nu=0.02).fit(zeros[:100])

unseen = np.concatenate([zeros[100:], X[y != 0]])
usual = np.arange(len(unseen)) < len(zeros) - 100
scores = machine.decision_function(unseen)
auc = roc_auc_score(usual, scores)
print(f"area under the ROC curve: {auc:.4f}")

figure = plt.figure(figsize=(8, 4), layout="constrained")
top, bottom = figure.subfigures(2, 1, height_ratios=[3, 1])
ax = top.subplots()
bins = np.linspace(scores.min(), scores.max(), 60)
for kind, name in ((~usual, "other digits"), (usual, "unseen zeros")):
    ax.hist(scores[kind], bins, density=True, alpha=0.8, label=name)
ax.axvline(0, color="black", linewidth=1)
ax.set(xlabel="score: at least 0 is usual", yticks=[])
ax.legend()
bottom.suptitle("the most usual digits, and the most novel ones", fontsize="medium")
order = np.argsort(-scores)
for ax, k in zip(bottom.subplots(1, 16), [*order[:8], *order[-8:]]):
    ax.imshow(unseen[k].reshape(8, 8), cmap="gray_r")
    ax.set_axis_off()
plt.show()
