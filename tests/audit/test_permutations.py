# SPDX-License-Identifier: MIT
"""The order of rows, columns, files and classes, and what they are called, is no part of an answer.
All runs share a store, so that nothing of one is taken for another's.

What is the same computation gives the same bits: other test rows around a row, other names of files
and of classes that keep their order, columns that are found by their names. Where an order changes
the order of sums, the solver ends elsewhere within its tolerance (1e-5 of the objective): scores
then agree to 1e-2, and the predicted classes of all rows but those as near to another class."""
import random
import unittest

from audited_pipelines import reads_files
from permuted_files import CLASSES, FORMATS, Order, Samples
from sampled import of_the_day
from workbench import NO_CACHE, Workbench, differences

NEAR = 1e-2

VECTORS = """\
data: SOURCE
x:    {is: normalizer/zscore, from: data}
svm:  {is: solver/kernel_svm, kernel: {is: similarity/rbf, gamma: 0.1}, C: 2, from: x}
test: {is: evaluator/classification, from: svm}"""
MADE_VECTORS = """\
data: SOURCE
flat: {is: FEATURE, from: data}
x:    {is: normalizer/mean_norm, from: flat}
svm:  {is: solver/kernel_svm, kernel: {is: similarity/rbf, gamma: 1}, C: 2, from: x}
test: {is: evaluator/classification, from: svm}"""
PICTURES = """\
data: SOURCE
flat: {is: feature/pixels, from: data}
x:    {is: normalizer/unit_length, center: true, from: flat}
svm:  {is: solver/kernel_svm, kernel: {is: similarity/rbf, gamma: 1}, C: 2, from: x}
test: {is: evaluator/classification, from: svm}"""
PAIRS = """\
data:  SOURCE
flat:  {is: feature/pixels, from: data}
x:     {is: normalizer/unit_length, center: true, from: flat}
pairs: {is: pairs/sampled, count: 1500, from: data}
svm:   {is: solver/pairwise_newton, from: x, pairs: pairs}
test:  {is: evaluator/verification, from: svm}"""


def shuffled(count, seed):
    order = list(range(count))
    random.Random(seed).shuffle(order)
    return order


class Permutations(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.bench = Workbench()
        cls.components = cls.bench.components()
        there = {c["id"] for c in cls.components}
        # Where there is no RDKit, there are no molecules.
        cls.formats = {name: form for name, form in FORMATS.items() if name in there}

    @classmethod
    def tearDownClass(cls):
        cls.bench.close()

    def run_orders(self, component, orders):
        """A run for each order of the files of one source, by name."""
        form = FORMATS[component]
        samples = Samples(form.pictures)
        nodes = PAIRS if form.pairs else PICTURES if form.pictures else VECTORS
        if form.vectors:
            nodes = MADE_VECTORS.replace("FEATURE", form.vectors)

        def run(item):
            name, order = item
            name = f"{component.replace('/', '_')}_{name}"
            folder = self.bench.root / name
            folder.mkdir()
            lines = nodes.replace("SOURCE", form.write(folder, samples, order))
            result = self.bench.run(name, lines, folder)
            self.assertEqual(result.failure, "", name)
            anew = self.bench.run(f"{name}_anew", lines, folder, NO_CACHE)
            self.assertEqual(differences(anew, result), [], f"{name}: not what is computed anew")
            return result
        # One after the other, so that each meets in the store what those before it left.
        return {item[0]: run(item) for item in orders.items()}

    def scores(self, result, places=None, classes=None):
        """The scores of each test row, by its place before it was moved, and class."""
        rows = result.predictions("svm")
        places = places or range(len(rows))
        names = {new: old for old, new in (classes or {}).items()}
        found = {}
        for place, row in zip(places, rows):
            scores = {key.removeprefix("score "): float(value) for key, value in row.items()
                      if key.startswith("score")}
            found[place] = {names.get(c, c): s for c, s in scores.items()}
        return [found[i] for i in range(len(rows))]

    def check_bits(self, base, other, places=None, classes=None):
        self.assertEqual(self.scores(base), self.scores(other, places, classes))
        for figure in ("accuracy", "errors", "eer"):
            self.assertEqual(base.nodes["test"].get(figure), other.nodes["test"].get(figure))

    def check_near(self, base, other, places=None, classes=None):
        mine, theirs = self.scores(base), self.scores(other, places, classes)
        turned = 0
        for one, two in zip(mine, theirs):
            self.assertEqual(one.keys(), two.keys())
            # Of three classes and more, a score is a number of votes and a sum of decisions. One of
            # these that is near 0 turns, and takes a vote from one class to another.
            moved = {c: round(two[c] - score) for c, score in one.items()}
            self.assertEqual(sum(moved.values()), 0)
            turned += sum(map(abs, moved.values())) / 2
            for c, score in one.items():
                self.assertAlmostEqual(score + moved[c], two[c], delta=NEAR * max(1, abs(score)))
        decisions = sum(len(one) * (len(one) - 1) / 2 for one in mine if len(one) > 2)
        self.assertLessEqual(turned, decisions / 1000)
        close = sum(len(s) > 1 and sorted(s.values())[-1] - sorted(s.values())[-2] < 2 * NEAR
                    for s in mine)
        figure = "eer" if "eer" in base.nodes["test"] else "accuracy"
        self.assertAlmostEqual(base.nodes["test"][figure], other.nodes["test"][figure],
                               delta=(close + (figure == "eer")) / len(mine))

    def test_every_source_that_reads_files_is_audited(self):
        for component in self.components:
            # A table of pairs has no values of its own: the tables of both sides are audited.
            if component["kind"] == "source" and reads_files(component) \
                    and component["id"] != "source/pairs":
                with self.subTest(component["id"]):
                    self.assertIn(component["id"], FORMATS,
                                  "permuted_files.py does not know how to write its files")

    def test_rows_in_another_order(self):
        test = shuffled(75, 2)
        for component, form in of_the_day(self.formats, days=5).items():
            if not form.ordered:
                continue
            with self.subTest(component):
                runs = self.run_orders(component, {
                    "rows": Order(), "test_rows": Order(test=test),
                    "train_rows": Order(train=shuffled(75, 1))})
                self.check_bits(runs["rows"], runs["test_rows"], test)
                self.check_near(runs["rows"], runs["train_rows"])

    def test_columns_in_another_order(self):
        columns = [3, 0, 4, 2, 1]
        for component, form in of_the_day(self.formats, days=5).items():
            if not form.by_column:
                continue
            with self.subTest(component):
                orders = {"columns": Order(), "columns_moved": Order(columns=columns)}
                if form.named_columns:
                    orders["test_moved"] = Order(test_columns=columns)
                runs = self.run_orders(component, orders)
                self.check_near(runs["columns"], runs["columns_moved"])
                if form.named_columns:
                    self.check_bits(runs["columns"], runs["test_moved"])

    def test_files_in_another_order_and_under_other_names(self):
        for component, form in of_the_day(self.formats, days=5).items():
            with self.subTest(component):
                orders = {"files": Order(), "elsewhere": Order(file="other")}
                if form.archives:
                    # An archive's pictures are rows in its order, which names decide in a folder.
                    orders["archive"] = Order(archive=True, train=shuffled(75, 3))
                runs = self.run_orders(component, orders)
                self.check_bits(runs["files"], runs["elsewhere"])
                if form.archives and not form.pairs:
                    self.check_near(self.by_name(runs["files"]), self.by_name(runs["archive"]))
                elif form.archives:
                    self.check_bits(runs["files"], runs["archive"])

    def by_name(self, result):
        """The folder's rows stand class after class; so let an archive's."""
        rows = result.predictions("svm")
        places = sorted(range(len(rows)), key=lambda i: (rows[i]["label"], i))
        scores = [self.scores(result)[i] for i in places]
        return _Sorted(result, scores)

    def test_classes_under_other_names_and_in_another_order(self):
        people = {f"Person_{part}_{k:02}": f"Anybody_{part}_{k:02}"
                  for part in ("Train", "Test") for k in range(15)}
        kept = {"ant": "adder", "bee": "boar", "cat": "cow"}
        turned = {"ant": "zebra", "bee": "wolf", "cat": "tiger"}
        for component, form in of_the_day(self.formats, days=5).items():
            with self.subTest(component):
                names = people if form.pairs else kept
                orders = {"classes": Order(), "moved": Order(moved=True)}
                if form.named_classes:
                    orders["kept"] = Order(classes=names)
                if not form.pairs and component != "source/cifar10":
                    orders["turned"] = Order(classes=turned)
                runs = self.run_orders(component, orders)
                base = runs["classes"]
                if "kept" in runs:
                    self.check_names(base, runs["kept"], names, form)
                    self.check_bits(base, runs["kept"], None, self.score_names(component, names))
                if "turned" in runs:
                    result = runs["turned"]
                    if component == "source/images":  # a folder's rows stand by their names
                        rows = result.predictions("svm")
                        old = {new: old for old, new in turned.items()}
                        places = sorted(range(len(rows)), key=lambda i: (old[rows[i]["label"]], i))
                        moved = {old[c]: c for c in old}
                        scores = self.scores(result, None, moved)
                        result = _Sorted(result, [scores[i] for i in places])
                        self.check_near(base, result)
                    else:
                        self.check_near(base, result, None, self.score_names(component, turned))

    def check_names(self, base, other, names, form):
        """Labels and predictions have the new names, whatever the store knows."""
        if form.pairs or not set(base.predictions("svm")[0]["label"].split()) & set(CLASSES):
            return
        for one, two in zip(base.predictions("svm"), other.predictions("svm")):
            self.assertEqual([names[one[k]] for k in ("label", "predicted")],
                             [two[k] for k in ("label", "predicted")])

    def score_names(self, component, names):
        """What the columns of scores are called in both runs."""
        if component == "source/libsvm":
            new = sorted(names.values())
            return {str(k + 1): str(10 + new.index(names[c])) for k, c in enumerate(CLASSES)}
        if component in ("source/npy", "source/idx", "source/tudataset"):
            new = sorted(names.values())
            return {str(k): str(new.index(names[c])) for k, c in enumerate(CLASSES)}
        return names


class _Sorted:
    """A result whose rows were put in another order."""

    def __init__(self, result, scores):
        self.nodes = result.nodes
        self._scores = scores

    def predictions(self, _):
        return [{f"score {c}": s for c, s in row.items()} for row in self._scores]
