# SPDX-License-Identifier: MIT
"""Model.explain: sums over examples, and shares of columns against their definition."""
import itertools
import math

import numpy as np
import pytest

import semblance

PIPELINE = """
name: explained
nodes:
  rows: {is: source/array, data: rows}
  svm:  {is: solver/kernel_svm, kernel: {is: similarity/rbf, gamma: 0.5}, from: rows}
  test: {is: evaluator/classification, from: svm}
"""


@pytest.fixture(scope="module")
def model_and_samples():
    random = np.random.default_rng(0)
    X = random.normal(size=(60, 4)).astype(np.float32)
    y = np.where(X[:, 0] * X[:, 1] > 0, "same", "other")
    data = {"rows": (X[:50], y[:50], X[50:], y[50:])}
    return semblance.run(PIPELINE, data, cache=False).model, X


def test_terms_and_shares(model_and_samples, tmp_path):
    trained, X = model_and_samples
    trained.save(tmp_path / "model")
    model = semblance.load(tmp_path / "model")
    background = X[20:25]
    made, = model.explain(X[:1], background, top=100)
    assert made["explained"] == model.predict(X[:1])[0]
    terms = sum(example["contribution"] for example in made["examples"])
    assert made["bias"] + terms == pytest.approx(made["value"], abs=1e-9)

    def value(rows):  # positive for the first class
        sign = 1 if made["explained"] == model.classes_[0] else -1
        return sign * model.decision_function(rows)[:, 0]

    assert made["value"] == pytest.approx(value(X[:1])[0], abs=1e-5)
    shares = np.zeros(4)
    for order in itertools.permutations(range(4)):
        rows = background.copy()
        before = value(rows).mean()
        for k in order:
            rows[:, k] = X[0, k]
            after = value(rows).mean()
            shares[k] += (after - before) / math.factorial(4)
            before = after
    assert [part["share"] for part in made["shares"]["of"]] == pytest.approx(shares, abs=1e-4)
    assert made["shares"]["expected"] == pytest.approx(value(background).mean(), abs=1e-4)


def test_without_background_and_wrong_words(model_and_samples):
    model, X = model_and_samples
    made, = model.explain(X[:1], of_class="same")
    assert made["explained"] == "same" and made["against"] == "other"
    assert made["shares"] == {"none": "there are no other samples to compare with"}
    with pytest.raises(semblance.SemblanceError, match="no class 'sme'; did you mean 'same'"):
        model.explain(X[:1], of_class="sme")
    with pytest.raises(ValueError, match="top must be at least 1"):
        model.explain(X[:1], top=0)
