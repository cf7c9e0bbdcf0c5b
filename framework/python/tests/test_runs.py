# SPDX-License-Identifier: MIT
"""Runs and models from Python give what the command line gives."""

import json
import os
import pathlib
import pickle

import numpy as np
import pandas as pd
import pytest

from digits import (DATA, PIPELINE, TEST, TRAIN, X, Y, as_files, command_line, needs_program,
                    without_times)
import semblance
from semblance import _native

pytestmark = pytest.mark.usefixtures("own_store")


@pytest.fixture(scope="module")
def result():
    return semblance.run(PIPELINE, DATA, cache=False)


# Runs --------------------------------------------------------------------------------------------

@needs_program
def test_arrays_give_the_bits_that_files_give_on_the_command_line(tmp_path, result):
    file = as_files(tmp_path)
    out = tmp_path / "out"
    command_line("run", file, "--out", out, "--no-cache", "--quiet")
    expected = json.loads((out / "metrics.json").read_text())
    assert without_times(result.metrics) == without_times(expected)
    for name in ("svm.csv", "svm.npy"):
        ours = pathlib.Path(result.out) / "predictions" / name
        assert ours.read_bytes() == (out / "predictions" / name).read_bytes()


@needs_program
def test_a_seed_is_the_command_lines_seed(tmp_path):
    out = tmp_path / "out"
    command_line("run", as_files(tmp_path), "--out", out, "--no-cache", "--quiet", "--seed", 7,
                 "--set", "nodes.svm.C=0.1")
    ours = semblance.run(PIPELINE, DATA, cache=False, seed=7, set={"nodes.svm.C": 0.1})
    assert (pathlib.Path(ours.out) / "predictions/svm.npy").read_bytes() == (
        out / "predictions/svm.npy").read_bytes()
    other = semblance.run(PIPELINE, DATA, cache=False, seed=8, set={"nodes.svm.C": 0.1})
    assert (pathlib.Path(other.out) / "predictions/svm.npy").read_bytes() != (
        out / "predictions/svm.npy").read_bytes()


@needs_program
def test_a_model_predicts_what_the_command_line_predicts(tmp_path, result):
    np.save(tmp_path / "new.npy", X[500:800])
    model = tmp_path / "model"
    result.model.save(model)
    command_line("predict", model, tmp_path / "new.npy", "--out", tmp_path / "p")
    scores = np.load(tmp_path / "p/svm.npy")
    np.testing.assert_array_equal(semblance.load(model).decision_function(X[500:800]), scores)
    predicted = pd.read_csv(tmp_path / "p/svm.csv")["predicted"]
    np.testing.assert_array_equal(semblance.load(model).predict(X[500:800]), predicted)


def test_a_result_says_what_it_found(result):
    accuracy = result.metrics["nodes"]["test"]["accuracy"]
    assert accuracy > 0.8
    assert result.figures["test"]["accuracy"] == accuracy
    assert f"accuracy {100 * accuracy:.2f} %" in repr(result)
    assert result.stopped_by == ""
    assert os.path.exists(result.report) and "digits" in pathlib.Path(result.report).read_text()


def test_predictions_are_a_data_frame(result):
    frame = result.predictions["svm"]
    assert list(frame["label"].astype(int)) == list(Y[TEST])
    right = (frame["predicted"] == frame["label"]).mean()
    assert right == pytest.approx(result.figures["test"]["accuracy"])
    scores = frame[[f"score {k}" for k in range(10)]].to_numpy(np.float32)
    np.testing.assert_array_equal(scores, result.model.decision_function(X[TEST]))


def test_a_notebook_shows_headline_and_confusion_matrix(result):
    html = result._repr_html_()
    assert "accuracy" in html and f"{100 * result.figures['test']['accuracy']:.2f}" in html
    assert "true classes" in html and "background:rgba(" in html and "<script>" not in html


def test_results_go_with_the_object(tmp_path):
    result = semblance.run(PIPELINE, DATA, cache=False)
    folder = result.out
    assert os.path.isdir(folder)
    model = result.model
    del result
    assert not os.path.exists(folder)
    assert len(model.predict(X[:3])) == 3
    kept = semblance.run(PIPELINE, DATA, cache=False, out=tmp_path / "kept")
    assert kept.out == str(tmp_path / "kept")
    del kept
    assert (tmp_path / "kept/metrics.json").exists()


def test_files_texts_and_dicts_are_the_same_pipeline(tmp_path, result):
    file = as_files(tmp_path)
    given = (file, str(file), file.read_text(), json.loads(file.read_text()))
    for found in [semblance.run(one, cache=False) for one in given]:
        assert without_times(found.metrics) == without_times(result.metrics)


def test_test_rows_are_set_aside_where_the_source_says_so():
    pipeline = json.loads(json.dumps(PIPELINE))
    pipeline["nodes"]["images"] = {"is": "source/csv", "path": "digits.csv", "test_fraction": 0.25}
    result = semblance.run(pipeline, {"images": (X[TRAIN], Y[TRAIN])}, cache=False)
    assert len(result.predictions["svm"]) == pytest.approx(75, abs=5)
    other = semblance.run(pipeline, {"images": (X[TRAIN], Y[TRAIN])}, cache=False,
                          set={"nodes.images.test_fraction": 0.5})
    assert len(other.predictions["svm"]) == pytest.approx(150, abs=5)


def test_labels_may_be_texts_and_truth_values(result):
    names = np.array([f"digit {label}" for label in Y], dtype=object)
    found = semblance.run(PIPELINE, {"images": (X[TRAIN], names[TRAIN], X[TEST], names[TEST])},
                          cache=False)
    assert found.figures["test"]["accuracy"] == result.figures["test"]["accuracy"]
    assert set(found.model.predict(X[TEST])) <= set(names)
    truth = semblance.run(PIPELINE, {"images": (X[TRAIN], Y[TRAIN] > 4, X[TEST], Y[TEST] > 4)},
                          cache=False)
    assert set(truth.model.classes_) == {False, True}


def test_a_table_with_names_is_taken_by_name():
    frame = pd.DataFrame(X, columns=[f"p{i}" for i in range(64)])
    model = semblance.run(PIPELINE, {"images": (frame[:300], Y[:300], frame[300:], Y[300:])},
                          cache=False).model
    expected = model.predict(X[:50])
    np.testing.assert_array_equal(model.predict(frame[:50]), expected)
    np.testing.assert_array_equal(model.predict(frame[frame.columns[::-1]][:50]), expected)
    with pytest.raises(ValueError, match="lacks the column 'p7'"):
        model.predict(frame.drop(columns="p7"))


def test_test_rows_are_taken_by_name():
    frame = pd.DataFrame(X, columns=[f"p{i}" for i in range(64)])
    other = frame[frame.columns[::-1]]
    expected, found = (
        semblance.run(PIPELINE, {"images": (frame[TRAIN], Y[TRAIN], test[TEST], Y[TEST])},
                      cache=False) for test in (frame, other))
    assert without_times(found.metrics) == without_times(expected.metrics)


def test_labels_that_are_numbers_are_in_their_order_whatever_their_type(result):
    found = semblance.run(PIPELINE, {"images": (X[TRAIN], (Y[TRAIN] * 7).astype(str), X[TEST],
                                                (Y[TEST] * 7).astype(str))}, cache=False)
    assert list(found.model.classes_) == [str(7 * k) for k in range(10)]
    np.testing.assert_array_equal(found.model.decision_function(X),
                                  result.model.decision_function(X))


def test_images_and_any_node():
    pipeline = {"nodes": {
        "images": {"is": "source/array", "data": "digits"},
        "hog": {"is": "feature/hog", "cell": 4, "from": "images"},
        "svm": {"is": "solver/linear_svm", "from": "hog"},
        "test": {"is": "evaluator/classification", "from": "svm"}}}
    images = X.reshape(-1, 8, 8)
    result = semblance.run(pipeline, {"images": (images[TRAIN], Y[TRAIN], images[TEST], Y[TEST])},
                           cache=False)
    hog = result.model.transform(images[:5], "hog")
    assert hog.shape[:3] == (5, 2, 2)
    np.testing.assert_array_equal(result.model.predict(images[:9]), result.model.predict(X[:9]))
    with pytest.raises(ValueError):
        result.model.predict(images[:, :7])


def test_the_store_is_used_for_arrays_too():
    first = semblance.run(PIPELINE, DATA)
    again = semblance.run(PIPELINE, DATA)
    assert not first.metrics["nodes"]["svm"]["cached"]
    assert again.metrics["nodes"]["svm"]["cached"]
    changed = X[TRAIN].copy()
    changed[0, 20] += 1
    other = semblance.run(PIPELINE, {"images": (changed, Y[TRAIN], X[TEST], Y[TEST])})
    assert not other.metrics["nodes"]["svm"]["cached"]


def test_warnings_are_pythons():
    flat = X.copy()
    flat[:, 5] = 3
    with pytest.warns(semblance.SemblanceWarning, match="same value in all training rows") as told:
        semblance.run({"nodes": {"images": {"is": "source/array"},
                                 "svm": {"is": "solver/linear_svm", "from": "images"}}},
                      {"images": (flat[TRAIN], Y[TRAIN])}, cache=False)
    assert told[0].filename == __file__


def test_a_deadline_stops_and_keeps_the_best_model():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(40000, 40)).astype(np.float32)
    y = rng.integers(0, 2, 40000)
    pipeline = {"nodes": {"data": {"is": "source/array", "data": "d"},
                          "svm": {"is": "solver/kernel_svm", "C": 1e4, "from": "data"}}}
    result = semblance.run(pipeline, {"data": (x, y)}, cache=False, deadline=0.7)
    assert result.stopped_by == "the deadline"
    assert result.metrics["nodes"]["svm"]["certificate"] == "deadline"
    assert len(result.model.predict(x[:10])) == 10
    assert "stopped by the deadline" in repr(result)


# Models ------------------------------------------------------------------------------------------

def test_models_pickle_to_the_same_bits(result):
    model = pickle.loads(pickle.dumps(result.model))
    np.testing.assert_array_equal(model.decision_function(X), result.model.decision_function(X))
    assert pickle.dumps(model) == pickle.dumps(result.model)


def test_a_saved_model_is_byte_for_byte_the_runs(tmp_path, result):
    result.model.save(tmp_path / "model")
    ours = {path.relative_to(tmp_path / "model"): path.read_bytes()
            for path in (tmp_path / "model").rglob("*") if path.is_file()}
    runs = pathlib.Path(result.out) / "model"
    assert ours == {path.relative_to(runs): path.read_bytes()
                    for path in runs.rglob("*") if path.is_file()}


@pytest.mark.parametrize("change", [lambda packed: packed[:10], lambda packed: packed[:len(packed) // 2],
                                    lambda packed: b"no model at all"])
def test_damaged_bytes_are_refused(result, change):
    state = result.model.__getstate__()
    model = semblance.Model.__new__(semblance.Model)
    with pytest.raises(semblance.SemblanceError, match="not the bytes of a model"):
        model.__setstate__({"packed": change(state["packed"])})


def test_files_that_are_no_model_are_refused(result):
    files = result.model._trained.files(True)
    name = next(name for name in files if b"NUMPY" in files[name])
    at = files[name].find(b"NUMPY") + 200
    damaged = files[name][:at] + bytes([files[name][at] ^ 1]) + files[name][at + 1:]
    model = semblance.Model.__new__(semblance.Model)
    with pytest.raises(semblance.SemblanceError):
        model.__setstate__({"_trained": {**files, name: damaged}})
    with pytest.raises(semblance.SemblanceError, match="cannot read 'packed model/model.json'"):
        model.__setstate__({"_trained": {"../evil": b""}})


def test_a_model_refuses_other_rows(result):
    for wrong in (X[:, :63], X[0], ["a", "b"], X[:2].astype(complex)):
        with pytest.raises((ValueError, TypeError)):
            result.model.predict(wrong)
    bad = X[:3].copy()
    bad[1, 2] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        result.model.predict(bad)
    vector, image = ({"kind": kind, "height": side, "width": side, "depth": 64 // side ** 2}
                     for kind, side in (("vector", 1), ("image", 8)))
    model = result.model._trained
    assert len(model.apply("svm", _native.Rows(X[:3], vector))) == 3
    with pytest.raises(ValueError, match="each a image|each a"):
        model.apply("svm", _native.Rows(X[:3], image))
    with pytest.raises(semblance.SemblanceError, match="nothing|no node"):
        result.model.predict(X[:3], node="nothing")


def test_no_model_is_said(tmp_path):
    with pytest.raises(semblance.SemblanceError, match=str(tmp_path)):
        semblance.load(tmp_path)


# Labels ------------------------------------------------------------------------------------------

TABLE = {"name": "t", "nodes": {"t": {"is": "source/array"},
                                "svm": {"is": "solver/linear_svm", "from": "t"},
                                "test": {"is": "evaluator/classification", "from": "svm"}}}


@pytest.mark.parametrize("labels", [
    np.array([False, True]), np.array(["0", "1"]), np.array(["01", "1"]), np.array([0.0, 1.0]),
    np.array([7, -3], dtype=np.int8), np.array(["b", "a"]), ["no", "yes"]])
def test_a_runs_model_predicts_labels_as_they_were_given(labels):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(80, 2)).astype(np.float32)
    y = np.asarray(labels)[(x[:, 0] > 0).astype(int)]
    result = semblance.run(TABLE, {"t": (x, y, x, y)}, cache=False)
    for model in (result.model, pickle.loads(pickle.dumps(result.model))):
        predicted = model.predict(x)
        assert predicted.dtype == y.dtype
        assert np.mean(predicted == y) == result.figures["test"]["accuracy"] > 0.9
        assert set(model.classes_) == set(y)


def test_a_model_folder_knows_the_names_of_classes_alone(tmp_path):
    x = np.arange(20, dtype=np.float32).reshape(10, 2)
    for labels, kind in ((["0", "1"], np.int64), (["no", "yes"], object)):
        result = semblance.run(TABLE, {"t": (x, np.repeat(labels, 5), x, np.repeat(labels, 5))},
                               cache=False, out=tmp_path / labels[0])
        assert semblance.load(result.out).predict(x).dtype == kind


def test_pickling_writes_no_files(result):
    import resource
    machine = semblance.KernelSVM(n_jobs=1).fit(X, Y)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, limits[1]))
    try:
        again, model = pickle.loads(pickle.dumps((machine, result.model)))
        with pytest.raises(semblance.SemblanceError):
            result.model.save("nowhere/model")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    np.testing.assert_array_equal(again.decision_function(X), machine.decision_function(X))
    np.testing.assert_array_equal(model.predict(X), result.model.predict(X))


READINGS = """
name: readings
seed: 1
nodes:
  table: {is: source/csv, path: none.csv, label: "-1"}
  z:     {is: normalizer/zscore, from: table}
  svm:   {is: solver/linear_svm, C: 1, from: z}
  test:  {is: evaluator/classification, from: svm}
select:
  metric: test.error_rate
  folds: 2
  parameters:
    C: {path: nodes.svm.C, values: [0.1, 1]}
    few_numbers:
      as_numbers: {}
      as_categories: {nodes.table.number_categories: 12}
"""


def test_choices_of_how_a_file_is_read_mean_nothing_for_arrays(tmp_path):
    (tmp_path / "readings.yaml").write_text(READINGS)
    X = np.random.RandomState(0).randn(60, 3)
    result = semblance.run(tmp_path / "readings.yaml", data={"table": (X, X[:, 0] > 0)}, out=tmp_path / "out")
    assert [trial["values"] for trial in result.metrics["selection"]["trials"]] == [
        {"C": "0.1", "few_numbers": "as_numbers"}, {"C": "1", "few_numbers": "as_numbers"}]
