# SPDX-License-Identifier: MIT
"""Documentation strings: they are there, and their examples run."""

import doctest
import importlib
import inspect
import pkgutil
import re

import pytest

import semblance

MODULES = sorted(f"semblance.{module.name}" for module in pkgutil.iter_modules(semblance.__path__)
                 if not module.ispkg and module.name != "_native")


#: Functions that declare parameters of components: :class:`semblance._declare.Parameter`.
DECLARING = {f"semblance.{name}" for name in (
    "boolean", "choice", "figure", "integer", "integers", "mapping", "measure", "number", "numbers",
    "path", "text", "texts")}


def public_names():
    """Functions and classes of the package and of its public modules."""
    for name in dir(semblance):
        found = getattr(semblance, name)
        if not name.startswith("_") and (inspect.isfunction(found) or inspect.isclass(found)):
            yield f"semblance.{name}"
    for module in ("basis", "calibrator", "diagnostics", "feature", "normalizer", "pair_kernel",
                   "pairs", "similarity", "solver"):
        members = importlib.import_module(f"semblance.{module}")
        for name in dir(members):
            found = getattr(members, name)
            if not name.startswith("_") and (inspect.isfunction(found) or inspect.isclass(found)) \
                    and found.__module__.startswith(("semblance._gen", "semblance._warping",
                                                     f"semblance.{module}")):
                yield f"semblance.{module}.{name}"


def named(name):
    module, _, last = name.rpartition(".")
    return getattr(importlib.import_module(module), last)


@pytest.mark.parametrize("name", MODULES)
def test_examples_run(name, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SEMBLANCE_CACHE", str(tmp_path / "store"))
    result = doctest.testmod(importlib.import_module(name))
    assert result.failed == 0


def test_what_is_public_has_many_names():
    names = set(public_names())
    assert len(names) > 100
    assert {"semblance.KernelSVM", "semblance.run", "semblance.similarity.rbf",
            "semblance.similarity.dtw_path", "semblance.diagnostics.repair"} <= names


@pytest.mark.parametrize("name", sorted(set(public_names())))
def test_everything_public_is_documented(name):
    found = named(name)
    text = inspect.getdoc(found)
    assert text and "." in text
    # Only for names that users call; the package makes results and exceptions.
    if not inspect.isclass(found) or hasattr(found, "get_params"):
        missing = [parameter.name for parameter in inspect.signature(found).parameters.values()
                   if parameter.name not in text and parameter.kind is not parameter.VAR_KEYWORD]
        assert not missing or name in DECLARING, f"{name} does not say what {missing} are"


def test_parameters_have_their_names_of_python():
    assert '`as_="negative"`' in semblance.NearestNeighbour.__doc__
    assert "`as: negative`" not in semblance.NearestNeighbour.__doc__
    for name in sorted(set(public_names())):
        found = named(name)
        if inspect.isclass(found) and hasattr(found, "get_params"):
            text = inspect.getdoc(found).split("In a pipeline file::")[0]
            for parameter in inspect.signature(found).parameters:
                written = {"fit_intercept": "intercept"}.get(parameter, parameter.rstrip("_"))
                if written != parameter:
                    assert not re.search(rf"[`']{written}[`':]", text), (name, written)
