# SPDX-License-Identifier: MIT
"""Kernel machines on tables as they come decide as LIBSVM does by way of scikit-learn, or refuse with a
message that names the columns. LIBSVM gets the columns less their means, in double, which is the same
problem as these kernels are invariant to that: it loses digits itself far from 0."""
import itertools
import os
import unittest
import warnings

import tables
from workbench import NO_CACHE, Workbench, side_by_side

try:
    import numpy
    from sklearn.svm import SVC
except ImportError:
    numpy = None

C, TOLERANCE = 10, 1e-4
# Both stop where the optimality conditions hold to TOLERANCE. Decision values of the size of 1 then agree
# to about this.
NEAR = 0.02
# LIBSVM gives up after so many steps; what it has then is no answer to compare with.
MOST_STEPS = 3_000_000
# float32 cannot hold what the rows of these tables differ by.
REFUSED = set()


def kernels(rows):
    """Names, our similarity, and scikit-learn's options."""
    sample = rows[:100]
    distances = ((sample[:, None, :] - sample[None, :, :]) ** 2).sum(2)
    median = float(numpy.median(distances[distances > 0]))
    for name, gamma in (("by_distance", 1 / median), ("by_columns", 1 / rows.shape[1])):
        yield name, f"{{is: similarity/rbf, gamma: {gamma!r}}}", {"kernel": "rbf", "gamma": gamma}
    yield "linear", "{is: similarity/linear}", {"kernel": "linear"}


def one_winner(decided, classes):
    """Where no two classes win equally many comparisons, which either program decides in its own way."""
    if classes == 2:
        return numpy.ones(len(decided), bool)
    votes = numpy.zeros((len(decided), classes))
    for column, (a, b) in enumerate(itertools.combinations(range(classes), 2)):
        votes[:, a] += decided[:, column] > 0
        votes[:, b] += decided[:, column] <= 0
    votes.sort(1)
    return votes[:, -1] > votes[:, -2]


def all_tables():
    yield from tables.made_tables()
    yield from tables.bundled_tables()
    yield from tables.real_tables()


@unittest.skipIf(numpy is None, "scikit-learn is not installed")
class Tables(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.bench = Workbench()

    @classmethod
    def tearDownClass(cls):
        cls.bench.close()

    def answer(self, case):
        """(what is to be said of it, how many decisions were compared)"""
        name, rows, labels, kernel, ours, theirs = case
        split = len(rows) // 2
        machine = SVC(C=C, tol=TOLERANCE, max_iter=MOST_STEPS, cache_size=500,
                      decision_function_shape="ovo", **theirs)
        rows = rows - rows[:split].mean(0)
        machine.fit(rows[:split], labels[:split])
        if numpy.max(machine.n_iter_) >= MOST_STEPS:
            return "", 0
        result = self.bench.run(
            f"{name}_{kernel}",
            "data: {is: source/csv, path: train.csv, test_path: test.csv, label: kind}\n"
            f"svm: {{is: solver/kernel_svm, kernel: {ours}, C: {C}, tolerance: {TOLERANCE}, from: data}}",
            self.bench.root / name, NO_CACHE)
        if result.failure:
            self.assertIn("column", result.failure)
            return "" if name in REFUSED else f"{name}, {kernel}: refused: {result.failure}", 0
        if name in REFUSED:
            return f"{name}, {kernel}: not refused", 0
        decided = machine.decision_function(rows[split:]).reshape(len(rows) - split, -1)
        sure = (numpy.abs(decided).min(1) > NEAR) & one_winner(decided, len(machine.classes_))
        found = numpy.array([row["predicted"] for row in result.predictions("svm")])
        wrong = int((found != machine.predict(rows[split:]))[sure].sum())
        said = f"{name}, {kernel}: {wrong} of {int(sure.sum())} decisions differ" if wrong else ""
        return said, int(sure.sum())

    def test_decisions_are_those_of_libsvm(self):
        cases = []
        for name, rows, labels in all_tables():
            folder = self.bench.root / name
            folder.mkdir()
            split = len(rows) // 2
            tables.write_table(folder / "train.csv", rows[:split], labels[:split])
            tables.write_table(folder / "test.csv", rows[split:], labels[split:])
            rows, labels = numpy.array(rows), numpy.array(labels)
            cases += [(name, rows, labels, *kernel) for kernel in kernels(rows)]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about those that LIBSVM gives up on
            answers = side_by_side(self.answer, cases)
        self.assertGreaterEqual(len({case[0] for case in cases}), 40)
        compared = sum(count > 0 for _, count in answers)
        print(f"{compared} of {len(cases)} machines on {len({case[0] for case in cases})} tables compared, "
              f"{sum(count for _, count in answers)} decisions", flush=True)
        if not os.environ.get("SEMBLANCE_DATA"):
            print("real tables skipped: SEMBLANCE_DATA is not set", flush=True)
        self.assertEqual("\n".join(said for said, _ in answers if said), "")
        self.assertGreaterEqual(compared, 0.75 * len(cases))
