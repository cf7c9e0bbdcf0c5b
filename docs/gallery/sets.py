"""Sets of points: any number of them, in any order.

Shapes are drawn with 15 to 60 points each. The Wasserstein distance compares the clouds as they
are.
"""
import matplotlib.pyplot as plt
import numpy as np

from semblance import NearestNeighbour, similarity
from semblance.similarity import Wasserstein

random = np.random.RandomState(0)
CORNERS = {"triangle": 3, "square": 4, "circle": 60}


def cloud(name):
    corners = np.exp(2j * np.pi * (np.arange(CORNERS[name] + 1) / CORNERS[name] + 0.25))
    place = random.uniform(0, CORNERS[name], random.randint(15, 61))
    side, along = place.astype(int), place % 1
    points = corners[side] * (1 - along) + corners[side + 1] * along
    return np.column_stack([points.real, points.imag]) + 0.04 * random.randn(len(points), 2)


y = np.array(list(CORNERS) * 50)
X = [cloud(name) for name in y]
machine = NearestNeighbour(similarity=Wasserstein(as_="negative"), k=3).fit(X[:90], y[:90])
accuracy = machine.score(X[90:], y[90:])
print(f"{accuracy:.1%} right")

nearest = np.argsort(-similarity.wasserstein(X[90:93], X[:90], as_="negative"), axis=1)
_, axes = plt.subplots(3, 5, figsize=(6, 3.9), layout="constrained")
for k, row in enumerate(axes):
    for ax, points in zip(row, [X[90 + k], *(X[other] for other in nearest[k, :4])]):
        ax.scatter(*points.T, s=8, color="#D55E00" if ax is row[0] else "#0072B2")
        ax.set(xlim=(-1.3, 1.3), ylim=(-1.3, 1.3), xticks=[], yticks=[], aspect="equal")
axes[0, 0].set_title("new")
axes[0, 2].set_title("its nearest ones, by distance")
plt.show()
