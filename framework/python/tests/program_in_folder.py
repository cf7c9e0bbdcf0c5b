# SPDX-License-Identifier: MIT
"""The program, for tests of Python components."""

import json
import os
import subprocess
import textwrap
from pathlib import Path

import pytest

import semblance

PROGRAM = Path(semblance.__file__).parents[2] / "bin" / "semblance"
DOOR = PROGRAM.parent.parent / "lib" / "semblance" / "doors" / "libsemblance_python_door.so"

in_program = pytest.mark.skipif(not (PROGRAM.exists() and DOOR.exists()),
                                reason="the program or its door to Python is not built")


class Program:
    """The program in a folder of its own, with a store of its own."""

    def __init__(self, folder):
        self.folder = folder
        self.environment = {**os.environ, "SEMBLANCE_CACHE": str(folder / "cache"),
                            "XDG_DATA_HOME": str(folder / "home")}
        self.environment.pop("PYTHONPATH", None)

    def file(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))
        return path

    def __call__(self, *arguments, **environment):
        done = subprocess.run([PROGRAM, *map(str, arguments)], cwd=self.folder, text=True,
                              capture_output=True, env={**self.environment, **environment},
                              timeout=120)
        return done.returncode, done.stdout + done.stderr

    def succeed(self, *arguments, **environment):
        code, text = self(*arguments, **environment)
        assert code == 0, text
        return text

    def metrics(self, out="out"):
        return json.loads((self.folder / out / "metrics.json").read_text())["nodes"]

    def cached(self, node, out="out"):
        return self.metrics(out)[node]["cached"]
