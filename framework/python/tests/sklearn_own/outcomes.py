# SPDX-License-Identifier: MIT
"""Runs scikit-learn's own tests on Semblance's machines, and compares with the list of outcomes.

    PYTHONPATH=build/release/python python3 framework/python/tests/sklearn_own/outcomes.py

prints the list as it would be now, with the reasons that stand in it; --write changes it.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import sklearn

FOLDER = Path(__file__).resolve().parent
FILES = ("svm/tests/test_svm.py", "svm/tests/test_sparse.py", "tests/test_calibration.py")

#: The version of scikit-learn whose tests are listed.
VERSION = "1.2"
LIST = FOLDER / f"scikit_learn_{VERSION}.txt"

#: What reasons begin with: the test is about something that Semblance does not have; it applies, but
#: expects something else; it can pass once something is built.
NOT_APPLICABLE, OTHER, WAITING = "does not apply: ", "expects otherwise: ", "waiting: "


def installed():
    """Why there is nothing to run; empty if there is."""
    if not sklearn.__version__.startswith(VERSION + "."):
        return f"scikit-learn {sklearn.__version__}; the outcomes are those of {VERSION}'s tests"
    root = Path(sklearn.__file__).parent
    missing = [file for file in FILES if not (root / file).is_file()]
    return f"scikit-learn is installed without {', '.join(missing)}" if missing else ""


def run():
    """The outcomes, {test: (outcome, error)}."""
    root = Path(sklearn.__file__).parent
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "outcomes"
        given = filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
        paths = [str(FOLDER), *map(os.path.abspath, given)]
        done = subprocess.run(
            [sys.executable, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "swapping",
             "--rootdir", str(root), *(str(root / name) for name in FILES)], cwd=folder,
            env={**os.environ, "SEMBLANCE_OUTCOMES": str(file),
                 "PYTHONPATH": os.pathsep.join(paths)},
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode > 1 or not file.is_file():  # 1: some tests failed
            raise RuntimeError(done.stdout)
        lines = file.read_text(encoding="utf-8").splitlines()
    return {test: (outcome, error) for test, outcome, error in (line.split("\t") for line in lines)}


def listed():
    """The list, {test: "passes", "none of ours", or a reason}."""
    lines = LIST.read_text(encoding="utf-8").splitlines()
    return dict(line.split("  ", 1) for line in lines if line and not line.startswith("#"))


def share(expected):
    """How many of the tests that apply pass, and how many there are."""
    passing = sum(said == "passes" for said in expected.values())
    return passing, passing + sum(said.startswith(OTHER) for said in expected.values())


HEADER = """\
# scikit-learn {version}'s own tests on Semblance's machines: written by outcomes.py, reasons by hand.
# passes: on Semblance's machines; none of ours: it uses none of them.
"""


def main():
    reason = installed()
    if reason:
        sys.exit(reason)
    before = listed() if LIST.is_file() else {}
    text = HEADER.format(version=VERSION)
    for test, (outcome, error) in run().items():
        said = before.get(test, "")
        if outcome == "skipped":
            said = said or outcome
        elif outcome != "fails":
            said = outcome
        elif said in ("", "passes", "none of ours"):
            said = f"? {error[:200]}"
        text += f"{test}  {said}\n"
    if "--write" in sys.argv[1:]:
        LIST.write_text(text, encoding="utf-8")
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
