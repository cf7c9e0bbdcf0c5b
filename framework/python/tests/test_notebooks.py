# SPDX-License-Identifier: MIT
"""The notebooks run from top to bottom, as Jupyter would run them."""

import ast
import json
import linecache
import os
import sys
from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).resolve().parents[3] / "docs/notebooks").glob("*.ipynb"))


@pytest.fixture(autouse=True)
def own_folders(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SEMBLANCE_CACHE", str(tmp_path / "store"))


def cells(notebook):
    return [cell for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]
            if cell["cell_type"] == "code"]


def shown(value):
    """The display of a cell's last value: as HTML if possible."""
    html = getattr(value, "_repr_html_", lambda: None)()
    assert html is None or isinstance(html, str)
    assert repr(value)


def run(cell, number, names):
    """Runs a cell; the value of its last expression is shown."""
    name = f"<cell {number}>"
    text = "".join(cell["source"])
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    tree = ast.parse(text, name)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, name, "exec"), names)
    if last is not None:
        shown(eval(compile(ast.Expression(last.value), name, "eval"), names))


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_its_cells_run(notebook):
    names = {"__name__": "__main__"}
    for number, cell in enumerate(cells(notebook), 1):
        run(cell, number, names)


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_jupyter_runs_it(notebook, monkeypatch):
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


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_is_kept_without_outputs(notebook):
    """They would differ from machine to machine, and fill the history."""
    for cell in cells(notebook):
        assert cell["outputs"] == [] and cell["execution_count"] is None


def test_there_are_notebooks():
    assert NOTEBOOKS
