"""An indefinite similarity: no kernel, and it recognizes digits that have moved.

The best of all shifts has negative eigenvalues. A linear machine on similarities to bases needs no
kernel.
"""
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

from semblance import HOG, BasisExpandingSVM, diagnostics
from semblance.similarity import Rigid

random = np.random.RandomState(0)
digits = load_digits()
order = random.permutation(len(digits.images))
images = np.pad(digits.images[order], ((0, 0), (2, 2), (2, 2))).astype("float32")
y = digits.target[order]
cells = HOG(cell=2, flatten=False).fit_transform(images[:300])
spectrum = diagnostics.spectrum(Rigid(shift=2), cells)

accuracy = {}
for shift in (0, 1, 2):
    machine = BasisExpandingSVM(similarities=Rigid(shift=shift), features=HOG(cell=2), bases=300)
    machine.fit(images[:900], y[:900])
    accuracy[shift] = [machine.score([np.roll(image, random.randint(-far, far + 1, 2), (0, 1))
                                      for image in images[900:]], y[900:]) for far in (0, 1, 2)]

_, (left, right) = plt.subplots(1, 2, figsize=(8, 3.6), layout="constrained")
left.bar(range(299), spectrum.eigenvalues[1:], width=1.0,
         color=np.where(spectrum.eigenvalues[1:] > 0, "#0072B2", "#D55E00"))
left.set(xlabel="eigenvalue, without the largest", yscale="symlog",
         title=f"{spectrum.negative_eigenvalues} of 300 are negative")
for shift, (line, color) in zip(accuracy, [("o:", "0.5"), ("s--", "#0072B2"), ("^-", "#D55E00")]):
    right.plot(accuracy[shift], line, color=color, label=f"shifts of {shift} cells")
right.set(xlabel="test digits are moved by up to (pixels)", title="accuracy", xticks=[0, 1, 2])
right.legend()
plt.show()
