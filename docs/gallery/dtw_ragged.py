"""Series of different lengths: dynamic time warping aligns them.

A gesture is the same gesture when it is slow, or pauses. Nothing is cut, padded or resampled.
"""
import matplotlib.pyplot as plt
import numpy as np

from semblance import NearestNeighbour
from semblance.similarity import DTW, dtw_path

random = np.random.RandomState(0)
SHAPES = [lambda t: np.sin(2 * np.pi * t), lambda t: np.sin(4 * np.pi * t),
          lambda t: np.sin(2 * np.pi * t) + 0.5 * np.sin(4 * np.pi * t)]


def gesture(kind):
    steps = random.randint(30, 90)
    time = np.cumsum(random.gamma(0.2, size=steps))  # with pauses
    return SHAPES[kind](time / time[-1]) + 0.05 * random.randn(steps)


y = np.arange(180) % 3
X = [gesture(kind) for kind in y]
warping = NearestNeighbour(similarity=DTW(as_="negative")).fit(X[:60], y[:60])
accuracy = warping.score(X[60:], y[60:])

resampled = [np.interp(np.linspace(0, 1, 30), np.linspace(0, 1, len(x)), x) for x in X]
plain = NearestNeighbour(similarity="euclidean").fit(resampled[:60], y[:60])
accuracy_resampled = plain.score(resampled[60:], y[60:])
print(f"DTW {accuracy:.1%}, resampled to one length {accuracy_resampled:.1%}")

above, below = X[60] + 4, X[3]
path, distance = dtw_path(X[60], X[3])
for i, j in path[::3]:
    plt.plot([i, j], [above[i], below[j]], color="silver", linewidth=0.6)
plt.plot(above), plt.plot(below)
plt.title(f"DTW distance {distance:.3f}"), plt.xlabel("step"), plt.yticks([])
plt.show()
