# SPDX-License-Identifier: MIT
"""Components that a process of Python declares for itself, as in a notebook."""

import pickle
import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest
from declared_here import PIPELINE, cauchy, declared, ran

import semblance
from semblance import _declare

pytestmark = pytest.mark.usefixtures("as_before")


def test_a_function_is_usable_at_once():
    assert declared() is cauchy
    nodes = ran()
    assert nodes["map"]["component"] == "similarity/mine"
    assert nodes["test"]["accuracy"] > 0.8


def test_what_is_declared_again_replaces_what_was_before():
    declared()
    good = ran()["test"]["accuracy"]
    declared(lambda bases, samples, width: np.zeros((len(samples), len(bases))))
    assert ran()["test"]["accuracy"] < good


def test_a_component_works_in_estimators_and_they_are_pickled():
    declared(symmetric=True)
    random = np.random.default_rng(0)
    x = random.random((200, 5), dtype=np.float32)
    y = (x[:, 0] > x[:, 1]).astype(int)
    kernel = semblance.component("similarity/mine", width=0.5)
    machine = semblance.KernelSVM(kernel=kernel).fit(x[:100], y[:100])
    assert machine.score(x[100:], y[100:]) > 0.8
    again = pickle.loads(pickle.dumps(machine))
    assert np.array_equal(again.decision_function(x), machine.decision_function(x))
    one = np.vstack([machine.decision_function(x[i:i + 1]) for i in range(len(x))])
    assert np.array_equal(one.ravel(), machine.decision_function(x).ravel())


def test_processes_that_search_a_grid_know_the_component(tmp_path):
    pytest.importorskip("sklearn")
    script = tmp_path / "script.py"
    script.write_text(textwrap.dedent("""
        import numpy as np
        from sklearn.model_selection import GridSearchCV
        import semblance
        @semblance.similarity("similarity/mine", width=semblance.number(1.0, above=0))
        def mine(bases, samples, width):
            d = np.square(samples[:, None] - bases).sum(axis=2)
            return 1 / (1 + d / width ** 2)
        random = np.random.default_rng(0)
        x = random.random((90, 5), dtype=np.float32)
        y = (x[:, 0] > x[:, 1]).astype(int)
        for kernel in (mine, semblance.component("similarity/mine", width=0.5)):
            search = GridSearchCV(semblance.KernelSVM(kernel=kernel), {"C": [0.1, 10]}, n_jobs=2,
                                  cv=3)
            print(search.fit(x, y).best_score_ > 0.7)
    """))
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=100)
    assert done.stdout == "True\nTrue\n", done.stderr


def test_a_value_of_a_component_computes_similarities():
    declared()
    random = np.random.default_rng(0)
    x, b = (random.random((n, 4), dtype=np.float32) for n in (70, 300))
    measured = semblance.component("similarity/mine", width=2.0)(x, b)
    np.testing.assert_allclose(measured, cauchy(b, x, 2.0), rtol=1e-5)


def test_a_model_is_saved_and_loaded(tmp_path):
    declared()
    result = semblance.run(PIPELINE, out=tmp_path / "out")
    model = semblance.load(tmp_path / "out" / "model")
    scores = np.load(tmp_path / "out" / "predictions" / "svm.npy")
    assert result.metrics["nodes"]["test"]["accuracy"] > 0.8
    del _declare.declared["similarity/mine"]
    _declare.decorators.changes += 1
    assert model is not None and len(scores) == 100
    with pytest.raises(semblance.SemblanceError, match="similarity/mine"):
        semblance.load(tmp_path / "out" / "model")


def test_errors_name_the_node_and_the_line():
    def wrong(bases, samples, width):
        return 1 / no_such_name  # noqa: F821
    declared(wrong)
    with pytest.raises(semblance.SemblanceError) as caught:
        ran()
    text = str(caught.value)
    assert "node 'map' (similarity/mine), while preparing the bases: " in text
    assert f"test_declared.py:{wrong.__code__.co_firstlineno + 1} in wrong: NameError: " in text


def test_a_name_that_a_component_has_is_refused():
    semblance.similarity("similarity/rbf")(lambda bases, samples: samples @ bases.T)
    with pytest.raises(semblance.SemblanceError, match="give yours another name"):
        ran()


def test_a_file_is_a_plugin_here_too(tmp_path):
    file = tmp_path / "file.py"
    file.write_text(textwrap.dedent("""
        import semblance
        @semblance.similarity("similarity/of_file")
        def of_file(bases, samples):
            "Inner products."
            return samples @ bases.T
    """))
    pipeline = PIPELINE.replace("similarity/mine, width: 0.5", "similarity/of_file")
    assert "similarity/of_file" not in _declare.declared
    assert ran(pipeline, plugins=[file])["map"]["component"] == "similarity/of_file"
    assert "similarity/of_file" not in _declare.declared


def test_sklearns_classifiers_are_solvers():
    pytest.importorskip("sklearn")
    import semblance.components.sklearn_solver  # noqa: F401
    pipeline = """
    name: forest
    nodes:
      t:    {is: source/xor, train: 100, test: 100}
      svm:  {is: solver/sklearn, parameters: {n_estimators: 10}, from: t}
      test: {is: evaluator/classification, from: svm}
    """
    assert ran(textwrap.dedent(pipeline))["test"]["accuracy"] > 0.8
    assert ran(textwrap.dedent(pipeline))["svm"]["cached"]


def test_several_threads_train_at_once():
    declared()
    expected = ran(cache=False)["svm"]["objective"]
    found, problems = [], []

    def work():
        try:
            found.append(ran(cache=False)["svm"]["objective"])
        except Exception as problem:  # reported by the thread that joins
            problems.append(problem)
    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert not problems
    assert found == [expected] * 4


def test_rows_are_lent_and_not_copied():
    seen = {}

    @semblance.solver("solver/looking", accepts=("vector",))
    class Looking:
        """Gives its rows as scores."""

        def fit(self, samples, labels):
            seen["fit"] = (samples.flags.owndata, samples.flags.writeable, samples.dtype.name,
                           samples.shape, labels.flags.writeable)

        def apply(self, samples):
            seen.setdefault("apply", []).append((samples.flags.owndata, samples.flags.writeable))
            return samples
    random = np.random.default_rng(0)
    x = random.random((256, 2), dtype=np.float32)
    y = (x[:, 0] < x[:, 1]).astype(int)
    pipeline = """
    name: looking
    nodes:
      t:    {is: source/array}
      svm:  {is: solver/looking, from: t}
      test: {is: evaluator/classification, from: svm}
    """
    nodes = ran(textwrap.dedent(pipeline), data={"t": (x, y, x[:64], y[:64])}, cache=False)
    assert nodes["test"]["accuracy"] == 1
    assert seen["fit"] == (False, False, "float32", (256, 2), False)
    assert (False, False) in seen["apply"]
    assert not any(writeable for _, writeable in seen["apply"])
