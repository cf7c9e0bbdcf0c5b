# SPDX-License-Identifier: MIT
"""Runs, studies and models from Python give what the command line gives."""

import json
import os
import pathlib
import pickle
import subprocess

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_digits

import semblance
from semblance import _native

PROGRAM = pathlib.Path(_native.__file__).parents[2] / "bin" / "semblance"
needs_program = pytest.mark.skipif(not PROGRAM.exists(), reason="the program is not beside")

X, Y = load_digits(return_X_y=True)
X = np.ascontiguousarray(X, np.float32)
TRAIN, TEST = slice(0, 300), slice(300, 500)

PIPELINE = {
    "name": "digits",
    "nodes": {
        "images": {"is": "source/array", "data": "digits"},
        "x": {"is": "normalizer/mean_norm", "from": "images"},
        "bases": {"is": "basis/random_per_class", "per_class": 4, "from": "images"},
        "map": {"is": "similarity/rbf", "gamma": 1, "from": "x", "bases": "bases"},
        "svm": {"is": "solver/linear_svm", "C": 1, "from": "map"},
        "test": {"is": "evaluator/classification", "from": "svm"}}}
DATA = {"images": (X[TRAIN], Y[TRAIN], X[TEST], Y[TEST])}


@pytest.fixture(autouse=True)
def own_store(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("SEMBLANCE_CACHE", str(tmp_path_factory.mktemp("store")))


@pytest.fixture(scope="module")
def result():
    return semblance.run(PIPELINE, DATA, cache=False)


def command_line(*arguments):
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def as_files(folder, pipeline=PIPELINE):
    """The pipeline with the same rows in files of NumPy."""
    for name, values in [("x", X[TRAIN]), ("y", Y[TRAIN]), ("xt", X[TEST]), ("yt", Y[TEST])]:
        np.save(folder / f"{name}.npy", values)
    source = {"is": "source/npy", "path": str(folder / "x.npy"), "labels": str(folder / "y.npy"),
              "test_path": str(folder / "xt.npy"), "test_labels": str(folder / "yt.npy")}
    file = folder / "digits.yaml"
    nodes = {**pipeline["nodes"], "images": source}
    file.write_text(json.dumps({**pipeline, "nodes": nodes}))
    return file


def without_times(metrics):
    """What two runs must agree on to the bit."""
    def kept(value):
        if not isinstance(value, dict):
            return value
        return {key: kept(inner) for key, inner in value.items()
                if "seconds" not in key and key not in ("peak_memory_bytes", "component",
                                                        "drawn_from")}
    nodes = {name: kept(node) for name, node in metrics["nodes"].items()}
    return {**{key: metrics[key] for key in ("pipeline", "seed")}, "nodes": nodes}


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
    assert "Accuracy" in html or "accuracy" in html
    assert f"{100 * result.figures['test']['accuracy']:.2f}" in html
    assert 'class="heat"' in html and "<script>" not in html


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
    assert set(truth.model.classes_) == {"False", "True"}


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
    assert list(found.model.classes_) == [7 * k for k in range(10)]
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
    x = rng.normal(size=(12000, 40)).astype(np.float32)
    y = rng.integers(0, 2, 12000)
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


def test_damaged_bytes_are_refused(result):
    from semblance._archive import from_bytes, to_bytes
    packed = to_bytes(result.model._trained)
    at = packed.find(b"NUMPY") + 200
    damaged = packed[:at] + bytes([packed[at] ^ 1]) + packed[at + 1:]
    with pytest.raises(semblance.SemblanceError):
        from_bytes(damaged)
    with pytest.raises(semblance.SemblanceError, match="not the bytes of a model"):
        from_bytes(b"no model at all")
    import io
    import tarfile
    evil = io.BytesIO()
    with tarfile.open(fileobj=evil, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("../evil"))
    with pytest.raises(semblance.SemblanceError, match="'../evil' is no file of one"):
        from_bytes(evil.getvalue())


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


def test_one_row_is_predicted_in_a_tenth_of_a_millisecond(result):
    import timeit
    model, row = result.model, X[:1]
    assert min(timeit.repeat(lambda: model.predict(row), number=200, repeat=20)) / 200 < 1e-4


# Studies -----------------------------------------------------------------------------------------

STUDY = {
    **PIPELINE,
    "study": {"metric": "test.error_rate", "baseline": {"gamma": 1},
              "slots": {"gamma": {"path": "nodes.map.gamma", "values": [0.1, 1, 10]}},
              "repeats": {"seeds": 3}}}


@pytest.fixture(scope="module")
def study():
    return semblance.ablate(STUDY, DATA, cache=False)


def test_a_study_is_a_data_frame(study):
    table = study.table
    assert list(table["gamma"]) == [0.1, 1, 10]
    assert table["error_rate"].between(0, 1).all()
    blocks = [name for name in table.columns if name.startswith("seed=")]
    assert len(blocks) == 3
    np.testing.assert_allclose(table[blocks].mean(axis=1), table["error_rate"])
    assert table["best"].any() and study.failed == 0 and not study.stopped


def test_paired_tests_are_those_of_study_json(study):
    tests = study.tests
    stored = json.loads((pathlib.Path(study.out) / "study.json").read_text())
    assert study.study == stored
    for standing in stored["comparison"]["methods"]:
        for test, found in standing.get("tests", {}).items():
            p = tests.loc[(standing["name"], test), "p"]
            assert p == found["p"] if found.get("p") is not None else pd.isna(p)
    assert "gamma=1" not in {name for name, _ in tests.index}  # the baseline


@needs_program
def test_a_study_is_that_of_the_command_line(tmp_path, study):
    file = as_files(tmp_path)
    content = json.loads(file.read_text())
    file.write_text(json.dumps({**content, "study": STUDY["study"]}))
    command_line("ablate", file, "--out", tmp_path / "out", "--no-cache", "--quiet")
    expected = json.loads((tmp_path / "out/study.json").read_text())
    assert [[measured["value"] for measured in method["measurements"]]
            for method in study.study["methods"]] == [
        [measured["value"] for measured in method["measurements"]]
        for method in expected["methods"]]
    assert study.study["comparison"] == expected["comparison"]


def test_a_study_shows_itself(study):
    assert "gamma" in repr(study) and "error rate" in repr(study)
    assert "Results" in study._repr_html_()
    assert os.path.exists(study.report)


def test_a_variant_that_fails_is_told():
    broken = json.loads(json.dumps(STUDY))
    broken["study"]["slots"] = {"per_class": {"path": "nodes.bases.per_class",
                                              "values": [4, 4000]}}
    broken["study"]["baseline"] = {"per_class": 4}
    result = semblance.ablate(broken, DATA, cache=False)
    assert result.failed == 3
    assert "4000" in result.table["error"].iloc[1] and result.table["error"].iloc[0] == ""
    with pytest.raises(semblance.SemblanceError, match="4000"):
        semblance.ablate(broken, DATA, cache=False, fail_fast=True)


def test_a_study_in_steps_and_one_over_data_sets():
    steps = {**PIPELINE, "study": {
        "metric": "test.error_rate",
        "slots": {"gamma": {"path": "nodes.map.gamma", "values": [0.1, 1]},
                  "C": {"path": "nodes.svm.C", "values": [0.1, 1, 10]}},
        "steps": {"first": {"choose": "gamma"}, "second": {"choose": "C"}}}}
    with pytest.warns(semblance.SemblanceWarning, match="greatest of the 3 tried"):
        result = semblance.ablate(steps, DATA, cache=False)
    assert list(result.table["step"]) == ["first"] * 2 + ["second"] * 3
    assert result._repr_html_() is None and "first" in repr(result)
    over = {**PIPELINE, "study": {
        "metric": "test.error_rate", "over": "part", "baseline": {"gamma": 1},
        "slots": {"gamma": {"path": "nodes.map.gamma", "values": [0.1, 1]},
                  "part": {"best": {"nodes.bases.per_class": 1},
                           "other": {"nodes.bases.per_class": 2}}}}}
    table = semblance.ablate(over, DATA, cache=False).table
    assert table["best"].dtype == bool
    np.testing.assert_allclose(table[["on best", "other"]].mean(axis=1), table["error_rate"])


# What is wrong -----------------------------------------------------------------------------------

def test_all_that_is_wrong_is_said_at_once():
    wrong = json.loads(json.dumps(PIPELINE))
    wrong["nodes"]["svm"]["C"] = -1
    wrong["nodes"]["map"]["gama"] = 2
    with pytest.raises(semblance.PipelineError) as caught:
        semblance.run(wrong, DATA)
    assert len(caught.value.diagnostics) == 2
    assert "did you mean 'gamma'?" in str(caught.value)
    assert semblance.check(wrong, DATA) == caught.value.diagnostics
    assert semblance.check(PIPELINE, DATA) == []
    assert semblance.check(STUDY, DATA) == []


def test_changes_are_checked_as_the_command_lines():
    with pytest.raises(semblance.PipelineError, match="--set.*unknown node 'svn'"):
        semblance.run(PIPELINE, DATA, set={"nodes.svn.C": 1})
    with pytest.raises(TypeError, match="set must be a dict"):
        semblance.run(PIPELINE, DATA, set=["nodes.svm.C=1"])
    with pytest.raises(TypeError, match="a pipeline holds"):
        semblance.run(PIPELINE, DATA, set={"nodes.svm.C": object()})


@pytest.mark.parametrize("data, error, said", [
    ({"pictures": (X, Y)}, ValueError, "'pictures', which is no source.*images"),
    ({"svm": (X, Y)}, ValueError, "'svm', which is no source"),
    ({"images": (X, Y[:-1])}, ValueError, "1797 rows and 1796 labels"),
    ({"images": (X, Y, X[:, :5], Y)}, ValueError, "X_test"),
    ({"images": (X, None, X, Y)}, ValueError, "y_test is given without y"),
    ({"images": (X, Y + 0.5)}, ValueError, "classes are whole numbers"),
    ({"images": (X, np.where(Y == 3, np.nan, Y))}, ValueError, "y contains NaN"),
    ({"images": (X, Y.reshape(3, -1))}, ValueError, "one-dimensional"),
    ({"images": (X, [None] + list(Y[1:]))}, ValueError, "labels that are missing"),
    ({"images": (X, pd.array([pd.NA] + list(Y[1:]), dtype="Int64"))}, ValueError, "are missing"),
    ({"images": (X, np.array(["a"] + list(Y[1:]), dtype=object))}, TypeError,
     "all numbers, or all texts"),
    ({"images": (X, Y.astype(complex))}, TypeError, "complex"),
    ({"images": (pd.DataFrame(X[:, :2], columns=["a", "b"]), Y,
                 pd.DataFrame(X[:, :2], columns=["a", "c"]), Y)}, ValueError,
     "lacks the column 'b'"),
    ({"images": (X * np.nan, Y)}, ValueError, "NaN"),
    ({"images": (X[:0], Y[:0])}, ValueError, "0 sample"),
    ({"images": (X, Y, X, Y, X)}, ValueError, "got 5 parts"),
    ({"images": object()}, (TypeError, ValueError), ""),
    ((X, Y), TypeError, "data must be a dict"),
])
def test_wrong_data_are_pythons_errors(data, error, said):
    with pytest.raises(error, match=said):
        semblance.run(PIPELINE, data, cache=False)


@pytest.mark.parametrize("options, error, said", [
    ({"threads": 0}, ValueError, "threads must be between"),
    ({"memory": "much"}, ValueError, "memory must be"),
    ({"memory": 0}, ValueError, "memory must be"),
    ({"threads": "all"}, TypeError, "threads must be a whole number, got 'all'"),
    ({"seed": -1}, TypeError, "seed must be a whole number"),
    ({"deadline": "soon"}, TypeError, "deadline must be a number"),
    ({"deadline": -1}, ValueError, "deadline must be"),
    ({"deadline": float("nan")}, ValueError, "deadline must be"),
    ({"on_interrupt": "ignore"}, ValueError, "on_interrupt must be"),
    ({"plugins": ["/nowhere/libx.so"]}, semblance.SemblanceError, "/nowhere/libx.so"),
])
def test_wrong_options_are_said(options, error, said):
    with pytest.raises(error, match=said):
        semblance.run(PIPELINE, DATA, **options)


def test_what_is_no_pipeline_is_said(tmp_path):
    with pytest.raises(semblance.PipelineError, match="nowhere.yaml"):
        semblance.run("nowhere.yaml")
    with pytest.raises(TypeError, match="a pipeline must be"):
        semblance.run(3)
    with pytest.raises(semblance.PipelineError):
        semblance.run(STUDY, DATA)
    with pytest.raises(semblance.PipelineError, match="not a study"):
        semblance.ablate(PIPELINE, DATA)


def test_a_component_that_fails_says_where():
    with pytest.raises(semblance.SemblanceError, match="bases.*4000|4000.*bases"):
        semblance.run(PIPELINE, DATA, cache=False, set={"nodes.bases.per_class": 4000})
    with pytest.raises(semblance.SemblanceError, match="class"):
        semblance.run(PIPELINE, {"images": (X[TRAIN], np.zeros(300), X[TEST], np.zeros(200))},
                      cache=False)


# Other samples -----------------------------------------------------------------------------------

def series(count, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, count)
    return [np.sin(np.linspace(0, 3 + 4 * label, rng.integers(10, 20))).astype(np.float32)
            for label in y], y


def test_series_of_different_lengths():
    x, y = series(40)
    x_test, y_test = series(20, seed=1)
    x_test[3] = np.concatenate([x_test[3], x_test[3]])  # longer than any to train on
    pipeline = {"nodes": {
        "walks": {"is": "source/array"},
        "bases": {"is": "basis/all", "from": "walks"},
        "map": {"is": "similarity/dtw", "from": "walks", "bases": "bases"},
        "nearest": {"is": "solver/nearest_neighbour", "from": "map"},
        "test": {"is": "evaluator/classification", "from": "nearest"}}}
    result = semblance.run(pipeline, {"walks": (x, y, x_test, y_test)}, cache=False)
    assert result.figures["test"]["accuracy"] > 0.8
    with pytest.raises(ValueError, match=r"X\[1\] has 60 steps, more than the"):
        result.model.predict([x[0], np.zeros(60, np.float32)])
    np.testing.assert_array_equal(result.model.predict(x_test).astype(str),
                                  result.predictions["nearest"]["predicted"])


def test_strings():
    words = ["aab", "abb", "xyz", "xxz", "ab", "zx"] * 10
    labels = ["first", "first", "second", "second", "first", "second"] * 10
    pipeline = {"nodes": {
        "words": {"is": "source/array"},
        "counts": {"is": "feature/spectrum", "longest": 1, "from": "words"},
        "svm": {"is": "solver/linear_svm", "from": "counts"}}}
    result = semblance.run(pipeline, {"words": (words, labels)}, cache=False)
    assert list(result.model.predict(["ba", "zz"])) == ["first", "second"]
    with pytest.raises(ValueError, match="'q'"):
        result.model.predict(["aq"])
    other = {"kind": "string", "width": 3, "depth": 1, "alphabet": "zyxba"}
    rows = _native.Rows(np.zeros(2, np.float32), other, np.array([0, 2], np.uint64))
    with pytest.raises(ValueError, match="of another alphabet"):
        result.model._trained.apply("svm", rows)


def test_pairs():
    pipeline = {"nodes": {
        "faces": {"is": "source/array", "test_fraction": 0.3},
        "pairs": {"is": "pairs/all", "from": "faces"},
        "svm": {"is": "solver/pairwise_svm", "kernel": {"is": "pair_kernel/metric_learning"},
                "from": "faces", "pairs": "pairs"},
        "test": {"is": "evaluator/verification", "from": "svm"}}}
    result = semblance.run(pipeline, {"faces": (X[:200], Y[:200])}, cache=False)
    frame = result.predictions["svm"]
    pairs = frame[["first", "second"]].to_numpy()
    np.testing.assert_array_equal(result.model.score_pairs(X[:200], pairs).astype(np.float32),
                                  frame["score"].to_numpy(np.float32))
    with pytest.raises(TypeError, match="whole numbers of shape"):
        result.model.score_pairs(X[:3], [[0.5, 1]])
    with pytest.raises(ValueError, match="pair 1 names row 3; there are 3 rows"):
        result.model.score_pairs(X[:3], [[0, 1], [0, 3]])


def test_a_pipeline_that_selects():
    pipeline = json.loads(json.dumps(PIPELINE))
    pipeline["select"] = {"metric": "test.error_rate", "folds": 3,
                          "parameters": {"C": {"path": "nodes.svm.C", "values": [0.01, 1]}}}
    result = semblance.run(pipeline, DATA, cache=False)
    assert result.metrics["selection"]["metric"] == "test.error_rate"
    stopped = semblance.run(pipeline, {"images": (np.tile(X, (20, 1)), np.tile(Y, 20))},
                            cache=False, deadline=0.05)
    assert stopped.stopped_by == "the deadline" and repr(stopped)
    assert stopped.predictions == {} and stopped.figures == {}
    with pytest.raises(semblance.SemblanceError, match="no model"):
        stopped.model


def test_the_examples_in_the_documentation():
    import doctest

    import semblance._model
    import semblance._runs
    for module in (semblance._runs, semblance._model):
        assert doctest.testmod(module).failed == 0


# Progress ----------------------------------------------------------------------------------------

def test_progress_is_tqdms(capsys):
    semblance.run(PIPELINE, DATA, cache=False, progress=True)
    semblance.run(PIPELINE, DATA, cache=False, progress=False)
    semblance.run(PIPELINE, DATA, cache=False)  # no terminal: nothing
    assert "Traceback" not in capsys.readouterr().err
    x = np.random.default_rng(0).normal(size=(12000, 40)).astype(np.float32)
    y = np.random.default_rng(1).integers(0, 5, 12000)
    pipeline = {"nodes": {"data": {"is": "source/array"},
                          "svm": {"is": "solver/kernel_svm", "C": 10, "from": "data"}}}
    semblance.run(pipeline, {"data": (x, y)}, cache=False, deadline=1.5)
    assert capsys.readouterr().err == ""
    semblance.run(pipeline, {"data": (x, y)}, cache=False, deadline=1.5, progress=True)
    assert "svm" in capsys.readouterr().err
