# SPDX-License-Identifier: MIT
"""The displays draw what searches, studies and measures computed, and nothing else."""

import builtins
import json

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV, RandomizedSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import semblance
from semblance import KernelSVM, PipelineEstimator
from semblance.displays import (CriticalDifferenceDisplay, ValidationSurfaceDisplay,
                                WarpingPathDisplay)
from semblance.similarity import dtw_path

matplotlib = pytest.importorskip("matplotlib", reason="no matplotlib (apt-get install "
                                                      "python3-matplotlib)")
X, Y = load_iris(return_X_y=True)
GRID = {"kernelsvm__C": [10, 0.1, 1], "kernelsvm__kernel__gamma": [0.01, 1]}
WARPED = [0, 0, 1, 2, 1, 0], [0, 1, 2, 2, 1, 0, 0]


@pytest.fixture(autouse=True)
def without_a_screen(own_store):
    from matplotlib import pyplot
    matplotlib.use("Agg")
    yield
    pyplot.close("all")


def search(grid, **options):
    machine = make_pipeline(StandardScaler(), KernelSVM(n_jobs=1))
    return GridSearchCV(machine, grid, cv=3, **options).fit(X, Y)


def texts(ax):
    return {text.get_text() for text in ax.texts}


def test_a_surface_has_the_scores_of_the_search():
    found = search(GRID)
    display = ValidationSurfaceDisplay.from_estimator(found)
    assert display.x_values == [0.1, 1, 10] and display.y_values == [0.01, 1]
    for parameters, score in zip(found.cv_results_["params"],
                                 found.cv_results_["mean_test_score"]):
        place = (display.y_values.index(parameters["kernelsvm__kernel__gamma"]),
                 display.x_values.index(parameters["kernelsvm__C"]))
        assert display.scores[place] == score
        assert display.im_.get_array()[place] == score
        assert (display.best == place) == (parameters == found.best_params_)
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == ("C", "gamma")
    assert [tick.get_text() for tick in display.ax_.get_xticklabels()] == ["0.1", "1", "10"]
    assert format(found.best_score_, ".3g") in texts(display.ax_)
    assert display.score_name == "score"
    assert display.ax_.figure is display.figure_


def test_a_surface_over_two_of_three_parameters_has_the_best_over_the_third():
    found = search({**GRID, "kernelsvm__multiclass": ["one_versus_one", "one_versus_rest"]})
    with pytest.raises(ValueError, match="over two parameters, and 3 vary"):
        ValidationSurfaceDisplay.from_estimator(found)
    display = ValidationSurfaceDisplay.from_estimator(found, x="gamma", y="C", plot=False)
    assert display.score_name == "score, the best over other parameters"
    for row, C in enumerate(display.y_values):
        for column, gamma in enumerate(display.x_values):
            scores = [score for parameters, score in zip(found.cv_results_["params"],
                                                         found.cv_results_["mean_test_score"])
                      if (parameters["kernelsvm__C"], parameters["kernelsvm__kernel__gamma"])
                      == (C, gamma)]
            assert len(scores) == 2 and display.scores[row, column] == max(scores)
    with pytest.raises(ValueError, match="'x' parameter must name one of .*, got 'gama'"):
        ValidationSurfaceDisplay.from_estimator(found, x="gama", y="C")
    with pytest.raises(ValueError, match="the same parameter"):
        ValidationSurfaceDisplay.from_estimator(found, x="C", y="C")


def test_a_surface_takes_words_failures_and_one_of_several_scorers():
    with pytest.warns(UserWarning):
        found = search({"kernelsvm__C": [1, -1], "kernelsvm__kernel__gamma": ["scale", "auto", 1]},
                       scoring=["accuracy", "f1_macro"], refit="f1_macro", error_score=np.nan)
    display = ValidationSurfaceDisplay.from_estimator(found)
    assert display.score_name == "f1_macro"
    assert display.y_values == ["scale", "auto", 1] and display.x_values == [-1, 1]
    assert np.isnan(display.scores[:, 0]).all() and not np.isnan(display.scores[:, 1]).any()
    assert "–" in texts(display.ax_)
    other = ValidationSurfaceDisplay.from_estimator(found, metric="accuracy", plot=False)
    assert not np.array_equal(other.scores[:, 1], display.scores[:, 1])
    with pytest.raises(ValueError, match="must be one of accuracy, f1_macro"):
        ValidationSurfaceDisplay.from_estimator(found, metric="recall")


def test_a_surface_needs_a_grid_and_a_fitted_search():
    machine = KernelSVM(n_jobs=1)
    scattered = RandomizedSearchCV(machine, {"C": range(1, 1000),
                                             "kernel__gamma": np.linspace(0.1, 1)},
                                   n_iter=6, cv=2, random_state=0).fit(X, Y)
    with pytest.raises(ValueError, match="Only 6 of the 36 pairs"):
        ValidationSurfaceDisplay.from_estimator(scattered)
    halving = {"params": [{"C": C, "gamma": gamma} for C in (1, 2) for gamma in (1, 2)],
               "mean_test_score": [0.5, 0.6, 0.7, 0.8], "n_resources": [10, 10, 10, 30]}
    with pytest.raises(ValueError, match="scored on different numbers of samples"):
        ValidationSurfaceDisplay.from_cv_results(halving)
    for other in (machine, GridSearchCV(machine, {"C": [1, 2]})):
        with pytest.raises(TypeError, match="neither cv_results_ nor"):
            ValidationSurfaceDisplay.from_estimator(other)


PIPELINE = {
    "name": "chosen",
    "nodes": {"table": {"is": "source/array", "test_fraction": 0.3},
              "svm": {"is": "solver/kernel_svm", "kernel": {"is": "similarity/rbf", "gamma": 1},
                      "from": "table"},
              "test": {"is": "evaluator/classification", "from": "svm"}},
    "select": {"metric": "test.error_rate", "folds": 3, "parameters": {
        "C": {"path": "nodes.svm.C", "values": [0.01, 1, 100]},
        "gamma": {"path": "nodes.svm.kernel.gamma", "values": ["scale", 0.1, 100]}}}}


@pytest.mark.filterwarnings("ignore::semblance.SemblanceWarning")
def test_a_surface_of_the_programs_own_selection():
    run = semblance.run(PIPELINE, data={"table": (X, Y)})
    selection = run.metrics["selection"]
    display = ValidationSurfaceDisplay.from_run(run)
    for trial in selection["trials"]:
        gamma = trial["values"]["gamma"]
        place = (display.y_values.index("scale" if gamma == "scale" else float(gamma)),
                 display.x_values.index(float(trial["values"]["C"])))
        assert display.scores[place] == trial["mean"]
        assert (display.best == place) == (trial["values"] == selection["chosen"])
    assert display.scores[display.best] == np.nanmin(display.scores)  # an error rate
    written = json.loads(open(f"{run.out}/metrics.json").read())
    again = ValidationSurfaceDisplay.from_run(written, plot=False)
    np.testing.assert_array_equal(again.scores, display.scores)
    estimator = PipelineEstimator(PIPELINE).fit(X, Y)
    surface = ValidationSurfaceDisplay.from_estimator(estimator)
    assert surface.scores.shape == (3, 3) and not np.isnan(surface.scores).any()
    plain = semblance.run({key: PIPELINE[key] for key in ("name", "nodes")},
                          data={"table": (X, Y)})
    with pytest.raises(ValueError, match="has no `select`"):
        ValidationSurfaceDisplay.from_run(plain)


def test_a_warping_path_is_that_of_the_measure():
    a, b = WARPED
    display = WarpingPathDisplay.from_series(a, b)
    path, distance = dtw_path(a, b)
    assert display.distance == distance and display.path.tolist() == path.tolist()
    np.testing.assert_allclose(display.costs, abs(np.subtract.outer(a, b)))
    x, y = display.path_.get_data()
    assert np.column_stack([y, x]).tolist() == path.tolist()
    assert display.im_.get_array().shape == (6, 7)


def test_a_window_leaves_no_costs_outside():
    a, b = np.zeros(20), np.ones(20)
    display = WarpingPathDisplay.from_series(a, b, window=10)
    inside = abs(np.subtract.outer(np.arange(20), np.arange(20))) <= 2
    np.testing.assert_array_equal(~np.isnan(display.costs), inside)


def test_an_alignment_has_a_line_for_each_pair():
    from matplotlib import pyplot
    _, ax = pyplot.subplots()
    display = WarpingPathDisplay.from_series(*WARPED, kind="alignment", ax=ax)
    assert display.ax_ is ax
    segments = display.path_.get_segments()
    assert [[int(line[0][0]), int(line[1][0])] for line in segments] == display.path.tolist()
    assert min(line[0][1] for line in segments) > max(line[1][1] for line in segments)
    with pytest.raises(ValueError, match="'kind' parameter"):
        display.plot(kind="both")


@pytest.mark.filterwarnings("ignore::semblance.SemblanceWarning")
def test_a_critical_difference_is_that_of_the_study():
    nodes = {"points": {"is": "source/xor", "squares": 4, "train": 60, "test": 200},
             "svm": {"is": "solver/kernel_svm", "kernel": {"is": "similarity/rbf", "gamma": 10},
                     "C": 10, "from": "points"},
             "test": {"is": "evaluator/classification", "from": "svm"}}
    study = semblance.ablate({"name": "ranks", "nodes": nodes, "study": {
        "metric": "test.accuracy", "repeats": {"seeds": 6}, "slots": {
            "gamma": {"path": "nodes.svm.kernel.gamma", "values": [10, 0.001, 9, 1]}}}})
    display = CriticalDifferenceDisplay.from_study(study)
    comparison = study.study["comparison"]
    assert comparison["blocks_are"] == "independent"
    assert dict(zip(display.names, display.ranks)) == {
        method["name"].partition("=")[2]: method["average_rank"]
        for method in comparison["methods"]}
    assert display.critical_difference == comparison["critical_difference"]
    for group in display.groups:
        ranks = [display.ranks[display.names.index(name)] for name in group]
        assert ranks == sorted(ranks) and ranks[-1] - ranks[0] < display.critical_difference
    said = " ".join(texts(display.ax_))
    assert f"critical difference {comparison['critical_difference']:.2f}" in said
    assert f"Friedman's p = {comparison['friedman_p']:.2g}" in said
    for method in comparison["methods"]:
        assert f"{method['name'].partition('=')[2]}  ({method['average_rank']:.2f})" in said
    written = json.loads(open(f"{study.out}/study.json").read())
    assert CriticalDifferenceDisplay.from_study(written, plot=False).groups == display.groups


def test_names_are_inside_of_the_figure():
    display = CriticalDifferenceDisplay(names=["a method with a long name", "b" * 30, "c"],
                                        ranks=[1.2, 2.9, 1.9], critical_difference=0.9).plot()
    display.figure_.canvas.draw()
    frame = display.figure_.bbox
    for text in display.ax_.texts:
        box = text.get_window_extent()
        assert frame.x0 <= box.x0 and box.x1 <= frame.x1, text.get_text()
        assert frame.y0 <= box.y0 and box.y1 <= frame.y1, text.get_text()


def test_groups_by_the_definition():
    """All pairs of a group differ by less, and no group is part of another."""
    random = np.random.RandomState(0)
    for _ in range(200):
        count = random.randint(2, 9)
        ranks = random.choice(np.arange(1, count + 0.5, 0.25), count)
        difference = random.choice([0.25, 0.5, 1, 2])
        names = [f"m{k}" for k in range(count)]
        groups = CriticalDifferenceDisplay(names=names, ranks=ranks,
                                           critical_difference=difference).groups
        joined = {frozenset((one, other)) for group in groups for one in group for other in group}
        expected = {frozenset((names[i], names[j])) for i in range(count) for j in range(count)
                    if abs(ranks[i] - ranks[j]) < difference}
        assert {pair for pair in joined if len(pair) == 2} == \
            {pair for pair in expected if len(pair) == 2}
        assert not any(set(one) <= set(other) for one in groups for other in groups
                       if one is not other)


@pytest.mark.filterwarnings("ignore::semblance.SemblanceWarning")
def test_ranks_that_are_not_tested_have_no_diagram():
    nodes = {"table": {"is": "source/array", "test_fraction": 0.3},
             "svm": {"is": "solver/kernel_svm", "from": "table"},
             "test": {"is": "evaluator/classification", "from": "svm"}}
    study = semblance.ablate({"name": "splits", "nodes": nodes, "study": {
        "metric": "test.accuracy", "repeats": {"seeds": 3},
        "slots": {"C": {"path": "nodes.svm.C", "values": [1, 10]}}}}, data={"table": (X, Y)})
    with pytest.raises(ValueError, match="divisions of the same data"):
        CriticalDifferenceDisplay.from_study(study)
    with pytest.raises(ValueError, match="1 names and 2 ranks"):
        CriticalDifferenceDisplay(names=["a"], ranks=[1, 2], critical_difference=1)


@pytest.mark.parametrize("display", [
    CriticalDifferenceDisplay(names=["a", "b"], ranks=[1, 2], critical_difference=1),
    WarpingPathDisplay.from_series(*WARPED, plot=False),
    ValidationSurfaceDisplay(x_values=[1], y_values=[2], scores=[[0.5]], x_name="C",
                             y_name="gamma")], ids=lambda display: type(display).__name__)
def test_without_matplotlib_only_plot_fails(display, monkeypatch):
    real = builtins.__import__

    def without(name, *arguments, **more):
        if name.partition(".")[0] == "matplotlib":
            raise ImportError("No module named 'matplotlib'")
        return real(name, *arguments, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ImportError, match=f"{type(display).__name__}.plot needs Matplotlib, which "
                                          "is not installed: apt-get install"):
        display.plot()
