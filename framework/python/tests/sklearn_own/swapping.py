# SPDX-License-Identifier: MIT
"""A pytest plugin: imports of scikit-learn's machines give Semblance's, and the outcome of each
test is written to the file $SEMBLANCE_OUTCOMES as lines "outcome, test, last line of its error"."""

import os

import sklearn.calibration  # scikit-learn itself keeps its own machines
import sklearn.ensemble
import sklearn.svm

from swapped import MACHINES

for name, machine in MACHINES.items():
    setattr(sklearn.svm, name, machine)


def pytest_runtest_logreport(report):
    if report.when != "call" and report.passed:
        return
    text = str(report.longrepr.reprcrash.message) if hasattr(report.longrepr, "reprcrash") else ""
    test = report.nodeid.rpartition("/")[2]
    first = " ".join(text.split())[:160]
    with open(os.environ["SEMBLANCE_OUTCOMES"], "a", encoding="utf-8") as stream:
        stream.write(f"{report.outcome}\t{test}\t{first}\n")
