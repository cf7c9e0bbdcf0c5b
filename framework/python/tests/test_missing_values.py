# SPDX-License-Identifier: MIT
"""Missing values (NaN) reach the components that fill them in, and nothing else."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.pipeline import make_pipeline

import semblance as sb

RANDOM = np.random.default_rng(3)
LABELS = np.arange(40) % 2
WHOLE = RANDOM.normal(size=(40, 2, 30)).cumsum(axis=2) * np.where(LABELS, 3, 1)[:, None, None]
GAPS = np.where(RANDOM.random(WHOLE.shape) < 0.1, np.nan, WHOLE)
GAPS[:, :, -1] = WHOLE[:, :, -1]  # steps that all channels lack at the end are padding


def filled(series):
    """Linear within a channel, the nearest value at its ends."""
    steps = np.arange(series.shape[-1])
    return np.apply_along_axis(
        lambda x: np.interp(steps, steps[~np.isnan(x)], x[~np.isnan(x)]), -1, series)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("form", ["array", "list"])
def test_series_are_filled_in(dtype, form):
    X = GAPS.astype(dtype)
    X = list(X) if form == "list" else X
    found = sb.ImputeSeries().fit_transform(X)
    np.testing.assert_allclose(np.stack(list(found)), filled(GAPS), rtol=1e-5, atol=1e-6)


def test_a_pipeline_of_scikit_learn():
    def rest():
        return (sb.MultiRocket(features=840, random_state=1), sb.ZScore(), sb.RidgeClassifier())

    machine = make_pipeline(sb.ImputeSeries(), *rest()).fit(GAPS[:30], LABELS[:30])
    same = make_pipeline(*rest()).fit(filled(GAPS)[:30].astype(np.float32), LABELS[:30])
    np.testing.assert_allclose(machine.decision_function(GAPS[30:]),
                               same.decision_function(filled(GAPS)[30:].astype(np.float32)),
                               rtol=1e-3, atol=1e-4)
    again = pickle.loads(pickle.dumps(machine))
    np.testing.assert_array_equal(again.predict(GAPS[30:]), machine.predict(GAPS[30:]))


def test_what_was_trained_on_whole_series_fills_in_new_ones():
    imputer = sb.ImputeSeries(indicator=True).fit(WHOLE)
    found = np.stack(list(imputer.transform(GAPS)))
    np.testing.assert_allclose(found[:, :2], filled(GAPS), rtol=1e-5, atol=1e-6)
    np.testing.assert_array_equal(found[:, 2:], np.isnan(GAPS))


def test_tables_are_filled_in():
    X = np.array([[1, 2, 5], [np.nan, 4, 6], [3, np.nan, 7]])
    wanted = [[1, 2, 5], [2, 4, 6], [3, 3, 7]]
    for table in (X, X.astype(np.float32), pd.DataFrame(X, columns=list("abc"))):
        np.testing.assert_array_equal(sb.Impute(strategy="mean").fit_transform(table), wanted)


def test_nothing_else_takes_them():
    for machine in (sb.MultiRocket(), sb.ZNorm(), sb.RidgeClassifier(), sb.ZScore()):
        with pytest.raises(ValueError, match="NaN"):
            machine.fit(GAPS if machine.layouts == ("sequence",) else GAPS[:, 0], LABELS)
    with pytest.raises(ValueError, match="NaN"):
        sb.similarity.msm(GAPS)
    assert sb.ImputeSeries.takes_missing and sb.Impute.takes_missing
    assert not sb.ZScore.takes_missing
    assert sb.Impute()._more_tags()["allow_nan"] and not sb.ZScore()._more_tags()["allow_nan"]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_infinite_values_are_refused(dtype):
    X = GAPS.astype(dtype)
    X[5, 0, 3] = np.inf
    with pytest.raises(ValueError, match="infinit"):
        sb.ImputeSeries().fit(X)
    with pytest.raises(ValueError, match="infinit"):
        sb.ImputeSeries().fit(WHOLE).transform(X)
    with pytest.raises(ValueError, match="infinit"):
        sb.Impute().fit(X[:, 0])


def test_series_with_gaps_that_lose_their_differences_in_float32_are_refused():
    with pytest.raises(ValueError, match=r"X\[0\]: the values of the series in channel 0 "
                                         r"\(from 0\) differ by .*, but would be rounded"):
        sb.ImputeSeries().fit(GAPS + 1e9)


def test_a_model_of_a_file_takes_arrays_with_gaps(tmp_path):
    lines = [f"{int(y)}\t" + "\t".join("NaN" if np.isnan(x) else repr(float(x)) for x in row)
             for y, row in zip(LABELS, GAPS[:, 0])]
    (tmp_path / "gaps.tsv").write_text("\n".join(lines) + "\n")
    nodes = {"series": {"is": "source/ucr", "path": str(tmp_path / "gaps.tsv"), "missing": "keep"},
             "whole": {"is": "normalizer/impute_series", "from": "series"},
             "maps": {"is": "normalizer/hydra", "from": "whole"},
             "fit": {"is": "solver/ridge_classifier", "from": "maps"}}
    model = sb.run({"nodes": nodes}, cache=False).model
    np.testing.assert_array_equal(model.predict(GAPS[:, 0]), model.predict(filled(GAPS[:, 0])))


KEPT = {"name": "kept", "nodes": {
    "d": {"is": "source/csv", "path": "t.csv", "missing": "keep"},
    "filled": {"is": "normalizer/impute", "from": "d"},
    "svm": {"is": "solver/kernel_svm", "from": "filled"},
    "test": {"is": "evaluator/classification", "from": "svm"}}}
REFUSED = {**KEPT, "nodes": {**KEPT["nodes"], "d": {"is": "source/array"}}}


def test_pipelines_that_fill_them_in_take_them():
    X = GAPS[:, 0, :6]
    imputer = sb.Impute().fit(X)
    expected = sb.KernelSVM().fit(imputer.transform(X), LABELS).decision_function(
        imputer.transform(X))
    changed = sb.PipelineEstimator(REFUSED, set={"nodes.d.missing": "keep"})
    for machine in (sb.PipelineEstimator(KEPT).fit(X, LABELS), changed.fit(X, LABELS)):
        for fitted in (machine, pickle.loads(pickle.dumps(machine))):
            np.testing.assert_array_equal(fitted.decision_function(X), expected)
    frame = pd.DataFrame(X, columns=list("abcdef")).astype("Float64")
    for given in (X, frame):
        found = sb.run(KEPT, {"d": (given, LABELS, given, LABELS)}, cache=False)
        assert np.array_equal(found.model.decision_function(given)[:, 1], expected.astype("f4"))
        assert found.figures["test"]["rows"] == 40


def test_pipelines_that_fill_in_series_take_them():
    nodes = {"d": {"is": "source/ucr", "path": "t", "missing": "keep"},
             "filled": {"is": "normalizer/impute_series", "from": "d"},
             "flat": {"is": "feature/flatten", "from": "filled"},
             "svm": {"is": "solver/linear_svm", "from": "flat"}}
    found = sb.run({"name": "series", "nodes": nodes}, {"d": (list(GAPS[:, 0]), LABELS)}, cache=False)
    np.testing.assert_allclose(np.stack(found.model.transform(list(GAPS[:, 0]), "filled")),
                               filled(GAPS[:, 0]), rtol=1e-5, atol=1e-6)


def test_pipelines_that_do_not_refuse_them():
    X = GAPS[:, 0, :6]
    with pytest.raises(ValueError, match="NaN"):
        sb.PipelineEstimator(REFUSED).fit(X, LABELS)
    with pytest.raises(ValueError, match="NaN"):
        sb.run(REFUSED, {"d": (X, LABELS)}, cache=False)
    with pytest.raises(ValueError, match="infinity"):
        sb.PipelineEstimator(KEPT).fit(np.where(np.isnan(X), np.inf, X), LABELS)
