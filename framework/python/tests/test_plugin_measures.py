# SPDX-License-Identifier: MIT
"""Measures of plugins are classes and functions of semblance.similarity, as the package's own."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import semblance
from semblance import _native, similarity

SOURCE = Path(__file__).resolve().parents[3]
BUILD = Path(_native.__file__).resolve().parents[2]

USE = """
import pickle
import numpy as np
from sklearn.svm import SVC
from semblance import KernelSVM, similarity
from semblance.similarity import *

X = np.random.default_rng(0).normal(size=(20, 3)).astype(np.float32)
squares = ((X[:, None] - X) ** 2).sum(2)
np.testing.assert_allclose(similarity.{name}(X, width=2), 1 / (1 + squares / 4), rtol=1e-5)
assert {name} is similarity.{name} and "{name}" in dir(similarity) and "{type}" in dir(similarity)
assert pickle.loads(pickle.dumps({name})) is {name}
assert pickle.loads(pickle.dumps({type}(width=3))) == {type}(width=3)
assert {name}.__doc__.startswith("Cauchy kernel")
y = X[:, 0] > 0
ours, theirs = KernelSVM(kernel={type}(width=2)).fit(X, y), SVC(kernel={type}(width=2)).fit(X, y)
assert (ours.predict(X) == theirs.predict(X)).all()
try:
    similarity.{name}(X, width=-1)
except ValueError as error:
    assert "{type}: 'width' must be in the range (0, inf), got -1" in str(error)
else:
    raise AssertionError("a wrong width is taken")
"""


def run(plugin, name, type):
    subprocess.run([sys.executable, "-B", "-c", USE.format(name=name, type=type)], check=True,
                   env={**os.environ, "SEMBLANCE_PLUGIN_PATH": str(plugin)})


def test_a_measure_written_in_cpp(tmp_path):
    if shutil.which("g++") is None:
        pytest.skip("no g++")
    text = (SOURCE / "sdk/templates/similarity/template_name.cpp").read_text(encoding="utf-8")
    file = tmp_path / "far_reach.cpp"
    file.write_text(text.replace("template_name", "far_reach").replace("TemplateName", "FarReach"),
                    encoding="utf-8")
    plugin = tmp_path / "libfar_reach.so"
    subprocess.run(["g++", "-std=c++20", "-shared", "-fPIC", f"-I{SOURCE}/sdk/include", file, "-o",
                    plugin, f"-L{BUILD}/lib", "-lsemblance_sdk"], check=True)
    run(plugin, "far_reach", "FarReach")


PLUGIN = '''
import semblance

@semblance.similarity("similarity/own_reach", width=semblance.number(1.0, above=0), symmetric=True,
                      positive_semidefinite=True)
def own_reach(bases, samples, width):
    """Cauchy kernel."""
    return 1 / (1 + ((samples[:, None] - bases) ** 2).sum(2) / width ** 2)
'''


def test_a_measure_written_in_python(tmp_path):
    (tmp_path / "reach.py").write_text(PLUGIN, encoding="utf-8")
    run(tmp_path / "reach.py", "own_reach", "OwnReach")


def test_what_no_plugin_has():
    with pytest.raises(AttributeError, match="no component 'nowhere'"):
        similarity.nowhere
    with pytest.raises(AttributeError, match="no component 'precomputed'"):
        similarity.precomputed
    with pytest.raises(AttributeError, match="no component 'np'"):
        similarity.np


def test_a_star_gives_the_measures_and_hides_none_of_pythons_functions():
    found = {}
    exec("from semblance.similarity import *", found)
    assert found["rbf"] is similarity.rbf and found["DTW"] is similarity.DTW
    assert "sum" not in found and callable(similarity.sum)
    assert "Any" not in found and "Component" not in found


def test_only_public_names_are_listed():
    names = dir(semblance)
    assert {"KernelSVM", "run", "similarity", "feature", "DataError", "__version__"} <= {*names}
    assert all(getattr(semblance, name) is not None for name in names)
    assert not {"importlib", "Any", "TYPE_CHECKING", "_declare"} & {*names}
    assert all(name.startswith("__") for name in names if name.startswith("_"))


def test_no_help_mentions_an_option_of_the_program_alone():
    for name in dir(semblance):
        assert "--mpi" not in (getattr(semblance, name).__doc__ or ""), name
