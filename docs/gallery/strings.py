"""Strings: similar where parts of them are.

Families of random sequences, each with letters exchanged, lost and added: no table has columns for
them, but a kernel of common subsequences compares them.
"""
import matplotlib.pyplot as plt
import numpy as np
from sklearn.model_selection import cross_val_score

from semblance import KernelSVM
from semblance.similarity import Subsequence

random = np.random.RandomState(0)
ancestors = ["".join(random.choice(list("ACGT"), 40)) for _ in range(5)]


def descendant(ancestor):
    letters = list(ancestor)
    for place in random.randint(0, 30, 12):
        change = random.choice(["exchange", "lose", "add"])
        letters[place:place + (change != "add")] = \
            [] if change == "lose" else [random.choice(list("ACGT"))]
    return "".join(letters)


y = np.repeat(np.arange(5), 16)
X = [descendant(ancestors[family]) for family in y]
measure = Subsequence(length=4, decay=0.5)
accuracy = cross_val_score(KernelSVM(kernel=measure), X, y, cv=4).mean()

_, ax = plt.subplots(figsize=(5, 4.3), layout="constrained")
image = ax.imshow(measure(X), cmap="cividis", vmax=0.8)
ax.set(title=f"{accuracy:.1%} right in cross-validation", xticks=range(8, 80, 16),
       yticks=range(8, 80, 16), xticklabels=range(5), yticklabels=range(5),
       xlabel="family", ylabel="family")
plt.colorbar(image, label="similarity")
plt.show()
