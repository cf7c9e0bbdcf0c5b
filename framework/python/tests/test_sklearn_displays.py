# SPDX-License-Identifier: MIT
"""scikit-learn's displays take the estimators as they are, also those of series and of pairs."""

import numpy as np
import pytest
from sklearn.calibration import CalibrationDisplay, calibration_curve
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.inspection import DecisionBoundaryDisplay
from sklearn.metrics import (ConfusionMatrixDisplay, DetCurveDisplay, PrecisionRecallDisplay,
                             RocCurveDisplay, average_precision_score, confusion_matrix,
                             det_curve, roc_auc_score)

import semblance
from semblance import (ML3, BasisExpandingSVM, KernelSVM, LinearSVM, NearestNeighbour, OneClassSVM,
                       PairwiseSVM, PipelineEstimator)
from semblance.similarity import DTW, Subsequence

pytest.importorskip("matplotlib", reason="no matplotlib (apt-get install python3-matplotlib)")

X, Y = load_breast_cancer(return_X_y=True)
X = (X - X.mean(axis=0)) / X.std(axis=0)
LEARN, TEST = slice(0, None, 2), slice(1, None, 2)
CALIBRATED = {"nodes": {"table": {"is": "source/array"},
                        "svm": {"is": "solver/linear_svm", "from": "table"},
                        "platt": {"is": "calibrator/probabilities", "from": "svm"}}}
CLASSIFIERS = [LinearSVM(), KernelSVM(probability=True), BasisExpandingSVM(bases=50),
               NearestNeighbour(k=5), PipelineEstimator(CALIBRATED)]
NAMED = {"ids": lambda machine: type(machine).__name__}


@pytest.fixture(autouse=True)
def without_a_screen(own_store):
    import matplotlib
    from matplotlib import pyplot
    matplotlib.use("Agg")
    yield
    pyplot.close("all")


@pytest.mark.parametrize("machine", CLASSIFIERS, **NAMED)
def test_curves_and_confusion(machine):
    machine.fit(X[LEARN], Y[LEARN])
    probable = hasattr(machine, "predict_proba")
    scores = machine.predict_proba(X[TEST])[:, 1] if probable else \
        machine.decision_function(X[TEST])
    roc = RocCurveDisplay.from_estimator(machine, X[TEST], Y[TEST])
    assert roc.roc_auc == roc_auc_score(Y[TEST], scores) and roc.roc_auc > 0.95
    precision = PrecisionRecallDisplay.from_estimator(machine, X[TEST], Y[TEST])
    assert precision.average_precision == average_precision_score(Y[TEST], scores)
    det = DetCurveDisplay.from_estimator(machine, X[TEST], Y[TEST])
    np.testing.assert_array_equal(det.fpr, det_curve(Y[TEST], scores)[0])
    confusion = ConfusionMatrixDisplay.from_estimator(machine, X[TEST], Y[TEST])
    np.testing.assert_array_equal(confusion.confusion_matrix,
                                  confusion_matrix(Y[TEST], machine.predict(X[TEST])))


@pytest.mark.parametrize("machine", [KernelSVM(probability=True), PipelineEstimator(CALIBRATED)],
                         **NAMED)
def test_calibration(machine):
    machine.fit(X[LEARN], Y[LEARN])
    display = CalibrationDisplay.from_estimator(machine, X[TEST], Y[TEST])
    expected = calibration_curve(Y[TEST], machine.predict_proba(X[TEST])[:, 1])
    np.testing.assert_array_equal(display.prob_true, expected[0])


@pytest.mark.parametrize("machine", [LinearSVM(), KernelSVM(), ML3(), BasisExpandingSVM(bases=30),
                                     OneClassSVM()], **NAMED)
def test_decision_boundary(machine):
    flowers, kinds = load_iris(return_X_y=True)
    machine.fit(flowers[:, 2:], kinds)
    display = DecisionBoundaryDisplay.from_estimator(machine, flowers[:, 2:], grid_resolution=30,
                                                     response_method="predict")
    points = np.column_stack([display.xx0.ravel(), display.xx1.ravel()])
    np.testing.assert_array_equal(display.response.ravel(), machine.predict(points))
    assert len(np.unique(display.response)) >= 2
    machine.fit(flowers[:100, 2:], kinds[:100])
    values = DecisionBoundaryDisplay.from_estimator(machine, flowers[:, 2:], grid_resolution=30,
                                                    response_method="decision_function").response
    assert values.min() < 0 < values.max()


def test_series():
    random = np.random.RandomState(0)
    series = [np.sin(np.linspace(0, 6 + 6 * (k % 2), random.randint(20, 40))) for k in range(40)]
    kinds = np.arange(40) % 2
    machine = KernelSVM(kernel=DTW(), repair="clip", probability=True).fit(series, kinds)
    assert RocCurveDisplay.from_estimator(machine, series, kinds).roc_auc == 1
    confusion = ConfusionMatrixDisplay.from_estimator(machine, series, kinds)
    assert confusion.confusion_matrix.tolist() == [[20, 0], [0, 20]]
    CalibrationDisplay.from_estimator(machine, series, kinds)


def test_predictions_of_a_run():
    nodes = {"table": {"is": "source/array", "test_fraction": 0.3},
             "svm": {"is": "solver/linear_svm", "from": "table"},
             "test": {"is": "evaluator/classification", "from": "svm"}}
    run = semblance.run({"name": "tumours", "nodes": nodes}, data={"table": (X, Y)})
    rows = run.predictions["svm"]
    confusion = ConfusionMatrixDisplay.from_predictions(rows["label"], rows["predicted"])
    right = np.trace(confusion.confusion_matrix) / len(rows)
    assert right == pytest.approx(run.figures["test"]["accuracy"])
    roc = RocCurveDisplay.from_predictions(rows["label"], rows["score 1"], pos_label="1")
    assert roc.roc_auc == roc_auc_score(rows["label"] == "1", rows["score 1"]) > 0.95


def test_strings():
    words = ["kitten", "mitten", "sitting", "bitten", "DNA", "RNA", "mRNA", "tRNA"] * 2
    kinds = np.array([0, 0, 0, 0, 1, 1, 1, 1] * 2)
    machine = KernelSVM(kernel=Subsequence(length=2)).fit(words, kinds)
    assert RocCurveDisplay.from_estimator(machine, words, kinds).roc_auc == 1
    assert ConfusionMatrixDisplay.from_estimator(machine, words, kinds).confusion_matrix.tolist() \
        == [[8, 0], [0, 8]]


def test_pairs():
    flowers, kinds = load_iris(return_X_y=True)
    machine = PairwiseSVM(C=0.001).fit(flowers[::3], kinds[::3])
    pairs = flowers[1::3], flowers[2::3][::-1]
    same = kinds[1::3] == kinds[2::3][::-1]
    display = RocCurveDisplay.from_estimator(machine, pairs, same)
    assert display.roc_auc == roc_auc_score(same, machine.decision_function(pairs)) > 0.9
    ConfusionMatrixDisplay.from_estimator(machine, pairs, same)
