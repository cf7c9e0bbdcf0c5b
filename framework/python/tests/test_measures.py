# SPDX-License-Identifier: MIT
"""Similarity measures as parameters of components written in Python."""

import numpy as np
import pytest
from program_in_folder import in_program

import semblance
from semblance import _declare

PLUGIN = '''
import numpy as np
import semblance


@semblance.solver("solver/ridge", accepts=("vector", "image"), kernel=semblance.measure(
    "similarity/rbf", "what compares samples"), penalty=semblance.number(0.1, above=0))
class Ridge:
    """Kernel ridge regression on the signs of the classes."""

    def __init__(self, kernel, penalty):
        self.kernel, self.penalty = kernel, penalty

    def fit(self, samples, labels, classes):
        self.bases = np.array(samples)
        targets = np.where(labels[:, None] == np.arange(len(classes)), 1.0, -1.0)
        gram = self.kernel(self.bases).astype(np.float64)
        self.weights = np.linalg.solve(gram + self.penalty * np.eye(len(gram)), targets)
        residuals = targets - gram @ self.weights
        return {"objective": np.square(residuals).mean()}

    def apply(self, samples):
        return self.kernel(samples, self.bases) @ self.weights
'''

PIPELINE = """
name: ridge
nodes:
  t:    {is: source/xor, train: 200, test: 100}
  svm:  {is: solver/ridge, KERNEL from: t}
  test: {is: evaluator/classification, from: svm}
"""


def pipeline(kernel=""):
    return PIPELINE.replace("KERNEL", kernel)


@pytest.fixture(autouse=True)
def ridge_py(tmp_path):
    (tmp_path / "ridge.py").write_text(PLUGIN)


@pytest.fixture
def ridge(as_before):
    """The class, declared in this process."""
    names = {"__name__": "__main__"}
    exec(PLUGIN, names)
    return names["Ridge"]


def run(program, kernel="", out="out"):
    program.file("p.yaml", pipeline(kernel))
    program.succeed("run", "p.yaml", "--plugin-path", "ridge.py", "--out", out, "--quiet")
    return program.metrics(out)["test"]["accuracy"]


@in_program
def test_a_pipeline_gives_the_measure(program):
    assert run(program) > 0.9
    assert run(program, "kernel: {is: similarity/linear},") < 0.7  # it cannot learn XOR
    assert run(program, "kernel: {gamma: 3},") > 0.9
    assert not program.cached("svm")
    assert run(program, "kernel: {is: similarity/rbf, gamma: 3.0},") > 0.9
    assert program.cached("svm")


@in_program
def test_a_model_predicts_the_same(program):
    run(program, "kernel: {is: similarity/rbf, gamma: 2},")
    program.succeed("predict", "out/model", "--plugin-path", "ridge.py", "--out", "new", "--quiet")
    one, other = (np.load(program.folder / name) for name in
                  ("out/predictions/svm.npy", "new/svm.npy"))
    assert np.array_equal(one, other[-len(one):])


@in_program
def test_check_plugin_and_the_reference_know_it(program):
    text = program.succeed("check-plugin", "ridge.py")
    assert ", 0 failed" in text
    text = program.succeed("describe", "solver/ridge", "--plugin-path", "ridge.py")
    assert "similarity/rbf" in text


@in_program
@pytest.mark.parametrize("kernel, message", [
    ("kernel: {is: similarity/rbf, gama: 1},", "similarity/rbf has no parameter 'gama'"),
    ("kernel: {is: similarity/rbf, gamma: -1},", "'gamma' must be in the range (0, inf)"),
    ("kernel: rbf,", "'kernel' must be a component of kind similarity, got 'rbf'"),
    ("kernel: {is: solver/linear_svm},", "similarity"),
])
def test_a_wrong_measure_is_found_before_anything_runs(program, kernel, message):
    program.file("p.yaml", pipeline(kernel))
    code, text = program("check", "p.yaml", "--plugin-path", "ridge.py")
    assert code == 2 and message in text, text


def test_it_gives_what_the_package_gives(as_before):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(70, 5)).astype(np.float32)
    y = np.arange(70) % 2
    seen = {}

    @semblance.solver("solver/seen", kernel=semblance.measure("similarity/rbf"))
    class Seen:
        def __init__(self, kernel):
            self.kernel = kernel

        def fit(self, samples, labels, classes):
            seen["gram"] = self.kernel(samples)
            seen["some"] = self.kernel(samples[::2], np.array(samples[:3], np.float64))
            seen["none"] = self.kernel(samples[:0], samples)
            self.classes = len(classes)

        def apply(self, samples):
            return np.tile(self.kernel(samples, samples[:1]) * 0, (1, self.classes))

    semblance.run({"nodes": {
        "t": {"is": "source/array"},
        "svm": {"is": "solver/seen", "kernel": {"is": "similarity/rbf", "gamma": 0.3},
                "from": "t"}}}, {"t": (x, y)}, cache=False)
    rbf = semblance.similarity.rbf
    assert np.array_equal(seen["gram"], rbf(x, x, gamma=0.3))
    assert np.array_equal(seen["some"], rbf(x[::2], x[:3], gamma=0.3))
    assert seen["none"].shape == (0, 70)


def test_images_are_compared_as_images(as_before):
    seen = {}
    rng = np.random.default_rng(0)
    x = rng.random((30, 6, 6)).astype(np.float32)

    @semblance.solver("solver/seen", accepts="image", kernel=semblance.measure("similarity/rbf"))
    class Seen:
        def __init__(self, kernel):
            self.kernel = kernel

        def fit(self, samples, labels, classes):
            assert samples.shape[1:] == (6, 6)
            seen["gram"] = self.kernel(samples)
            seen["flat"] = self.kernel(samples.reshape(len(samples), -1))
            self.classes = len(classes)

        def apply(self, samples):
            return np.zeros((len(samples), self.classes))

    semblance.run({"nodes": {
        "t": {"is": "source/array"},
        "svm": {"is": "solver/seen", "kernel": {"is": "similarity/polynomial", "degree": 2},
                "from": "t"}}}, {"t": (x, np.arange(30) % 2)}, cache=False)
    expected = semblance.similarity.polynomial(x, x, degree=2)
    assert np.array_equal(seen["gram"], expected)
    assert np.array_equal(seen["flat"], expected)


def solver_that(does):
    @semblance.solver("solver/does", kernel=semblance.measure("similarity/rbf"))
    class Does:
        def __init__(self, kernel):
            self.kernel = kernel

        def fit(self, samples, labels, classes):
            does(self, samples)
            self.classes = len(classes)

        def apply(self, samples):
            return np.zeros((len(samples), self.classes))


@pytest.mark.parametrize("does, kernel, message", [
    (lambda self, x: self.kernel(x, x[:, :1]), {}, "they must be alike"),
    (lambda self, x: self.kernel(x[0]), {}, "have the shape"),
    (lambda self, x: self.kernel(x * np.nan), {}, "NaN"),
    (lambda self, x: self.kernel(["a"]), {}, "not of real numbers"),
    (lambda self, x: self.kernel(x, x[:0]), {}, "without bases"),
    (lambda self, x: self.kernel(x), {"is": "similarity/precomputed"}, "similarity/precomputed reads"),
    (lambda self, x: setattr(self, "held", [self.kernel]), {}, "is a parameter, and cannot be"),
])
def test_wrong_calls_are_errors(as_before, does, kernel, message):
    solver_that(does)
    nodes = {"t": {"is": "source/xor", "train": 60, "test": 20},
             "svm": {"is": "solver/does", "kernel": {"is": "similarity/rbf", **kernel}, "from": "t"}}
    with pytest.raises(semblance.SemblanceError, match=message):
        semblance.run({"nodes": nodes}, cache=False)


def test_a_measure_outside_of_a_call_is_an_error(as_before):
    kept = []
    solver_that(lambda self, x: kept.append(self.kernel))
    semblance.run({"nodes": {"t": {"is": "source/xor", "train": 60, "test": 20},
                             "svm": {"is": "solver/does", "from": "t"}}}, cache=False)
    with pytest.raises(ValueError, match="only be called while the runtime calls"):
        kept[0](np.zeros((2, 2)))


def test_measures_written_in_python_are_measures_too(as_before):
    @semblance.similarity("similarity/mine", width=semblance.number(1.0, above=0))
    def mine(bases, samples, width):
        return 1 / (1 + np.square(samples[:, None] - bases).sum(axis=2) / width ** 2)

    seen = []
    solver_that(lambda self, x: seen.append((np.array(x), self.kernel(x))))
    semblance.run({"nodes": {
        "t": {"is": "source/xor", "train": 60, "test": 20},
        "svm": {"is": "solver/does", "kernel": {"is": "similarity/mine", "width": 2.0},
                "from": "t"}}}, cache=False)
    x, values = seen[0]
    assert np.allclose(values, mine(x, x, 2.0), atol=1e-6)


def test_a_feature_may_compare_with_bases_of_its_own(as_before):
    @semblance.feature("feature/corners", kernel=semblance.measure("similarity/rbf"))
    def corners(samples, kernel):
        return kernel(samples, np.eye(samples.shape[1], dtype=np.float32))

    x = np.random.default_rng(0).normal(size=(9, 3)).astype(np.float32)
    made = semblance.component("feature/corners", kernel=semblance.component(
        "similarity/rbf", gamma=0.5)).fit_transform(x)
    assert np.allclose(made, semblance.similarity.rbf(x, np.eye(3), gamma=0.5), atol=1e-6)


def test_a_default_is_the_id_of_a_similarity():
    assert _declare.measure().default is None
    with pytest.raises(TypeError, match="such as 'similarity/rbf'"):
        semblance.measure("rbf")
