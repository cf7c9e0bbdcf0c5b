# SPDX-License-Identifier: MIT
"""A component of each kind that can be written in Python."""

import numpy as np

import semblance

__version__ = "1.2"
__license__ = "MIT"


@semblance.similarity("similarity/cauchy", symmetric=True,
                      width=semblance.number(1.0, above=0, unit="of the samples"))
def cauchy(bases, samples, width):
    """Cauchy kernel 1 / (1 + |b - x|^2 / width^2).

    Parameters
    ----------
    width : float
        Half the width of the bell at half its height.
    """
    distances = ((samples ** 2).sum(axis=1)[:, None] + (bases ** 2).sum(axis=1)
                 - 2 * samples @ bases.T)
    return 1 / (1 + np.maximum(distances, 0) / width ** 2)


@semblance.similarity("similarity/laplace", symmetric=True, exact=True,
                      positive_semidefinite=True,
                      gamma=semblance.number(1.0, "inverse width", above=0))
def laplace(bases, samples, gamma):
    """Laplacian kernel exp(-gamma |b - x|_1)."""
    return np.exp(-gamma * np.abs(samples[:, None] - bases).sum(axis=2))


@semblance.similarity("similarity/self_scaled")
class SelfScaled:
    """Gaussian kernel whose width is learned from the bases."""

    def fit(self, bases):
        self.bases = bases
        self.width = float(np.square(bases - bases.mean(axis=0)).sum(axis=1).mean()) + 1e-6

    def apply(self, samples):
        return np.exp(-np.square(samples[:, None] - self.bases).sum(axis=2) / self.width)


@semblance.similarity("similarity/length", accepts=("sequence", "string", "set"), symmetric=True)
def length(bases, samples):
    """Samples are the more similar the less they differ in length."""
    def lengths(rows):
        return np.array([np.shape(row)[-1] if not isinstance(row, str) else len(row)
                         for row in rows], dtype=float)
    return 1 / (1 + np.abs(lengths(samples)[:, None] - lengths(bases)))


@semblance.feature("feature/powers", highest=semblance.integer(2, "exponent", at_least=1,
                                                               at_most=3))
def powers(samples, highest):
    """Powers of the values side by side."""
    return np.hstack([samples ** p for p in range(1, highest + 1)])


@semblance.feature("feature/negative", accepts="image", gives="image")
def negative(samples):
    """Negative of an image."""
    return 255 - samples


@semblance.feature("feature/row_sums", accepts=("image", "grid"))
class RowSums:
    """Sum of each row of an image or a grid."""

    def apply(self, samples):
        return samples.sum(axis=2).reshape(len(samples), -1)


@semblance.normalizer("normalizer/whiten")
class Whiten:
    """Mean 0 and deviation 1 of each value."""

    def fit(self, samples):
        self.mean = samples.mean(axis=0)
        self.deviation = samples.std(axis=0) + 1e-6

    def apply(self, samples):
        return (samples - self.mean) / self.deviation


@semblance.normalizer("normalizer/projection", random=True, size="dimension",
                      dimension=semblance.integer(2, "values that are kept", at_least=1,
                                                  at_most=100))
class Projection:
    """Projection to directions that are drawn by chance."""

    def __init__(self, dimension):
        self.dimension = dimension

    def fit(self, samples, context):
        shape = (samples.shape[1], self.dimension)
        self.matrix = context.random.normal(size=shape).astype(np.float32)

    def apply(self, samples):
        return samples @ self.matrix


@semblance.basis("basis/first", per_class=semblance.integer(3, "rows of each class", at_least=1),
                 count=lambda classes, per_class: classes * per_class)
def first(labels, classes, per_class):
    """The first rows of each class."""
    return np.concatenate([np.flatnonzero(labels == c)[:per_class] for c in range(len(classes))])


@semblance.basis("basis/drawn", random=True, count="number",
                 number=semblance.integer(10, "how many rows", at_least=1))
def drawn(samples, number, context):
    """Rows that are drawn by chance."""
    return context.random.choice(len(samples), number, replace=False)


@semblance.solver("solver/centroid",
                  shrink=semblance.number(0.0, "share of the way to the mean of all rows",
                                          at_least=0, below=1))
class Centroid:
    """The class whose mean is nearest."""

    def __init__(self, shrink):
        self.shrink = shrink

    def fit(self, samples, labels, classes):
        self.means = np.stack([samples[labels == c].mean(axis=0) if (labels == c).any()
                               else samples.mean(axis=0) for c in range(len(classes))])
        self.means += self.shrink * (samples.mean(axis=0) - self.means)
        return {"objective": float(np.square(samples - self.means[labels]).sum())}

    def apply(self, samples):
        return -np.square(samples[:, None] - self.means).sum(axis=2)


@semblance.evaluator("evaluator/kappa",
                     reports={"kappa": semblance.figure("agreement beyond chance (Cohen)",
                                                        better="higher", headline=True)})
def kappa(scores, labels, classes):
    """Cohen's kappa."""
    table = np.zeros((len(classes), len(classes)))
    np.add.at(table, (labels, scores.argmax(axis=1)), 1)
    table /= table.sum()
    chance = table.sum(axis=0) @ table.sum(axis=1)
    return {"kappa": float((np.trace(table) - chance) / (1 - chance))}
