# SPDX-License-Identifier: MIT
"""Shared fixtures: the program in a folder, and the declarations before a test."""

import sys
from pathlib import Path

import pytest
from program_in_folder import Program

from semblance import _declare

sys.path.append(str(Path(__file__).resolve().parents[3] / "tests"))
from sampled import of_the_day  # noqa: E402


def pytest_configure(config):
    config.addinivalue_line("markers", "days(n): a part of these cases each day, all within n days")


def pytest_collection_modifyitems(config, items):
    """Leaves out the cases whose turn is on another day, unless tests were named one by one."""
    if any("::" in word for word in config.args):
        return
    marked = {}
    for item in items:
        if mark := item.get_closest_marker("days"):
            marked.setdefault((item.path, *mark.args), []).append(item)
    later = {item for (_, days), group in marked.items()
             for item in set(group) - set(of_the_day(group, days))}
    items[:] = [item for item in items if item not in later]
    config.hook.pytest_deselected(items=list(later))


def pytest_sessionfinish(session, exitstatus):
    """Exits with 77, "Skipped" in CTest, where all tests were skipped."""
    reports = session.config.pluginmanager.get_plugin("terminalreporter").stats
    if exitstatus in (0, 5) and "skipped" in reports and not {"passed", "xfailed"} & set(reports):
        session.exitstatus = 77


@pytest.fixture
def program(tmp_path):
    return Program(tmp_path)


@pytest.fixture
def own_store(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("SEMBLANCE_CACHE", str(tmp_path_factory.mktemp("store")))


@pytest.fixture
def as_before(monkeypatch, tmp_path):
    """Gives a test a store of its own; restores the declarations afterwards."""
    monkeypatch.setenv("SEMBLANCE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    before = dict(_declare.declared)
    yield
    _declare.declared.clear()
    _declare.declared.update(before)
    _declare.decorators.changes += 1
