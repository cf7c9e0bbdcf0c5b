# SPDX-License-Identifier: MIT
"""The pipelines that are audited: the example of every component, and what examples do not show."""

SEVERAL = {
    "verification_of_several": """\
points: {is: source/checkerboard, task: interclass, classes: 30, examples_per_class: 4}
pairs:  {is: pairs/all, from: points}
alpha:  {is: solver/pairwise_newton, kernel: {is: pair_kernel/metric_learning}, from: points, pairs: pairs}
beta:   {is: solver/pairwise_newton, kernel: {is: pair_kernel/tensor_learning}, from: points, pairs: pairs}
both:   {is: evaluator/verification, from: [alpha, beta]}
sum:    {is: evaluator/verification, sum: true, from: [alpha, beta]}""",
    "greedy_selection_of_several": """\
points: {is: source/xor, squares: 4, train: 200, test: 200}
bases:  {is: basis/random, count: 30, from: points}
wide:   {is: similarity/rbf, gamma: 1, from: points, bases: bases}
narrow: {is: similarity/rbf, gamma: 30, from: points, bases: bases}
chosen: {is: solver/greedy_selection, solver: {is: solver/linear_svm}, folds: 3, from: [narrow, wide]}
test:   {is: evaluator/classification, from: chosen}""",
    "kernel_machine_in_little_memory": """\
points: {is: source/clusters, classes: 2, columns: 6, spread: 1, train: 2500, test: 300}
svm:    {is: solver/kernel_svm, kernel: {is: similarity/rbf, gamma: 0.3}, C: 8, from: points}
test:   {is: evaluator/classification, from: svm}""",
    "held_out_pairs_listed": """\
table: {is: source/csv, path: people.csv, label: person}
x:     {is: normalizer/zscore, from: table}
pairs: {is: pairs/listed, path: people.txt, fold: 1, train: {is: pairs/sampled, count: 500}, from: table}
svm:   {is: solver/pairwise_newton, kernel: {is: pair_kernel/tensor_learning}, from: x, pairs: pairs}
test:  {is: evaluator/verification, from: svm}""",
    "sets_by_a_column": """\
table: {is: source/csv, path: sites.csv, label: class, categorical: [site], test_fraction: 0.4}
x:     {is: normalizer/zscore, from: table}
svm:   {is: solver/linear_svm, from: x}
sets:  {is: calibrator/conformal, by_column: site, coverage: 0.8, from: svm}
test:  {is: evaluator/coverage, from: sets}""",
    "matrix_that_is_divided": """\
matrix: {is: source/csv, path: whole.csv, label: class, test_fraction: 0.3}
bases:  {is: basis/random, count: 12, from: matrix}
s:      {is: similarity/precomputed, from: matrix, bases: bases}
phi:    {is: normalizer/mean_norm, from: s}
svm:    {is: solver/linear_svm, from: phi}
test:   {is: evaluator/classification, from: svm}
kernel: {is: solver/kernel_svm, kernel: {is: similarity/precomputed}, repair: clip, from: matrix}
ktest:  {is: evaluator/classification, from: kernel}""",
}


def reads_files(source):
    """Whether a source's rows are in files. Those of source/array are in memory; only the labels of new
    rows for a model may be in a file."""
    return source["id"] != "source/array" and any(p["type"] == "path" for p in source["parameters"])


def all_pipelines(components):
    """Names and nodes. A component without an example is left to the test of coverage."""
    examples = {c["id"].replace("/", "_"): c["example"] for c in components if c["example"]}
    return {**examples, **SEVERAL}
