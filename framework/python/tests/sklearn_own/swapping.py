# SPDX-License-Identifier: MIT
"""A pytest plugin: imports of scikit-learn's machines give Semblance's. The outcome of each test is
written to the file $SEMBLANCE_OUTCOMES as lines "test, outcome, last line of its error": passes,
fails, skipped, or none of ours for a test that uses no machine of Semblance."""

import os

import pytest
import sklearn.calibration  # noqa: F401 scikit-learn itself keeps its own machines
import sklearn.ensemble  # noqa: F401
import sklearn.svm

from swapped import MACHINES, Swapped

for name, machine in MACHINES.items():
    setattr(sklearn.svm, name, machine)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item):
    before = Swapped.uses
    yield
    item.user_properties.append(("ours", Swapped.uses > before))


def pytest_runtest_logreport(report):
    if report.when != "call" and report.passed:
        return
    outcome = {"passed": "passes", "failed": "fails"}.get(report.outcome, report.outcome)
    if report.passed and not dict(report.user_properties)["ours"]:
        outcome = "none of ours"
    text = str(report.longrepr.reprcrash.message) if hasattr(report.longrepr, "reprcrash") else ""
    test, error = report.nodeid.rpartition("/")[2], " ".join(text.split())
    with open(os.environ["SEMBLANCE_OUTCOMES"], "a", encoding="utf-8") as stream:
        stream.write(f"{test}\t{outcome}\t{error}\n")
