# SPDX-License-Identifier: MIT
"""The command line's program, beside the package in the build folder."""

import subprocess
from pathlib import Path

import numpy as np

import semblance

PROGRAM = Path(semblance.__file__).parents[2] / "bin" / "semblance"


def scores(folder, nodes, X, y, new, *, seed, node="machine"):
    """Scores of a pipeline that the program trains on X, y and applies to new rows."""
    np.save(folder / "X.npy", np.asarray(X, dtype=np.float32))
    np.save(folder / "y.npy", np.asarray(y, dtype=np.int64))
    np.save(folder / "new.npy", np.asarray(new, dtype=np.float32))
    text = ["name: test", "nodes:",
            "  data: {is: source/npy, path: X.npy, label: y.npy}",
            *(f"  {name}: {said}" for name, said in nodes.items())]
    (folder / "test.yaml").write_text("\n".join(text) + "\n", encoding="utf-8")
    _call("run", folder / "test.yaml", "--data", folder, "--out", folder / "out", "--no-cache",
          "--quiet", "--seed", str(seed))
    _call("predict", folder / "out" / "model", folder / "new.npy", "--out", folder / "new",
          "--quiet")
    return np.load(folder / "new" / f"{node}.npy")


def _call(*words):
    # The history of runs is in the working folder.
    done = subprocess.run([PROGRAM, *words], cwd=words[1].parent, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
