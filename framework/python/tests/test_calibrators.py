# SPDX-License-Identifier: MIT
"""Probabilities of pipelines that end in a calibrator."""

import pickle

import numpy as np
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_iris
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split
from sklearn.svm import LinearSVC

from lacking import lacks
import semblance

NODES = {"d": {"is": "source/csv", "path": "x.csv"}, "svm": {"is": "solver/linear_svm", "from": "d"}}


def pipeline(calibrator=None, **parameters):
    nodes = dict(NODES)
    if calibrator:
        nodes["p"] = {"is": f"calibrator/{calibrator}", "from": "svm", **parameters}
    return semblance.PipelineEstimator({"nodes": nodes})


@pytest.fixture
def iris():
    X, y = load_iris(return_X_y=True)
    return train_test_split(X, y, test_size=0.4, stratify=y, random_state=0)


@pytest.mark.parametrize("method", ["sigmoid", "isotonic", "temperature"])
def test_probabilities(iris, method):
    X, other, y, true = iris
    machine = pipeline("probabilities", method=method).fit(X, y)
    given = machine.predict_proba(other)
    assert given.shape == (len(other), 3)
    assert np.allclose(given.sum(axis=1), 1, atol=1e-6)
    assert np.array_equal(machine.predict(other), machine.classes_[given.argmax(axis=1)])
    assert np.array_equal(pickle.loads(pickle.dumps(machine)).predict_proba(other), given)
    assert machine.certificate_ == "converged"
    assert machine.metrics_["component"] == "calibrator/probabilities"


def test_about_as_good_as_those_of_scikit_learn(iris):
    X, other, y, true = iris
    peer = CalibratedClassifierCV(LinearSVC(loss="hinge", max_iter=100_000), method="sigmoid",
                                  ensemble=False).fit(X, y)
    own = pipeline("probabilities").fit(X, y)
    losses = [log_loss(true, machine.predict_proba(other)) for machine in (own, peer)]
    assert abs(losses[0] - losses[1]) < 0.05


def test_who_has_no_probabilities_has_no_such_method(iris):
    X, _, y, _ = iris
    assert not hasattr(pipeline("probabilities"), "predict_proba")
    for machine in (pipeline(), pipeline("threshold", costs={"1": 5})):
        machine.fit(X, y)
        assert not hasattr(machine, "predict_proba")
    with lacks("'svm' are not probabilities; put calibrator/probabilities after it"):
        pipeline().fit(X, y).predict_proba  # noqa: B018


def test_a_model_of_a_run(iris, tmp_path, own_store):
    X, other, y, _ = iris
    spec = {"nodes": {**NODES, "p": {"is": "calibrator/probabilities", "from": "svm"}}}
    model = semblance.run(spec, data={"d": (X, y)}).model
    given = model.predict_proba(other)
    model.save(tmp_path / "model")
    loaded = semblance.load(tmp_path / "model")
    assert np.array_equal(loaded.predict_proba(other), given)
    assert np.array_equal(loaded.predict(other), given.argmax(axis=1))
    with pytest.raises(ValueError, match="'svm' are not probabilities"):
        loaded.predict_proba(other, node="svm")
    assert loaded.nodes == ["d", "svm", "p"]


def test_a_class_of_a_single_row_is_told(iris):
    X, _, y, _ = iris
    keep = [*np.flatnonzero(y == 0)[:1], *np.flatnonzero(y != 0)]
    with pytest.raises(semblance.DataError, match="has a single training row, but the calibrator "
                                                  "holds out each row once"):
        pipeline("probabilities").fit(X[keep], y[keep])


@pytest.mark.parametrize("method, name", [("sigmoid", "Platt"), ("isotonic", "Isotonic"),
                                          ("temperature", "Temperature")])
def test_names_of_the_previous_version_say_what_to_use(method, name):
    assert semblance.calibrator.Probabilities(method=method).spec() == {
        "is": "calibrator/probabilities",
        **({"method": method} if method != "sigmoid" else {})}
    remedy = f"write is: calibrator/probabilities, method: {method}"
    with pytest.raises(ImportError, match=f"{name} is gone from semblance.calibrator; {remedy}"):
        getattr(semblance.calibrator, name)
    with pytest.raises(ValueError, match=f"'calibrator/{name.lower()}' is gone; {remedy}"):
        semblance.component(f"calibrator/{name.lower()}")
