# SPDX-License-Identifier: MIT
"""Studies: what the schema says about everything below `study:`."""
from varied_text import VariedText

STUDY = """
name: normalizers
description: which normalizer
seed: 1
study:
  pipeline: cifar10.yaml
  metric: test.error_rate
  better: lower
  slots:
    features:
      none:    {nodes.x8.is: normalizer/none}
      zscore:  {nodes.x8.is: normalizer/zscore, nodes.x8.seed: 3}
      without: {bypass: [x8]}
      fewer:   {drop: rigid}
      more:    {nodes.extra: {is: similarity/linear, from: x8, bases: bases}}
      same:    {}
      x+y.1-z: null
    C:    {path: nodes.svm.C, values: [0.1, 1, 10]}
    both: {path: [nodes.svm.C, nodes.other.C], values: [1, 2]}
    2:    {"3": {drop: a}, 4.5: {drop: b}}
    s:    {path: nodes.h.is, values: [similarity/rbf, linear, [1, 2]]}
  combine: product
  only:    [{features: [none, zscore]}, {C: 1}]
  exclude: [{features: none, C: 10}]
  repeats: {seeds: 5}
  baseline: {features: none, C: 1}
"""

RIGHT = [
    ("metric: test.error_rate", "metric: test.top_3_accuracy"),
    ("metric: test.error_rate", "metric: svm.predict_seconds"),
    ("combine: product", "combine: [{features: none, C: 1}]"),
    ("repeats: {seeds: 5}", "repeats: {seeds: [1, 2, 3]}"),
    ("values: [0.1, 1, 10]", "from: 0.1, to: 10, steps: 3"),
    ("values: [0.1, 1, 10]", "from: 0.1, to: 10, steps: 3, scale: log"),
    ("values: [0.1, 1, 10]", "from: -1, to: 10, steps: 3, scale: linear"),
    ("repeats: {seeds: 5}", "repeats: {path: nodes.a.b, from: 1, to: 3, steps: 3}"),
    ("combine: product", "combine: one_at_a_time"),
    ("same:    {}", "same:    {slots: {g: {path: nodes.g.gamma, from: 1, to: 2, steps: 2}}}"),
    ("same:    {}", "same:    {drop: a, slots: {g: {one: {slots: {h: {two: {drop: c}}}}}}}"),
    ("repeats: {seeds: 5}", "repeats: {folds: 5}"),
    ("repeats: {seeds: 5}", "repeats: {folds: 5, seeds: 3}"),
    ("repeats: {seeds: 5}", "repeats: {folds: {count: 5, by: group}, seeds: 3}"),
    ("repeats: {seeds: 5}", "repeats: {path: nodes.images.train_folds, values: [[1], [2]]}"),
    ("combine: product", "combine: [{features: [none]}]"),
    ("repeats: {seeds: 5}", "repeats: {path: [nodes.a.b, nodes.c.b], values: [1]}"),
    ("only:    [{features: [none, zscore]}, {C: 1}]", "only: {features: none}"),
    ("exclude: [{features: none, C: 10}]", "exclude: []"),
    ("  better: lower\n", ""),
    ("name: normalizers\n", ""),
    ("better: lower", "better: higher"),
    ("path: nodes.svm.C, values: [0.1, 1, 10]", "path: nodes.svm.parameters.depth, values: [5, null]"),
    ("  pipeline: cifar10.yaml\n", "  pipeline: 2024\n"),
    ("  baseline: {features: none, C: 1}\n",
     "  steps: {a: {choose: features, within: 0.1, drop: rigid}, b: {choose: [C, both, s], nodes.svm.C: 3}}\n"),
]

# Each of the two keys is refused beside the first.
TWICE_WRONG = [
    ("repeats: {seeds: 5}", "repeats: {folds: 3, path: nodes.a.b, values: [1]}"),
    ("repeats: {seeds: 5}", "repeats: {seeds: 5, path: nodes.a.b, values: [1]}"),
]
WRONG = [
    ("  metric: test.error_rate\n", ""),
    ("metric: test.error_rate", "metric: error_rate"),
    ("metric: test.error_rate", "metric: test.eror_rate"),
    ("metric: test.error_rate", "metric: test.classes.recall"),
    ("better: lower", "better: smaller"),
    ("combine: product", "combine: all"),
    ("combine: product", "combine: []"),
    ("combine: product", "combine: [{}]"),
    ("combine: product", "combine: [{C: {a: 1}}]"),
    ("only:    [{features: [none, zscore]}, {C: 1}]", "only: [none]"),
    ("bypass: [x8]", "bypass: []"),
    ("bypass: [x8]", "bypass: a.b"),
    ("drop: rigid", "dropp: rigid"),
    ("{nodes.x8.is: normalizer/none}", "{x8.is: normalizer/none}"),
    ("{nodes.x8.is: normalizer/none}", "text"),
    ("is: similarity/linear,", "is: similarity/linar,"),
    ("path: nodes.svm.C", "path: svm.C"),
    ("path: nodes.svm.C, ", ""),
    ("path: nodes.svm.C, values: [0.1, 1, 10]", "path: nodes.svm.C"),
    ("values: [0.1, 1, 10]", "values: []"),
    ("values: [0.1, 1, 10]", "values: [{a: 1}]"),
    ("values: [0.1, 1, 10]", "values: ['a b']"),
    ("values: [0.1, 1, 10]", "values: [1], more: 2"),
    ("path: nodes.svm.C, values: [0.1, 1, 10]", "from: 0.1, to: 10, steps: 3"),
    ("values: [0.1, 1, 10]", "from: 0.1, to: 10"),
    ("values: [0.1, 1, 10]", "from: 0.1, to: 10, steps: 1"),
    ("values: [0.1, 1, 10]", "from: 0.1, to: 10, steps: 2000"),
    ("values: [0.1, 1, 10]", "from: a, to: 10, steps: 3"),
    ("values: [0.1, 1, 10]", "from: 0.1, to: 10, steps: 3, scale: ln"),
    ("values: [0.1, 1, 10]", "from: 0, to: 10, steps: 3, scale: log"),
    ("values: [0.1, 1, 10]", "values: [1], from: 0.1, to: 10, steps: 3"),
    ("values: [0.1, 1, 10]", "values: [1], scale: log"),
    ("same:    {}", "same:    {slots: {}}"),
    ("same:    {}", "same:    {slots: {g: {one: {slots: {h: {two: {dropp: c}}}}}}}"),
    ("same:    {}", "same:    {parameters: {g: {path: nodes.g.gamma, values: [1]}}}"),
    ("      zscore: ", "      z=score: "),
    ("repeats: {seeds: 5}", "repeats: {seeds: 0}"),
    ("repeats: {seeds: 5}", "repeats: {seeds: 1001}"),
    ("repeats: {seeds: 5}", "repeats: {seeds: [1, 1]}"),
    ("repeats: {seeds: 5}", "repeats: {seeds: [-1]}"),
    ("repeats: {seeds: 5}", "repeats: {seeds: []}"),
    ("repeats: {seeds: 5}", "repeats: {folds: 1}"),
    ("repeats: {seeds: 5}", "repeats: {folds: {by: group}}"),
    ("repeats: {seeds: 5}", "repeats: {folds: leave_one_out}"),
    ("repeats: {seeds: 5}", "repeats: {path: nodes.a.b}"),
    ("repeats: {seeds: 5}", "repeats: {path: nodes.a.b, from: 1, to: 2}"),
    ("repeats: {seeds: 5}", "repeats: {seeds: 5, steps: 2}"),
    ("baseline: {features: none, C: 1}", "baseline: none"),
    ("baseline: {features: none, C: 1}", "steps: {}"),
    ("baseline: {features: none, C: 1}", "steps: [a]"),
    ("baseline: {features: none, C: 1}", "steps: {a: {within: 0.1}}"),
    ("baseline: {features: none, C: 1}", "steps: {a: {choose: C, within: 1}}"),
    ("baseline: {features: none, C: 1}", "steps: {a: {choose: C, svm.C: 1}}"),
    ("  baseline:", "  basline:"),
    ("name: normalizers\n", "name: normalizers\nnodes: {a: {is: source/xor}}\n"),
    ("  pipeline: cifar10.yaml\n", ""),
]


class Studies(VariedText):
    text = STUDY

    def test_a_study_with_everything(self):
        self.assertEqual(self.errors(STUDY), [])

    def test_other_ways_to_write_it(self):
        self.expect_errors(0, RIGHT)

    def test_nodes_may_stand_in_the_same_file(self):
        text = self.changed("  pipeline: cifar10.yaml\n", "") + "nodes: {a: {is: source/xor}}\n"
        self.assertEqual(self.errors(text), [])

    def test_what_is_wrong(self):
        self.expect_errors(1, WRONG)
        self.expect_errors(2, TWICE_WRONG)
