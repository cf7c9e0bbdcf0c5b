# SPDX-License-Identifier: MIT
"""Where components compute."""

import numpy as np
import pytest

import semblance
from semblance import KernelSVM

rng = np.random.default_rng(0)
X = rng.standard_normal((300, 60)).astype(np.float32)
y = (X[:, 0] * X[:, 1] > 0).astype(int)


def gpu():
    """The GPU's name, or why there is none."""
    try:
        return semblance.use_device("gpu"), ""
    except semblance.SemblanceError as problem:
        return "", str(problem)
    finally:
        semblance.use_device("cpu")


def test_a_device_has_one_of_three_names():
    with pytest.raises(ValueError, match="device must be 'cpu', 'gpu' or 'auto', got 'cuda'"):
        semblance.use_device("cuda")
    assert semblance.use_device("cpu") == "cpu"


def test_without_a_gpu_one_is_told_why_and_auto_computes_on_the_cpu():
    name, problem = gpu()
    if name:
        pytest.skip(f"there is a GPU: {name}")
    assert "GPU" in problem
    expected = KernelSVM().fit(X, y).decision_function(X)
    assert semblance.use_device("auto") == "cpu"
    assert np.array_equal(KernelSVM().fit(X, y).decision_function(X), expected)


def test_a_gpu_decides_as_the_cpu():
    name, problem = gpu()
    if not name:
        pytest.skip(problem)
    on_cpu = KernelSVM(tolerance=1e-6).fit(X, y)
    try:
        assert semblance.use_device("auto") == name
        on_gpu = KernelSVM(tolerance=1e-6).fit(X, y)
        assert np.allclose(on_gpu.decision_function(X), on_cpu.decision_function(X), atol=1e-3)
    finally:
        semblance.use_device("cpu")
