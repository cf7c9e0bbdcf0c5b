# SPDX-License-Identifier: MIT
"""Where the zero of a column lies and what unit it is measured in is no part of an answer, for methods
that do not depend on it in theory. Values are multiples of 1/64, shifts whole and scales powers of two,
so that shifted and scaled values are exact in float32 and only the method can lose digits. It answers as
on the plain values but for near ties, or refuses with a message."""
import random
import unittest

from workbench import NO_CACHE, Workbench, side_by_side

COLUMNS, TRAIN, TEST = 5, 90, 90
SHIFTS = {"by_1e3": 1000, "by_1e5": 100_000}
SCALES = {"by_1e-6": 2.0 ** -20, "by_1e6": 2.0 ** 20}
# Predictions may differ for samples whose two best scores are as near as this, as a share of the
# scores' spread over all samples.
NEAR = 0.02

SOURCE = "data: {is: source/csv, path: train.csv, test_path: test.csv, label: kind}"
NUMBERS = "data: {is: source/csv, path: train_numbers.csv, test_path: test_numbers.csv, target: size}"
BASES = "bases: {is: basis/index, per_class: 8, from: data}"


def machine(solver, *before):
    return "\n".join([*before, f"svm: {solver}"])


# Invariant to a shift of every column.
SHIFTED = {
    "kernel_svm_rbf": machine(
        "{is: solver/kernel_svm, kernel: {is: similarity/rbf, gamma: 0.1}, C: 2, from: data}"),
    "kernel_svm_linear": machine(
        "{is: solver/kernel_svm, kernel: {is: similarity/linear}, C: 1, from: data}"),
    "libsvm_rbf": machine(
        "{is: solver/libsvm, gamma: 0.1, C: 2, from: data}"),
    "nearest_neighbour": machine("{is: solver/nearest_neighbour, k: 5, from: map}", "bases: {is: basis/all, from: data}",
                                 "map: {is: similarity/rbf, gamma: 0.1, from: data, bases: bases}"),
    "be_svm_rbf": machine("{is: solver/linear_svm, C: 1, from: phi}", BASES,
                          "map: {is: similarity/rbf, gamma: 0.1, from: data, bases: bases}",
                          "phi: {is: normalizer/mean_norm, from: map}"),
    "be_svm_linear": machine("{is: solver/linear_svm, C: 1, from: phi}", BASES,
                             "map: {is: similarity/linear, from: x, bases: bases_of_x}",
                             "x: {is: normalizer/mean_norm, from: data}",
                             "bases_of_x: {is: basis/index, per_class: 8, from: x}",
                             "phi: {is: normalizer/mean_norm, from: map}").replace(BASES + "\n", ""),
    "k_medoids": machine("{is: solver/linear_svm, C: 1, from: phi}",
                         "bases: {is: basis/k_medoids, per_class: 8, similarity: {is: similarity/rbf, "
                         "gamma: 0.1}, from: data}",
                         "map: {is: similarity/rbf, gamma: 0.1, from: data, bases: bases}",
                         "phi: {is: normalizer/mean_norm, from: map}"),
    "pca": machine("{is: solver/linear_svm, C: 1, from: p}", "p: {is: normalizer/pca, components: 4, from: data}"),
    "lda": machine("{is: solver/linear_svm, C: 1, from: p}", "p: {is: normalizer/lda, from: data}"),
    "learned_metric": machine(
        "{is: solver/kernel_svm, kernel: {is: similarity/rbf, gamma: 1}, C: 2, from: p}",
        "p: {is: normalizer/learned_metric, kernel: gaussian, from: data}"),
    "nystrom_rbf": machine("{is: solver/linear_svm, C: 1, from: phi}", BASES,
                           "map: {is: similarity/rbf, gamma: 0.1, from: data, bases: bases}",
                           "psi: {is: normalizer/nystrom, from: map}", "phi: {is: normalizer/mean_norm, from: psi}"),
    "nystrom_linear": machine("{is: solver/linear_svm, C: 1, from: phi}", BASES,
                              "map: {is: similarity/linear, from: data, bases: bases}",
                              "psi: {is: normalizer/nystrom, from: map}",
                              "phi: {is: normalizer/mean_norm, from: psi}"),
}
# Invariant to shifts and to the unit of every column.
NORMALIZED = {
    "zscore": machine("{is: solver/linear_svm, C: 1, from: x}", "x: {is: normalizer/zscore, from: data}"),
    "min_max": machine("{is: solver/linear_svm, C: 1, from: x}", "x: {is: normalizer/min_max, from: data}"),
    "ml3": machine("{is: solver/ml3, models: 4, iterations: 5, from: x}",
                   "x: {is: normalizer/zscore, from: data}"),
    "zscore_rbf": machine("{is: solver/kernel_svm, kernel: {is: similarity/rbf, gamma: 0.1}, C: 2, from: x}",
                          "x: {is: normalizer/zscore, from: data}"),
}


def raw(parameters="", *before, source=SOURCE, rows="data"):
    """Lines for a solver, whose id is filled in later, on columns as they come."""
    return "\n".join([source, *before, f"svm: {{is: SOLVER, {parameters + ', ' if parameters else ''}from: {rows}}}"])


RBF = "kernel: {is: similarity/rbf, gamma: 0.1}"
NEAR_ALL = ("bases: {is: basis/all, from: data}", "map: {is: similarity/rbf, gamma: 0.1, from: data, bases: bases}")
PAIRS = "pairs: {is: pairs/all, from: data}"
DIFFERENCES = "C: 0.1, kernel: {is: pair_kernel/metric_learning}, pairs: pairs"
# Every solver, on columns as they come: it answers as on the plain values, and does not refuse.
RAW = {
    "solver/greedy_selection": raw("solver: {is: solver/linear_svm}, folds: 3", BASES,
                                   "wide: {is: similarity/rbf, gamma: 0.05, from: data, bases: bases}",
                                   "narrow: {is: similarity/rbf, gamma: 0.5, from: data, bases: bases}",
                                   rows="[narrow, wide]"),
    "solver/kernel_intervals": raw(f"{RBF}, penalties: [0.1]", source=NUMBERS),
    "solver/kernel_ridge": raw(f"{RBF}, penalties: [0.1]", source=NUMBERS),
    "solver/kernel_svm": raw(f"{RBF}, C: 2"),
    "solver/kernel_svr": raw(f"{RBF}, C: 10", source=NUMBERS),
    "solver/lcc": raw("anchors: 12, lambda: 1e-3"),
    "solver/libsvm": raw("gamma: 0.1, C: 2"),
    "solver/linear_svm": raw("C: 1"),
    "solver/linear_svm_sgd": raw(),
    "solver/linear_svr": raw("C: 1", source=NUMBERS),
    "solver/llsvm": raw("models: 4, lambda: 1e-3"),
    "solver/localized_mkl": raw("kernels: 2, C: 0.1, iterations: 5"),
    "solver/ml3": raw("models: 4, iterations: 5, lambda: 1e-3"),
    "solver/nearest_neighbour": raw("k: 5", *NEAR_ALL, rows="map"),
    "solver/neighbour_novelty": raw("normal: a"),
    "solver/neighbour_regression": raw("k: 5", *NEAR_ALL, source=NUMBERS, rows="map"),
    "solver/occ": raw("models: 4, lambda: 1e-3"),
    "solver/one_class_svm": raw(f"{RBF}, normal: a"),
    "solver/pair_cosine": raw("pairs: pairs", PAIRS),
    "solver/pairwise_newton": raw(DIFFERENCES, PAIRS),
    "solver/pairwise_svm": raw(DIFFERENCES, PAIRS),
    "solver/quantile_regression": raw(source=NUMBERS),
    "solver/ridge": raw("penalties: [0.1]", source=NUMBERS),
    "solver/ridge_classifier": raw(),
    "solver/svdd": raw(f"{RBF}, normal: a"),
}
SPARSE = "data: {is: source/libsvm, path: train.svm, test_path: test.svm, rows: sparse}"
# Other methods of the linear machines, on dense and on sparse rows.
LINEAR = {
    "l1": "is: solver/linear_svm, regularizer: l1",
    "joint": "is: solver/linear_svm, multiclass: crammer_singer, C: 0.1, tolerance: 1e-3",
    "path": "is: solver/linear_svm, path: [0.001, 0.1], balanced: true",
    "automatic": "is: solver/linear_svm, C: automatic",
    "usual": "is: solver/linear_svm",
}
LOSSES = {
    "absolute": "is: solver/linear_svr, loss: epsilon_insensitive, epsilon: 0.1",
    "quantile": "is: solver/linear_svr, loss: quantile, quantile: 0.7",
}
# Solvers that this audit omits, and why.
LEFT_OUT = {
    "solver/liblinear": "LIBLINEAR as it is: its bias is the weight of a column, and is shrunk like the others",
    "solver/kronecker_ridge": "its samples are pairs from two tables; its kernels are those of the kernel machines",
    "solver/kronecker_svm": "the same",
}


def rows(seed, count):
    make = random.Random(seed)
    for i in range(count):
        kind = i % 3
        yield [round(64 * make.gauss(1.5 * (kind == k), 1.0)) / 64 for k in range(COLUMNS)], "abc"[kind]


def write(folder, shift, scale):
    """Every second column is shifted, up or down, and every other one scaled, so that they differ. In a second
    table each row has a number instead of a class."""
    folder.mkdir()
    for part, seed, count in (("train", 1, TRAIN), ("test", 2, TEST)):
        classes = [",".join(f"v{k}" for k in range(COLUMNS)) + ",kind"]
        numbers = [classes[0].replace("kind", "size")]
        for values, name in rows(seed, count):
            moved = [scale * v if k % 2 else v + (shift if k % 4 else -shift) for k, v in enumerate(values)]
            text = ",".join(repr(v) for v in moved)
            classes.append(f"{text},{name}")
            numbers.append(f"{text},{sum(k * v for k, v in enumerate(values)) + values[0] ** 2}")
        (folder / f"{part}.svm").write_text("".join(
            f"{'abc'.index(name) + 1} " + " ".join(
                f"{k + 1}:{v}" for k, v in enumerate(values.split(",")) if float(v)) + "\n"
            for values, name in (line.rsplit(",", 1) for line in classes[1:])), encoding="utf-8")
        for name, lines in ((part, classes), (f"{part}_numbers", numbers)):
            (folder / f"{name}.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")


def outputs(result):
    """What a solver gives for every sample or pair: scores, estimates, or the ends of intervals."""
    return [{key: float(value) for key, value in row.items()
             if key.split()[0] in ("score", "low", "high") or key.startswith("predicted ")}
            for row in result.predictions("svm")]


def best(row):
    return max(row, key=row.get)


def differing(base, moved):
    """How many samples are predicted otherwise that are no near ties; of estimates and single scores, how many
    are not as near as ties."""
    base, moved = outputs(base), outputs(moved)
    everything = [value for row in base for value in row.values()]
    near = NEAR * (max(everything) - min(everything))
    if "score" in base[0] or not best(base[0]).startswith("score"):
        return sum(abs(one[key] - other[key]) > near for one, other in zip(base, moved) for key in one)
    count = 0
    for one, other in zip(base, moved):
        ordered = sorted(one.values())
        count += best(one) != best(other) and ordered[-1] - ordered[-2] > near
    return count


def on_classes(pipelines):
    return {name: SOURCE + "\n" + text for name, text in pipelines.items()}


class Shifts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.bench = Workbench()
        write(cls.bench.root / "plain", 0, 1)
        for name, shift in SHIFTS.items():
            write(cls.bench.root / name, shift, 1)
        for name, scale in SCALES.items():
            write(cls.bench.root / name, 0, scale)

    @classmethod
    def tearDownClass(cls):
        cls.bench.close()

    def judge(self, pipelines, axis, may_refuse=True):
        def run(case):
            name, data = case
            return self.bench.run(f"{name.replace('/', '_')}_{data}", pipelines[name],
                                  self.bench.root / data, NO_CACHE)
        cases = [(name, data) for name in pipelines for data in ("plain", *axis)]
        results = dict(zip(cases, side_by_side(run, cases)))
        for name in pipelines:
            base = results[name, "plain"]
            for data in axis:
                with self.subTest(name, moved=data):
                    self.assertEqual(base.failure, "")
                    moved = results[name, data]
                    if may_refuse and moved.failure:  # refused, and the message says what to do
                        self.assertIn("v", moved.failure)
                        self.assertIn("normalizer/zscore", moved.failure)
                    else:
                        self.assertEqual(moved.failure, "")
                        self.assertEqual(differing(base, moved), 0)

    def test_columns_far_from_zero(self):
        self.judge(on_classes({**SHIFTED, **NORMALIZED}), SHIFTS)

    def test_every_solver_on_columns_as_they_come(self):
        solvers = {c["id"] for c in self.bench.components() if c["id"].startswith("solver/")}
        self.assertEqual(sorted([*RAW, *LEFT_OUT]), sorted(solvers))
        self.judge({name: text.replace("SOLVER", name) for name, text in RAW.items()}, SHIFTS, may_refuse=False)

    def test_methods_of_linear_machines(self):
        for source, text, methods in (("dense", SOURCE, LINEAR), ("sparse", SPARSE, LINEAR), ("numbers", NUMBERS, LOSSES)):
            self.judge({f"{source}_{name}": f"{text}\nsvm: {{{method}, from: data}}" for name, method in methods.items()},
                       SHIFTS, may_refuse=False)

    def test_a_map_whose_values_float32_makes_equal_is_refused(self):
        pipeline = machine("{is: solver/linear_svm, C: 1, from: phi}", BASES,
                           "map: {is: similarity/cosine, from: data, bases: bases}",
                           "phi: {is: normalizer/mean_norm, from: map}")
        result = self.bench.run("cosine_by_1e5", SOURCE + "\n" + pipeline, self.bench.root / "by_1e5", NO_CACHE)
        self.assertIn("times what they differ by from row to row", result.failure)
        self.assertIn("normalizer/zscore", result.failure)

    def test_columns_in_other_units(self):
        self.judge(on_classes(NORMALIZED), SCALES)
