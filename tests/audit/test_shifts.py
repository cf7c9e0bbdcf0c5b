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
SPARSE = "data: {is: source/libsvm, path: train.svm, test_path: test.svm, rows: sparse}"
OF_NUMBERS = "data: {is: source/csv, path: numbers.csv, test_path: numbers_test.csv, target: y}"
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
    "nystrom_rbf": machine("{is: solver/linear_svm, C: 1, from: phi}", BASES,
                           "map: {is: similarity/rbf, gamma: 0.1, from: data, bases: bases}",
                           "psi: {is: normalizer/nystrom, from: map}", "phi: {is: normalizer/mean_norm, from: psi}"),
    "nystrom_linear": machine("{is: solver/linear_svm, C: 1, from: phi}", BASES,
                              "map: {is: similarity/linear, from: data, bases: bases}",
                              "psi: {is: normalizer/nystrom, from: map}",
                              "phi: {is: normalizer/mean_norm, from: psi}"),
}
# Raw: on the columns as they are, dense or sparse. The linear machines train about the columns' means.
RAW = {
    "linear_svm": machine("{is: solver/linear_svm, from: data}"),
    "linear_svm_l1": machine("{is: solver/linear_svm, regularizer: l1, from: data}"),
    "linear_svm_joint": machine("{is: solver/linear_svm, multiclass: crammer_singer, C: 0.1, tolerance: 1e-3, from: data}"),
    "linear_svm_path": machine("{is: solver/linear_svm, path: [0.001, 0.1], balanced: true, from: data}"),
    "linear_svm_automatic": machine("{is: solver/linear_svm, C: automatic, from: data}"),
}
DENSE = {"ridge_classifier": machine("{is: solver/ridge_classifier, from: data}")}
# Machines that predict numbers, on the same columns.
NUMBERS = {
    "ridge": machine("{is: solver/ridge, from: data}"),
    "linear_svr": machine("{is: solver/linear_svr, from: data}"),
    "linear_svr_absolute": machine("{is: solver/linear_svr, loss: epsilon_insensitive, epsilon: 0.1, from: data}"),
    "linear_svr_quantile": machine("{is: solver/linear_svr, loss: quantile, quantile: 0.7, from: data}"),
    "quantile_regression": machine("{is: solver/quantile_regression, from: data}"),
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


def rows(seed, count):
    make = random.Random(seed)
    for i in range(count):
        kind = i % 3
        yield [round(64 * make.gauss(1.5 * (kind == k), 1.0)) / 64 for k in range(COLUMNS)], "abc"[kind]


def write(folder, shift, scale):
    """Every second column is shifted, and every other one scaled, so that they differ."""
    folder.mkdir()
    for part, seed, count in (("train", 1, TRAIN), ("test", 2, TEST)):
        lines = [",".join(f"v{k}" for k in range(COLUMNS)) + ",kind"]
        for values, name in rows(seed, count):
            moved = [scale * v if k % 2 else v + shift for k, v in enumerate(values)]
            lines.append(",".join(repr(v) for v in moved) + f",{name}")
        (folder / f"{part}.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
        entries = [line.rsplit(",", 1) for line in lines[1:]]
        (folder / f"{part}.svm").write_text("".join(
            f"{'abc'.index(name) + 1} " + " ".join(
                f"{k + 1}:{v}" for k, v in enumerate(values.split(",")) if float(v) != 0) + "\n"
            for values, name in entries), encoding="utf-8")
        (folder / {"train": "numbers.csv", "test": "numbers_test.csv"}[part]).write_text("\n".join(
            [lines[0].replace("kind", "y")] +
            [f"{moved},{values[0] - 2 * values[1] + values[2] * values[3]}"
             for (moved, _), (values, _) in zip(entries, rows(seed, count))]) + "\n", encoding="utf-8")


def scores(result):
    return [{key: float(value) for key, value in row.items() if key.startswith("score")}
            for row in result.predictions("svm")]


def estimates(result):
    """All numbers that a machine gives, of all rows."""
    return [float(value) for row in result.predictions("svm") for key, value in row.items() if key.endswith(" y")]


def best(row):
    return max(row, key=row.get)


def differing(base, moved):
    """How many samples are predicted otherwise that are no near ties."""
    base, moved = scores(base), scores(moved)
    everything = [value for row in base for value in row.values()]
    near = NEAR * (max(everything) - min(everything))
    count = 0
    for one, other in zip(base, moved):
        ordered = sorted(one.values())
        count += best(one) != best(other) and ordered[-1] - ordered[-2] > near
    return count


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

    def results(self, pipelines, axis, source=SOURCE):
        def run(case):
            name, data = case
            return self.bench.run(f"{name}_{data}", source + "\n" + pipelines[name],
                                  self.bench.root / data, NO_CACHE)
        cases = [(name, data) for name in pipelines for data in ("plain", *axis)]
        return dict(zip(cases, side_by_side(run, cases)))

    def judge(self, pipelines, axis, source=SOURCE):
        results = self.results(pipelines, axis, source)
        for name in pipelines:
            base = results[name, "plain"]
            self.assertEqual(base.failure, "", name)
            for data in axis:
                with self.subTest(name, moved=data):
                    moved = results[name, data]
                    if moved.failure:  # refused, and the message says what to do
                        self.assertIn("v", moved.failure)
                        self.assertIn("normalizer/zscore", moved.failure)
                    else:
                        self.assertEqual(differing(base, moved), 0)

    def test_columns_far_from_zero(self):
        self.judge({**SHIFTED, **NORMALIZED}, SHIFTS)

    def test_raw_columns_far_from_zero(self):
        self.judge({**RAW, **DENSE}, SHIFTS)

    def test_raw_sparse_columns_far_from_zero(self):
        self.judge(RAW, SHIFTS, SPARSE)

    def test_numbers_of_columns_far_from_zero(self):
        results = self.results(NUMBERS, SHIFTS, OF_NUMBERS)
        for name in NUMBERS:
            near = estimates(results[name, "plain"])
            spread = max(near) - min(near)
            for data in SHIFTS:
                with self.subTest(name, moved=data):
                    self.assertEqual(results[name, data].failure, "")
                    for one, other in zip(near, estimates(results[name, data])):
                        self.assertAlmostEqual(one, other, delta=0.002 * spread)

    def test_a_map_whose_values_float32_makes_equal_is_refused(self):
        pipeline = machine("{is: solver/linear_svm, C: 1, from: phi}", BASES,
                           "map: {is: similarity/cosine, from: data, bases: bases}",
                           "phi: {is: normalizer/mean_norm, from: map}")
        result = self.bench.run("cosine_by_1e5", SOURCE + "\n" + pipeline, self.bench.root / "by_1e5", NO_CACHE)
        self.assertIn("times what they differ by from row to row", result.failure)
        self.assertIn("normalizer/zscore", result.failure)

    def test_columns_in_other_units(self):
        self.judge(NORMALIZED, SCALES)
