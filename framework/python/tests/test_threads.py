# SPDX-License-Identifier: MIT
"""Interrupts, threads and processes."""

import json
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

import semblance
from semblance import _native
from semblance._native import Data, Rows

LAYOUT = {"kind": "vector", "depth": 20}
OPTIONS = {"cache": None}


def points(rows, seed=0):
    rng = np.random.default_rng(seed)
    return (rng.normal(size=(rows, 20)).astype(np.float32),
            rng.integers(0, 2, rows).astype(np.int32))


def pipeline(**parameters):
    return json.dumps({"name": "p", "nodes": {
        "data": {"is": "source/array"},
        "svm": {"is": "solver/kernel_svm", "from": "data", **parameters}}})


def train(rows=300, seed=0, progress=None, options=OPTIONS, **parameters):
    x, y = points(rows, seed)
    data = Data(Rows(x, LAYOUT), y, classes=["a", "b"])
    return _native.train(pipeline(**parameters), "p", {"data": data}, [], options, progress)


def scores(trained, seed=9):
    return trained.apply("svm", Rows(points(100, seed)[0], LAYOUT))


#: Noise that cannot be separated at a high price: minutes of work.
LONG = {"rows": 30000, "C": 1000.0}


def script(body, timeout=120, **environment):
    """Runs a script in its own process, which must end by itself within the time."""
    header = f"import sys; sys.path.insert(0, {os.path.dirname(__file__)!r})\n"
    done = subprocess.run([sys.executable, "-c", header + textwrap.dedent(body)],
                          capture_output=True, text=True, timeout=timeout,
                          env={**os.environ, **environment})
    assert done.returncode == 0, done.stderr
    return done.stdout


# Ctrl-C ------------------------------------------------------------------------------------------

def interrupted(after, options=OPTIONS, **parameters):
    """Trains, and presses Ctrl-C after a time; the outcome, and the time it took to stop."""
    pressed = []

    def press():
        pressed.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)
    timer = threading.Timer(after, press)
    timer.start()
    try:
        found = train(options=options, **parameters)
    except KeyboardInterrupt as interrupt:
        found = interrupt
    finally:
        timer.join()
    return found, time.monotonic() - pressed[0]


def test_ctrl_c_raises_long_before_the_work_is_done():
    found, seconds = interrupted(0.8, **LONG)
    assert isinstance(found, KeyboardInterrupt)
    assert seconds < 5


def slow_calls():
    """Calls that take many seconds each, some after a short one that has set their pace."""
    import semblance
    X = np.random.default_rng(0).normal(size=(600, 1000)).astype(np.float32)
    y = (X[:, 0] > 0).astype(int)
    nearest = semblance.NearestNeighbour(similarity="twe", bases=40, n_jobs=2)
    nearest.fit(X[:40], y[:40])
    nearest.predict(X[:1])
    by_map = semblance.SimilarityMap(similarity="twe", bases=40, normalizer=None, n_jobs=2)
    by_map.fit(X[:40])
    nodes = {"t": {"is": "source/array"}, "b": {"is": "basis/random", "count": 40, "from": "t"},
             "d": {"is": "similarity/twe", "from": "t", "bases": "b"},
             "svm": {"is": "solver/linear_svm", "from": "d"}}
    model = semblance.run({"nodes": nodes}, data={"t": (X[:40], y[:40])}, cache=False).model
    return {"predict": lambda: nearest.predict(X), "transform": lambda: by_map.transform(X),
            "Model.predict": lambda: model.predict(X),
            "similarity": lambda: semblance.similarity.twe(X, X, n_jobs=2),
            "width": lambda: semblance.similarity.twe(X[:2], X, n_jobs=1)}


def test_ctrl_c_stops_what_is_not_training():
    for name, call in slow_calls().items():
        pressed = []

        def press():
            pressed.append(time.monotonic())
            os.kill(os.getpid(), signal.SIGINT)
        timer = threading.Timer(0.2, press)
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            call()
        assert time.monotonic() - pressed[0] < 2, name  # they take up to a minute
        timer.join()


def test_the_callers_handler_lets_a_prediction_end():
    import semblance
    X = np.random.default_rng(0).normal(size=(60, 400)).astype(np.float32)
    called = []
    before = signal.signal(signal.SIGINT, lambda *_: called.append(1))
    try:
        timer = threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        found = semblance.similarity.twe(X, X, n_jobs=1)
        timer.join()
    finally:
        signal.signal(signal.SIGINT, before)
    assert called == [1]
    np.testing.assert_array_equal(found, semblance.similarity.twe(X, X, n_jobs=2))


def test_ctrl_c_gives_the_best_model_so_far():
    found, seconds = interrupted(0.8, options={**OPTIONS, "return_on_interrupt": True}, **LONG)
    assert seconds < 5
    assert found.stopped_by == "the program"
    assert found.figures()["svm"]["certificate"] == "cancelled"
    assert np.isfinite(scores(found)).all()


def test_after_ctrl_c_others_go_on():
    interrupted(0.3, **LONG)
    assert train().stopped_by == ""


def test_a_handler_of_the_caller_decides():
    called = []
    before = signal.signal(signal.SIGINT, lambda *_: called.append(1))
    try:
        found, _ = interrupted(0.2, rows=3000, C=1000.0)
    finally:
        signal.signal(signal.SIGINT, before)
    assert called == [1] and found.stopped_by == ""


def test_an_exception_of_the_progress_callback_stops_the_work():
    def refuse(node, done, total):
        raise ZeroDivisionError(node)
    start = time.monotonic()
    with pytest.raises(ZeroDivisionError):
        train(progress=refuse, **LONG)
    assert time.monotonic() - start < 20


def test_progress_is_told():
    told = []
    x, _ = points(12000)
    y = np.random.default_rng(1).integers(0, 4, len(x)).astype(np.int32)
    data = Data(Rows(x, LAYOUT), y, classes=list("abcd"))
    _native.train(pipeline(C=1.0), "p", {"data": data}, [], OPTIONS,
                  lambda *what: told.append(what))
    of_solver = [(done, total) for node, done, total in told if node == "svm"]
    assert len(of_solver) > 2 and all(0 <= done <= total for done, total in of_solver)
    assert of_solver[-1][0] == of_solver[-1][1] > 0


def test_a_run_is_interrupted_too(tmp_path):
    import semblance
    x, y = points(30000)
    timer = threading.Timer(0.8, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    result = semblance.run(json.loads(pipeline(C=1000.0)), {"data": (x, y)}, cache=False,
                           on_interrupt="return")
    timer.join()
    assert result.stopped_by == "Ctrl-C"
    assert len(result.model.predict(x[:5])) == 5


# Threads -----------------------------------------------------------------------------------------

def test_two_threads_train_at_once_and_give_the_bits_of_one():
    expected = [scores(train(rows=2000, seed=seed, C=10.0)) for seed in range(4)]
    found = [None] * 4
    running, most = [0], [0]

    def work(seed):
        running[0] += 1
        most[0] = max(most[0], running[0])
        found[seed] = scores(train(rows=2000, seed=seed, C=10.0))
        running[0] -= 1
    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most[0] > 1
    for one, other in zip(expected, found):
        np.testing.assert_array_equal(one, other)


def test_python_goes_on_while_the_runtime_works():
    ticks = []
    done = threading.Event()

    def count():
        while not done.wait(0.005):
            ticks.append(time.monotonic())
    thread = threading.Thread(target=count)
    thread.start()
    start = time.monotonic()
    train(rows=6000, C=10.0)
    seconds = time.monotonic() - start
    done.set()
    thread.join()
    assert len([tick for tick in ticks if tick > start]) > 2 * seconds


def test_one_model_is_applied_by_several_threads():
    trained = train()
    expected = scores(trained)
    found = []
    threads = [threading.Thread(target=lambda: found.extend(scores(trained) for _ in range(50)))
               for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 200
    for other in found:
        np.testing.assert_array_equal(expected, other)


def test_threads_do_not_change_a_bit():
    one, two = (scores(train(rows=2000, options={**OPTIONS, "threads": n})) for n in (1, 2))
    np.testing.assert_array_equal(one, two)


# Processes ---------------------------------------------------------------------------------------

def test_a_fork_after_training_trains_and_predicts():
    out = script("""
        import multiprocessing, numpy as np
        import test_threads as t
        trained = t.train(rows=2000, options={"cache": None, "threads": 2})
        expected = t.scores(trained)
        def work(seed):
            again = t.scores(t.train(rows=2000, options={"cache": None, "threads": 2}))
            return np.array_equal(t.scores(trained), expected) and np.array_equal(again, expected)
        with multiprocessing.get_context("fork").Pool(2) as pool:
            print(all(pool.map_async(work, range(4)).get(60)))
        print(np.array_equal(t.scores(t.train(rows=2000)), expected))
    """)
    assert out.split() == ["True", "True"]


def test_a_fork_while_another_thread_trains():
    out = script("""
        import multiprocessing, threading, time, numpy as np
        import test_threads as t
        thread = threading.Thread(target=t.train, kwargs={"rows": 12000, "C": 100.0, "options":
                                  {"cache": None, "threads": 2, "deadline": 2}})
        thread.start()
        time.sleep(0.5)
        def work(seed):
            return float(t.scores(t.train(rows=500)).sum())
        with multiprocessing.get_context("fork").Pool(2) as pool:
            found = pool.map_async(work, range(2)).get(60)
        thread.join()
        print(found == [work(0)] * 2)
    """)
    assert out.strip() == "True"


def test_a_similarity_in_a_forked_process():
    out = script("""
        import multiprocessing, numpy as np
        from semblance._native import Measure, Rows
        x = np.random.default_rng(0).normal(size=(2000, 20)).astype(np.float32)
        layout = {"kind": "vector", "depth": 20}
        def work(_):
            rbf = Measure('{"is": "similarity/rbf"}', layout, threads=2)
            rbf.set_bases(Rows(x, layout))
            return float(rbf.apply(Rows(x, layout)).sum())
        expected = work(0)
        with multiprocessing.get_context("fork").Pool(2) as pool:
            print(pool.map_async(work, range(2)).get(60) == [expected] * 2)
    """)
    assert out.strip() == "True"


@pytest.mark.parametrize("backend", ["loky", "multiprocessing", "threading"])
def test_joblib(backend):
    out = script(f"""
        import joblib, numpy as np, semblance
        import test_threads as t
        X = np.random.default_rng(0).normal(size=(1000, 5))
        y = X[:, 0] > 0
        machine = semblance.KernelSVM().fit(X, y)
        expected = machine.decision_function(X)
        with joblib.parallel_backend({backend!r}, n_jobs=2):
            found = joblib.Parallel()(joblib.delayed(machine.decision_function)(X) for _ in range(4))
            again = joblib.Parallel()(joblib.delayed(t.fit_and_score)(X, y) for _ in range(2))
        print(all(np.array_equal(one, expected) for one in found + again))
    """)
    assert out.strip().endswith("True")


def fit_and_score(X, y):
    return semblance.KernelSVM().fit(X, y).decision_function(X)


def test_numpy_keeps_its_threads():
    out = script("""
        import numpy as np
        np.ones((200, 200)) @ np.ones((200, 200))
        import ctypes
        import test_threads as t
        blas = ctypes.CDLL("libopenblas.so.0")
        before = blas.openblas_get_num_threads()
        t.train(rows=1000)
        print(before == blas.openblas_get_num_threads())
    """)
    assert out.strip() == "True"


def test_the_end_of_the_process_does_not_wait_for_a_training():
    start = time.monotonic()
    script("""
        import threading, time, os
        import test_threads as t
        threading.Thread(target=t.train, kwargs=t.LONG, daemon=True).start()
        time.sleep(0.5)
    """)
    assert time.monotonic() - start < 30
