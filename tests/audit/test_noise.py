# SPDX-License-Identifier: MIT
"""Where labels tell nothing of the values, nothing beats chance: every component's example, with its
source's rows replaced by noise."""
import math
import random
import re
import unittest

import example_files
from audited_pipelines import all_pipelines, reads_files
from workbench import NO_CACHE, Workbench, node_names, side_by_side

TRAIN, TEST = 100, 200
PEOPLE, ROWS_EACH = 12, 4
# Of one figure and of all together, in standard deviations. One in 30,000 is beyond by chance.
MOST = 4.0

# What leaves a model behind, which tells the layout of its source's rows.
CHEAP = "svm: {is: solver/linear_svm, C: 1e-6, tolerance: 0.5, from: SOURCE}"
CHEAP_OF = {
    "sequence": "svm: {is: solver/kernel_svm, kernel: {is: similarity/dtw}, repair: clip, from: SOURCE}",
    "string": "svm: {is: solver/kernel_svm, kernel: {is: similarity/edit}, repair: clip, from: SOURCE}",
}
CHEAP_OF_NUMBERS = "fit: {is: solver/ridge, from: SOURCE}"
CHEAP_OF_PAIRS = """\
pairs: {is: pairs/all, from: SOURCE}
svm: {is: solver/pairwise_newton, C: 1e-6, tolerance: 0.5, from: SOURCE, pairs: pairs}"""

SOURCE = re.compile(r"^(\w+):\s*\{is: (source/\w+)([^}]*)\}", re.M)
NORMAL = re.compile(r"\bnormal: [^,}]+")
# Generated sources whose targets are numbers.
NUMBERS = {"source/friedman"}
# Those whose samples noise_source() cannot make.
WITHOUT_NOISE = {"source/graphs", "source/tudataset", "source/random_graphs", "source/molecules",
                 "source/pulses", "source/pairs"}


def noise_strings(folder, name, layout, make):
    for part, rows in (("train", TRAIN), ("test", TEST)):
        lines = [make.choice("ab") + "\t" + "".join(
            make.choice(layout["alphabet"]) for _ in range(make.randrange(4, layout["width"] + 1)))
            for _ in range(rows)]
        (folder / f"{name}_{part}.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return f"{{is: source/strings, path: {name}_train.tsv, test_path: {name}_test.tsv}}"


def noise_source(folder, name, layout, of_pairs, of_numbers):
    """Files of random rows of this layout, and the source that reads them."""
    make = random.Random(name)
    if layout["kind"] == "string":
        return noise_strings(folder, name, layout, make)
    if layout["kind"] == "sequence":
        layout = {**layout, "height": layout["width"], "width": layout["depth"]}
    shape = [layout["height"], layout["width"]] if layout["kind"] != "vector" else []
    # A grey image has no channels, and a table is distinguished from images by its shape.
    if layout["kind"] not in ("image", "sequence") or layout["kind"] == "image" and layout["depth"] > 1:
        shape.append(layout["depth"])
    size = math.prod(shape)
    for part, rows, first in (("train", TRAIN, 0), ("test", TEST, PEOPLE)):
        labels = [make.randrange(2) for _ in range(rows)]
        if of_pairs:
            labels = [first + i % PEOPLE for i in range(PEOPLE * ROWS_EACH)]
            make.shuffle(labels)
        count = len(labels)
        if layout["kind"] in ("vector", "sequence"):
            values, code = [make.gauss(0, 1) for _ in range(count * size)], "f"
        else:
            values, code = [make.randrange(256) for _ in range(count * size)], "B"
        example_files.write_npy(folder / f"{name}_{part}.npy", [count, *shape], code, values)
        example_files.write_npy(folder / f"{name}_{part}_labels.npy", [count], "q", labels)
        targets = [make.gauss(0, 1) for _ in range(count)]
        example_files.write_npy(folder / f"{name}_{part}_targets.npy", [count], "f", targets)
    kind = ", layout: sequence" if layout["kind"] == "sequence" else ""
    of, more = ("target", "") if of_numbers else ("label", ", new_test_classes: true")
    return (f"{{is: source/npy{kind}, path: {name}_train.npy, {of}: {name}_train_{of}s.npy, "
            f"test_path: {name}_test.npy, test_{of}: {name}_test_{of}s.npy{more}}}")


def deviations(node):
    """By how many standard deviations a figure is better than chance; nothing where it has none."""
    if "accuracy" in node and "confusion_matrix" in node:
        counts = node["confusion_matrix"]["values"]
        total = sum(map(sum, counts))
        # By chance, given how often each class is there and is predicted.
        shares = [(sum(row) / total, sum(column) / total)
                  for row, column in zip(counts, zip(*counts))]
        chance = sum(there * told for there, told in shares)
        spread = math.sqrt(max(chance * (1 - chance), 0.01) / total)
        return (node["accuracy"] - chance) / spread
    if "eer" in node:
        # Pairs share rows: there are no more independent ones than rows.
        return (0.5 - node["eer"]) / (0.5 / math.sqrt(PEOPLE * ROWS_EACH / 2))
    if "spearman" in node:
        return (node["spearman"] or 0) * math.sqrt(TEST - 1)
    if "auc" in node and "average_precision" in node:
        # About half of the test rows are normal.
        return (node["auc"] - 0.5) / math.sqrt((TEST + 1) / (12 * (TEST / 2) ** 2))
    return None


class Noise(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.bench = Workbench()
        example_files.write(cls.bench.root / "signal")
        cls.data = cls.bench.root / "noise"
        example_files.write(cls.data, noise=True)
        cls.components = {c["id"]: c for c in cls.bench.components()}
        cls.pipelines = {name: nodes for name, nodes in all_pipelines(cls.components.values()).items()
                         if not any(f"is: {source}" in nodes for source in WITHOUT_NOISE)}
        cls.noise = cls.noise_for_generated()
        cls.runs = dict(zip(cls.pipelines, side_by_side(cls.run_on_noise, cls.pipelines)))

    @classmethod
    def tearDownClass(cls):
        cls.bench.close()

    @classmethod
    def noise_for_generated(cls):
        """For each source that reads no files, as pipelines have it: noise of the same layout."""
        found = {}
        for nodes in cls.pipelines.values():
            name, component, parameters = SOURCE.search(nodes).groups()
            if not reads_files(cls.components[component]):
                of_pairs = "pairs/" in nodes
                cheap = CHEAP_OF_PAIRS if of_pairs else cls.cheap(component)
                found[f"{component}{parameters}", of_pairs] = (
                    f"{name}: {{is: {component}{parameters}}}\n" + cheap.replace("SOURCE", name))

        def layout_of(case):
            number, nodes = case
            result = cls.bench.run(f"layout_{number}", nodes, cls.bench.root, NO_CACHE)
            return result.layouts() if not result.failure else {None: result.failure}
        layouts = side_by_side(layout_of, enumerate(found.values()))
        noise = {}
        for number, (key, layout) in enumerate(zip(found, layouts)):
            assert None not in layout, layout
            (layout,) = layout.values()
            of_numbers = key[0].startswith(tuple(NUMBERS))
            noise[key] = noise_source(cls.data, f"noise_{number}", layout, key[1], of_numbers)
        return noise

    @classmethod
    def cheap(cls, source):
        if source in NUMBERS:
            return CHEAP_OF_NUMBERS
        layouts = cls.components[source]["output"].get("layouts", [])
        return CHEAP_OF.get(layouts[0] if layouts else "", CHEAP)

    @classmethod
    def run_on_noise(cls, name):
        """Sources of files read files of noise; what is generated is replaced."""
        nodes = cls.pipelines[name]
        source = SOURCE.search(nodes)
        noise = cls.noise.get((source[2] + source[3], "pairs/" in nodes))
        if noise:
            nodes = nodes.replace(source[0], f"{source[1]}: {noise}")
            nodes = NORMAL.sub('normal: "1"', nodes)
        return cls.bench.run(f"{name}_noise", nodes, cls.data, NO_CACHE)

    def test_nothing_beats_chance(self):
        found = []
        for name, result in self.runs.items():
            with self.subTest(name):
                self.assertEqual(result.failure, "")
                for node in node_names(self.pipelines[name]):
                    better = deviations(result.nodes[node])
                    if better is None:
                        continue
                    found.append(better)
                    self.assertLess(better, MOST, node)
        self.assertGreater(len(found), len(self.pipelines) * 0.8)
        # Examples share sources, so the mean of all varies as that of a tenth of them.
        self.assertLess(sum(found) / len(found), MOST / math.sqrt(len(found) / 10))
