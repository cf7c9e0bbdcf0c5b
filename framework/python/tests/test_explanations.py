# SPDX-License-Identifier: MIT
"""Model.explain: sums over examples, and shares of columns against their definition."""
import itertools
import json
import math
import pickle
import subprocess

import numpy as np
import pytest

import semblance
from program import PROGRAM, scores

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


def test_rows_of_samples_are_compared_with_the_others(model_and_samples):
    model, X = model_and_samples
    made = model.explain(X, rows=[3, 7])
    assert len(made) == 2 and made[0]["shares"]["background"] == 50
    assert made[1] == model.explain(X, rows=[7])[0]  # the same in any company
    with pytest.raises(ValueError, match="rows has 60, but X has 60 samples"):
        model.explain(X, rows=[60])
    with pytest.raises(TypeError, match="rows must be whole numbers"):
        model.explain(X, rows=[0.5])
    with pytest.raises(ValueError, match="background must be at least 0"):
        model.explain(X, -1)
    assert model.explain(X, 0, rows=[3])[0]["shares"] == {"none": "they were not wanted"}


def test_the_command_line_says_the_same_of_the_same_data(tmp_path):
    random = np.random.default_rng(2)
    X = random.normal(size=(70, 3)).astype(np.float32)
    y = (X[:, 0] > X[:, 1]).astype(np.int64)
    scores(tmp_path, {"machine": "{is: solver/kernel_svm, kernel: {is: similarity/rbf, gamma: 1}, "
                                 "from: data}"}, X[:40], y[:40], X, seed=5)
    said = subprocess.run([PROGRAM, "explain", "out/model", "new.npy", "--row", "3", "--row", "60",
                           "--json"], cwd=tmp_path, stdout=subprocess.PIPE, check=True)
    printed = json.loads(said.stdout)["explanations"]
    made = semblance.load(tmp_path / "out" / "model").explain(X, rows=[3, 60])
    assert [each.pop("row") for each in printed] == [3, 60]
    for mine, own in zip(made, printed):  # labels are numbers here, texts there
        for key in ("predicted", "explained", "against"):
            assert str(mine.pop(key)) == own.pop(key)
        assert [str(each.pop("class")) for each in mine["examples"]] == [
            each.pop("class") for each in own["examples"]]
    assert made == printed


def sums(made):
    value = made.get("bias", 0) + sum(each["contribution"] for each in made["examples"])
    return value + made["other_examples"]["contribution"]


def test_estimators_explain_with_the_labels_of_fit(model_and_samples):
    _, X = model_and_samples
    y = np.where(X[:, 0] > 0, 2.0, 7.0)
    machine = semblance.KernelSVM(kernel=semblance.similarity.RBF(gamma=0.5)).fit(X, y)
    made, = machine.explain(X, rows=[5])
    assert made["predicted"] == machine.predict(X[5:6])[0]
    assert {made["explained"], made["against"]} == {2.0, 7.0}
    sign = 1 if made["explained"] == machine.classes_[1] else -1
    assert made["value"] == pytest.approx(sign * machine.decision_function(X[5:6])[0], abs=1e-5)
    assert sums(made) == pytest.approx(made["value"], abs=1e-9)
    for example in made["examples"]:
        assert example["class"] == y[example["training_sample"]]
    shares = sum(part["share"] for part in made["shares"]["of"])
    assert shares == pytest.approx(made["value"] - made["shares"]["expected"], abs=1e-4)
    other, = machine.explain(X, rows=[5], of_class=made["against"], background=0)
    assert other["value"] == -made["value"]
    with pytest.raises(semblance.SemblanceError, match="no class '3.0'"):
        machine.explain(X, rows=[5], of_class=3.0)


def test_estimators_name_the_rows_of_examples(model_and_samples):
    pandas = pytest.importorskip("pandas")
    _, X = model_and_samples
    table = pandas.DataFrame(X, columns=list("abcd"), index=[f"p{i}" for i in range(60)])[10:]
    y = X[10:, 0] + X[10:, 1]
    machine = semblance.KernelIntervals(kernel=semblance.similarity.RBF(gamma=0.5)).fit(table, y)
    for fitted in (machine, pickle.loads(pickle.dumps(machine))):
        made, = fitted.explain(table, rows=[5], top=3)
        assert made["value"] == pytest.approx(machine.predict(table)[5], abs=1e-5)
        assert len(made["examples"]) > 1
        for example in made["examples"]:
            assert example["name"] == f"p{example['row'] + 10}"
    table.index = pandas.date_range("2026-01-01", periods=50)
    fitted = pickle.loads(pickle.dumps(machine.fit(table, y)))
    for example in fitted.explain(table, rows=[5], top=3)[0]["examples"]:
        assert example["name"] == table.index[example["row"]]
    made, = machine.fit(X[10:], y).explain(X[10:], rows=[5], top=3)
    assert all("name" not in example and "row" in example for example in made["examples"])


def test_an_estimator_of_bases_and_a_pipeline_explain_alike(model_and_samples):
    _, X = model_and_samples
    y = np.array(["a", "b", "c"])[np.digitize(X[:, 0], [-0.5, 0.5])]
    machine = semblance.BasisExpandingSVM(similarities=semblance.similarity.RBF(gamma=0.2),
                                          bases=12, normalizer=None).fit(X, y)
    made, = machine.explain(X, rows=[2], background=X[:10], top=12)
    assert {each["training_sample"] for each in made["examples"]} <= set(machine.basis_indices_)
    assert made["difference_of_scores"]
    assert sums(made) == pytest.approx(made["value"], abs=1e-9)
    assert made["shares"]["method"] == "exact" and made["shares"]["background"] == 10
    pipeline = semblance.PipelineEstimator({"nodes": {
        "rows": {"is": "source/array"},
        "svm": {"is": "solver/kernel_svm", "kernel": semblance.similarity.RBF(gamma=0.5),
                "from": "rows"},
        "p": {"is": "calibrator/probabilities", "from": "svm"},
        "test": {"is": "evaluator/classification", "from": "p"}}}).fit(X, y)
    kernel = semblance.KernelSVM(kernel=semblance.similarity.RBF(gamma=0.5)).fit(X, y)
    by_pipeline, = pipeline.explain(X, rows=[2], background=X[:10])
    by_machine, = kernel.explain(X, rows=[2], background=X[:10])
    assert by_pipeline["value"] == by_machine["value"]
    assert by_pipeline["shares"] == by_machine["shares"]


def test_regressors_and_detectors_explain(model_and_samples):
    _, X = model_and_samples
    y = np.column_stack([X[:, 0] * 3, X[:, 1] - X[:, 2]])
    machine = semblance.KernelRidge(kernel=semblance.similarity.RBF(gamma=0.3)).fit(X, y)
    made, = machine.explain(X, rows=[4], target="y2")
    assert made["explained"] == "y2"
    assert made["value"] == pytest.approx(machine.predict(X[4:5])[0, 1], abs=1e-4)
    with pytest.raises(semblance.SemblanceError, match="say which one is to be explained"):
        machine.explain(X, rows=[4])
    detector = semblance.OneClassSVM(kernel=semblance.similarity.RBF(gamma=0.3)).fit(X)
    made, = detector.explain(X, rows=[4])
    assert made["explained"] == "score"
    assert made["value"] == pytest.approx(detector.decision_function(X[4:5])[0], abs=1e-5)


def test_a_kernel_matrix_has_examples_but_no_columns(model_and_samples):
    _, X = model_and_samples
    y = (X[:, 0] > 0).astype(int)
    K = semblance.similarity.rbf(X, X, gamma=0.5)
    for machine, samples in [(semblance.KernelSVM(kernel="precomputed"), K),
                             (semblance.KernelSVM(kernel=lambda a, b: a @ b.T), X)]:
        made, = machine.fit(samples, y).explain(samples, rows=[1])
        assert made["examples"] and made["shares"] == {"none": "they were not wanted"}


def test_series_are_explained_by_steps():
    random = np.random.default_rng(1)
    X = random.normal(size=(30, 40)).astype(np.float32)
    y = np.arange(30) % 2
    X[y == 1, 10:15] += 3
    machine = semblance.KernelSVM(kernel=semblance.similarity.DTW(window=2), repair="clip").fit(X, y)
    made, = machine.explain(X, rows=[1], background=5)
    assert machine.explain(X, rows=[2, 1], background=5)[1] == made  # sampled, in any company
    assert made["shares"]["method"] == "sampled"
    parts = made["shares"]["of"]
    assert sum(part["count"] for part in parts) == 40
    strongest = max(parts, key=lambda part: abs(part["share"]))
    assert 8 <= strongest["first"] <= 15
