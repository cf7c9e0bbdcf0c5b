# SPDX-License-Identifier: MIT
"""Python names of a component's class and of its parameters."""

from __future__ import annotations

import keyword

#: Words of ids that CamelCase would misspell.
WORDS = {
    "rbf": "RBF", "hog": "HOG", "lbp": "LBP", "tplbp": "TPLBP", "sift": "SIFT", "dtw": "DTW",
    "wdtw": "WDTW", "gak": "GAK", "msm": "MSM", "twe": "TWE", "erp": "ERP", "edr": "EDR",
    "lcs": "LCS", "lcss": "LCSS", "sbd": "SBD", "llc": "LLC", "lcc": "LCC", "occ": "OCC",
    "ml3": "ML3", "llsvm": "LLSVM", "svm": "SVM", "svr": "SVR", "svdd": "SVDD", "sgd": "SGD",
    "mkl": "MKL", "zscore": "ZScore",
    "znorm": "ZNorm", "minirocket": "MiniRocket", "multirocket": "MultiRocket",
    "rdst": "RDST", "liblinear": "LIBLINEAR", "libsvm": "LIBSVM", "onehot": "OneHot",
}

#: Ids whose class has a name of its own: "None" is a keyword.
NAMES = {"normalizer/none": "Identity"}


def class_name(id: str) -> str:
    """Name of a component's class: "similarity/soft_dtw" is SoftDTW."""
    if id in NAMES:
        return NAMES[id]
    words = id.split("/", 1)[1].split("_")
    return "".join(WORDS.get(word, word[:1].upper() + word[1:]) for word in words)


def python_name(name: str) -> str:
    """A parameter's name in Python: a "_" is appended to keywords, such as "lambda"."""
    return name + "_" if keyword.iskeyword(name) else name
