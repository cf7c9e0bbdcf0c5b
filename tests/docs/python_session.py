# SPDX-License-Identifier: MIT
"""The Python of a page: its blocks run one after the other in one interpreter, as a reader types
them. Run as a program, this is that interpreter."""
import contextlib
import io
import json
import linecache
import os
import subprocess
import sys
import traceback
from pathlib import Path

BUILD = Path(os.environ["SEMBLANCE_BUILD"])
PYTHON = os.environ.get("SEMBLANCE_PYTHON") or sys.executable


def is_there():
    """Whether the package is built, and can be used as the pages use it."""
    if not list((BUILD / "python" / "semblance").glob("_native.*")):
        return False
    command = [PYTHON, "-c", "import numpy, pandas, sklearn"]
    return subprocess.run(command, stderr=subprocess.DEVNULL, check=False).returncode == 0


class Session:
    def __init__(self, environment, folder):
        self._process = subprocess.Popen(
            [PYTHON, "-B", __file__], cwd=folder, text=True, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, env={**environment, "PYTHONPATH": str(BUILD / "python")})

    def run(self, block):
        """Whether it ran without an exception, and what it printed."""
        asked = {"file": block.page.name, "line": block.line, "text": block.text}
        self._process.stdin.write(json.dumps(asked) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            return False, f"Python ended with {self._process.wait()}"
        answer = json.loads(answer)
        return answer["well"], answer["printed"]

    def close(self):
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()


def serve():
    names = {"__name__": "__main__"}
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what C++ prints is no answer
    for line in sys.stdin:
        asked = json.loads(line)
        printed = io.StringIO()
        well = True
        with contextlib.redirect_stdout(printed):
            try:
                # Blank lines before it make its line numbers those of the page.
                text = "\n" * (asked["line"] - 1) + asked["text"]
                name = f"{asked['file']}:{asked['line']}"
                # As in a notebook, the source of what is defined here can be had.
                linecache.cache[name] = (len(text), None, text.splitlines(True), name)
                exec(compile(text, name, "exec"), names)
            except BaseException:
                well = False
                print(traceback.format_exc())
        answers.write(json.dumps({"well": well, "printed": printed.getvalue()}) + "\n")
        answers.flush()


if __name__ == "__main__":
    serve()
