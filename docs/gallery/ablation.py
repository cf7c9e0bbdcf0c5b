"""An ablation: which parts help, over eight data sets.

A study varies one pipeline and compares the variants by ranks, with Friedman's and Nemenyi's tests.
"""
import matplotlib.pyplot as plt
from sklearn import datasets

import semblance
from semblance.similarity import RBF

data = {name: getattr(datasets, f"load_{name}")(return_X_y=True)
        for name in ("iris", "wine", "breast_cancer")}
data["moons"] = datasets.make_moons(300, noise=0.3, random_state=0)
for columns in (5, 10):
    data[f"clusters_{columns}"] = datasets.make_classification(
        300, columns, n_informative=4, n_redundant=0, n_classes=3, random_state=columns)
    data[f"shells_{columns}"] = datasets.make_gaussian_quantiles(
        n_samples=300, n_features=columns, n_classes=3, random_state=columns)

nodes = {name: {"is": "source/array", "test_fraction": 0.3} for name in data}
nodes |= {"x": {"is": "normalizer/zscore", "from": "iris"},
          "svm": {"is": "solver/kernel_svm", "kernel": RBF(), "C": 10, "from": "x"},
          "test": {"is": "evaluator/classification", "from": "svm"}}
study = semblance.ablate({"name": "parts", "nodes": nodes, "study": {
    "metric": "test.accuracy", "over": "data", "repeats": {"seeds": 2}, "slots": {
        "data": {name: {"nodes.x.from": name} for name in data},
        "variant": {"complete": {}, "unscaled": {"bypass": "x"},
                    "linear": {"nodes.svm.kernel": {"is": "similarity/linear"}},
                    "small_C": {"nodes.svm.C": 0.1}}}}}, data=data)
comparison = study.study["comparison"]
difference = comparison["critical_difference"]
ranks = {method["name"].removeprefix("variant="): method["average_rank"]
         for method in comparison["methods"]}
plt.barh(list(ranks), list(ranks.values()), color="silver")
best = min(ranks.values())
plt.axvline(best, color="black"), plt.axvline(best + difference, color="black", linestyle="--")
plt.title("Average ranks; up to the dashed line none differs from the best", fontsize="medium")
plt.show()
