# SPDX-License-Identifier: MIT
"""Cross-validation: what the schema says about everything below `select:`."""
from varied_text import VariedText

PIPELINE = """
name: chosen
nodes: {a: {is: source/xor}}
select:
  metric: test.error_rate
  better: lower
  folds: 3
  parameters:
    C:     {path: nodes.svm.C, values: [0.1, 1, 10]}
    gamma: {wide: {nodes.rbf.gamma: 1}, narrow: {nodes.rbf.gamma: 9}}
  combine: product
  exclude: {C: 10, gamma: narrow}
"""

RIGHT = [
    ("metric: test.error_rate", "metric: test.top_3_accuracy"),
    ("metric: test.error_rate", "metric: svm.predict_seconds"),
    ("  better: lower\n", ""),
    ("  folds: 3\n", ""),
    ("folds: 3", "folds: 1000"),
    ("folds: 3", "folds: 3\n  halving: 3"),
    ("folds: 3", "folds: leave_one_out"),
    ("folds: 3", "folds: {count: 3, by: group}"),
    ("folds: 3", "folds: {by: row}"),
    ("folds: 3", "folds: {count: leave_one_out, by: row}"),
    ("combine: product", "combine: [{C: 1, gamma: wide}]"),
    ("wide: {nodes.rbf.gamma: 1}", "wide: {parameters: {p: {path: nodes.rbf.p, values: [1]}}}"),
    ("  exclude: {C: 10, gamma: narrow}", "  only: [{C: 1}]"),
]

WRONG = [
    ("  metric: test.error_rate\n", ""),
    ("metric: test.error_rate", "metric: error_rate"),
    ("metric: test.error_rate", "metric: test.eror_rate"),
    ("metric: test.error_rate", "metric: test.classes.recall"),
    ("better: lower", "better: less"),
    ("combine: product", "combine: one_at_a_time"),
    ("wide: {nodes.rbf.gamma: 1}", "wide: {slots: {p: {path: nodes.rbf.p, values: [1]}}}"),
    ("folds: 3", "folds: 1"),
    ("folds: 3", "folds: 1001"),
    ("folds: 3", "folds: 3\n  halving: 1"),
    ("folds: 3", "folds: 3\n  halving: third"),
    ("folds: 3", "folds: 2.5"),
    ("folds: 3", "folds: leave_two_out"),
    ("folds: 3", "fold: 3"),
    ("folds: 3", "folds: {count: 3, by: patient}"),
    ("folds: 3", "folds: {folds: 3}"),
    ("path: nodes.svm.C", "path: svm.C"),
    ("values: [0.1, 1, 10]", "values: []"),
    ("combine: product", "combine: all"),
    ("  better: lower\n", "  repeats: {seeds: 3}\n"),
]


class Selections(VariedText):
    text = PIPELINE

    def test_a_selection_with_everything(self):
        self.assertEqual(self.errors(PIPELINE), [])

    def test_a_mere_validation(self):
        text = PIPELINE[: PIPELINE.index("  parameters:")]
        self.assertEqual(self.errors(text), [])

    def test_other_ways_to_write_it(self):
        self.expect_errors(0, RIGHT)

    def test_what_is_wrong(self):
        self.expect_errors(1, WRONG)
