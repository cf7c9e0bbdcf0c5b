# SPDX-License-Identifier: MIT
"""Exported ONNX files in Debian's onnxruntime: exported_onnx.py PROGRAM. Classes and scores are those
that `semblance predict` gives. Debian's onnxruntime 1.21 registers its operators twice and says so on
standard error, hundreds of times; that is harmless."""

import math
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import onnxruntime

MACHINES = {
    "a linear machine on z-scores": """
  x: {is: normalizer/zscore, from: t}
  svm: {is: solver/linear_svm, from: x}""",
    "a Gaussian kernel machine": """
  svm: {is: solver/kernel_svm, kernel: {is: similarity/rbf, gamma: 1}, from: t}""",
    "BE-SVM with two similarities": """
  b: {is: basis/random, count: 20, from: t}
  r: {is: similarity/rbf, gamma: 2, from: t, bases: b}
  c: {is: similarity/cosine, from: t, bases: b}
  phi: {is: normalizer/mean_norm, from: [r, c]}
  svm: {is: solver/linear_svm, from: phi}""",
    "votes of the nearest rows": """
  b: {is: basis/all, from: t}
  r: {is: similarity/euclidean, as: negative, from: t, bases: b}
  svm: {is: solver/nearest_neighbour, k: 5, from: r}"""}
PIPELINE = "name: exported\nnodes:\n  t: {is: source/rings, classes: 3}"


def try_machine(program: str, nodes: str, rows: np.ndarray, folder: Path) -> str:
    """What differs; empty if nothing does."""
    def semblance(*words, **options) -> str:
        return subprocess.run([program, *words], cwd=folder, check=True, text=True,
                              stdout=subprocess.PIPE, **options).stdout

    (folder / "p.yaml").write_text(PIPELINE + nodes + "\n  test: {is: evaluator/classification, from: svm}\n")
    semblance("run", "p.yaml", "--out", "out", "--quiet")
    semblance("export", "out/model", "--to", "onnx", "--out", "m.onnx")
    lines = "".join(",".join(repr(float(value)) for value in row) + "\n" for row in rows)
    answers = semblance("predict", "out/model", "--stdin", "--scores", input=lines).splitlines()[1:]
    expected = np.array([[float(value) for value in answer.split(",")] for answer in answers])
    session = onnxruntime.InferenceSession(str(folder / "m.onnx"), providers=["CPUExecutionProvider"])
    labels, scores = session.run(["label", "scores"], {"rows": rows})
    if not np.allclose(scores, expected[:, 1:], rtol=1e-4, atol=1e-4 * np.abs(expected[:, 1:]).max()):
        return f"scores differ by {np.abs(scores - expected[:, 1:]).max()}"
    classes = np.unique(expected[:, 0])
    if len(classes) < 2 or not (labels == expected[:, 0].astype(int)).all():
        return f"classes differ: {labels} instead of {expected[:, 0]}"
    return ""


def main() -> int:
    status = 0
    rows = np.array([[math.sin(i * 2.1) * 3, i / 8 - 2] for i in range(40)], dtype=np.float32)
    for name, nodes in MACHINES.items():
        with tempfile.TemporaryDirectory() as folder:
            problem = try_machine(sys.argv[1], nodes, rows, Path(folder))
        print(f"onnxruntime {onnxruntime.__version__}: {name}: {problem or 'the same'}")
        status |= bool(problem)
    return status


if __name__ == "__main__":
    sys.exit(main())
