# SPDX-License-Identifier: MIT
"""The notebooks run from top to bottom, as Jupyter would run them, and show what they show."""

import importlib.util
import json
import os
import re
import sys
from pathlib import Path

import pytest

from semblance import _native

FOLDER = Path(__file__).resolve().parents[3] / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))

spec = importlib.util.spec_from_file_location("run_notebook", FOLDER / "run.py")
run_notebook = importlib.util.module_from_spec(spec)
spec.loader.exec_module(run_notebook)

NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")


@pytest.fixture(autouse=True)
def own_folders(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SEMBLANCE_CACHE", str(tmp_path / "store"))


@pytest.fixture
def installed(notebook):
    """Skips a notebook whose source is not installed."""
    known = {declaration["id"] for declaration in json.loads(_native.catalogue())}
    if notebook.stem == "molecules" and "source/molecules" not in known:
        pytest.skip("source/molecules is not installed (it needs RDKit)")


def text_of(output):
    return "".join(output.get("text", output.get("data", {}).get("text/plain", [])))


def check_alike(stored, now):
    """The same words, and figures that differ by 2 % at most: processors round differently."""
    assert NUMBER.sub("#", stored) == NUMBER.sub("#", now)
    for was, found in zip(NUMBER.findall(stored), NUMBER.findall(now)):
        assert float(found) == pytest.approx(float(was), rel=0.02, abs=1e-4), (was, found)


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_its_cells_give_the_outputs_that_it_keeps(notebook, installed):
    content = json.loads(notebook.read_text(encoding="utf-8"))
    cells = run_notebook.code_cells(content)
    kinds = set()
    for number, (cell, outputs) in enumerate(zip(cells, run_notebook.run_all(content)), 1):
        assert cell["execution_count"] == number
        assert len(cell["outputs"]) == len(outputs)
        for stored, now in zip(cell["outputs"], outputs):
            assert list(stored.get("data", {})) == list(now.get("data", {}))
            check_alike(text_of(stored), text_of(now))
            kinds.update(stored.get("data", {}))
    assert kinds == {"text/html", "text/plain"}


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_jupyter_runs_it(notebook, installed, monkeypatch):
    nbclient = pytest.importorskip("nbclient")
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    from jupyter_client.kernelspec import KernelSpecManager
    from jupyter_client.manager import KernelManager

    # This Python, whichever kernels are installed.
    manager = KernelManager(kernel_spec_manager=KernelSpecManager())
    manager.kernel_spec.argv = [sys.executable, "-m", "ipykernel_launcher", "-f",
                                "{connection_file}"]
    client = nbclient.NotebookClient(nbformat.read(notebook, as_version=4), timeout=120, km=manager,
                                     resources={"metadata": {"path": os.getcwd()}})
    finished = client.execute()
    kinds = {kind for cell in finished.cells if cell.cell_type == "code"
             for output in cell.outputs for kind in output.get("data", {})}
    assert "text/html" in kinds


def test_outputs_are_stored(tmp_path):
    notebook = {"cells": [
        {"cell_type": "markdown", "metadata": {}, "source": "words"},
        {"cell_type": "code", "metadata": {}, "execution_count": None, "outputs": [],
         "source": "print('a\\nb')\nx = {'one': 1}"},
        {"cell_type": "code", "metadata": {}, "execution_count": None, "outputs": [],
         "source": ["def f():\n", "    return x\n", "f()"]}],
        "metadata": {}, "nbformat": 4, "nbformat_minor": 4}
    file = tmp_path / "small.ipynb"
    file.write_text(json.dumps(notebook))
    run_notebook.fill(file)
    words, first, second = json.loads(file.read_text())["cells"]
    assert "outputs" not in words
    assert first["execution_count"] == 1
    assert first["outputs"] == [{"name": "stdout", "output_type": "stream", "text": ["a\n", "b\n"]}]
    assert second["outputs"] == [{"data": {"text/plain": ["{'one': 1}"]}, "execution_count": 2,
                                  "metadata": {}, "output_type": "execute_result"}]
    with pytest.raises(AssertionError):
        check_alike("accuracy 0.95", "accuracy 0.91")


def test_there_are_notebooks():
    assert NOTEBOOKS
