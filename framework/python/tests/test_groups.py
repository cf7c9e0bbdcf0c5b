# SPDX-License-Identifier: MIT
"""Samples that belong together are never divided among folds."""

import numpy as np
import pytest

import semblance
from semblance import PipelineEstimator


def people(count=40, each=6):
    """Samples that identify people, in classes that nothing can predict."""
    random = np.random.default_rng(3)
    centres = 10 * random.standard_normal((count, 2))
    who = np.repeat(np.arange(count), each)
    X = (centres[who] + 0.01 * random.standard_normal((count * each, 2))).astype(np.float32)
    order = random.permutation(len(who))
    return X[order], who[order] % 2, np.array([f"person {w}" for w in who])[order]


def pipeline(more="", folds="5"):
    return f"""
name: people
seed: 2
nodes:
  s: {{is: source/array, data: X{more}}}
  svm: {{is: solver/kernel_svm, C: 100, kernel: {{is: similarity/rbf, gamma: 10}}, from: s}}
  test: {{is: evaluator/classification, from: svm}}
select: {{metric: test.accuracy, folds: {folds}}}
"""


def mean(text, data):
    result = semblance.run(text, data={"s": data}, cache=False)
    return np.mean(result.metrics["selection"]["trials"][0]["folds"])


def test_folds_of_a_run_keep_groups_together():
    X, y, who = people()
    assert mean(pipeline(), (X, y)) > 0.99
    grouped = mean(pipeline(), {"X": X, "y": y, "groups": who})
    assert grouped < 0.7
    assert mean(pipeline(folds="{count: 5, by: group}"),
                {"X": X, "y": y, "groups": who}) == grouped
    assert mean(pipeline(folds="{count: 5, by: row}"), {"X": X, "y": y, "groups": who}) > 0.99
    # Which numbers or texts name the groups does not matter.
    numbers = np.unique(who, return_inverse=True)[1]
    assert mean(pipeline(), {"X": X, "y": y, "groups": numbers}) == grouped


def test_folds_of_an_estimator_keep_groups_together():
    X, y, who = people()
    text = pipeline().replace("select:", "# select:").replace(
        "  test: {is: evaluator/classification, from: svm}",
        "  p: {is: calibrator/probabilities, from: svm}")

    def loss(**how):
        return PipelineEstimator(text).fit(X, y, **how).metrics_["held_out_log_loss"]

    assert loss() < 0.1
    assert loss(groups=who) > 0.6
    assert loss(groups=list(who)) == loss(groups=who)


def test_wrong_groups_are_refused():
    X, y, who = people()
    with pytest.raises(ValueError, match="groups must have one entry per sample, 240"):
        mean(pipeline(), {"X": X, "y": y, "groups": who[1:]})
    missing = who.astype(object)
    missing[3] = None
    with pytest.raises(ValueError, match="groups has entries that are missing"):
        mean(pipeline(), {"X": X, "y": y, "groups": missing})
    with pytest.raises(ValueError, match="must have X, and may have"):
        mean(pipeline(), {"X": X, "labels": y})
    with pytest.raises(semblance.SemblanceError, match="'folds' are by group"):
        mean(pipeline(folds="{count: 5, by: group}"), (X, y))
    file = pipeline().replace("source/array, data: X", "source/csv, path: t.csv, groups: who")
    with pytest.raises(ValueError, match="have groups in the pipeline"):
        mean(file, (X, y))


def test_groups_of_test_samples_follow_those_of_training_samples():
    pipeline = """name: who
nodes:
  d:    {is: source/array}
  svm:  {is: solver/linear_svm, from: d}
  test: {is: evaluator/classification, from: svm}
"""
    data = {"X": np.eye(4)[[0, 1, 2, 3] * 5], "y": [0, 1, 0, 1] * 5,
            "X_test": np.eye(4)[[0, 1, 2, 3, 0]], "y_test": [0, 1, 1, 1, 1]}
    who = np.arange(20) % 10
    figures = semblance.run(pipeline, {"d": {**data, "groups": [*who, 11, 11, 12, 13, 12]}},
                            cache=False).figures["test"]
    assert figures["groups"] == 3
    with pytest.warns(semblance.SemblanceWarning,
                      match="X_test: the groups of 5 test rows are unknown, so intervals"):
        unknown = semblance.run(pipeline, {"d": {**data, "groups": who}}, cache=False)
    assert "groups" not in unknown.figures["test"]
    with pytest.warns(semblance.SemblanceWarning,
                      match="X: 2 of 10 groups with training rows have test rows as well"):
        semblance.run(pipeline, {"d": {**data, "groups": [*who, 11, 9, 12, 3, 12]}}, cache=False)
    with pytest.raises(ValueError, match="groups must have one entry per sample, 25"):
        semblance.run(pipeline, {"d": {**data, "groups": [*who, 11]}}, cache=False)
