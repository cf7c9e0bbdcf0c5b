# SPDX-License-Identifier: MIT
"""Mistakes in a run, and their messages in Python."""

import json

import numpy as np
import pandas as pd
import pytest

from digits import DATA, PIPELINE, STUDY, TEST, TRAIN, X, Y
import semblance

pytestmark = pytest.mark.usefixtures("own_store")


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
    ({"images": (X, Y[:-1])}, ValueError, "1797 rows, and its shape is .1796,"),
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
    ({"images": (pd.DataFrame(X[:, :2], columns=["a", "a"]), Y)}, ValueError,
     "X has several columns of the same name; rename them"),
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
