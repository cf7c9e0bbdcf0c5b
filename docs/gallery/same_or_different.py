"""Same or different: people that training never saw.

A pairwise machine learns from a few people whether two records are of one person, and decides about
two hundred others. Most of a record is noise, which Euclidean distance cannot know.
"""
import matplotlib.pyplot as plt
import numpy as np
from sklearn.metrics import RocCurveDisplay

from semblance import PairwiseSVM

random = np.random.RandomState(0)
turn = np.linalg.qr(random.randn(20, 20))[0]


def records(people, each):
    person = np.repeat(np.arange(people), each)
    marks = random.randn(people, 4)[person] + 0.3 * random.randn(len(person), 4)
    return np.hstack([marks, 1.5 * random.randn(len(person), 16)]) @ turn, person


X, person = records(60, 5)
machine = PairwiseSVM(kernel="metric_learning", C=0.01).fit(X, person)

X, person = records(200, 4)
first, second = np.triu_indices(len(X), k=1)
same = person[first] == person[second]
scores = {"learned": machine.decision_function((X[first], X[second])),
          "Euclidean distance": -np.linalg.norm(X[first] - X[second], axis=1)}

_, ax = plt.subplots(figsize=(4.6, 4.4), layout="constrained")
areas = {name: RocCurveDisplay.from_predictions(same, values, name=name, ax=ax).roc_auc
         for name, values in scores.items()}
ax.set(xlabel="different pairs accepted", ylabel="same pairs accepted", aspect="equal")
plt.show()
