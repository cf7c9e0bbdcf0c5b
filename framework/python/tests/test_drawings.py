# SPDX-License-Identifier: MIT
"""Evaluators and solvers written in Python draw on the page, as plugins in C++ do."""

import base64

import numpy as np
import pytest

import semblance
from program_in_folder import in_program

PIPELINE = """
name: drawn
nodes:
  t:    {is: source/xor, train: 60, test: 20}
  svm:  {is: solver/falling, from: t}
  test: {is: evaluator/drawn, from: svm}
"""

#: One grey pixel.
PNG = ("89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b550000000a49444154789c63480100"
       "006600657aa0c6920000000049454e44ae426082")

PLUGIN = """
import numpy as np, semblance
PNG = "{PNG}"

@semblance.solver("solver/falling")
class Falling:
    "A solver whose gap falls."
    def fit(self, samples, labels):
        self.scale = 1.0
        return {"objective": 0.5,
                "gaps": semblance.Curve([1, 2, 3], [0.5, 0.1, np.nan], "iteration", "gap")}
    def apply(self, samples):
        return self.scale * samples[:, :2]

@semblance.evaluator("evaluator/drawn", reports={
    "rows": semblance.figure("number of rows", unit="count"),
    "recalls.recall": semblance.figure("share of a class", unit="share")})
def drawn(scores, labels, classes):
    "Draws everything."
    marked = scores.argmax(axis=1) != labels
    return {
        "rows": len(labels),
        "recalls": semblance.Bars(classes, [0.75, None], errors=[0.1, 0.0], value_label="recall",
                                  caption="The <i> of each class."),
        "places": semblance.Scatter(scores[:3, 0], scores[:3, 1], groups=[classes[0], None, classes[1]],
                                    marked=marked[:3], x_label="first", y_label="second",
                                    marked_label="misclassified"),
        "map": semblance.HeatMap(np.arange(6).reshape(2, 3), rows=["a", "b"], columns=[1, 2, 3]),
        "picture": semblance.Picture(bytes.fromhex(PNG), "A line.")}
"""


@in_program
def test_all_drawings_are_on_the_page_and_in_the_metrics(program):
    program.file("p.yaml", PIPELINE)
    program.file("drawn.py", PLUGIN.replace("{PNG}", PNG))
    program.succeed("run", "p.yaml", "--plugin-path", "drawn.py", "--out", "out", "--quiet")
    test = program.metrics()["test"]
    assert test["recalls"] == {"labels": ["0", "1"], "values": [0.75, None], "errors": [0.1, 0.0]}
    assert test["places"]["group"] == ["0", None, "1"]
    assert len(test["places"]["x"]) == 3
    assert test["map"] == {"rows": ["a", "b"], "columns": ["1", "2", "3"],
                           "values": [[0, 1, 2], [3, 4, 5]]}
    assert base64.b64decode(test["picture"]["png"]) == bytes.fromhex(PNG)
    assert program.metrics()["svm"]["gaps"] == {"x": [1, 2, 3], "y": [0.5, 0.1, None]}
    page = (program.folder / "out/report.html").read_text()
    for text in ("The \\u003ci> of each class.", base64.b64encode(bytes.fromhex(PNG)).decode(), "misclassified", "A line.", "gaps"):
        assert text in page, text


#: What the evaluator returns as "one", and the message for it.
WRONG = (
    ("Bars(['a', 'b'], [1])", "the bars 'one' have 2 labels but 1 values"),
    ("Bars(['a'], [1], errors=[-1])", "the bars 'one' have an error below 0: -1.000000"),
    ("Bars(['a'], [1], errors=[1, 2])", "the bars 'one' have 1 values but 2 errors"),
    ("Bars('ab', [1, 2])", "'labels' of the bars 'one' is 'ab', not a list of texts"),
    ("Bars(5, [1])", "'labels' of the bars 'one' is 5, not a list of texts"),
    ("Bars([None], [1])", "'labels' of the bars 'one' has None, which is no text"),
    ("Bars(['a'], ['1'])", "'values' of the bars 'one' is an array of <U1, not of real numbers"),
    ("Bars(['a'], [1], caption=3)", "'caption' of the bars 'one' is 3, not a text"),
    ("HeatMap([[1, 2, 3]], rows=['a', 'b', 'c'], columns=['a'])",
     "the heat map 'one' has 3 rows and 1 columns but values of the shape (1, 3)"),
    ("HeatMap([[1, 2], [3]], rows=['a', 'b'], columns=['a', 'b'])",
     "'values' of the heat map 'one' is no array of numbers: its rows differ in length"),
    ("Scatter([1, 2], [1])", "the scatter 'one' has 2 values of x but 1 of y"),
    ("Scatter([1, 2], [1, 2], groups=['a'])", "the scatter 'one' has 2 points but 1 groups"),
    ("Scatter([1], [1], marked=[2])",
     "'marked' of the scatter 'one' is an array of int64, not of True and False"),
    ("Scatter([[1]], [[1]])", "'x' of the scatter 'one' has the shape (1, 1), not one dimension"),
    ("Curve([1, 2], [1])", "the curve 'one' has 2 values of x but 1 of y"),
    ("Picture(b'<svg/>')", "the picture 'one' is not a PNG file"),
    ("Picture('<svg/>')", "'png' of the picture 'one' is '<svg/>', not the bytes of a PNG file"),
)


@pytest.mark.parametrize("made, message", WRONG, ids=[made for made, _ in WRONG])
def test_what_does_not_fit_is_refused_with_one_sentence(made, message, monkeypatch, tmp_path):
    monkeypatch.setenv("SEMBLANCE_CACHE", str(tmp_path / "store"))
    drawing = eval(made, vars(semblance))  # noqa: S307

    @semblance.evaluator("evaluator/wrong", reports={})
    def wrong(scores, labels):
        """Returns one drawing."""
        return {"one": drawing}

    pipeline = {"name": "wrong", "nodes": {
        "t": {"is": "source/xor", "train": 30, "test": 10},
        "svm": {"is": "solver/linear_svm", "from": "t"},
        "test": {"is": "evaluator/wrong", "from": "svm"}}}
    with pytest.raises(semblance.SemblanceError) as error:
        semblance.run(pipeline)
    assert message in str(error.value)
    assert "node 'test' (evaluator/wrong)" in str(error.value)


def test_a_result_in_memory_has_the_drawings_too(monkeypatch, tmp_path):
    monkeypatch.setenv("SEMBLANCE_CACHE", str(tmp_path / "store"))
    X = np.random.default_rng(0).normal(size=(40, 2)).astype(np.float32)

    @semblance.evaluator("evaluator/counts", reports={})
    def counts(scores, labels, classes):
        """How often each class is predicted."""
        found = np.bincount(scores.argmax(axis=1), minlength=len(classes))
        return {"counts": semblance.Bars(classes, found)}

    result = semblance.run(
        {"name": "counts", "nodes": {
            "t": {"is": "source/array", "test_fraction": 0.5},
            "svm": {"is": "solver/linear_svm", "from": "t"},
            "test": {"is": "evaluator/counts", "from": "svm"}}},
        data={"t": (X, X[:, 0] > 0)})
    drawn = result.metrics["nodes"]["test"]["counts"]
    assert drawn["labels"] == ["False", "True"]
    assert sum(drawn["values"]) == len(result.predictions["svm"])
