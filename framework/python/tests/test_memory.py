# SPDX-License-Identifier: MIT
"""Float32 arrays in C order are used in place."""

import json
import subprocess
import sys
import textwrap

import numpy as np
import pytest

from semblance import _native
from semblance._native import Data, Rows

MIB = 1 << 20


def peak(body, **numbers):
    """Runs a script in its own process; returns the growth of its peak resident size since its
    call of `start()`, in MiB."""
    header = """
        import resource, numpy as np
        from semblance import _native
        from semblance._native import Data, Rows
        def peak():
            # VmHWM of this program alone; ru_maxrss knows the parent's before it was replaced
            status = open("/proc/self/status").read()
            return int(status.split("VmHWM:")[1].split()[0]) / 1024
        def start():
            global before
            before = peak()
    """
    footer = "\nprint(peak() - before)\n"
    constants = "".join(f"{name} = {value}\n" for name, value in numbers.items())
    code = textwrap.dedent(header) + constants + textwrap.dedent(body) + footer
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                          timeout=300)
    assert done.returncode == 0, done.stderr
    return float(done.stdout.split()[-1])


LINEAR = json.dumps({"name": "p", "nodes": {
    "data": {"is": "source/array"},
    "svm": {"is": "solver/linear_svm", "max_iterations": 3, "from": "data"}}})
AS_THEY_ARE = LINEAR.replace('"max_iterations": 3', '"max_iterations": 3, "center": false')
assert AS_THEY_ARE != LINEAR
SCALED = json.dumps({"name": "p", "nodes": {
    "data": {"is": "source/array"}, "x": {"is": "normalizer/zscore", "from": "data"},
    "svm": {"is": "solver/nearest_neighbour", "from": "x"}}})

FIT = """
    rows, columns = mib * 1024 * 1024 // 4096, 1024
    x = np.empty((rows, columns), np.float32)
    rng = np.random.default_rng(0)
    for i in range(0, rows, 4096):
        x[i:i + 4096] = rng.standard_normal((min(4096, rows - i), columns), np.float32)
    y = (x[:, 0] > 0).astype(np.int32)
    layout = {"kind": "vector", "depth": columns}
    start()
    data = Data(Rows(x, layout), y, classes=["a", "b"])
    trained = _native.train(pipeline, "p", {"data": data}, [], {"cache": None, "threads": 2})
"""


def test_a_fit_needs_no_second_array():
    grown = peak(FIT, mib=192, pipeline=repr(AS_THEY_ARE))
    assert grown < 128


def test_a_fit_about_the_means_needs_one_copy():
    grown = peak(FIT, mib=192, pipeline=repr(LINEAR))
    assert grown < 192 + 128  # the rows minus the means


def test_what_learns_from_all_rows_needs_no_second_array():
    pipeline = json.dumps({"name": "p", "nodes": {
        "data": {"is": "source/array"},
        "x": {"is": "normalizer/zscore", "from": "data"},
        "svm": {"is": "solver/linear_svm", "max_iterations": 1, "from": "data"}}})
    pipeline = pipeline.replace('"from": "data"}}}', '"from": "x"}}}')
    grown = peak(FIT, mib=160, pipeline=repr(pipeline))
    assert grown < 160 + 128  # the scaled rows, which the machine learns from


def test_predictions_of_many_rows_need_their_own_memory_only():
    grown = peak("""
        x = np.ones((mib * 256, 1024), np.float32)
        x[::2, 0] = -1
        y = (x[:, 0] > 0).astype(np.int32)
        layout = {"kind": "vector", "depth": 1024}
        small = np.ascontiguousarray(x[:100])
        data = Data(Rows(small, layout), y[:100], classes=["a", "b"])
        trained = _native.train(pipeline, "p", {"data": data}, [], {"cache": None, "threads": 2})
        start()
        scores = trained.apply("svm", Rows(x, layout))
    """, mib=256, pipeline=repr(LINEAR))
    assert grown < 64


def test_many_predictions_leave_nothing_behind():
    grown = peak("""
        x = np.random.default_rng(0).standard_normal((1000, 64), np.float32)
        layout = {"kind": "vector", "depth": 64}
        data = Data(Rows(x, layout), (x[:, 0] > 0).astype(np.int32), classes=["a", "b"])
        for i in range(50):
            trained = _native.train(pipeline, "p", {"data": data}, [], {"cache": None})
            for _ in range(200): trained.apply("svm", Rows(x, layout))
            if i == 10: start()
    """, pipeline=repr(LINEAR))
    assert grown < 8


@pytest.mark.days(3)
@pytest.mark.parametrize("call", [
    "similarity.rbf(X, X, n_jobs=2)", "similarity.dtw(X, X, n_jobs=2)",
    "similarity.edit(words, words, as_='negative', n_jobs=2)"])
def test_ten_thousand_calls_of_a_function_leave_nothing_behind(call):
    grown = peak(f"""
        from semblance import similarity
        X, words = np.zeros((2, 8), np.float32), ["ab", "ac"]
        X[1] = 1
        for i in range(11000):
            if i == 1000: start()
            {call}
    """)
    assert grown < 1


def test_arrays_are_let_go_after_training():
    x = np.random.default_rng(0).normal(size=(100, 4)).astype(np.float32)
    y = (x[:, 0] > 0).astype(np.int32)
    references = sys.getrefcount(x)
    data = Data(Rows(x, {"kind": "vector", "depth": 4}), y, classes=["a", "b"])
    trained = _native.train(LINEAR, "p", {"data": data}, [], {"cache": None})
    assert sys.getrefcount(x) > references
    del data
    assert sys.getrefcount(x) == references
    assert trained.apply("svm", Rows(x, {"kind": "vector", "depth": 4})).shape == (100, 2)
