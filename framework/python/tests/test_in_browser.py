# SPDX-License-Identifier: MIT
"""What a notebook shows of results, seen in Chromium."""

import html
import json
import re
from pathlib import Path

import pytest
from sklearn.datasets import load_digits, load_iris

import browser
import semblance
from semblance import KernelSVM
from semblance.similarity import RBF

pytestmark = [
    pytest.mark.skipif(browser.CHROMIUM is None, reason="chromium is not installed"),
    pytest.mark.filterwarnings("ignore::semblance.SemblanceWarning")]

NOTEBOOKS = Path(__file__).resolve().parents[3] / "docs" / "notebooks"
PIPELINE = {
    "name": "flowers",
    "nodes": {"table": {"is": "source/array", "test_fraction": 0.3},
              "svm": {"is": "solver/kernel_svm", "kernel": RBF(), "from": "table"},
              "test": {"is": "evaluator/classification", "from": "svm"}}}
STUDY = {**PIPELINE, "study": {
    "metric": "test.accuracy", "repeats": {"seeds": 3},
    "slots": {"C": {"path": "nodes.svm.C", "values": [0.01, 1]}}}}


@pytest.fixture(scope="module")
def results():
    flowers = load_iris()
    data = {"table": (flowers.data, flowers.target_names[flowers.target])}
    run = semblance.run(PIPELINE, data=data, cache=False)
    return run, semblance.ablate(STUDY, data=data, cache=False)


@pytest.mark.parametrize("theme", browser.THEMES)
def test_results_can_be_read(results, theme, tmp_path):
    run, study = results
    verdict = browser.verdict_on(tmp_path, [result._repr_html_() for result in results], theme)
    shown_run, shown_study = verdict["outputs"]
    accuracy = run.figures["test"]["accuracy"]
    assert f"{100 * accuracy:.2f}" in shown_run["text"].replace("\n", "")
    for name in ("setosa", "versicolor", "virginica", "accuracy"):
        assert name in shown_run["text"].lower()
    for value in study.table["accuracy"]:
        assert f"{100 * value:.2f}" in shown_study["text"]
    assert "(best)" in shown_study["text"]
    for shown in (shown_run, shown_study):
        assert shown["overflow"] == 0 and 60 < shown["height"] < 1000
        assert shown["contrast"] >= 3 and shown["small"] >= 10


def test_a_matrix_of_ten_classes_is_shown_as_a_whole(tmp_path):
    digits = load_digits()
    run = semblance.run(PIPELINE, data={"table": (digits.data, digits.target)}, cache=False)
    shown, = browser.verdict_on(tmp_path, [run._repr_html_()])["outputs"]
    assert "true classes" in shown["text"] and shown["hidden"] == 0


def test_what_cannot_be_read_is_seen(tmp_path):
    faint, wide, inner, hidden = browser.verdict_on(tmp_path, [
        "<p style='color: #ddd'>faint</p>", "<div style='width: 2000px'>wide</div>",
        "<div style='overflow-x: auto'><div style='width: 2000px'>inner</div></div>",
        "<p style='display: none'>hidden</p>"])["outputs"]
    assert faint["contrast"] < 1.5 and wide["overflow"] > 1000
    assert inner["hidden"] > 1000 and hidden["text"] == ""


def test_results_do_not_change_the_notebook(results, tmp_path):
    """Their style sheets are for themselves."""
    alone = browser.verdict_on(tmp_path, ["<p>words</p>"])
    beside = browser.verdict_on(tmp_path, [results[0]._repr_html_(), "<p>words</p>",
                                           results[1]._repr_html_()])
    assert (beside["font"], beside["color"]) == (alone["font"], alone["color"])
    for measured in ("text", "width", "height", "contrast", "small"):
        assert beside["outputs"][1][measured] == alone["outputs"][0][measured]


def test_a_screenshot_shows_the_results(results, tmp_path):
    pytest.importorskip("matplotlib", reason="no matplotlib (apt-get install python3-matplotlib)")
    outputs = [result._repr_html_() for result in results]
    picture = browser.screenshot_of(tmp_path, outputs)
    assert picture.shape[1] == 900
    frames = []
    for shown in browser.verdict_on(tmp_path, outputs)["outputs"]:
        left, top, width, height = (int(shown[side]) for side in ("left", "top", "width", "height"))
        frames.append(picture[top:top + height, left:left + width].reshape(-1, 3))
        dark = (frames[-1].mean(axis=1) < 0.45).mean()
        assert 0.005 < dark < 0.5  # letters, on paper
    blue = frames[0][:, 2] > frames[0][:, 0] + 0.2
    assert blue.mean() > 0.005  # the cells of the confusion matrix
    assert picture[top + height + 20:].min() == 1  # nothing else on the page


def test_an_estimator_shows_its_parameters(tmp_path):
    machine = KernelSVM(kernel=RBF(gamma=0.5), C=3)
    shown, = browser.verdict_on(tmp_path, [machine._repr_html_()])["outputs"]
    assert "KernelSVM(C=3, kernel=RBF(gamma=0.5))" in shown["text"].replace("\n", "")


@pytest.mark.parametrize("notebook", sorted(NOTEBOOKS.glob("*.ipynb")), ids=lambda file: file.stem)
def test_a_notebook_shows_what_it_keeps(notebook, tmp_path):
    outputs, plain = [], []
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        for output in cell.get("outputs", []):
            data = output["data"]
            text = "".join(data["text/plain"])
            outputs.append("".join(data["text/html"]) if "text/html" in data else
                           f"<pre>{html.escape(text)}</pre>")
            plain.append(text)
    shown = browser.verdict_on(tmp_path, outputs)["outputs"]
    assert len(shown) == len(outputs) >= 3
    for text, output in zip(plain, shown):
        figures = re.findall(r"\d+\.\d{2}", text)
        assert output["height"] > 10 and (not figures or figures[0] in output["text"])
