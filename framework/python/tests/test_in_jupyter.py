# SPDX-License-Identifier: MIT
"""The notebooks in Jupyter itself, seen in Chromium."""

import contextlib
import importlib.util
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

import browser

NOTEBOOK = Path(__file__).resolve().parents[3] / "docs/notebooks/first_steps.ipynb"

pytestmark = [
    pytest.mark.skipif(browser.CHROMIUM is None, reason="chromium is not installed"),
    pytest.mark.skipif(not all(importlib.util.find_spec(name) for name in ("notebook", "nbformat")),
                       reason="no Jupyter (apt-get install jupyter-notebook)")]


@contextlib.contextmanager
def jupyter(folder):
    """A server of the folder's notebooks, for this machine only; its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with (folder / "log").open("w") as log:
        server = subprocess.Popen(
            [sys.executable, "-m", "notebook", "--no-browser", "--allow-root",
             f"--port={port}", "--NotebookApp.port_retries=0", "--NotebookApp.token=seen",
             "--NotebookApp.enable_mathjax=False"],
            cwd=folder, env={**os.environ, "HOME": str(folder)}, stdout=log,
            stderr=subprocess.STDOUT)
    try:
        for _ in range(100):
            with contextlib.suppress(OSError):
                urllib.request.urlopen(f"http://127.0.0.1:{port}/api?token=seen")
                break
            assert server.poll() is None, (folder / "log").read_text()
            time.sleep(0.2)
        yield lambda name: f"http://127.0.0.1:{port}/notebooks/{name}?token=seen"
    finally:
        server.terminate()
        server.wait()


def trust(file, folder):
    """Signs the notebook, as a user's own is: Jupyter shows strangers' outputs without styles."""
    subprocess.run([sys.executable, "-c", "import sys, nbformat, nbformat.sign as sign\n"
                    "sign.NotebookNotary().sign(nbformat.read(sys.argv[1], 4))", file],
                   check=True, env={**os.environ, "HOME": str(folder)})


def test_jupyter_shows_the_stored_results(tmp_path):
    image = pytest.importorskip("matplotlib.image")
    shutil.copy(NOTEBOOK, tmp_path)
    trust(tmp_path / NOTEBOOK.name, tmp_path)
    with jupyter(tmp_path) as address:
        # The window is high enough for the whole notebook, which scrolls inside the page.
        options = "--virtual-time-budget=20000", "--window-size=1100,5000"
        dom, log = browser.visit(tmp_path, address(NOTEBOOK.name), "--dump-dom", *options)
        browser.visit(tmp_path, address(NOTEBOOK.name), f"--screenshot={tmp_path}/seen.png",
                      *options)
    assert "output_html rendered_html" in dom, log
    view = re.search(r'<pre>&lt;semblance run.*?</table>', dom, re.S)
    assert view and "true classes" in view[0] and "background" in view[0]
    picture = image.imread(tmp_path / "seen.png")[..., :3]
    assert picture.shape[:2] == (5000, 1100)
    # The diagonal of the matrix, in its colour; the logo has little of it.
    blue = (abs(picture - [42 / 255, 93 / 255, 143 / 255]) < 0.06).all(axis=2)
    diagonal = blue[blue.sum(axis=1) > 30]
    columns = diagonal.any(axis=0).nonzero()[0]
    assert len(diagonal) > 300 and columns[-1] - columns[0] > 400  # all ten of its columns
