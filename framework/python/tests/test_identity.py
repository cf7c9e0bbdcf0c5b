# SPDX-License-Identifier: MIT
"""The identity of a component of this process: stored results are used until it changes."""

import functools
import importlib.metadata
import sys
import threading

import declared_here
import numpy as np
import pytest
from declared_here import cauchy, declared, ran

import semblance
from semblance import _identity, _plugins, _versions

pytestmark = pytest.mark.usefixtures("as_before")


def test_results_come_from_the_store_until_the_function_or_what_it_uses_changes(monkeypatch):
    declared()
    assert not ran()["map"]["cached"]
    assert ran()["map"]["cached"]
    one = ran()["svm"]["objective"]
    monkeypatch.setattr(declared_here, "power", 9)
    assert not ran()["map"]["cached"]
    assert ran()["svm"]["objective"] != one
    monkeypatch.setattr(declared_here, "power", 2)
    assert ran()["map"]["cached"]
    assert ran()["svm"]["objective"] == one


def _with(scale):
    def scaled(bases, samples, width):
        return scale * (samples @ bases.T)
    return scaled


def test_what_a_function_has_around_it_is_part_of_it():
    assert _identity.of_target(_with(1)) == _identity.of_target(_with(1))
    assert _identity.of_target(_with(1)) != _identity.of_target(_with(2))
    assert _identity.of_target(_with(np.ones(3))) != _identity.of_target(_with(np.zeros(3)))
    assert _identity.of_target(lambda x: x + 1) != _identity.of_target(lambda x: x + 2)
    assert _identity.of_target(lambda x: np.exp(x)) != _identity.of_target(lambda x: np.log(x))
    assert _identity.of_target(lambda x, a=1: x) != _identity.of_target(lambda x, a=2: x)


def test_a_wrapped_function_is_known_by_what_it_wraps():
    def cached(scale):
        @functools.lru_cache(maxsize=None)
        def scaled(x):
            return scale * x
        return lambda bases: scaled(bases)

    def bound(scale):
        return functools.partial(lambda x, s: x * s, s=scale)
    for made in (cached, bound):
        assert _identity.of_target(made(1)) == _identity.of_target(made(1))
        assert _identity.of_target(made(1)) != _identity.of_target(made(2))
    assert _identity.of_target(np.exp) != _identity.of_target(np.log)
    assert _identity.of_target("a".join) != _identity.of_target("b".join)


def test_a_helper_that_was_edited_but_not_imported_again_is_what_it_was(tmp_path):
    (tmp_path / "helper_of_plugin.py").write_text("factor = 1\n")
    file = tmp_path / "plugin.py"
    file.write_text("import semblance\nimport helper_of_plugin\n"
                    "@semblance.feature('feature/scaled')\n"
                    "def scaled(samples):\n    return samples * helper_of_plugin.factor\n")
    before = _plugins.load(str(file)).hash
    (tmp_path / "helper_of_plugin.py").write_text("factor = 2\n")
    assert _plugins.load(str(file)).hash == before
    del sys.modules["helper_of_plugin"]
    assert _plugins.load(str(file)).hash != before


def test_a_module_that_a_function_imports_when_it_is_called_is_part_of_it(tmp_path, monkeypatch):
    (tmp_path / "imported_late.py").write_text("factor = 1\n")
    monkeypatch.syspath_prepend(tmp_path)

    def late(samples):
        from imported_late import factor
        return samples * factor

    def nested(samples):
        return [(lambda row: __import__, late)][0]

    before = _identity.of_target(late), _identity.of_target(nested)
    monkeypatch.setattr(sys.modules["imported_late"], "factor", 2)
    assert _identity.of_target(late) != before[0] and _identity.of_target(nested) != before[1]
    monkeypatch.undo()

    def from_package(samples):
        from scipy import special
        import no_such_module
        return special.expit(samples), no_such_module
    assert "scipy" in _identity.of_target(from_package)


def test_a_class_is_known_by_all_its_methods_and_by_those_that_it_inherits():
    def made(value, inherited):
        class Base:
            def helper(self):
                return inherited

        class Mine(Base):
            factor = value

            def apply(self, samples):
                return samples * self.factor
        return Mine
    assert _identity.of_target(made(1, 1)) == _identity.of_target(made(1, 1))
    assert _identity.of_target(made(1, 1)) != _identity.of_target(made(2, 1))
    assert _identity.of_target(made(1, 1)) != _identity.of_target(made(1, 2))


def test_a_class_that_is_declared_is_stored_too():
    def made(factor):
        @semblance.similarity("similarity/mine", width=semblance.number(1.0, "half width"))
        class Mine:
            """Inner products."""

            def __init__(self, width):
                self.width = width

            def fit(self, bases):
                self.bases = bases * factor

            def apply(self, samples):
                return samples @ self.bases.T
    made(1)
    assert not ran()["map"]["cached"]
    made(1)
    assert ran()["map"]["cached"]
    made(2)
    assert not ran()["map"]["cached"]


def test_what_cannot_be_told_is_never_taken_from_the_store():
    declared(_with(threading.Lock()) and _unnameable())
    assert not ran()["map"]["cached"]
    assert not ran()["map"]["cached"]
    assert ran()["bases"]["cached"]


def _unnameable():
    lock = threading.Lock()

    def locked(bases, samples, width):
        with lock:
            return samples @ bases.T
    return locked


def test_versions_of_python_and_packages_are_part_of_what_a_component_is(monkeypatch):
    text = _identity.of_target(cauchy)
    assert f"python CPython {sys.version.split()[0]}" in text
    assert f"numpy {np.__version__}" in text
    changed = [*importlib.metadata.distributions()][1:]
    monkeypatch.setattr(importlib.metadata, "distributions", lambda: changed)
    _versions._installed.cache_clear()
    assert _identity.of_target(cauchy) != text, "what a package needs counts as well"
    monkeypatch.undo()
    _versions._installed.cache_clear()
    assert _identity.of_target(cauchy) == text
