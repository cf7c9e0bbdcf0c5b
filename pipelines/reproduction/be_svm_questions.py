# SPDX-License-Identifier: MIT
"""Questions that the authors of Basis Expanding SVM left open, answered by tables."""
from math import fsum
from statistics import fmean

from .be_svm import FEWER, PAPER, accuracy_of, name
from .experiment import Experiment
from .text import listed, percent, points, signed

PAPER.experiments += [
    Experiment("complements", "an open question: which similarities complement each other",
               "be_svm/complements.yaml", scaled=FEWER),
    Experiment("number_of_bases", "an open question: when more bases gain nothing",
               "be_svm/number_of_bases.yaml",
               scaled=(*FEWER, "--set", "study.slots.per_class.values=[10, 50, 150]", "--set", "study.repeats.seeds=2")),
    Experiment("medoids_at_size", "an open question: k-medoids at 10×500 bases", "be_svm/medoids_at_size.yaml",
               compared=tuple((f"bases={b},per_class={n}", f"bases=Indx,per_class={n}")
                              for b in ("Rand", "K_KMed_4", "K_KMed_8") for n in (100, 500)),
               scaled=(*FEWER, "--set", "study.slots.per_class.values=[25, 100]")),
]


def pairs(complements):
    """(one, other, accuracy of both, gain over the better of the two), the largest gain first."""
    alone = {s: accuracy_of(complements, first=s, second="alone") for s in complements.alternatives("first")}
    found = []
    for one in alone:
        for other in alone:
            if one != other and complements.has(first=one, second=other):
                both = accuracy_of(complements, first=one, second=other)
                found.append((one, other, both, points(both - max(alone[one], alone[other]))))
    return sorted(found, key=lambda pair: -pair[3])


@PAPER.table("Which similarities complement each other: accuracy in % of each pair, and of each alone on the diagonal")
def complementing(complements):
    names = complements.alternatives("first")
    accuracy = {(s, s): accuracy_of(complements, first=s, second="alone") for s in names}
    for one, other, both, _ in pairs(complements):
        accuracy[one, other] = accuracy[other, one] = both
    best = max(accuracy.values())
    shown = {key: f"**{percent(v)}**" if v == best else percent(v) for key, v in accuracy.items()}
    return [["", *map(name, names)], *([name(s), *(shown[s, t] for t in names)] for s in names)]


@PAPER.table("The gain of a second similarity over the better of the two, in points")
def gains_by_kind(complements):
    found = pairs(complements)
    kinds = {"a linear one and another": lambda a, b: "L" in a + b,
             "both on cells of 4 pixels": lambda a, b: a[1] == b[1] == "4" and "L" not in a + b,
             "both on cells of 8 pixels": lambda a, b: a[1] == b[1] == "8" and "L" not in a + b,
             "one on cells of 4, one on cells of 8": lambda a, b: a[1] != b[1] and "L" not in a + b}
    rows = [["pairs", "mean gain", "largest gains"]]
    for kind, belongs in kinds.items():
        those = [p for p in found if belongs(p[0], p[1])]
        rows.append([kind, signed(fmean(p[3] for p in those)),
                     listed(f"{name(a)} and {name(b)} {signed(g)}" for a, b, _, g in those[:3])])
    return rows


@PAPER.table("Accuracy in % by the number of bases per class, with one fold: mean and standard deviation over draws")
def bases_needed(number_of_bases):
    sizes = number_of_bases.alternatives("per_class")
    rows = [["bases per class", *sizes]]
    for s in number_of_bases.alternatives("set"):
        rows.append([s, *(with_deviation([100 * v for v in number_of_bases.values(set=s, per_class=n)])
                          for n in sizes)])
    return rows


def with_deviation(values):
    mean = fmean(values)
    deviation = (fsum((v - mean) ** 2 for v in values) / max(len(values) - 1, 1)) ** 0.5
    return f"{mean:.2f} ± {deviation:.2f}"


@PAPER.table("The effect of mirror images and colours: accuracy in % with one fold, 10×100 bases, by how the values of an "
             "image and its mirror image are combined")
def additions(cifar10_best_ablation):
    shown = {"M2": "M2's four similarities", "color_rbf": "and Gaussian ones of colours",
             "color_both": "and rigid ones of colours", "color_alone": "both of colours alone",
             "hog8_color": "Gaussian ones of HOG8 and colours"}
    ways = cifar10_best_ablation.alternatives("mirror")
    return [["", *ways], *([shown[s], *(percent(accuracy_of(cifar10_best_ablation, set=s, mirror=w)) for w in ways)]
                           for s in cifar10_best_ablation.alternatives("set"))]


@PAPER.table("Bases chosen by k-medoids in large expansions, M2, all training images: accuracy in %, McNemar's test against "
             "Indx")
def medoids(medoids_at_size):
    sizes = medoids_at_size.alternatives("per_class")
    rows = [["", *(f"10×{n}" for n in sizes)]]
    for b in medoids_at_size.alternatives("bases"):
        rows.append([b, *(percent(accuracy_of(medoids_at_size, bases=b, per_class=n))
                          + medoids_at_size.tested(f"bases={b},per_class={n}", f"bases=Indx,per_class={n}")
                          for n in sizes)])
    return rows
