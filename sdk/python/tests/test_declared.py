# SPDX-License-Identifier: MIT
"""Components that a process of Python declares for itself, as in a notebook."""

import functools
import os
import pickle
import signal
import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest

import semblance
from semblance import _declare, _identity, _plugins

PIPELINE = """
name: small
nodes:
  t:     {is: source/xor, train: 300, test: 100}
  bases: {is: basis/random_per_class, per_class: 30, from: t}
  map:   {is: similarity/mine, width: 0.5, from: t, bases: bases}
  svm:   {is: solver/linear_svm, from: map}
  test:  {is: evaluator/classification, from: svm}
"""

power = 2


def cauchy(bases, samples, width):
    """Cauchy kernel."""
    d = np.square(samples[:, None] - bases).sum(axis=2)
    return 1 / (1 + d / width ** power)


@pytest.fixture(autouse=True)
def as_before(monkeypatch, tmp_path):
    monkeypatch.setenv("SEMBLANCE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    before = dict(_declare.declared)
    yield
    _declare.declared.clear()
    _declare.declared.update(before)
    _declare.changes += 1


def declared(function=cauchy, **options):
    width = semblance.number(1.0, "half width", above=0)
    return semblance.similarity("similarity/mine", width=width, **options)(function)


def ran(pipeline=PIPELINE, **options):
    return semblance.run(pipeline, **options).metrics["nodes"]


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


def test_results_come_from_the_store_until_the_function_or_what_it_uses_changes(monkeypatch):
    declared()
    assert not ran()["map"]["cached"]
    assert ran()["map"]["cached"]
    one = ran()["svm"]["objective"]
    monkeypatch.setitem(globals(), "power", 9)
    assert not ran()["map"]["cached"]
    assert ran()["svm"]["objective"] != one
    monkeypatch.setitem(globals(), "power", 2)
    assert ran()["map"]["cached"]
    assert ran()["svm"]["objective"] == one


def _with(scale):
    def scaled(bases, samples, width):
        return scale * (samples @ bases.T)
    return scaled


def test_what_a_function_has_around_it_is_part_of_it():
    assert _identity.of_target(_with(1)) == _identity.of_target(_with(1))
    assert _identity.of_target(_with(1)) != _identity.of_target(_with(2))
    assert _identity.of_target(_with(np.ones(3))) != _identity.of_target(_with(np.zeros(3)))
    assert _identity.of_target(lambda x: x + 1) != _identity.of_target(lambda x: x + 2)
    assert _identity.of_target(lambda x: np.exp(x)) != _identity.of_target(lambda x: np.log(x))
    assert _identity.of_target(lambda x, a=1: x) != _identity.of_target(lambda x, a=2: x)


def test_a_wrapped_function_is_known_by_what_it_wraps():
    def cached(scale):
        @functools.lru_cache(maxsize=None)
        def scaled(x):
            return scale * x
        return lambda bases: scaled(bases)

    def bound(scale):
        return functools.partial(lambda x, s: x * s, s=scale)
    for made in (cached, bound):
        assert _identity.of_target(made(1)) == _identity.of_target(made(1))
        assert _identity.of_target(made(1)) != _identity.of_target(made(2))
    assert _identity.of_target(np.exp) != _identity.of_target(np.log)
    assert _identity.of_target("a".join) != _identity.of_target("b".join)


def test_a_helper_that_was_edited_but_not_imported_again_is_what_it_was(tmp_path):
    (tmp_path / "helper_of_plugin.py").write_text("factor = 1\n")
    file = tmp_path / "plugin.py"
    file.write_text("import semblance\nimport helper_of_plugin\n"
                    "@semblance.feature('feature/scaled')\n"
                    "def scaled(samples):\n    return samples * helper_of_plugin.factor\n")
    before = _plugins.load(str(file)).hash
    (tmp_path / "helper_of_plugin.py").write_text("factor = 2\n")
    assert _plugins.load(str(file)).hash == before
    del sys.modules["helper_of_plugin"]
    assert _plugins.load(str(file)).hash != before


def test_a_class_is_known_by_all_its_methods_and_by_those_that_it_inherits():
    def made(value, inherited):
        class Base:
            def helper(self):
                return inherited

        class Mine(Base):
            factor = value

            def apply(self, samples):
                return samples * self.factor
        return Mine
    assert _identity.of_target(made(1, 1)) == _identity.of_target(made(1, 1))
    assert _identity.of_target(made(1, 1)) != _identity.of_target(made(2, 1))
    assert _identity.of_target(made(1, 1)) != _identity.of_target(made(1, 2))


def test_a_class_that_is_declared_is_stored_too():
    def made(factor):
        @semblance.similarity("similarity/mine", width=semblance.number(1.0, "half width"))
        class Mine:
            """Inner products."""

            def __init__(self, width):
                self.width = width

            def fit(self, bases):
                self.bases = bases * factor

            def apply(self, samples):
                return samples @ self.bases.T
    made(1)
    assert not ran()["map"]["cached"]
    made(1)
    assert ran()["map"]["cached"]
    made(2)
    assert not ran()["map"]["cached"]


def test_what_cannot_be_told_is_never_taken_from_the_store():
    declared(_with(threading.Lock()) and _unnameable())
    assert not ran()["map"]["cached"]
    assert not ran()["map"]["cached"]
    assert ran()["bases"]["cached"]


def _unnameable():
    lock = threading.Lock()

    def locked(bases, samples, width):
        with lock:
            return samples @ bases.T
    return locked


def test_versions_of_python_and_packages_are_part_of_what_a_component_is():
    text = _identity.of_target(cauchy)
    assert f"python CPython {sys.version.split()[0]}" in text
    assert f"numpy {np.__version__}" in text
    scipy = pytest.importorskip("scipy")
    sklearn = pytest.importorskip("sklearn.svm")
    text = _identity.of_target(lambda x: sklearn.SVC().fit(x))
    assert f"scipy {scipy.__version__}" in text, "what a package needs counts as well"


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
    _declare.changes += 1
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
        except Exception as problem:  # told by the thread that joins
            problems.append(problem)
    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert not problems
    assert found == [expected] * 4


def test_ctrl_c_ends_a_component_that_does_not_ask(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(textwrap.dedent("""
        import time
        import semblance
        @semblance.solver("solver/deaf")
        class Deaf:
            "Never asks."
            def fit(self, samples, labels):
                print("fitting", flush=True)
                end = time.monotonic() + 60
                while time.monotonic() < end:
                    pass
            def apply(self, samples):
                return samples
        try:
            semblance.run("name: slow\\nnodes:\\n  t: {is: source/xor, train: 50, test: 20}\\n"
                          "  svm: {is: solver/deaf, from: t}\\n")
        except KeyboardInterrupt:
            print("interrupted", flush=True)
    """))
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True,
                          env=os.environ) as running:
        assert running.stdout.readline() == "fitting\n"
        running.send_signal(signal.SIGINT)
        assert running.communicate(timeout=30)[0] == "interrupted\n"


# What was learned -------------------------------------------------------------------------------


def test_states_come_back_as_they_were():
    from semblance import _state
    random = np.random.default_rng(0)
    values = {"none": None, "flag": True, "whole": -7, "large": 2 ** 80, "number": 0.1,
              "infinite": float("inf"), "text": "ü\n", "list": [1, (2.5, "x"), {"a": [None]}],
              "scalar": np.float32(0.1), "count": np.int64(2 ** 60), "empty": np.zeros((3, 0)),
              "half": random.random((2, 3)).astype(np.float16), "tables": random.random((2, 3, 4)),
              "single": random.random((5, 2)).astype(np.float32), "bits": np.array([True, False]),
              "bytes": np.arange(9, dtype=np.uint8), "unsigned": np.array([2 ** 64 - 1], np.uint64),
              "complex": random.random(4) + 1j, "short": (random.random(3) + 2j).astype("c8"),
              "zero": np.float64(3.5), "scalar array": np.array(4.0)}
    assert all(_state.is_plain(v) for v in values.values())
    text, arrays = _state.written(values)
    found = _state.read(text, {name: np.array(array) for name, _, array in arrays})
    assert list(found) == list(values)
    for name, value in values.items():
        assert type(found[name]) is type(value), name
        if isinstance(value, np.ndarray):
            assert found[name].dtype == value.dtype and found[name].shape == value.shape
            assert found[name].tobytes() == value.tobytes()
        else:
            assert found[name] == value


def test_a_pickle_that_was_changed_is_refused(monkeypatch):
    from semblance import _state
    text, arrays = _state.written({"f": _state.settled(print)})
    bits = {name: np.array(array) for name, _, array in arrays}
    assert _state.opened(_state.read(text, bits)["f"]) is print
    bits["array_0"][0] ^= 1
    with pytest.raises(_state.Untrusted, match="this user has not made"):
        _state.read(text, bits)


@pytest.mark.parametrize("damage", [
    lambda text: text[:-5], lambda text: text.replace('"<f4"', '"|O"'),
    lambda text: text.replace("[5, 2]", "[5, 3]"), lambda text: text.replace("[5, 2]", "[-1, 2]"),
    lambda text: text.replace('"array_0"', '"array_9"', 2), lambda text: "[]"])
def test_a_damaged_state_is_refused(damage):
    from semblance import _state
    text, arrays = _state.written({"a": np.ones((5, 2), np.float32)})
    with pytest.raises(_state.Untrusted, match="damaged"):
        _state.read(damage(text), {name: np.array(array) for name, _, array in arrays})


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
