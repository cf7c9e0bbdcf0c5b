# SPDX-License-Identifier: MIT
"""Studies from Python give what the command line gives."""

import json
import os
import pathlib

import numpy as np
import pandas as pd
import pytest

from digits import DATA, PIPELINE, STUDY, as_files, command_line, needs_program
import semblance

pytestmark = pytest.mark.usefixtures("own_store")


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


def test_choices_do_not_hide_behind_results_of_the_same_name(study):
    text = json.dumps(STUDY).replace('"gamma": {"path"', '"error": {"path"').replace(
        '"baseline": {"gamma"', '"baseline": {"error"')
    table = semblance.ablate(text, DATA, cache=False).table
    assert list(table["slot error"]) == list(study.table["gamma"])
    assert not table["error"].any()


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
    assert study._repr_html_().count("(best)</th>") == study.table["best"].sum() > 0
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
