# SPDX-License-Identifier: MIT
"""Names that went: deprecated ones work, with a FutureWarning that says what to write."""

import importlib
import json
import warnings

import numpy as np
import pytest
from sklearn.base import clone

import semblance
from semblance import KernelSVM, _declare, similarity

X = np.random.default_rng(0).normal(size=(30, 3)).astype(np.float32)
Y = X[:, 0] > 0


@semblance.similarity(
    "similarity/renamed_here", width=semblance.number(1.0, "width", above=0),
    tail=semblance.choice("squared", ["squared", "light"], "how it falls"), former={
        "sigma": {"since": "1.1", "instead": "width"},
        "tail: heavy": {"since": "1.1", "instead": "tail: squared"},
        "similarity/bell_here": {"since": "1.1"},
        "similarity/light_here": {"since": "1.1", "instead": "tail: light"},
        "scale": {"since": "1.0", "instead": "width", "gone": True},
        "similarity/older_here": {"since": "1.0", "gone": True}})
def renamed(bases, samples, width, tail):
    """A Cauchy kernel."""
    distance = np.square(samples[:, None] - bases).sum(axis=2) / width ** 2
    return 1 / (1 + (distance if tail == "squared" else distance ** 2))


NOW = semblance.component("similarity/renamed_here", width=2)
SIGMA = "the parameter 'sigma' of .* is deprecated since 1.1: write width"


def test_parameters():
    with pytest.warns(FutureWarning, match=SIGMA) as told:
        assert semblance.component("similarity/renamed_here", sigma=2) == NOW
    assert len(told) == 1 and told[0].filename == __file__
    with pytest.warns(FutureWarning, match=SIGMA):
        assert similarity.RenamedHere(sigma=2) == NOW
    with pytest.warns(FutureWarning, match=SIGMA):
        assert similarity.RenamedHere().set_params(sigma=2) == NOW
    with pytest.warns(FutureWarning, match=SIGMA):
        assert KernelSVM(kernel=similarity.RenamedHere()).set_params(
            kernel__sigma=2).kernel == NOW
    with pytest.warns(FutureWarning, match=SIGMA):
        np.testing.assert_array_equal(similarity.renamed_here(X, sigma=2),
                                      similarity.renamed_here(X, width=2))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert clone(NOW) == NOW
        KernelSVM(kernel=NOW).fit(X, Y)
    with pytest.raises(TypeError, match="'scale' of RenamedHere is gone: write width"):
        similarity.RenamedHere(scale=2)
    with pytest.raises(TypeError, match="former name of 'width', which is given too"), \
            warnings.catch_warnings():
        warnings.simplefilter("ignore")
        similarity.RenamedHere(sigma=2, width=2)


def test_ids():
    said = "'similarity/bell_here' is deprecated since 1.1: write is: similarity/renamed_here"
    with pytest.warns(FutureWarning, match=said):
        assert semblance.component("similarity/bell_here", width=2) == NOW
    with pytest.warns(FutureWarning, match=said):
        KernelSVM(kernel="bell_here").fit(X, Y)
    with pytest.warns(FutureWarning, match="write is: similarity/renamed_here, tail: light"):
        assert semblance.component("similarity/light_here").tail == "light"
    with pytest.warns(FutureWarning, match="BellHere of semblance.similarity is deprecated"):
        assert similarity.BellHere(width=2) == NOW
    with pytest.warns(FutureWarning, match="bell_here of semblance.similarity is deprecated"):
        np.testing.assert_array_equal(similarity.bell_here(X, width=2),
                                      similarity.renamed_here(X, width=2))
    with pytest.warns(FutureWarning, match="LightHere of semblance.similarity is deprecated"):
        assert similarity.LightHere(width=2).tail == "light"
    with pytest.raises(ValueError, match="'similarity/older_here' is gone; write is: "
                                         "similarity/renamed_here"):
        semblance.component("similarity/older_here")
    with pytest.raises(ImportError, match="OlderHere is gone from semblance.similarity; write is"):
        similarity.OlderHere  # noqa: B018


def test_values():
    values = similarity.renamed_here(X, tail="squared")
    with pytest.warns(semblance.SemblanceWarning,
                      match="'tail: heavy' of similarity/renamed_here is deprecated since 1.1"):
        np.testing.assert_array_equal(similarity.renamed_here(X, tail="heavy"), values)


def test_pipelines():
    pipeline = {"name": "p", "nodes": {
        "t": {"is": "source/xor", "train": 20, "test": 20},
        "svm": {"is": "solver/kernel_svm", "from": "t",
                "kernel": {"is": "similarity/bell_here", "sigma": 2}},
        "test": {"is": "evaluator/classification", "from": "svm"}}}
    said = [one["message"] for one in semblance.check(pipeline)]
    assert said == ["'similarity/bell_here' is deprecated since 1.1",
                    "'sigma' of similarity/renamed_here is deprecated since 1.1"]
    with pytest.warns(semblance.SemblanceWarning, match="deprecated since 1.1") as told:
        semblance.run(pipeline, cache=False)
    assert len(told) == 2


def test_the_modules_own_names(monkeypatch):
    monkeypatch.setitem(semblance._FORMER, "fetch", {"since": "1.1", "instead": "load"})
    with pytest.warns(FutureWarning, match="semblance.fetch is deprecated since 1.1: write load"):
        assert semblance.fetch is semblance.load
    with pytest.raises(AttributeError, match="semblance.displays is gone: scikit-learn's"):
        semblance.displays  # noqa: B018


def test_generated_classes():
    sources = importlib.import_module("semblance._generator.sources")
    described = json.loads(_declare.declared["similarity/renamed_here"].described())
    described["kind"] = "similarity"
    described["inputs"] = [{"name": "from", "type": "samples", "many": False, "required": True}]
    assert "('sigma', '1.1', 'width', '', '', False)," in sources.class_source(described)


def test_a_derived_class_may_have_a_parameter_of_a_name_that_went():
    class Shrinking(KernelSVM):
        def __init__(self, *, C=1.0, shrinking=True):
            super().__init__(C=C)
            self.shrinking = shrinking

    assert Shrinking(shrinking=False).set_params(shrinking=3).shrinking == 3
    for fails in (lambda: KernelSVM(shrinking=True), lambda: KernelSVM().set_params(shrinking=True)):
        with pytest.raises(TypeError, match="'shrinking' of KernelSVM is gone: omit it"):
            fails()
