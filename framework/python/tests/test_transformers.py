# SPDX-License-Identifier: MIT
"""Components and whole pipelines as scikit-learn's transformers and estimators."""

import json
import pickle

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.base import clone
from sklearn.datasets import load_wine
from sklearn.decomposition import PCA
from sklearn.model_selection import GridSearchCV
from sklearn.preprocessing import MaxAbsScaler, MinMaxScaler, StandardScaler

import program
from tables import table
from semblance import HOG, BasisExpandingSVM, Nystroem, PipelineEstimator, SimilarityMap
from semblance.basis import RandomPerClass
from semblance.normalizer import MaxAbs, MinMax, Pca, ZScore
from semblance.similarity import RBF, Polynomial


@pytest.mark.parametrize("ours, theirs, names", [
    (ZScore(), StandardScaler(), ["mean_", "scale_", "var_"]),
    (MinMax(low=-1, high=2), MinMaxScaler((-1, 2)), ["data_min_", "data_max_", "data_range_",
                                                     "scale_", "min_"]),
    (MaxAbs(), MaxAbsScaler(), ["scale_", "max_abs_"]),
    (Pca(components=3), PCA(3), ["mean_", "explained_variance_", "explained_variance_ratio_",
                                 "n_components_", "singular_values_"]),
    (Pca(components=3, whiten=1), PCA(3, whiten=True), ["mean_", "explained_variance_",
                                                        "singular_values_"])])
def test_scalers_and_axes_are_scikit_learns_and_go_back(ours, theirs, names):
    X = load_wine().data[:, :4]
    ours.fit(X)
    theirs.fit(X)
    for name in names:
        np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=1e-5)
    rows = ours.transform(X)
    np.testing.assert_allclose(ours.inverse_transform(rows), theirs.inverse_transform(
        theirs.transform(X)), rtol=1e-4, atol=1e-3)
    if hasattr(ours, "components_"):
        signs = np.sign((ours.components_ * theirs.components_).sum(axis=1, keepdims=True))
        np.testing.assert_allclose(ours.components_, signs * theirs.components_, atol=1e-4)
    with pytest.raises(ValueError, match="columns of transform"):
        ours.inverse_transform(rows[:, :2])
    constant = ZScore().fit(np.ones((5, 2)))
    assert np.array_equal(constant.var_, StandardScaler().fit(np.ones((5, 2))).var_)
    assert not hasattr(ZScore(scale=False).fit(X), "var_")  # the deviations are not learned
    assert np.array_equal(constant.inverse_transform(constant.transform(np.ones((1, 2)))), [[1, 1]])


@pytest.mark.parametrize("ours", [ZScore(center=False), MaxAbs()])
def test_sparse_rows_go_back(ours):
    X = csr_matrix(np.maximum(load_wine().data[:, :4] - 3, 0))
    back = ours.fit(X).inverse_transform(ours.transform(X).tocoo())
    np.testing.assert_allclose(back.toarray(), X.toarray(), rtol=1e-6)
    with pytest.raises(TypeError, match="A sparse matrix was passed, but dense data is required"):
        ZScore().fit(X.toarray()).inverse_transform(X)


# Transformers ------------------------------------------------------------------------------------

def test_a_similarity_map_is_the_measure_of_its_bases():
    X, y, new, _ = table("wine")
    plain = SimilarityMap(similarity=RBF(gamma=0.1), bases="all", normalizer=None).fit(X)
    assert np.array_equal(plain.transform(new), RBF(gamma=0.1)(new, X))
    chosen = SimilarityMap(bases=RandomPerClass(per_class=4), random_state=3).fit(X, y)
    assert chosen.transform(new).shape == (len(new), 12)
    assert SimilarityMap(bases=10 ** 6).fit_transform(X).shape == (len(X), len(X))


def test_nystroem_approximates_the_kernel():
    X, _, new, _ = table("wine")
    measure = RBF(gamma=0.05)
    features = Nystroem(similarity=measure, bases="all", normalizer=None).fit(X)
    shown = features.transform(new) @ features.transform(X).T
    assert np.allclose(shown, measure(new, X), atol=5e-3)


def test_a_transformer_is_a_component_of_other_estimators():
    X, y, new, _ = table("wine")
    machine = BasisExpandingSVM(similarities=RBF(gamma=0.05), bases=30,
                                normalizer=ZScore()).fit(X, y)
    assert machine.score(X, y) > 0.95
    assert HOG(cell=4) == HOG(cell=4) != HOG(cell=8)
    assert repr(HOG(cell=4)) == "HOG(cell=4)"


# Pipelines ---------------------------------------------------------------------------------------

PIPELINE = """name: wine
seed: 5
nodes:
  table: {is: source/csv, path: not_there.csv, test_fraction: 0.3}
  x:     {is: normalizer/zscore, from: table}
  bases: {is: basis/random_per_class, per_class: 12, from: table}
  map:   {is: similarity/rbf, gamma: 0.1, from: x, bases: bases}
  svm:   {is: solver/linear_svm, C: 1, from: map}
  test:  {is: evaluator/classification, from: svm}
"""


def test_a_pipeline_file_is_an_estimator(tmp_path):
    X, y, new, true = table("wine")
    file = tmp_path / "wine.yaml"
    file.write_text(PIPELINE, encoding="utf-8")
    machine = PipelineEstimator(file).fit(X, y)
    assert machine.score(new, true) > 0.9
    text = PipelineEstimator(PIPELINE).fit(X, y)
    assert np.array_equal(text.decision_function(new), machine.decision_function(new))
    again = pickle.loads(pickle.dumps(machine))
    assert np.array_equal(again.decision_function(new), machine.decision_function(new))
    assert np.array_equal(machine.rows(new, "map").shape, (len(new), 36))
    seeded = PipelineEstimator(file, random_state=6).fit(X, y)
    assert not np.array_equal(seeded.decision_function(new), machine.decision_function(new))


def test_a_pipeline_trains_on_all_rows_and_its_own_seed(tmp_path):
    X, y, new, _ = table("wine")
    nodes = {"x": "{is: normalizer/zscore, from: data}",
             "bases": "{is: basis/random_per_class, per_class: 12, from: data}",
             "map": "{is: similarity/rbf, gamma: 0.1, from: x, bases: bases}",
             "svm": "{is: solver/linear_svm, C: 1, from: map}"}
    theirs = program.scores(tmp_path, nodes, X, y, new, seed=5, node="svm")
    renamed = PIPELINE.replace("table:", "data: ").replace("from: table", "from: data")
    ours = PipelineEstimator(renamed).fit(X, y).decision_function(new)
    assert np.array_equal(ours, theirs)


def test_a_pipeline_may_hold_components():
    X, y, new, _ = table("wine")

    def machine(**kernel):
        return PipelineEstimator({"nodes": {
            "t": {"is": "source/array"}, "x": {"is": ZScore(), "from": "t"},
            "svm": {"is": "solver/kernel_svm", "C": np.float32(4), "from": "x", **kernel}}})
    objects = machine(kernel=RBF(gamma=0.1))
    texts = machine(kernel={"is": "similarity/rbf", "gamma": 0.1}).fit(X, y)
    scores = clone(objects).fit(X, y).decision_function(new)
    assert np.array_equal(scores, texts.decision_function(new))
    objects.set_params(**{"set__nodes.svm.kernel": RBF(gamma=2)})
    assert not np.array_equal(objects.fit(X, y).decision_function(new), scores)


def test_a_grid_search_over_a_pipelines_parameters():
    X, y, _, _ = table("wine")
    grid = GridSearchCV(PipelineEstimator(PIPELINE, set={"nodes.svm.C": 1}),
                        {"set__nodes.svm.C": [1e-6, 1.0], "set__nodes.map.gamma": [1e-7, 0.1]},
                        cv=3).fit(X, y)
    assert grid.best_params_ == {"set__nodes.svm.C": 1.0, "set__nodes.map.gamma": 0.1}
    assert grid.best_estimator_.set == {"nodes.svm.C": 1.0, "nodes.map.gamma": 0.1}
    linear = {"is": "similarity/linear", "from": "x", "bases": "bases"}
    swapped = PipelineEstimator(PIPELINE, set={"nodes.map": linear}).fit(X, y)
    assert swapped.score(X, y) > 0.9
    component = PipelineEstimator(json.loads(json.dumps(
        {"nodes": {"table": {"is": "source/xor"},
                   "svm": {"is": "solver/kernel_svm", "from": "table"}}})),
        set={"nodes.svm.kernel": Polynomial(degree=3)}).fit(X, y)
    assert component.score(X, y) > 0.9


def test_a_pipeline_minds_the_weights_of_samples_or_refuses_them():
    X, y = table("wine")[:2]
    weights = np.arange(len(y)) % 3.0
    rows = np.repeat(np.arange(len(y)), weights.astype(int))
    nodes = {"t": {"is": "source/array"},
             "svm": {"is": "solver/linear_svm", "tolerance": 1e-8, "from": "t"}}
    weighted = PipelineEstimator({"nodes": nodes}).fit(X, y, sample_weight=weights)
    repeated = PipelineEstimator({"nodes": nodes}).fit(X[rows], y[rows])
    assert np.allclose(weighted.decision_function(X), repeated.decision_function(X), atol=2e-3)
    nodes["svm"] = {"is": "solver/liblinear", "from": "t"}
    with pytest.raises(ValueError, match="counts every row once"):
        PipelineEstimator({"nodes": nodes}).fit(X, y, sample_weight=weights)



def test_pipelines_that_are_none():
    X, y, _, _ = table("wine")
    with pytest.raises(TypeError, match="a pipeline must be a file, its text or a dict; got int"):
        PipelineEstimator(3).fit(X, y)
    with pytest.raises(ValueError, match="no_such.yaml"):
        PipelineEstimator("no_such.yaml").fit(X, y)
    with pytest.raises(ValueError, match="did you mean|no component|solver/linear_smv"):
        PipelineEstimator(PIPELINE.replace("linear_svm", "linear_smv")).fit(X, y)
    with pytest.raises(ValueError, match="nodes.svm.D|D"):
        PipelineEstimator(PIPELINE, set={"nodes.svm.D": 1}).fit(X, y)
    two = PIPELINE + "  other: {is: source/xor}\n"
    with pytest.raises(ValueError, match="2 sources"):
        PipelineEstimator(two).fit(X, y)
