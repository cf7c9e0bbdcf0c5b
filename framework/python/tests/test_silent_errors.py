# SPDX-License-Identifier: MIT
"""Input that could silently give a wrong answer is refused, or causes a warning."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from sklearn.svm import SVC

import semblance
from semblance import similarity
from semblance.similarity import RBF

X, y = load_iris(return_X_y=True)
X = X.astype("float32")
FRAME = pd.DataFrame(X, columns=list("abcd"))
MOVED = FRAME[list("dcba")]


def machine():
    return semblance.KernelSVM(kernel=RBF(gamma=0.5))


def run(data):
    nodes = {"d": {"is": "source/array"}, "svm": {"is": "solver/linear_svm", "from": "d"},
             "test": {"is": "evaluator/classification", "from": "svm"}}
    return semblance.run({"name": "iris", "nodes": nodes}, data={"d": data}, cache=False)


def test_weights_of_a_table_do_not_vanish_with_it():
    nodes = {"d": {"is": "source/csv", "path": "gone.csv", "weight": "w"},
             "svm": {"is": "solver/linear_svm", "from": "d"},
             "test": {"is": "evaluator/classification", "from": "svm"}}
    with pytest.raises(ValueError, match="'weight: w'.*the data for it have none"):
        semblance.run({"name": "iris", "nodes": nodes}, data={"d": (X, y, X, y)}, cache=False)
    del nodes["test"]
    weighted = semblance.PipelineEstimator({"nodes": nodes})
    assert weighted.fit(X, y, sample_weight=np.arange(len(y))).score(X, y) > 0.9
    with pytest.raises(ValueError, match="'sample_weight': weights"):
        weighted.fit(X, y)


def test_masked_values_are_missing():
    masked = np.ma.masked_greater(X, 7)
    fitted = machine().fit(np.ma.masked_greater(X, 100), y)  # nothing is masked
    for call in (lambda: machine().fit(masked, y), lambda: fitted.predict(masked),
                 lambda: similarity.rbf(masked, X), lambda: run((masked, y)),
                 lambda: run((X, y, masked, y))):
        with pytest.raises(ValueError, match="masked"):
            call()


@pytest.mark.parametrize("wide", [X.astype("float64") + 1e9,
                                  np.asfortranarray(X.astype("float64") * 1e-3 + 1e4)])
def test_columns_whose_values_float32_makes_the_same_are_refused(wide):
    assert len(np.unique(wide[:, 0].astype("float32"))) < len(np.unique(X[:, 0])) / 4
    for call in (lambda: machine().fit(wide, y), lambda: run((wide, y, wide, y))):
        with pytest.raises(ValueError, match=r"the values in column 0 .* differ by .*, but would "
                                             r"be rounded by up to .* float32 .* subtract a constant"):
            call()


@pytest.mark.parametrize("wide", [X.astype("float64") * 1e-3 + 1e3,
                                  np.asfortranarray(X.astype("float64") * 1e-3 + 1e2)])
def test_columns_of_which_float32_says_too_little(wide):
    for call in (lambda: machine().fit(wide, y), lambda: run((wide, y, wide, y))):
        with pytest.warns(semblance.SemblanceWarning, match="column 0 .* are rounded by .* float32"):
            call()


@pytest.mark.parametrize("column", [np.full(150, 0.1), 2000.0 + np.arange(150) % 20,
                                    1e6 + np.arange(150) % 2, np.linspace(99, 100, 150)])
@pytest.mark.filterwarnings("error::semblance.SemblanceWarning")
def test_columns_that_float32_has(column):
    machine().fit(np.column_stack([X.astype("float64"), column]), y)


@pytest.mark.parametrize("refit", [
    lambda m: m.fit(X * np.nan, y), lambda m: m.fit(X[:, :2], y[:3]), lambda m: m.fit(X, y * 0),
    lambda m: m.set_params(kernel="precomputed").fit(X[:, :2], y)])
def test_a_fit_that_failed_leaves_nothing_to_predict_with(refit):
    fitted = machine().fit(X, y)
    with pytest.raises(ValueError):
        refit(fitted)
    with pytest.raises(NotFittedError):
        fitted.predict(X)


def test_both_sides_of_pairs_have_the_same_columns():
    same = y[:75] == y[::2]
    whole = semblance.PairwiseSVM().fit((X[:75], X[::2]), same)
    named = semblance.PairwiseSVM().fit((FRAME[:75], FRAME[::2]), same)
    np.testing.assert_array_equal(named.feature_names_in_, FRAME.columns)
    np.testing.assert_array_equal(named.decision_function((FRAME[:75], FRAME[::2])),
                                  whole.decision_function((X[:75], X[::2])))
    with pytest.raises(ValueError, match="feature names"):
        named.predict((FRAME[:75], MOVED[::2]))
    with pytest.raises(ValueError, match="feature names"):
        semblance.PairwiseSVM().fit((FRAME[:75], MOVED[::2]), same)


def test_samples_and_bases_have_the_same_columns():
    with pytest.raises(ValueError, match="another order"):
        similarity.rbf(FRAME, MOVED)
    np.testing.assert_array_equal(similarity.rbf(FRAME, FRAME), similarity.rbf(X, X))


def test_steps_of_series_stay_in_their_order():
    steps = FRAME.cumsum(axis=1)
    fitted = semblance.NearestNeighbour(similarity="dtw").fit(steps, y)
    np.testing.assert_array_equal(fitted.predict(steps), fitted.predict(steps.to_numpy()))
    with pytest.raises(ValueError, match="another order"):
        fitted.predict(steps[list("bacd")])


def test_a_pipeline_that_cannot_be_read_is_said(tmp_path):
    file = tmp_path / "p.yaml"
    file.write_text("garbage: [")
    with pytest.raises(semblance.PipelineError, match="p.yaml:1"):
        semblance.PipelineEstimator(str(file)).fit(X, y)


def test_a_deadline_that_comes_first_is_named():
    with pytest.raises(semblance.SemblanceError, match="the deadline came before"):
        semblance.KernelSVM(deadline=1e-9).fit(X, y)


def test_a_change_that_a_selection_overrides_is_told():
    nodes = {"d": {"is": "source/array"}, "svm": {"is": "solver/linear_svm", "from": "d"},
             "test": {"is": "evaluator/classification", "from": "svm"}}
    select = {"metric": "test.error_rate", "folds": 2,
              "parameters": {"C": {"path": "nodes.svm.C", "values": [0.1, 1]}}}
    with pytest.warns(semblance.SemblanceWarning, match="no effect: 'select.parameters.C'"):
        semblance.run({"name": "iris", "nodes": nodes, "select": select}, set={"nodes.svm.C": 3},
                      data={"d": (X, y, X, y)}, cache=False)


class Polars:
    """A table with Arrow's interface that is an array, too; pandas needs another package."""

    def __init__(self, order):
        self.columns = list(order)

    def __getitem__(self, name):
        return FRAME[name]

    def __array__(self, dtype=None):
        return FRAME[self.columns].to_numpy()

    def __arrow_c_stream__(self, requested_schema=None):
        raise AssertionError("it is not read by hand")

    def to_pandas(self):
        raise ModuleNotFoundError("pyarrow")


class PyArrow(Polars):
    def to_pandas(self):
        return FRAME[self.columns]


class DuckDB:
    def __arrow_c_stream__(self, requested_schema=None):
        raise AssertionError("it is not read by hand")


@pytest.mark.parametrize("table_of", [Polars, PyArrow])
def test_an_arrow_table_keeps_the_names_of_its_columns(table_of):
    fitted = machine().fit(table_of("abcd"), y)
    np.testing.assert_array_equal(fitted.feature_names_in_, FRAME.columns)
    np.testing.assert_array_equal(fitted.decision_function(table_of("abcd")),
                                  fitted.decision_function(FRAME))
    with pytest.raises(ValueError, match="feature names"):
        fitted.predict(table_of("dcba"))
    result = run((table_of("abcd"), y, table_of("dcba"), y))
    assert result.figures["test"] == run((X, y, X, y)).figures["test"]
    np.testing.assert_array_equal(result.model.predict(table_of("cdab")), result.model.predict(X))


def test_an_arrow_table_that_pandas_cannot_have_says_what_to_do():
    with pytest.raises(TypeError, match="X is a DuckDB: convert it to a data frame of pandas"):
        machine().fit(DuckDB(), y)


@pytest.mark.parametrize("X, B, said", [
    (["a", None], ["b"], r"X\[1\] must be a str"), (["a"], ["b", 2], r"B\[1\] must be a str"),
    ("word", ["word"], "X must be a list of str"), (["a"], "word", "list of str"),
    (pd.DataFrame({"a": ["ab", "b"]}), ["a"], "X must be a list of str, got DataFrame"),
    ({"a": 1}, ["a"], "X must be a list of str, got dict")])
def test_strings_are_a_list_of_str(X, B, said):
    with pytest.raises(TypeError, match=said):
        similarity.edit(X, B)


@pytest.mark.parametrize("missing", [
    ["a", None, "b"], ["a", np.nan, "b"], np.array(["a", np.nan, "b"], dtype=object),
    pd.array(["a", pd.NA, "b"]),
    pd.Series(["a", None, "b"], dtype="string"), pd.array([0, pd.NA, 1], dtype="Int64"),
    pd.Series(["a", None, "b"], dtype="category"), [[0], [None], [1]]])
@pytest.mark.parametrize("samples", [np.eye(3), ["a", "ab", "b"]], ids=["table", "strings"])
def test_missing_labels_are_refused(missing, samples):
    kernel = "linear" if isinstance(samples, np.ndarray) else "subsequence"
    with pytest.raises(ValueError, match="y has labels that are missing: fill them in"):
        semblance.KernelSVM(kernel=kernel).fit(samples, missing)


MASKED = np.ma.masked_array(np.arange(150) % 2, np.arange(150) < 3)


@pytest.mark.parametrize("numbers, said", [
    (MASKED, "has numbers that are missing"),
    ([None, *range(149)], "has numbers that are missing"),
    (pd.array([None, *range(149)], dtype="Float64"), "has numbers that are missing"),
    (pd.date_range("2020-01-01", periods=150), "must hold numbers, got an array of type datetime64"),
    (np.array(["1.5"] * 150), "must hold numbers, got an array of type <U3")])
def test_what_is_no_number_is_not_predicted(numbers, said):
    with pytest.raises(ValueError, match=f"y {said}"):
        semblance.Ridge().fit(X, numbers)
    with pytest.raises(ValueError, match=f"target {said}"):
        semblance.run({"nodes": {"d": {"is": "source/array"},
                                 "fit": {"is": "solver/ridge", "from": "d"}}},
                      {"d": {"X": X, "target": numbers}}, cache=False)


@pytest.mark.parametrize("estimator", [
    machine(), semblance.LearnedMetric(), semblance.PairwiseSVM(),
    semblance.SimilarityMap(bases=semblance.basis.RandomPerClass(per_class=3))],
    ids=lambda estimator: type(estimator).__name__)
def test_masked_labels_are_missing(estimator):
    with pytest.raises(ValueError, match="y has labels that are missing"):
        estimator.fit(X, MASKED)
    with pytest.raises(ValueError, match="y has labels that are missing"):
        run((X, MASKED))


@pytest.mark.parametrize("factor", [1e-40, 1e300])
def test_weights_that_float32_does_not_hold_are_refused(factor):
    for estimator in semblance.NearestNeighbour(k=3), semblance.Ridge():
        with pytest.raises(ValueError, match="The largest sample_weight is 1e.*, which float32"):
            estimator.fit(X, y, sample_weight=np.full(150, factor))
    weights = np.where(np.arange(150) < 5, 1e-300, 1)  # of a few samples it is as good as 0
    assert semblance.NearestNeighbour(k=3).fit(X, y, sample_weight=weights).score(X, y) > 0.9


def test_columns_of_other_types():
    with pytest.raises(ValueError, match="could not convert string to float"):
        machine().fit(FRAME.assign(d=pd.Categorical(["u", "v"] * 75)), y)
    numbers_ = FRAME.assign(d=pd.Series([1, 2] * 75, dtype="Int64"))
    plain = FRAME.assign(d=[1.0, 2.0] * 75)
    np.testing.assert_array_equal(machine().fit(numbers_, y).decision_function(numbers_),
                                  machine().fit(plain, y).decision_function(plain))


def test_labels_that_are_objects():
    whole = np.array([0, 1.0, 2], dtype=object)[y]
    np.testing.assert_array_equal(run((X, whole, X, y)).model.classes_, [0, 1, 2])
    with pytest.raises(ValueError, match="fractions"):
        run((X, np.array([0, 1.5, 1], dtype=object)[y], X, y))
    large = np.array([0, 1e30, 2e30])[y]
    assert len(run((X, large, X, large)).model.classes_) == 3


CODE = """
import numpy as np
import semblance


@semblance.similarity("similarity/bell", width=semblance.number(1.0, above=0))
def bell(bases, samples, width):
    squares = ((samples[:, None] - bases) ** 2).sum(2)
    return {}
"""

USE = """
import sys, warnings, semblance
nodes = {"d": {"is": "source/array"}, "b": {"is": "basis/random", "count": 9, "from": "d"},
         "m": {"is": "similarity/bell", "from": "d", "bases": "b"},
         "svm": {"is": "solver/linear_svm", "from": "m"}}
warnings.simplefilter("ignore" if sys.argv[1] == "train" else "default")
if sys.argv[1] == "train":
    X = [[float(i % 2 * 3 + i % 5), float(i % 7)] for i in range(40)]
    semblance.run({"name": "bells", "nodes": nodes}, data={"d": (X, [i % 2 for i in range(40)])},
                  cache=False, plugins=["bell.py"], out="out")
else:
    semblance.load("out", plugins=["bell.py"])
"""


def test_a_model_whose_python_code_has_changed_says_so(tmp_path):
    def said(what):
        done = subprocess.run([sys.executable, "-c", USE, what], cwd=tmp_path, text=True,
                              capture_output=True, check=True)
        return done.stderr
    (tmp_path / "bell.py").write_text(CODE.format("1 / (1 + squares / width ** 2)"))
    said("train")
    assert said("load") == ""
    (tmp_path / "bell.py").write_text(CODE.format("np.exp(-squares / width ** 2)"))
    assert "SemblanceWarning: m: the Python code of similarity/bell is not" in said("load")


def test_series_that_float32_cannot_hold_at_their_level_are_refused():
    """Otherwise their distances would be 0."""
    steps = np.arange(30) / 3
    a, b = np.sin(steps), np.cos(steps)
    apart = similarity.dtw([a], [b], as_="negative")[0, 0]
    assert np.allclose(similarity.dtw([a + 1024], [b + 1024], as_="negative"), apart, rtol=1e-3)
    for level in (1e7, 1e8, -3e9):
        with pytest.raises(ValueError, match=r"X\[1\]: the values of the series differ by 1\.99582, but "
                                             r"would be rounded by up to .*; subtract a constant, such as"):
            similarity.dtw([a, b + level], as_="negative")
        both = np.stack([a, b + level])[:, None, :]
        with pytest.raises(ValueError, match=r"X\[1\]: the values of the series"):
            similarity.dtw(both, as_="negative")
    with pytest.raises(ValueError, match="multiply it by a constant"):
        similarity.dtw([a * 1e-50, b], as_="negative")
    with pytest.warns(semblance.SemblanceWarning, match="rounded by more than a thousandth of what"):
        similarity.dtw([a + 1e6], [b], as_="negative")
    # Constant, and exact.
    similarity.dtw([np.full(30, 1e8), np.arange(30) + 16000000], as_="negative")


def test_columns_under_the_range_of_float32_are_refused():
    tiny = X.astype(np.float64)
    tiny[:, 2] *= 1e-50
    with pytest.raises(ValueError, match="column 2 .* multiply the column by a constant first"):
        machine().fit(tiny, y)


@pytest.mark.parametrize("made, labels", [
    (lambda: semblance.LinearSVM(), y),
    (lambda: semblance.BasisExpandingSVM(similarities=similarity.Linear(), normalizer=None,
                                         output_normalizer=None), y),
    (lambda: semblance.KernelSVM(kernel=similarity.Linear()), y == 1),
    (lambda: semblance.KernelSVM(kernel=similarity.Polynomial()), y)])
def test_scores_that_overflow_are_no_result(made, labels):
    fitted = made().fit(X, labels)
    far = X[:3].copy()
    far[1] = [3e38, -3e38, 3e38, -3e38]
    for call in (fitted.predict, fitted.decision_function):
        with pytest.raises((ValueError, semblance.SemblanceError), match="row 1 .*not a finite number"):
            call(far)
    assert np.isfinite(fitted.decision_function(far[:1])).all()


def test_scores_of_far_rows_that_are_finite_are_results():
    """Their kernels are 0, or their decision values are within the range of a double."""
    far = X[:3].copy()
    far[1] = [3e38, -3e38, 3e38, -3e38]
    local = semblance.BasisExpandingSVM(normalizer=None).fit(X, y)
    assert np.isfinite(local.decision_function(far)).all()
    ours = semblance.KernelSVM(kernel=similarity.Linear()).fit(X, y)
    theirs = SVC(kernel="linear").fit(X.astype("float64"), y)
    np.testing.assert_allclose(ours.decision_function(far),
                               theirs.decision_function(far.astype("float64")), atol=0.01)
    np.testing.assert_array_equal(ours.predict(far), theirs.predict(far.astype("float64")))
