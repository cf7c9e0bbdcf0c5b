# SPDX-License-Identifier: MIT
"""Sparse matrices of SciPy: every form gives the values of the dense table."""

import pickle
import warnings

import numpy as np
import pandas
import pytest
import scipy.sparse as sparse
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics.pairwise import laplacian_kernel
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.svm import SVC, SVR, LinearSVC, OneClassSVM

import semblance
from semblance import (BasisExpandingSVM, KernelRidge, KernelSVM, KernelSVR, LinearSVM,
                       NearestNeighbour, PairwiseSVM, PipelineEstimator, _generated, _native, _rows,
                       feature, normalizer, similarity)
from semblance.similarity import RBF, Linear

DENSE_NEEDED = (r"A sparse matrix was passed, but dense data is required\. Use X\.toarray\(\) to "
                r"convert to a dense numpy array\.")


def table(rows=300, columns=12, seed=0):
    """A table of which four fifths are zeros, with empty rows, and labels."""
    rng = np.random.RandomState(seed)
    X = rng.uniform(size=(rows, columns)).astype(np.float32)
    X[X < 0.8] = 0
    X[3] = X[-1] = 0
    return X, (X[:, :4].sum(axis=1) > X[:, 4:8].sum(axis=1)).astype(int)


X, y = table()
S = sparse.csr_matrix(X)


def dense(values):
    return values.toarray() if sparse.issparse(values) else values


def unsorted():
    made = S.copy()
    for start, end in zip(made.indptr, made.indptr[1:]):
        made.indices[start:end] = made.indices[start:end][::-1]
        made.data[start:end] = made.data[start:end][::-1]
    made.has_sorted_indices = True  # as after a change that SciPy has not seen
    return made


def with_duplicates():
    return sparse.csr_matrix((np.repeat(S.data, 2) * np.float32(0.5), np.repeat(S.indices, 2),
                              2 * S.indptr), shape=S.shape)


def with_zeros():
    made = S.tocoo()
    rows, columns = np.nonzero(X == 0)
    zeros = np.where(np.arange(len(rows)) % 2, 0.0, -0.0)
    return sparse.csr_matrix((np.concatenate([made.data, zeros.astype(np.float32)]),
                              (np.concatenate([made.row, rows]),
                               np.concatenate([made.col, columns]))), shape=S.shape)


def with_room():
    return sparse.csr_matrix((np.append(S.data, np.float32(9)), np.append(S.indices, 1), S.indptr),
                             shape=S.shape)


def with_long_indices():
    made = S.copy()
    made.indices, made.indptr = made.indices.astype(np.int64), made.indptr.astype(np.int64)
    return made


FORMS = {
    **{name: S.asformat(name) for name in ("csr", "csc", "coo", "lil", "dok", "dia", "bsr")},
    "csr_array": sparse.csr_array(S), "coo_array": sparse.coo_array(S), "float64": S.astype(float),
    "frame": pandas.DataFrame.sparse.from_spmatrix(S), "unsorted": unsorted(),
    "duplicates": with_duplicates(), "zeros": with_zeros(), "room": with_room(),
    "long indices": with_long_indices()}


@pytest.mark.parametrize("form", FORMS)
def test_all_forms_have_the_bits_of_the_dense_table(form):
    given = FORMS[form]
    np.testing.assert_array_equal(similarity.rbf(given, gamma=2), similarity.rbf(X, gamma=2))
    wanted = KernelSVM().fit(X, y).decision_function(X)
    machine = KernelSVM().fit(given, y)
    for samples in (given, S, X):
        np.testing.assert_array_equal(machine.decision_function(samples), wanted)
    np.testing.assert_array_equal(dense(normalizer.MaxAbs().fit_transform(given)),
                                  normalizer.MaxAbs().fit_transform(X))


@pytest.mark.parametrize("measure", [
    similarity.Intersection(), similarity.Tanimoto(), similarity.ChiSquare(form="additive")])
def test_measures_of_histograms_have_the_bits_of_the_dense_table(measure):
    np.testing.assert_array_equal(measure(S), measure(X))
    wanted = KernelSVM(kernel=measure).fit(X, y).decision_function(X)
    np.testing.assert_array_equal(KernelSVM(kernel=measure).fit(S, y).decision_function(S), wanted)


@pytest.mark.parametrize("measure", [similarity.ChiSquare(gamma=2), similarity.Laplacian()])
def test_distances_of_sparse_rows_are_those_of_the_dense_table(measure):
    np.testing.assert_allclose(measure(S), measure(X), rtol=1e-5)
    np.testing.assert_array_equal(np.diag(measure(S)), 1)


def test_laplacian_is_scikit_learns():
    np.testing.assert_allclose(similarity.laplacian(S), laplacian_kernel(X), rtol=1e-5)


def test_tanimoto_of_bits_has_the_bits_of_the_dense_table():
    bits = X > 0
    wanted = (bits[:, None] & bits).sum(2) / np.maximum((bits[:, None] | bits).sum(2), 1)
    wanted[np.ix_(~bits.any(1), ~bits.any(1))] = 1
    for given in (bits, sparse.csr_matrix(bits)):
        np.testing.assert_array_equal(similarity.tanimoto(given), wanted.astype(np.float32))


def test_a_matrix_is_not_changed():
    for form in ("unsorted", "duplicates", "zeros"):
        given = FORMS[form]
        before = [values.copy() for values in (given.data, given.indices, given.indptr)]
        KernelSVM().fit(given, y).predict(given)
        for values, kept in zip((given.data, given.indices, given.indptr), before):
            np.testing.assert_array_equal(values, kept)


def test_compressed_rows_of_float32_are_used_in_place():
    for given in (S, sparse.csr_array(S)):
        made = _rows.sparse_vectors(given)
        assert made.rows().address == given.data.ctypes.data
        assert made.columns.ctypes.data == given.indices.ctypes.data
    assert not np.shares_memory(_rows.sparse_vectors(with_zeros()).values, with_zeros().data)


def test_stored_zeros_are_no_words():
    """The frequency of a word counts the documents that have it."""
    np.testing.assert_array_equal(normalizer.Tfidf().fit_transform(with_zeros()).toarray(),
                                  normalizer.Tfidf().fit_transform(X))


@pytest.mark.parametrize("kind", [bool, np.int8, np.uint16, np.int64, np.float16, np.float64])
def test_other_numbers_are_converted(kind):
    values = (X * 9).astype(kind)
    made = sparse.csr_matrix((values[values != 0], values.nonzero()[1],
                              np.append(0, np.cumsum((values != 0).sum(axis=1)))), X.shape)
    np.testing.assert_array_equal(similarity.linear(made, S),
                                  similarity.linear(values.astype(np.float32), X))


def made_of(name):
    return getattr(semblance, name)(n_jobs=1)


def results(estimator, samples):
    for name in ("decision_function", "predict", "transform"):
        if hasattr(estimator, name):
            yield dense(getattr(estimator, name)(samples))


ESTIMATORS = [name for name in _generated.ESTIMATORS if name != "Crop"]  # it needs a size
OF_SPARSE = [name for name in ESTIMATORS if "sparse vector" in made_of(name).accepted_layouts()]
#: Their normalizer "auto" is for dense samples alone.
SCALING = ("BasisExpandingSVM", "SimilarityMap", "Nystroem")


@pytest.mark.parametrize("name", OF_SPARSE)
def test_an_estimator_learns_the_same_of_both(name):
    of_sparse = made_of(name)
    of_dense = made_of(name)
    if name in ("LinearSVM", "LinearSVR"):  # means are subtracted in different ways
        of_sparse.set_params(tolerance=1e-8)
        of_dense.set_params(tolerance=1e-8)
    if name in SCALING:
        of_dense.set_params(normalizer=None)
    of_sparse.fit(S, y)
    for given in [X] if name != "Dense" else []:
        of_dense.fit(X, y)
        for ours, theirs in zip(results(of_sparse, S), results(of_dense, X)):
            np.testing.assert_allclose(ours, theirs, rtol=1e-6, atol=1e-6)
        for theirs, ours in zip(results(of_dense, given), results(of_dense, S)):
            np.testing.assert_array_equal(theirs, ours)
    again = pickle.loads(pickle.dumps(of_sparse))
    for ours, others, third in zip(results(of_sparse, S), results(of_sparse, X), results(again, S)):
        np.testing.assert_array_equal(ours, others)
        np.testing.assert_array_equal(ours, third)


def test_machines_of_sparse_samples_are_known():
    assert {"LinearSVM", "KernelSVM", "KernelRidge", "KernelSVR", "LinearSVR", "OneClassSVM",
            "BasisExpandingSVM", "SimilarityMap", "Nystroem", "MaxAbs", "Tfidf", "UnitLength",
            "Dense", "LIBSVM", "LIBLINEAR"} <= set(OF_SPARSE)


@pytest.mark.parametrize("name", [name for name in ESTIMATORS if name not in OF_SPARSE])
def test_what_needs_dense_samples_says_so_as_scikit_learn_does(name):
    with pytest.raises(TypeError, match=DENSE_NEEDED):
        made_of(name).fit(S, y)


@pytest.mark.parametrize("estimator", [
    NearestNeighbour(normalizer="zscore", similarity="edit"),
    KernelSVM(kernel="precomputed"), KernelSVM(kernel="edit"), PairwiseSVM(),
    BasisExpandingSVM(normalizer="zscore"), normalizer.ZScore(), normalizer.UnitLength(center=True),
    PipelineEstimator({"nodes": {"table": {"is": "source/array"},
                                 "x": {"is": "normalizer/pca", "from": "table"},
                                 "svm": {"is": "solver/linear_svm", "from": "x"}}})], ids=repr)
def test_parameters_that_need_dense_samples(estimator):
    with pytest.raises(TypeError, match=DENSE_NEEDED):
        estimator.fit(S, y)
    with pytest.raises(NotFittedError):
        estimator.transform(S) if hasattr(estimator, "transform") else estimator.predict(S)


def test_samples_of_other_forms_are_no_sparse_matrices():
    for call in (lambda: similarity.dtw(S), lambda: similarity.edit(S, S),
                 lambda: semblance.from_tslearn(S), lambda: similarity.hausdorff(S, S),
                 lambda: KernelSVM(image_shape=(3, 4)).fit(S, y)):
        with pytest.raises(TypeError, match=DENSE_NEEDED):
            call()
    with pytest.raises(ValueError, match=r"Dense takes sparse matrices \(n, columns\)"):
        feature.Dense().fit(X)


def test_parameters_that_leave_zeros_alone():
    scaled = normalizer.ZScore(center=False).fit(S)
    made = scaled.transform(S)
    assert sparse.isspmatrix_csr(made) and made.dtype == np.float32
    np.testing.assert_array_equal(made.toarray(),
                                  normalizer.ZScore(center=False).fit_transform(X))
    assert list(scaled.get_feature_names_out()) == [f"x{i}" for i in range(12)]


def test_a_similarity_takes_one_sparse_side():
    for measure in (similarity.rbf, similarity.linear, similarity.polynomial, similarity.cosine):
        wanted = measure(X[:50], X)
        for first, second in ((S[:50], S), (S[:50], X), (X[:50], S)):
            np.testing.assert_array_equal(measure(first, second), wanted)
    with pytest.raises(ValueError, match="X has 12 columns while B has 3"):
        similarity.rbf(S, S[:, :3])


def test_wrong_values_and_sizes():
    with pytest.raises(ValueError, match=r"1e\+300 at \(1, 1\)"):
        KernelSVM().fit(sparse.csr_matrix([[1, 0], [0, 1e300]]), [0, 1])
    with pytest.raises(ValueError, match="Input X contains NaN"):
        KernelSVM().fit(sparse.csr_matrix([[1, 0], [0, np.nan]]), [0, 1])
    bad = sparse.csr_matrix(np.array([[0, 0], [0, np.inf]], dtype=np.float32))
    with pytest.raises(ValueError, match="the value in column 1 of row 1 of B is infinity"):
        similarity.rbf(X[:, :2], bad)
    with pytest.raises(ValueError, match="X has 11 features, but KernelSVM is expecting 12"):
        KernelSVM().fit(S, y).predict(S[:, :11])
    with pytest.raises(ValueError, match=r"0 feature\(s\)"):
        similarity.rbf(sparse.csr_matrix((3, 0)))
    with pytest.raises(ValueError, match=r"0 sample\(s\)"):
        KernelSVM().fit(S[:0], [])


def test_samples_without_any_value():
    nothing = sparse.csr_matrix((4, 12), dtype=np.float32)
    machine = KernelSVM().fit(S, y)
    np.testing.assert_array_equal(machine.decision_function(nothing),
                                  machine.decision_function(np.zeros((4, 12), np.float32)))
    np.testing.assert_array_equal(similarity.rbf(nothing, S), similarity.rbf(nothing.toarray(), X))
    assert normalizer.MaxAbs().fit(S).transform(nothing).nnz == 0


@pytest.mark.parametrize("change, said", [
    ({"columns": np.array([1, 0, 2], np.uint32)}, "has a value in column 0: columns must ascend"),
    ({"columns": np.array([1, 1, 2], np.uint32)}, "has a value in column 1: columns must ascend"),
    ({"columns": np.array([0, 1, 3], np.uint32)}, "in column 3: columns must ascend .* below 3"),
    ({"columns": np.array([0, 1], np.uint32)}, "as many as its values"),
    ({"columns": np.array([0, 1, 2], np.int64)}, "must be an array of uint32"),
    ({"columns": None}, "the columns of X must be an array of uint32"),
    ({"offsets": None}, "the offsets of X must be an array of uint64"),
    ({"offsets": np.array([0, 5, 3], np.uint64)}, "the offsets of X must ascend")])
def test_rows_check_what_they_are_given(change, said):
    given = {"values": np.ones(3, np.float32), "layout": {"kind": "sparse vector", "width": 3},
             "offsets": np.array([0, 2, 3], np.uint64), "columns": np.array([0, 1, 2], np.uint32)}
    assert len(_native.Rows(**given)) == 2
    with pytest.raises((TypeError, ValueError), match=said):
        _native.Rows(**{**given, **change})


def test_the_columns_are_part_of_the_content():
    def id_of(columns):
        rows = _native.Rows(np.ones(2, np.float32), {"kind": "sparse vector", "width": 5},
                            np.array([0, 1, 2], np.uint64),
                            columns=np.array(columns, np.uint32))
        return _native.Data(rows).id
    assert id_of([0, 1]) == id_of([0, 1]) != id_of([0, 2])


def test_columns_that_float32_cannot_distinguish():
    level = 1e9 + np.linspace(0, 1, len(X))[:, None]
    with pytest.raises(ValueError, match=r"X: the values in column 12 \(from 0\) differ by 0\.9.*, but "
                                         r"would be rounded by up to 0\.9.*, since float32"):
        LinearSVM().fit(sparse.hstack([S.astype(float), level]).tocsr(), y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        LinearSVM().fit(sparse.hstack([S.astype(float), level - 1e9]).tocsr(), y)


WORDS = ["good great nice", "bad awful poor", "great film", "poor film", "nice good day",
         "awful bad day", "good film nice", "bad film awful"] * 4
MOODS = ["up", "down"] * 16


def test_text_through_a_pipeline_of_scikit_learn():
    ours = make_pipeline(TfidfVectorizer(), LinearSVM(tolerance=1e-8, center=False)).fit(WORDS, MOODS)
    theirs = make_pipeline(TfidfVectorizer(), LinearSVC(tol=1e-8, max_iter=10000)).fit(WORDS, MOODS)
    assert list(ours.predict(WORDS)) == list(theirs.predict(WORDS)) == MOODS
    np.testing.assert_allclose(ours.decision_function(WORDS), theirs.decision_function(WORDS),
                               atol=0.01)
    search = GridSearchCV(make_pipeline(TfidfVectorizer(), LinearSVM(n_jobs=1)),
                          {"linearsvm__C": [0.1, 1]}, cv=2, error_score="raise")
    assert search.fit(WORDS, MOODS).best_score_ == 1


def test_categories_through_a_pipeline_of_scikit_learn():
    rng = np.random.RandomState(0)
    categories = rng.randint(0, 5, size=(400, 3))
    labels = ((categories[:, 0] < 2) ^ (categories[:, 1] < 2)).astype(int)
    ours, theirs = (make_pipeline(OneHotEncoder(), machine).fit(categories[:300], labels[:300])
                    for machine in (KernelSVM(tolerance=1e-6), SVC(tol=1e-6)))
    np.testing.assert_allclose(ours.decision_function(categories),
                               theirs.decision_function(categories), atol=1e-3)
    assert ours.score(categories[300:], labels[300:]) > 0.95


def test_what_a_machine_consists_of_is_sparse_as_in_scikit_learn():
    # The dual of a linear kernel has many solutions, and so have samples that are equal.
    rows = np.sort(np.unique(X, axis=0, return_index=True)[1])
    for kernel, name, attribute in ((Linear(), "linear", "coef_"), (RBF(), "rbf", "dual_coef_")):
        for labels in (y, y + (X[:, 9] > 0)):
            ours = KernelSVM(kernel=kernel, tolerance=1e-7).fit(S[rows], labels[rows])
            theirs = SVC(kernel=name, tol=1e-7).fit(S[rows], labels[rows])
            assert sparse.isspmatrix_csr(ours.support_vectors_)
            np.testing.assert_array_equal(ours.support_vectors_.toarray(), X[rows][ours.support_])
            found, wanted = (getattr(machine, attribute) for machine in (ours, theirs))
            assert sparse.issparse(found) and sparse.issparse(wanted)
            np.testing.assert_allclose(found.toarray(), wanted.toarray(), atol=1e-3)
            with pytest.raises(ValueError, match="read-only"):
                found.data[0] = 1
    numbers = X @ np.arange(12)
    assert sparse.issparse(KernelSVR().fit(S, numbers).dual_coef_)
    assert sparse.issparse(SVR().fit(S, numbers).dual_coef_)
    assert isinstance(KernelRidge().fit(S, numbers).dual_coef_, np.ndarray)
    assert sparse.issparse(semblance.OneClassSVM().fit(S).dual_coef_)
    assert sparse.issparse(OneClassSVM().fit(S).dual_coef_)
    assert isinstance(LinearSVM().fit(S, y).coef_, np.ndarray)


def test_a_kernel_function_gets_the_sparse_matrix():
    def products(first, second):
        assert sparse.issparse(first) and sparse.issparse(second)
        return first @ second.T  # sparse too
    machine = KernelSVM(kernel=products).fit(S, y)
    np.testing.assert_allclose(machine.decision_function(S),
                               KernelSVM(kernel=Linear()).fit(S, y).decision_function(S), atol=1e-2)


def test_dense_samples_inside():
    machine = BasisExpandingSVM(features=feature.Dense()).fit(S, y)
    np.testing.assert_array_equal(machine.decision_function(S),
                                  BasisExpandingSVM().fit(X, y).decision_function(X))
    np.testing.assert_array_equal(feature.Dense().fit_transform(S), X)


def test_names_of_sparse_columns():
    names = [f"word{i}" for i in range(12)]
    frame = pandas.DataFrame.sparse.from_spmatrix(S, columns=names)
    machine = LinearSVM().fit(frame, y)
    assert list(machine.feature_names_in_) == names
    np.testing.assert_array_equal(machine.predict(frame), LinearSVM().fit(S, y).predict(S))
    with pytest.raises(ValueError, match="feature names"):
        machine.predict(frame[names[::-1]])


NODES = {"table": {"is": "source/array", "test_fraction": 0.3},
         "x": {"is": "normalizer/unit_length", "from": "table"},
         "svm": {"is": "solver/kernel_svm", "kernel": {"is": "similarity/rbf", "gamma": 2},
                 "from": "x"},
         "test": {"is": "evaluator/classification", "from": "svm"}}


def test_runs_and_models(tmp_path):
    of_sparse = semblance.run({"name": "sparse", "nodes": NODES}, data={"table": (S, y)})
    of_dense = semblance.run({"name": "dense", "nodes": NODES}, data={"table": (X, y)})
    assert of_sparse.figures["test"] == of_dense.figures["test"]
    model = of_sparse.model
    wanted = of_dense.model.decision_function(X)
    model.save(tmp_path / "model")
    for one in (model, semblance.load(tmp_path / "model"), pickle.loads(pickle.dumps(model))):
        for samples in (S, sparse.coo_array(S), X):
            np.testing.assert_array_equal(one.decision_function(samples), wanted)
        scaled = one.transform(S, "x")
        assert sparse.isspmatrix_csr(scaled)
        np.testing.assert_array_equal(scaled.toarray(), of_dense.model.transform(X, "x"))
        with pytest.raises(ValueError, match="11 features, but the model is expecting 12 features"):
            one.predict(S[:, :11])
    with pytest.raises(TypeError, match=DENSE_NEEDED):
        of_dense.model.predict(S)


def test_training_and_test_samples_of_a_run():
    given = dict(NODES, table={"is": "source/array"})
    accuracies = [
        semblance.run({"name": "p", "nodes": given},
                      data={"table": (train, y[:170], test, y[170:])}).figures["test"]["accuracy"]
        for train, test in ((S[:170], S[170:]), (S[:170], X[170:]), (X[:170], X[170:]))]
    assert len(set(accuracies)) == 1
    with pytest.raises(TypeError, match=DENSE_NEEDED):
        semblance.run({"name": "p", "nodes": given},
                      data={"table": (X[:170], y[:170], S[170:], y[170:])})


def test_a_pipeline_as_an_estimator():
    machine = PipelineEstimator({"nodes": NODES}).fit(S, y)
    np.testing.assert_array_equal(machine.decision_function(S), machine.decision_function(X))
    assert sparse.isspmatrix_csr(machine.rows(S, "x"))
    scaled = PipelineEstimator({"nodes": dict(NODES, x={"is": "normalizer/zscore",
                                                        "from": "table"})})
    with pytest.raises(semblance.DataError, match="would make sparse vectors dense"):
        scaled.fit(S, y)


def test_a_model_of_the_program(program):
    """A file of LIBSVM's and the same matrix of SciPy have the same model and predictions."""
    lines = [" ".join([str(y[i])] + [f"{j + 1}:{X[i, j].item()!r}" for j in np.flatnonzero(X[i])])
             for i in range(len(X))]
    program.file("counts.svm", "\n".join(lines) + "\n")
    program.file("p.yaml", """
        name: p
        nodes:
          table: {is: source/libsvm, path: counts.svm, rows: sparse}
          svm:   {is: solver/linear_svm, from: table}
    """)
    program.succeed("run", "p.yaml", "--data", ".", "--out", "out")
    model = semblance.load(program.folder / "out")
    machine = LinearSVM(random_state=1).fit(S, y)
    np.testing.assert_array_equal(model.decision_function(S), model.decision_function(X))
    np.testing.assert_allclose(
        np.diff(model.decision_function(S))[:, 0] / 2, machine.decision_function(S), atol=1e-4)


def test_weights_of_columns_that_no_sample_has_are_zero():
    random = np.random.default_rng(2)
    narrow = sparse.random(60, 40, density=0.3, format="csr", random_state=3)
    wide = sparse.csr_matrix((narrow.data, narrow.indices, narrow.indptr), shape=(60, 5000))
    y = random.integers(0, 3, 60)
    machine = LinearSVM().fit(wide, y)
    assert machine.coef_.shape == (3, 5000)
    assert not machine.coef_[:, 40:].any()
    expected = wide @ machine.coef_.T + machine.intercept_
    assert np.allclose(machine.decision_function(wide), expected, atol=1e-5)
    assert np.array_equal(pickle.loads(pickle.dumps(machine)).coef_, machine.coef_)


def test_weights_of_columns_that_do_not_occur_are_zero():
    rng = np.random.default_rng(4)
    near = sparse.random(60, 12, density=0.4, random_state=4, format="csr")
    far = sparse.csr_matrix((near.data, near.indices * 997 + 5, near.indptr), shape=(60, 12000))
    y = rng.integers(0, 3, 60)
    here, there = LinearSVM().fit(near, y), LinearSVM().fit(far, y)
    assert np.allclose(there.coef_[:, np.arange(12) * 997 + 5], here.coef_, atol=1e-6)
    assert np.count_nonzero(there.coef_) == np.count_nonzero(here.coef_)
    assert np.allclose(there.decision_function(far), here.decision_function(near), atol=1e-6)
