# SPDX-License-Identifier: MIT
"""Similarity measures as functions of arrays."""

import inspect
import json

import numpy as np
import pytest

import semblance
from semblance import _native, similarity

MEASURES = {declaration["id"].split("/")[1]: declaration
            for declaration in json.loads(_native.catalogue())
            if declaration["kind"] == "similarity"}
NO_FUNCTIONS = {"precomputed", "kronecker", "cartesian"}
FUNCTIONS = sorted(set(MEASURES) - NO_FUNCTIONS)

random = np.random.default_rng(1)


def samples(kind, count, seed, equal=False):
    """Samples of one kind, in Python's form; series of one length with `equal`."""
    make = np.random.default_rng(seed)
    if kind == "string":
        return ["".join(make.choice(list("abcd"), make.integers(3, 9))) for _ in range(count)]
    if kind == "set":
        return [make.random((make.integers(2, 5), 3)) for _ in range(count)]
    if kind == "sequence":
        return [make.random(10 if equal else make.integers(8, 12)) for _ in range(count)]
    if kind == "graph":
        return [([(v, v + 1) for v in range(n)], list(make.choice(list("CNO"), n + 1)))
                for n in make.integers(2, 9, count)]
    if kind == "image":
        return make.random((count, 8, 8), dtype=np.float32)
    if kind == "grid":
        return make.random((count, 4, 4, 3), dtype=np.float32)
    return make.random((count, 6), dtype=np.float32)


def kinds_of(name):
    for port in MEASURES[name]["inputs"]:
        if port["name"] == "from":
            return port.get("layouts") or ["vector", "image", "grid"]
    return []


def given(name):
    """Parameters that a measure has no default for."""
    inner = {"sum": {"similarities": ["linear", "rbf"]}}
    return {key: value for key, value in inner.get(name, {}).items()
            if key in inspect.signature(getattr(similarity, name)).parameters}


def test_values_that_float32_cannot_hold_are_refused():
    far = np.array([[1, 2], [1e10, 0]], dtype=np.float32)
    with pytest.raises(ValueError, match="similarity/polynomial of sample 1 of X and sample 1 of B "
                                         "is inf, which is no finite number of float32"):
        similarity.polynomial(far, degree=2)
    with pytest.raises(ValueError, match="sample 0 of X and sample 0 of B is inf"):
        similarity.Polynomial(degree=9)(far, far[1:])
    assert np.isfinite(similarity.polynomial(far, far[:1], degree=3)).all()


def test_there_is_a_function_for_every_measure():
    assert len(FUNCTIONS) > 20
    for name in FUNCTIONS:
        assert callable(getattr(similarity, name))
        assert name in dir(similarity)
    assert not any(hasattr(similarity, name) for name in NO_FUNCTIONS)


def test_rows_are_samples_and_columns_are_bases():
    X, B = random.random((7, 3)), random.random((4, 3))
    K = similarity.rbf(X, B, gamma=2)
    assert (K.shape, K.dtype) == ((7, 4), np.float32)
    assert np.allclose(K, np.exp(-2 * ((X[:, None] - B[None]) ** 2).sum(2)), atol=1e-6)


def test_a_measure_gets_the_basis_first():
    """s(b, x) is not s(x, b) where cells move in the basis alone."""
    X, B = samples("grid", 5, 1), samples("grid", 3, 2)
    one = similarity.rigid(X, B, shift=1)
    other = similarity.rigid(B, X, shift=1)
    assert one.shape == (5, 3) and other.shape == (3, 5)
    inner = similarity.rigid(X, B, shift=0)
    assert np.allclose(inner, X.reshape(5, -1) @ B.reshape(3, -1).T, rtol=1e-5)


def test_words_and_series():
    assert np.array_equal(similarity.edit(["kitten"], ["kitten", "mitten", "sitting"], as_="negative",
                                          normalize="none")[0], [0, -1, -3])
    a, b = np.array([0.0, 0, 1, 2, 1, 0]), np.array([0.0, 1, 2, 1, 0, 0])
    assert similarity.dtw([a], [b], as_="negative")[0, 0] == 0
    assert similarity.euclidean([a], [b], as_="negative")[0, 0] == pytest.approx(
        -np.linalg.norm(a - b))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_it_is_its_class_with_the_same_parameters(name):
    kind = "grid" if name in ("rigid", "deformable", "jittered") else kinds_of(name)[0]
    step_by_step = name == "euclidean"
    X, B = samples(kind, 5, 3, step_by_step), samples(kind, 4, 4, step_by_step)
    function = getattr(similarity, name)
    values = function(X, B, n_jobs=1, **given(name))
    assert values.shape == (5, 4) and values.dtype == np.float32 and np.isfinite(values).all()
    measure = semblance.component(f"similarity/{name}", **given(name))
    assert np.array_equal(values, measure(X, B))
    assert np.array_equal(values, function(X, B, n_jobs=2, **given(name)))
    assert np.array_equal(function(X, **given(name)), function(X, X, **given(name)))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_its_signature_and_text_are_the_declaration(name):
    function, declaration = getattr(similarity, name), MEASURES[name]
    parameters = inspect.signature(function).parameters
    assert list(parameters)[:2] == ["X", "B"]
    for parameter in declaration["parameters"]:
        said = parameters[parameter["name"] + "_" * (parameter["name"] in ("as", "lambda"))]
        assert said.kind is inspect.Parameter.KEYWORD_ONLY
        if "default" in parameter and parameter["type"] != "component":
            default = said.default
            assert (list(default) if isinstance(default, tuple) else default) \
                == parameter["default"]
    text = inspect.getdoc(function)
    assert text.startswith(declaration["summary"][0].upper())
    for part in ("Parameters\n", "Returns\n", "Raises\n", "(samples, bases)"):
        assert part in text
    assert all(len(line) <= 99 for line in text.splitlines())


def test_what_is_wrong_is_said():
    X = random.random((3, 2))
    with pytest.raises(ValueError, match="gamma"):
        similarity.rbf(X, X, gamma=0)
    with pytest.raises(TypeError, match="gama"):
        similarity.rbf(X, X, gama=1)
    with pytest.raises(ValueError, match="X has 2 columns while B has 3"):
        similarity.rbf(X, random.random((3, 3)))
    with pytest.raises(ValueError, match="NaN"):
        similarity.rbf(X, np.full((1, 2), np.nan))
    with pytest.raises(AttributeError, match="rfb"):
        similarity.rfb  # noqa: B018


def test_it_is_a_kernel_of_scikit_learn():
    svm = pytest.importorskip("sklearn.svm")
    X, y = random.random((60, 3)), random.integers(0, 2, 60)
    one = svm.SVC(kernel=similarity.RBF(gamma=3)).fit(X, y)
    other = svm.SVC(kernel="rbf", gamma=3).fit(X, y)
    assert np.allclose(one.decision_function(X), other.decision_function(X), atol=1e-3)
