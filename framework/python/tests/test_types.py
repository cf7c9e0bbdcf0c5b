# SPDX-License-Identifier: MIT
"""Type hints: the package is consistent, and users' mistakes are found."""

import shutil
import subprocess
from pathlib import Path

import pytest

import semblance

MYPY = shutil.which("mypy", path="/usr/bin:/usr/local/bin")
PACKAGE = Path(semblance.__file__).parent

#: Modules that only the runtime calls, with values of many forms: hints there are for readers.
INNER = ("semblance.components.*",)

pytestmark = pytest.mark.skipif(MYPY is None, reason="no mypy (apt-get install mypy)")


def checked(tmp_path, *words):
    settings = tmp_path / "mypy.ini"
    settings.write_text("[mypy]\n" + "".join(f"[mypy-{name}]\nignore_errors = True\n"
                                             for name in INNER), encoding="utf-8")
    done = subprocess.run(
        [MYPY, "--config-file", settings, "--strict", "--allow-any-generics",
         "--allow-subclassing-any",
         "--no-warn-return-any", "--ignore-missing-imports", "--no-error-summary",
         "--cache-dir", tmp_path / "cache", *words],
        cwd=PACKAGE.parent, capture_output=True, text=True)
    return done.stdout + done.stderr


def test_the_package(tmp_path):
    assert checked(tmp_path, "-p", "semblance") == ""


USER = """\
import numpy as np
import semblance
from semblance import HOG, KernelSVM, LinearSVM, PipelineEstimator
from semblance.similarity import RBF, rbf

X, y = np.zeros((4, 2)), [0, 1, 0, 1]
machine = KernelSVM(kernel=RBF(gamma=2), C=10, class_weight={0: 2.0}).fit(X, y)
scores: np.ndarray = machine.decision_function(X)
trained: KernelSVM = KernelSVM(kernel=lambda X, B: X @ B.T).fit(X, y)
smaller: LinearSVM = LinearSVM().fit(X, y)
values: np.ndarray = rbf(X, X, gamma=1)
whole: PipelineEstimator = PipelineEstimator("file.yaml", set={"nodes.svm.C": 1}).fit(X, y)
reveal_type(PipelineEstimator())
semblance.component("similarity/rbf", gamma=2)


@semblance.similarity("similarity/cauchy", width=semblance.number(1.0, above=0))
def cauchy(bases: np.ndarray, samples: np.ndarray, width: float) -> np.ndarray:
    return 1 / (1 + ((samples[:, None] - bases) ** 2).sum(axis=-1) / width)
"""


def test_what_users_write(tmp_path):
    right = tmp_path / "right.py"
    right.write_text(USER, encoding="utf-8")
    revealed, = checked(tmp_path, right).splitlines()
    assert 'Revealed type is "semblance._pipeline_estimator.PipelineEstimator"' in revealed
    wrong = tmp_path / "wrong.py"
    wrong.write_text(USER + 'LinearSVM(c=1)\nHOG(cell="large")\nRBF(2)\n', encoding="utf-8")
    _, *told = checked(tmp_path, wrong).splitlines()
    assert len(told) == 3
    assert 'Unexpected keyword argument "c" for "LinearSVM"' in told[0]
    assert 'Argument "cell" to "HOG" has incompatible type "str"; expected "int"' in told[1]
    assert 'Too many positional arguments for "RBF"' in told[2]
