# SPDX-License-Identifier: MIT
"""What scikit-learn's users do every day: words that lead to the right parameter, and short ways."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

import semblance
from semblance import (LIBLINEAR, BasisExpandingSVM, KernelRidge, KernelSVM, LinearSVM,
                       NearestNeighbour, Nystroem, PairwiseSVM, Ridge, RidgeClassifier,
                       WeisfeilerLehman, ZScore,
                       similarity)
from semblance.similarity import RBF

RANDOM = np.random.default_rng(0)
X, y = RANDOM.normal(size=(60, 3)), np.arange(60) % 3


def inner(X, B):
    return X @ B.T


@pytest.mark.parametrize("call, said", [
    (lambda: KernelSVM(gamma=2), r"'gamma': it belongs to a kernel, as in kernel=RBF\(gamma=2\)"),
    (lambda: KernelSVM().set_params(gamma=2), r"set_params\(kernel__gamma=2"),
    (lambda: Nystroem(gamma=2), r"set_params\(similarity__gamma=2"),
    (lambda: Nystroem(n_components=9), "use 'bases'"),
    (lambda: NearestNeighbour(metric="cosine"), "use 'similarity'"),
    (lambda: NearestNeighbour(class_weight={0: 5}), "use 'class_weights'"),
    (lambda: Ridge().set_params(alpha=2), "Invalid parameter 'alpha' for Ridge: use 'penalty'"),
    (lambda: KernelSVM(kernel="sigmoid").fit(X, y), "kernel machines take a function"),
    (lambda: KernelSVM(kernel=RBF).fit(X, y), r"RBF'>; write RBF\(\)"),
    (lambda: KernelSVM(kernel="poly").fit(X, y), "did you mean 'similarity/polynomial'"),
    *((lambda machine=machine: machine.fit(X, y), r"decorate it with @semblance.similarity")
      for machine in (NearestNeighbour(similarity=inner, normalizer="zscore"),
                      Nystroem(similarity=inner, normalizer="zscore"),
                      BasisExpandingSVM(similarities=["rbf", inner]))),
    (lambda: similarity.dtw([0, 1, 2], [0, 2]), 'give a number, or as_="negative"'),
    (lambda: Ridge().fit(X, y, sample_weights=y), "unexpected keyword argument"),
    (lambda: LIBLINEAR().fit(X, y, sample_weight=y), "unexpected keyword argument"),
    (lambda: LinearSVM(class_weights={0: 5}), "no parameter 'class_weights': use 'class_weight'"),
    (lambda: LinearSVM(fit_intercept=False), "use bias=0 and center=False"),
    (lambda: Ridge(alpha=2), "use 'penalty'"),
    (lambda: NearestNeighbour(n_neighbors=2), "use 'k'"),
    (lambda: RBF(alpha=2), "unexpected keyword argument 'alpha'"),
    (lambda: NearestNeighbour(similarity="edit").fit(["a", ""], [0, 1]), r"X\[1\] is empty.*put one"),
    (lambda: LinearSVM().fit(pd.DataFrame(X, columns=["a", "b", "c\ud800"]), y),
     "The column 'c.ud800' has half of a surrogate pair"),
    (lambda: LinearSVM().fit(X, np.where(y, "a", "b\ud800")), "half of a surrogate pair"),
    *((call, f"The {what} '.*ud800.*' has half of a surrogate pair") for what, call in (
        ("text", lambda: semblance.check({"name": "\ud800", "nodes": {}})),
        ("text", lambda: semblance.check({"nodes": {"\ud800": {}}})),
        ("text", lambda: semblance.check({"nodes": {}}, set={"nodes.\ud800": 1})),
        ("line", lambda: semblance.check("nodes:\n  \ud800: 1")),
        ("file", lambda: semblance.check("\ud800")),
        ("source", lambda: semblance.check({"nodes": {}}, {"\ud800": (X, y)})),
        ("column", lambda: semblance.check({"nodes": {"d": {"is": "source/array"}}},
                                           {"d": pd.DataFrame({"\ud800": y})})),
        ("column", lambda: Ridge().fit(X, pd.Series(y, name="\ud800"))),
        ("component", lambda: KernelSVM(kernel="\ud800").fit(X, y)),
        ("component", lambda: semblance.component("\ud800")),
        ("text", lambda: KernelSVM(multiclass="\ud800").fit(X, y)),
        ("folder", lambda: semblance.load("\ud800")),
        ("label", lambda: WeisfeilerLehman().fit([([(0, 1)], ["\ud800", "b"])]))))])
def test_messages_name_the_parameter(call, said):
    with pytest.raises((TypeError, ValueError), match=said):
        call()


def test_classes_of_any_type_have_weights():
    for labels in (y, y == 1, y.astype(float), np.array(["a", "b", "c"])[y]):
        weights = {labels[0]: 5.0}
        machine = LIBLINEAR(class_weights=weights).fit(X[y < 2], labels[y < 2])
        assert (machine.predict(X) == labels[0]).mean() > 0.6
    assert LinearSVM(class_weight={0: 5, 1: 2.5}).spec()["class_weights"] == {"0": 5.0, "1": 2.5}
    assert RidgeClassifier(class_weight="balanced").spec()["balanced"]
    machine = PairwiseSVM(C=0.1, class_weights={True: 9.0}).fit(X, y)
    assert machine.predict((X, X)).mean() > PairwiseSVM(C=0.1).fit(X, y).predict((X, X[::-1])).mean()


def test_probabilities_of_the_old_kind_are_told_about():
    with pytest.warns(FutureWarning, match="CalibratedClassifierCV"):
        KernelSVM(probability=True).fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        KernelSVM().fit(X, y)


@pytest.mark.parametrize("machine", [Ridge(), KernelRidge(kernel=inner), ZScore()],
                         ids=["linear", "kernel", "transformer"])
def test_ctrl_c_leaves_the_former_model(machine, monkeypatch):
    machine.fit(X, y)
    apply = "predict" if hasattr(machine, "predict") else "transform"
    before, scores = clone(machine), getattr(machine, apply)(X)

    def interrupted(self, *given, **more):
        raise KeyboardInterrupt

    monkeypatch.setattr(type(machine), "_run", interrupted)
    with pytest.raises(KeyboardInterrupt):
        machine.fit(X[:, :2], 2 * y)
    assert np.array_equal(getattr(machine, apply)(X), scores) and machine.n_features_in_ == 3
    with pytest.raises(KeyboardInterrupt):
        before.fit(X, y)
    assert not hasattr(before, "metrics_")


@pytest.mark.parametrize("machine, most", [(LinearSVM(), 2048), (RidgeClassifier(), 2600),
                                           (Ridge(), 1400)], ids=str)
def test_a_linear_machine_is_small_when_pickled(machine, most):
    machine.fit(X, y > 0)
    packed = pickle.dumps(machine)
    assert len(packed) < most
    again = pickle.loads(packed)
    assert np.array_equal(again.predict(X), machine.predict(X))
    assert repr(again.metrics_) == repr(machine.metrics_)
    assert vars(again).keys() == vars(machine).keys() - {"_read"}
    assert pickle.dumps(again) == packed
    with pytest.raises(semblance.SemblanceError, match="not the bytes of a model"):
        machine.__setstate__({"packed": machine.__getstate__()["packed"][:-9]})


def test_completion_offers_what_is_for_users():
    for value in (KernelSVM(), RBF(), Nystroem()):
        names = set(dir(value))
        assert {"get_params", "set_params"} <= names
        assert not {"component", "declared", "layouts", "gives", "takes_missing"} & names


def test_archives_of_arrays_are_data(tmp_path):
    pipeline = {"nodes": {"data": {"is": "source/array"},
                          "svm": {"is": "solver/linear_svm", "from": "data"},
                          "test": {"is": "evaluator/classification", "from": "svm"}}}
    parts = {"x_train": X[:40], "y_train": y[:40], "x_test": X[40:], "y_test": y[40:]}
    np.savez(tmp_path / "parts.npz", **parts)
    expected = semblance.run(pipeline, {"data": tuple(parts.values())}, cache=False)
    for given in (str(tmp_path / "parts.npz"), tmp_path / "parts.npz",
                  np.load(tmp_path / "parts.npz")):
        result = semblance.run(pipeline, {"data": given}, cache=False)
        assert result.figures == expected.figures
        assert result.model.classes_.dtype == y.dtype
