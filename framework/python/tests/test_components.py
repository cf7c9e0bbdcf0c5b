# SPDX-License-Identifier: MIT
"""Components as values, and the classes that are generated from their declarations."""

import ast
import doctest
import importlib
import inspect
import json
import pickle
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import clone

import semblance
from semblance import _generated, _native
from semblance._component import class_of
from semblance._generator.docstrings import EXAMPLES
from semblance._generator.shapes import python_name
from semblance.feature import HOG
from semblance.normalizer import ZScore
from semblance.pair_kernel import MetricLearning
from semblance.similarity import DTW, RBF, Jittered, Linear, Sum

ALL = [declaration for declaration in json.loads(_native.catalogue())
       if declaration["kind"] not in ("source", "evaluator")]
IDS = [declaration["id"] for declaration in ALL]


def made(id):
    """A component with its defaults."""
    return semblance.component(id, **{"feature/crop": {"height": 4, "width": 4},
                                      "pairs/listed": {"path": "pairs.txt"}}.get(id, {}))


@pytest.mark.parametrize("declaration", ALL, ids=IDS)
def test_every_component_has_a_class_of_its_declaration(declaration):
    found = class_of(declaration["id"])
    assert found.component == declaration["id"]
    module = importlib.import_module(f"semblance.{declaration['kind']}")
    assert getattr(module, found.__name__) is found
    signature = inspect.signature(found).parameters
    for parameter in declaration["parameters"]:
        name = python_name(parameter["name"])
        if name not in signature:
            # A path of costs is a method.
            assert (name in ("class_weights", "balanced") and "class_weight" in signature
                    or name == "path" and callable(found.path))
            continue
        shown = signature[name]
        assert shown.kind is inspect.Parameter.KEYWORD_ONLY
        if parameter.get("required"):
            assert shown.default is inspect.Parameter.empty
        elif parameter["type"] != "component" and "default" in parameter:
            default = parameter["default"]
            expected = tuple(default) if isinstance(default, list) else default
            assert shown.default == expected or (expected in ("", {}) and shown.default is None)
    documentation = inspect.getdoc(found)
    assert declaration["summary"].lower().rstrip(".") in documentation.lower()
    for parameter in declaration["parameters"]:
        name = python_name(parameter["name"])
        if name in signature:
            assert re.search(rf"^{name} : ", documentation, re.MULTILINE)


@pytest.mark.parametrize("id", IDS)
def test_a_components_defaults_are_the_programs(id):
    said = made(id).spec()
    assert said["is"] == id
    assert set(said) <= {"is", "height", "width", "path"} | {
        parameter["name"] for parameter in next(d for d in ALL if d["id"] == id)["parameters"]
        if parameter["type"] == "component"}


@pytest.mark.parametrize("declaration", ALL, ids=IDS)
def test_values_out_of_range_are_refused(declaration):
    """A value at each declared limit is accepted, and one beyond it is refused."""
    component = made(declaration["id"])
    for parameter in declaration["parameters"]:
        name = python_name(parameter["name"])
        if not hasattr(component, name) or parameter["type"] not in ("number", "integer"):
            continue
        step = 1 if parameter["type"] == "integer" else 1e-3
        kind = int if parameter["type"] == "integer" else float
        for key, sign, inside in (("minimum", -1, True), ("maximum", 1, True),
                                  ("exclusive_minimum", -1, False),
                                  ("exclusive_maximum", 1, False)):
            if key not in parameter:
                continue
            limit = kind(parameter[key])
            beyond = limit + sign * kind(max(step, abs(limit) * step)) if inside else limit
            assert "must be in the range" in problems_with(component, name, beyond)
            if inside:
                assert not problems_with(component, name, limit)
        assert problems_with(component, name, "text")


def problems_with(component, name, value):
    """What the runtime says of a parameter's value."""
    changed = clone(component).set_params(**{name: value})
    node = {"is": changed, "from": "data"}
    if changed.component.startswith("pair_kernel/"):
        node = {"is": "solver/pairwise_svm", "kernel": changed, "from": "data"}
    found = semblance.check({"nodes": {"data": {"is": "source/array"}, "it": node}})
    own = changed.declared[name].name or name
    return "; ".join(said["message"] for said in found if f"'{own}' must" in said["message"])


@pytest.mark.parametrize("id", IDS)
def test_components_are_values(id):
    component = made(id)
    assert clone(component).get_params() == component.get_params()
    again = pickle.loads(pickle.dumps(component))
    assert again.spec() == component.spec()
    names = {"semblance": semblance, type(component).__name__: type(component)}
    assert eval(repr(component), names).spec() == component.spec()


def test_equality_and_changes():
    assert RBF(gamma=2) == RBF(gamma=2.0) != RBF(gamma=3)
    assert RBF() != Linear()
    assert hash(RBF(gamma=2)) == hash(RBF(gamma=3))  # both may change and are still found
    nested = Sum(first=RBF(gamma=2), second=DTW())
    assert nested.get_params()["first__gamma"] == 2
    nested.set_params(first__gamma=4, weight=0.25)
    assert nested.spec() == {"is": "similarity/sum", "weight": 0.25,
                             "first": {"is": "similarity/rbf", "gamma": 4.0},
                             "second": {"is": "similarity/dtw"}}
    assert repr(nested) == "Sum(first=RBF(gamma=4), second=DTW(), weight=0.25)"
    with pytest.raises(ValueError, match="Invalid parameter 'sigma' for RBF"):
        RBF().set_params(sigma=1)
    assert Sum().set_params(first__gamma=1).first == RBF(gamma=1)
    with pytest.raises(ValueError, match="'weight' parameter of Sum is 0.5, which has no parameter"):
        Sum().set_params(weight__gamma=1)


def test_components_by_name():
    assert semblance.component("similarity/rbf", gamma=2) == RBF(gamma=2)
    assert isinstance(semblance.component("feature/hog"), HOG)
    with pytest.raises(ValueError, match="did you mean 'similarity/rbf'"):
        semblance.component("similarity/rbff")
    with pytest.raises(TypeError, match="has no parameter 'gama'; it has gamma, precision"):
        semblance.component("similarity/rbf", gama=1)
    with pytest.raises(TypeError):
        RBF(2)


def test_names_mappings_and_objects_say_the_same():
    X, y = np.random.default_rng(0).normal(size=(40, 3)), np.arange(40) % 2
    forms = ("polynomial", "similarity/polynomial", semblance.similarity.Polynomial(),
             {"is": "similarity/polynomial"}, {"is": "similarity/polynomial", "degree": 2})
    scores = [semblance.KernelSVM(kernel=form).fit(X, y).decision_function(X) for form in forms]
    for other in scores[1:]:
        assert np.array_equal(other, scores[0])


def test_what_a_component_takes():
    assert DTW().accepted_layouts() == ("sequence",)
    assert RBF().accepted_layouts() == ("vector", "image", "grid", "sparse vector")
    assert ZScore(center=False).accepted_layouts() == ("vector", "image", "grid", "sparse vector")
    assert ZScore().accepted_layouts() == ("vector", "image", "grid")
    assert Sum(first=DTW(), second=RBF()).accepted_layouts() == ()
    assert set(Jittered().accepted_layouts()) == {"image", "grid"}
    assert MetricLearning(kernel=RBF()).spec() == {
        "is": "pair_kernel/metric_learning", "kernel": {"is": "similarity/rbf"}}


def test_the_generated_modules_are_python_with_one_class_a_component():
    for name in ("similarity", "feature", "normalizer", "basis", "pair_kernel", "pairs", "solver",
                 "calibrator", "composite"):
        module = importlib.import_module(f"semblance._generated.{name}")
        tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
        classes = [node.name for node in tree.body if isinstance(node, ast.ClassDef)]
        assert len(set(classes)) == len(classes)
        assert {line for line in classes} <= set(module.__all__)
    assert {"LinearSVM", "KernelSVM", "BasisExpandingSVM", "ML3", "LLSVM", "PairwiseSVM",
            "NearestNeighbour", "SimilarityMap", "Nystroem", "HOG"} <= set(_generated.ESTIMATORS)


def modules():
    bases = ("learners", "pair_machines", "transformers")
    generated = ("similarity", "feature", "normalizer", "basis", "pair_kernel", "pairs", "solver",
                 "calibrator", "composite")
    return ["semblance." + name for name in ("_component", "_similarity", "diagnostics",
                                             *(f"_estimators.{name}" for name in bases),
                                             *(f"_generated.{name}" for name in generated))]


@pytest.mark.parametrize("name", modules())
def test_examples_in_the_documentation(name):
    found = doctest.testmod(importlib.import_module(name))
    assert found.failed == 0


def test_every_example_is_of_a_class():
    assert set(EXAMPLES) <= set(_generated.ESTIMATORS)
    for name, text in EXAMPLES.items():
        assert text.format(name=name).strip().splitlines()[-1] in inspect.getdoc(
            getattr(semblance, name))


def test_values_at_the_beginning_of_a_sentence_keep_their_case():
    assert "    none: counts; root: square roots" in semblance.feature.LBP.__doc__


def test_the_generator_writes_the_same_again(tmp_path):
    declarations = tmp_path / "components.json"
    declarations.write_text(json.dumps(ALL), encoding="utf-8")
    done = subprocess.run([sys.executable, "-B", "-m", "semblance._generator",
                           "--declarations", declarations, "--output", tmp_path / "again"],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for file in (tmp_path / "again").iterdir():
        built = Path(_generated.__file__).with_name(file.name)
        assert file.read_text(encoding="utf-8") == built.read_text(encoding="utf-8")


def test_components_declared_in_python():
    @semblance.similarity("similarity/tested_cauchy", width=semblance.number(1.0, above=0))
    def cauchy(bases, samples, width):
        squared = ((samples[:, np.newaxis, :] - bases[np.newaxis]) ** 2).sum(axis=-1)
        return 1 / (1 + squared / width)

    X, y = np.random.default_rng(0).normal(size=(40, 3)).astype(np.float32), np.arange(40) % 2
    measure = semblance.component("similarity/tested_cauchy", width=2)
    assert repr(measure) == "TestedCauchy(width=2)"
    assert np.allclose(measure(X), cauchy(X, X, 2), atol=1e-6)
    assert pickle.loads(pickle.dumps(measure)) == measure
    with pytest.raises(ValueError, match=r"range \(0, inf\)"):
        semblance.component("similarity/tested_cauchy", width=0)(X)
    by_function = semblance.KernelSVM(kernel=cauchy, repair="clip").fit(X, y)
    by_name = semblance.KernelSVM(kernel="tested_cauchy", repair="clip").fit(X, y)
    assert np.array_equal(by_function.decision_function(X), by_name.decision_function(X))

    @semblance.normalizer("normalizer/tested_centre")
    class Centre:
        def fit(self, samples):
            self.mean = samples.mean(axis=0)

        def apply(self, samples):
            return samples - self.mean

    centre = semblance.component("normalizer/tested_centre").fit(X)
    assert np.allclose(centre.transform(X), X - X.mean(axis=0), atol=1e-6)
    again = pickle.loads(pickle.dumps(centre))
    assert np.array_equal(again.transform(X), centre.transform(X))

    @semblance.solver("solver/tested_centroid")
    class Centroid:
        def fit(self, samples, labels):
            self.centres = np.stack([samples[labels == k].mean(axis=0) for k in (0, 1)])

        def apply(self, samples):
            return -((samples[:, np.newaxis] - self.centres) ** 2).sum(axis=-1)

    machine = semblance.component("solver/tested_centroid").fit(X + 2 * y[:, np.newaxis], y)
    assert machine.score(X + 2 * y[:, np.newaxis], y) > 0.9
    again = pickle.loads(pickle.dumps(machine))
    assert np.array_equal(again.decision_function(X), machine.decision_function(X))


def test_importing_the_package_imports_neither_scikit_learn_nor_the_runtime():
    text = ("import sys, semblance; from semblance import similarity, feature; "
            "print([name for name in ('sklearn', 'semblance._native', 'semblance._generated') "
            "if name in sys.modules])")
    done = subprocess.run([sys.executable, "-B", "-c", text], capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stderr


def test_decorators_have_signatures_and_lack_what_their_modules_lack():
    for kind in (semblance.evaluator, semblance.solver, semblance.similarity):
        assert "id" in inspect.signature(kind).parameters
        assert not hasattr(kind, "_nothing")
    with pytest.raises(AttributeError, match="no attribute 'rbf'"):
        semblance.evaluator.rbf


def test_measures_need_no_scikit_learn():
    text = ("import sys; sys.modules['sklearn'] = None; import semblance; "
            "from semblance.similarity import RBF; print(RBF(gamma=2)([[0.0, 1]], [[0.0, 1]]), "
            "semblance.basis.All(), semblance.component('similarity/rbf', gamma=3))")
    done = subprocess.run([sys.executable, "-B", "-c", text], capture_output=True, text=True)
    assert done.stdout == "[[1.]] All() RBF(gamma=3)\n", done.stderr
