# SPDX-License-Identifier: MIT
"""The predictions of runs as data frames, and of models for data frames as files have them."""

import pathlib
import subprocess

import numpy as np
import pandas as pd
import pytest

import semblance
from program import PROGRAM

pytestmark = pytest.mark.usefixtures("own_store")


def test_classes_that_a_spreadsheet_would_compute_are_themselves():
    names = np.array(["=1+2", "@sum", "-1.5", "'=1", "-a,b"])
    labels = names[np.arange(200) % len(names)]
    rows = np.eye(len(names))[np.arange(200) % len(names)]
    nodes = {"d": {"is": "source/array", "data": "rows"},
             "svm": {"is": "solver/linear_svm", "from": "d"}}
    data = {"d": (rows[:100], labels[:100], rows[100:], labels[100:])}
    found = semblance.run({"name": "formulas", "nodes": nodes}, data, cache=False)
    predicted = found.predictions["svm"]
    assert set(predicted["label"]) == set(names)
    assert list(predicted["label"]) == list(predicted["predicted"])
    text = (pathlib.Path(found.out) / "predictions/svm.csv").read_text()
    assert ",'=1+2,'=1+2," in text and ",-1.5,-1.5," in text


def test_numbers_that_are_called_like_other_columns_keep_their_own():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(60, 2)).astype(np.float32)
    names = ["row", "y", "predicted y", "name", "-1 day"]
    targets = pd.DataFrame(rng.normal(size=(60, 5)), columns=names)
    found = semblance.run(
        {"name": "names", "nodes": {"d": {"is": "source/array", "data": "rows"},
                                    "fit": {"is": "solver/ridge", "from": "d"}}},
        {"d": {"X": rows[:40], "target": targets[:40], "X_test": rows[40:],
               "target_test": targets[40:]}}, cache=False)
    frame = found.predictions["fit"]
    assert list(frame["row"]) == list(range(40, 60))
    columns = ["row (target)", "y", "predicted y (target)", "name", "-1 day"]
    np.testing.assert_array_equal(frame[columns], targets[40:])
    estimates = frame[[f"predicted {name}" for name in columns]]
    np.testing.assert_array_equal(estimates.to_numpy(np.float32), found.model.predict(rows[40:]))


def test_names_of_samples_of_pairs_are_texts(tmp_path):
    lines = [f"{i:03d},{i % 6}.{i % 7},{i % 5},k{i % 6}" for i in range(60)]
    (tmp_path / "t.csv").write_text("\n".join(["who,a,b,kind", *lines]) + "\n")
    found = semblance.run({"name": "pairs", "nodes": {
        "t": {"is": "source/csv", "path": "t.csv", "id": "who", "test_class_fraction": 0.4},
        "pairs": {"is": "pairs/all", "from": "t"},
        "svm": {"is": "solver/pairwise_newton", "from": "t", "pairs": "pairs"}}},
        data_folder=tmp_path, cache=False)
    frame = found.predictions["svm"]
    for side in "first", "second":
        assert list(frame[f"{side} name"]) == [f"{row:03d}" for row in frame[side]]


def test_sets_of_classes_are_texts_also_where_each_has_one_number():
    rng = np.random.default_rng(0)
    labels = np.arange(120) % 2
    X = 20 * labels[:, None] + rng.normal(size=(120, 2))
    pipeline = """name: sets
nodes:
  table: {is: source/array, test_fraction: 0.5}
  svm:   {is: solver/linear_svm, from: table}
  sets:  {is: calibrator/conformal, randomized: false, from: svm}
"""
    sets = semblance.run(pipeline, data={"table": {"X": X, "y": labels}}).predictions["sets"]
    assert set(sets["set"]) == {"0", "1"}


def test_a_model_of_a_file_takes_its_categories_and_dates_as_they_came(tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"hue": rng.choice(["red", "a=b", "blue"], 80), "size": rng.normal(size=80),
                          "born": pd.Timestamp("2020-02-03")
                                  + pd.to_timedelta(rng.integers(0, 900, 80), unit="D"),
                          "gap": rng.choice(["x", "y", None], 80), "code": rng.integers(1, 4, 80)})
    frame["label"] = np.where((frame.hue == "red") ^ (frame["size"] > 0), "yes", "no")
    frame.to_csv(tmp_path / "t.csv", index=False)
    found = semblance.run({"name": "frame", "nodes": {
        "t": {"is": "source/csv", "path": "t.csv", "label": "label", "missing": "keep",
              "categorical": ["hue", "gap", "code"], "dates": ["born"]},
        "filled": {"is": "normalizer/impute", "strategy": "median", "from": "t"},
        "x": {"is": "normalizer/zscore", "from": "filled"},
        "svm": {"is": "solver/kernel_svm", "from": "x"}}},
        data_folder=tmp_path, out=tmp_path / "out", cache=False)
    subprocess.run([PROGRAM, "predict", "out/model", "t.csv", "--out", "p"], cwd=tmp_path, check=True,
                   capture_output=True)
    expected = np.load(tmp_path / "p/svm.npy")
    for given in frame, frame[frame.columns[::-1]], frame.astype({"hue": "category"}):
        np.testing.assert_array_equal(found.model.decision_function(given), expected)
    np.testing.assert_array_equal(found.model.decision_function(frame[5:6]), expected[5:6])
    with pytest.raises(ValueError, match="X has 'green' in the column 'hue', which is none of its "
                                         "categories in training: 'a=b', 'blue', 'red'"):
        found.model.predict(frame.assign(hue="green"))
    with pytest.raises(ValueError, match="X has no dates in the column 'born'"):
        found.model.predict(frame.assign(born="2020-02-03"))
    with pytest.raises(ValueError, match="X lacks the column 'hue=a=b'"):
        found.model.predict(frame.drop(columns="hue"))


def test_a_run_says_how_categories_become_numbers_and_its_model_takes_them_as_they_came():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"hue": rng.choice(["red", "blue"], 60), "size": rng.normal(size=60)})
    labels = np.where(frame.hue == "red", 1, 0)
    pipeline = {"name": "frame", "nodes": {"d": {"is": "source/array"},
                                           "svm": {"is": "solver/linear_svm", "from": "d"}}}
    with pytest.raises(ValueError, match=r"could not convert string to float: '(red|blue)'; "
                                         r"pandas.get_dummies\(X, columns=\['hue'\], prefix_sep=\"=\"\)"):
        semblance.run(pipeline, {"d": (frame, labels)}, cache=False)
    dummies = pd.get_dummies(frame, columns=["hue"], prefix_sep="=")
    model = semblance.run(pipeline, {"d": (dummies, labels)}, cache=False).model
    assert list(model.predict(frame)) == list(labels)
