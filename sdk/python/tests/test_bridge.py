# SPDX-License-Identifier: MIT
"""Components written in Python: in the program, and in the process that declares them."""

import json
import re
import shutil
import signal
import subprocess
import textwrap
import time
from pathlib import Path

import numpy as np
import pytest
from program_in_folder import PROGRAM, Program, in_program

EVERY_KIND = Path(__file__).parent / "plugins" / "every_kind.py"

PIPELINE = """
name: small
nodes:
  t:     {is: source/xor, train: 300, test: 200}
  x:     {is: normalizer/whiten, from: t}
  wide:  {is: feature/powers, from: x}
  slim:  {is: normalizer/projection, dimension: 2, from: wide}
  bases: {is: basis/first, per_class: 20, from: t}
  few:   {is: basis/drawn, from: x}
  map:   {is: similarity/laplace, from: x, bases: bases}
  own:   {is: similarity/self_scaled, from: x, bases: few}
  near:  {is: solver/centroid, from: [map, own, slim]}
  svm:   {is: solver/kernel_svm, kernel: {is: similarity/cauchy, width: 0.5}, from: x}
  test:  {is: evaluator/kappa, from: near}
  test2: {is: evaluator/kappa, from: svm}
"""

SHORT = """
name: short
nodes:
  t:     {is: source/xor, train: 200, test: 100}
  bases: {is: basis/random_per_class, per_class: 20, from: t}
  map:   {is: similarity/mine, from: t, bases: bases}
  svm:   {is: solver/linear_svm, from: map}
  test:  {is: evaluator/classification, from: svm}
"""

MINE = """
import numpy as np
import semblance
@semblance.similarity("similarity/mine", width=semblance.number(1.0, "width", above=0))
def mine(bases, samples, width):
    "Cauchy kernel."
    return 1 / (1 + np.square(samples[:, None] - bases).sum(axis=2) / width ** 2)
"""


@pytest.fixture
def program(tmp_path):
    return Program(tmp_path)


def run_mine(program, source=MINE, *more, pipeline=SHORT, **environment):
    program.file("mine.py", source)
    program.file("p.yaml", pipeline)
    return program("run", "p.yaml", "--plugin-path", "mine.py", "--out", "out", "--quiet", *more,
                   **environment)


# In the program ---------------------------------------------------------------------------------


@in_program
def test_a_pipeline_of_all_kinds_runs_and_predicts_the_same_bits(program):
    program.file("p.yaml", PIPELINE)
    plugin = ("--plugin-path", EVERY_KIND)
    program.succeed("run", "p.yaml", *plugin, "--out", "out", "--quiet")
    assert program.metrics()["test"]["kappa"] > 0.3
    assert program.metrics()["test2"]["kappa"] > 0.6
    assert program.metrics()["near"]["objective"] > 0
    program.succeed("predict", "out/model", *plugin, "--out", "again", "--quiet")
    for node in ("near", "svm"):
        assert (program.folder / f"again/{node}.npy").read_bytes() == \
            (program.folder / f"out/predictions/{node}.npy").read_bytes()


@in_program
def test_threads_and_memory_do_not_change_bits(program):
    program.file("p.yaml", PIPELINE)
    expected = None
    for threads, more in ((1, ()), (2, ()), (7, ("--memory", "256M"))):
        program.succeed("run", "p.yaml", "--plugin-path", EVERY_KIND, "--out", "out", "--quiet",
                        "--no-cache", "--threads", threads, *more)
        bits = [(program.folder / f"out/predictions/{node}.npy").read_bytes()
                for node in ("near", "svm")]
        expected = expected or bits
        assert bits == expected


@in_program
def test_components_of_all_kinds_pass_the_conformance_suite(program):
    text = program.succeed("check-plugin", EVERY_KIND)
    assert "'every_kind' 1.2 (MIT) with 13 components" in text
    assert re.search(r"\n2\d\d passed, 0 failed", text)


@in_program
def test_the_suite_finds_what_is_wrong_with_a_component(program):
    program.file("wrong.py", """
        import semblance
        @semblance.similarity("similarity/wrong", symmetric=True, positive_semidefinite=True)
        def wrong(bases, samples):
            "Not symmetric, not semi-definite."
            return samples[:, :1] - 2 * bases[:, 0]
    """)
    code, text = program("check-plugin", "wrong.py")
    assert code == 1
    assert "failed   symmetric" in text
    assert "failed   positive semi-definite" in text


@in_program
def test_declarations_are_listed_described_and_checked(program):
    program.file("mine.py", MINE)
    program.file("p.yaml", SHORT)
    plugin = ("--plugin-path", "mine.py")
    assert "similarity/mine" in program.succeed("list", "similarity", *plugin)
    about = program.succeed("describe", "similarity/mine", *plugin)
    assert "number in (0, inf); default 1" in about
    assert "plugin      mine 0" in about
    code, text = program("check", "p.yaml", *plugin, "--set", "nodes.map.width=-1")
    assert code == 2
    assert "width" in text and "(0, inf)" in text
    code, text = program("check", "p.yaml", *plugin, "--set", "nodes.map.widht=1")
    assert code == 2
    assert "did you mean 'width'" in text


@in_program
def test_a_study_varies_a_python_component(program):
    program.file("mine.py", MINE)
    program.file("study.yaml", SHORT + """
study:
  metric: test.accuracy
  slots:
    width: {narrow: {nodes.map.width: 0.1}, wide: {nodes.map.width: 1}}
""")
    text = program.succeed("ablate", "study.yaml", "--plugin-path", "mine.py", "--out", "out",
                           "--quiet")
    assert "narrow" in text and "wide" in text


@in_program
def test_the_same_measure_in_python_and_in_cpp_gives_the_same_accuracy(program):
    program.file("mine.py", """
        import numpy as np
        import semblance
        @semblance.similarity("similarity/mine", gamma=semblance.number(1.0, "scale", above=0))
        def mine(bases, samples, gamma):
            "Gaussian kernel."
            d = (samples ** 2).sum(1)[:, None] + (bases ** 2).sum(1) - 2 * samples @ bases.T
            return np.exp(-gamma * np.maximum(d, 0))
    """)
    program.file("p.yaml", SHORT + """
  map2:  {is: similarity/rbf, from: t, bases: bases}
  svm2:  {is: solver/linear_svm, from: map2}
  test2: {is: evaluator/classification, from: svm2}
""")
    program.succeed("run", "p.yaml", "--plugin-path", "mine.py", "--out", "out", "--quiet")
    nodes = program.metrics()
    assert nodes["test"]["accuracy"] == nodes["test2"]["accuracy"]
    assert nodes["test"]["accuracy"] > 0.8


@in_program
def test_no_interpreter_is_started_without_a_python_plugin(program):
    def loaded(*arguments):
        return "libpython" in program(*arguments, LD_DEBUG="files")[1]
    program.file("mine.py", MINE)
    assert not loaded("list")
    assert loaded("list", "--plugin-path", "mine.py")


# What is wrong with a file ----------------------------------------------------------------------

FAULTS = {
    "syntax": ("import semblance\ndef f(:\n", "mine.py:2: SyntaxError: "),
    "import": ("import semblance\nimport no_such_module\n",
               "mine.py:2 in <module>: ModuleNotFoundError: No module named 'no_such_module'"),
    "empty": ("import semblance\n", "it declares no component"),
    "exit": ("import semblance\nraise SystemExit(3)\n", "it asked to end the program (3)"),
    "option": (MINE.replace("width=semblance", "symetric=True, width=semblance"),
               "did you mean 'symmetric'?"),
    "id": (MINE.replace('"similarity/mine"', '"feature/mine"'),
           "the id of a similarity is 'similarity/NAME'"),
    "no call": (MINE.replace('("similarity/mine", width=semblance.number(1.0, "width", above=0))',
                             ""),
                "the first argument of @semblance.similarity is the component's id"),
    "argument": (MINE.replace("bases, samples, width", "bases, rows, width"),
                 "mine() takes 'rows', which is neither a declared parameter nor one of bases, "
                 "samples, width"),
    "missing argument": (MINE.replace("bases, samples, width", "bases, width"),
                         "mine() must take the argument 'samples'"),
    "default": (MINE.replace("number(1.0", "number(-1.0"), "outside of the parameter's own range"),
    "default's type": (MINE.replace("number(1.0", "number('1'"),
                       "the default of a parameter of type number cannot be '1'"),
    "twice": (MINE + MINE, "the component 'similarity/mine' is declared twice"),
    "solver as function": (
        "import semblance\n@semblance.solver('solver/mine')\ndef f(samples): pass\n",
        "a solver learns, so declare a class with the methods fit and apply"),
    "class without apply": (
        "import semblance\n@semblance.solver('solver/mine')\nclass S:\n"
        "    def fit(self, samples, labels): pass\n", "needs the method apply(self, samples)"),
    "basis without count": (
        "import semblance\n@semblance.basis('basis/mine')\ndef f(labels): pass\n",
        "a basis needs the option 'count'"),
}


@in_program
@pytest.mark.parametrize("fault", FAULTS)
def test_a_file_that_cannot_be_used_is_told_in_one_line(program, fault):
    source, message = FAULTS[fault]
    code, text = run_mine(program, source)
    assert code in (1, 2)
    assert message in text
    assert "plugin '" in text and "mine.py' cannot be used: " in text
    assert text.count("\n") == 1 and "Traceback" not in text


@in_program
def test_python_without_numpy_is_told(program):
    program.file("fake/numpy.py", "raise ModuleNotFoundError(\"No module named 'numpy'\")")
    code, text = run_mine(program, MINE.replace("import numpy as np", ""),
                          PYTHONPATH=str(program.folder / "fake"))
    assert code == 1
    assert "components written in Python need NumPy" in text
    assert "apt-get install python3-numpy" in text
    assert text.count("\n") == 1


@in_program
def test_a_path_that_is_not_there_is_told(program):
    program.file("p.yaml", SHORT)
    code, text = program("run", "p.yaml", "--plugin-path", "other.py")
    assert code != 0
    assert "plugin path 'other.py' does not exist" in text


@in_program
def test_a_name_that_the_program_has_is_refused(program):
    code, text = run_mine(program, MINE.replace("similarity/mine", "similarity/rbf"))
    assert code != 0
    assert "component 'similarity/rbf' appears twice" in text


@in_program
def test_helpers_of_one_name_in_two_folders_are_refused(program):
    for which in ("one", "two"):
        program.file(f"{which}/helper.py", f"scale = '{which}'")
        program.file(f"{which}/{which}.py", MINE.replace("mine", which) + "\nimport helper\n")
    code, text = program("list", "--plugin-path", "one/one.py", "--plugin-path", "two/two.py")
    assert code == 1
    assert "the module 'helper', of which two are in use" in text


# What is wrong with a result --------------------------------------------------------------------

BODIES = {
    "raises": ("    return undefined\n",
               "mine.py:7 in mine: NameError: name 'undefined' is not defined"),
    "shape": ("    return np.zeros((len(bases), len(samples)))\n",
              "a row for each sample, a column for each basis"),
    "nan": ("    return np.full((len(samples), len(bases)), np.nan)\n", "has a value that is NaN"),
    "beyond float32": ("    return np.full((len(samples), len(bases)), 1e300)\n",
                       "beyond what float32 holds"),
    "complex": ("    return np.ones((len(samples), len(bases)), complex)\n",
                "is an array of complex128, not of real numbers"),
    "nothing": ("    pass\n", "is an array of object, not of real numbers"),
    "changes": ("    samples += 1\n    return samples @ bases.T\n",
                "mine.py:7 in mine: ValueError: output array is read-only"),
    "keeps": ("    global kept\n    kept = samples\n    return samples @ bases.T\n",
              "keep a copy: numpy.array(samples)"),
    "other bases": ("    s = samples @ bases.T + 9\n    return s / s.sum(axis=1, keepdims=True)\n",
                    "depends on the other bases"),
    "other rows": ("    s = samples @ bases.T + 9\n    return s - s.mean(axis=0)\n",
                   "depends on the rows beside it"),
    "by chance": ("    return np.random.random((len(samples), len(bases)))\n",
                  "or differs from call to call"),
    "exit": ("    import sys\n    sys.exit(3)\n", "SystemExit: it asked to end the program (3)"),
    "memory": ("    raise MemoryError\n", "mine.py:7 in mine: MemoryError: out of memory"),
    "interrupt": ("    raise KeyboardInterrupt\n", "KeyboardInterrupt: it was interrupted"),
    "deep inside": ("    return np.linalg.inv(np.zeros((2, 3)))\n",
                    "mine.py:7 in mine: LinAlgError: "),
}


@in_program
@pytest.mark.parametrize("body", BODIES)
def test_what_a_function_does_wrong_is_told_with_its_place(program, body):
    source, message = BODIES[body]
    head = MINE[:MINE.index("    return")]
    code, text = run_mine(program, head + source)
    assert code == 1
    assert message in text, text
    assert "p.yaml:6:3: error: node 'map' (similarity/mine), while " in text
    assert "Traceback" not in text


@in_program
def test_what_a_solver_or_evaluator_does_wrong_is_told(program):
    program.file("p.yaml", """
        name: wrong
        nodes:
          t:    {is: source/xor, train: 50, test: 20}
          svm:  {is: solver/mine, from: t}
          test: {is: evaluator/mine, from: svm}
    """)
    template = textwrap.dedent("""
        import numpy as np, semblance
        @semblance.solver("solver/mine")
        class Mine:
            "A solver."
            def fit(self, samples, labels):
                {fit}
            def apply(self, samples):
                return {scores}
        @semblance.evaluator("evaluator/mine", reports={{"a": semblance.figure("a figure")}})
        def judge(scores, labels):
            "An evaluator."
            return {figures}
    """)
    right = {"fit": "self.a = 1", "scores": "samples[:, :2]", "figures": "{'a': 0.5}"}
    for change, message in (
            ({}, None),
            ({"scores": "samples[:, 0]"}, "a row for each sample, a score for each class"),
            ({"fit": "self.f = lambda x: x"}, "Can't pickle"),
            ({"fit": "return {'objective': np.nan}"}, "the figure 'objective' in what Mine.fit()"),
            ({"fit": "return {'other': 1}"}, "reports the figure 'other', which its declaration"),
            ({"fit": "self.rows = [samples]; self.rows.append(self.rows)"}, "RecursionError"),
            ({"figures": "[0.5]"}, "is no dictionary of figures by name, but list"),
            ({"figures": "{'a': scores}"}, "not a number or a text"),
            ({"figures": "{'b': 0.5}"}, "reports the figure 'b', which its declaration")):
        program.file("mine.py", template.format(**{**right, **change}))
        code, text = program("run", "p.yaml", "--plugin-path", "mine.py", "--out", "out",
                             "--quiet")
        assert code == (1 if message else 0), text
        assert (message or "") in text, text


# What the store's keys depend on ----------------------------------------------------------------


@in_program
def test_results_are_taken_from_the_store_until_the_source_changes(program):
    assert run_mine(program)[0] == 0
    assert run_mine(program)[0] == 0
    assert program.cached("map")
    assert run_mine(program, MINE.replace("width ** 2", "width ** 3"))[0] == 0
    assert not program.cached("map")
    assert program.cached("bases")


@in_program
def test_a_changed_helper_module_computes_again(program):
    source = MINE.replace("import numpy as np", "import numpy as np\nfrom parts.helper import power"
                          ).replace("width ** 2", "width ** power")
    program.file("parts/__init__.py", "")
    program.file("parts/helper.py", "from .deeper import power")
    program.file("parts/deeper.py", "power = 2")
    assert run_mine(program, source, "--set", "nodes.map.width=0.5")[0] == 0
    one = program.metrics()["svm"]["objective"]
    assert run_mine(program, source, "--set", "nodes.map.width=0.5")[0] == 0
    assert program.cached("map")
    # In the same second and of the same size: Python's compiled files would not tell.
    program.file("parts/deeper.py", "power = 7")
    assert run_mine(program, source, "--set", "nodes.map.width=0.5")[0] == 0
    assert not program.cached("map")
    assert program.metrics()["svm"]["objective"] != one


@in_program
def test_another_version_of_a_package_computes_again(program):
    def package(version):
        program.file("site-packages/scaling.py", "scale = 1")
        shutil.rmtree(program.folder / "site-packages/scaling.dist-info", ignore_errors=True)
        program.file("site-packages/scaling.dist-info/METADATA",
                     f"Metadata-Version: 2.1\nName: scaling\nVersion: {version}\n")
    source = MINE.replace("import numpy as np", "import numpy as np\nimport scaling")
    path = str(program.folder / "site-packages")
    for version, cached in (("1.0", False), ("1.0", True), ("1.1", False), ("1.1", True)):
        package(version)
        code, text = run_mine(program, source, PYTHONPATH=path)
        assert code == 0, text
        assert program.cached("map") == cached


@in_program
def test_a_component_can_use_those_of_the_program(program):
    source = MINE.replace("return 1 / (1 + np.square(samples[:, None] - bases).sum(axis=2) / "
                          "width ** 2)",
                          "return semblance.similarity.rbf(samples, bases, gamma=width)")
    pipeline = SHORT + """
  map2:  {is: similarity/rbf, gamma: 1, from: t, bases: bases}
  svm2:  {is: solver/linear_svm, from: map2}
  test2: {is: evaluator/classification, from: svm2}
"""
    code, text = run_mine(program, source, pipeline=pipeline)
    assert code == 0, text
    assert program.metrics()["test"]["accuracy"] == program.metrics()["test2"]["accuracy"]


@in_program
def test_what_is_printed_does_not_mix_with_the_programs_output(program):
    program.file("mine.py", MINE.replace("    return", "    print('from Python')\n    return"))
    program.file("p.yaml", SHORT)
    done = subprocess.run([PROGRAM, "run", "p.yaml", "--plugin-path", "mine.py", "--out", "out",
                           "--json", "--quiet"], cwd=program.folder, env=program.environment,
                          capture_output=True, text=True, timeout=60)
    assert done.returncode == 0
    assert "from Python" in done.stderr
    assert json.loads(done.stdout)["pipeline"] == "short"


@in_program
def test_the_content_of_a_file_parameter_counts(program):
    source = """
        import numpy as np
        import semblance
        @semblance.feature("feature/mine", weights=semblance.path("w.npy", "factors"))
        class Mine:
            "Scales by factors in a file."
            def __init__(self, weights):
                self.factors = np.load(weights)
            def apply(self, samples):
                return samples * self.factors
    """
    pipeline = SHORT.replace("map:   {is: similarity/mine, from: t, bases: bases}",
                             "map:   {is: feature/mine, from: t}").replace("bases: {", "b: {")
    pipeline = re.sub(r"  b: .*\n", "", pipeline)
    arguments = ("--data", str(program.folder))
    code, text = run_mine(program, textwrap.dedent(source), *arguments, pipeline=pipeline)
    assert code == 2 and "w.npy" in text, text
    for factors, cached in ((1, False), (1, True), (2, False)):
        np.save(program.folder / "w.npy", np.full(2, factors, np.float32))
        code, text = run_mine(program, textwrap.dedent(source), *arguments, pipeline=pipeline)
        assert code == 0, text
        assert program.cached("svm") == cached


# Stops ------------------------------------------------------------------------------------------

SLOW = """
import pathlib
import time
import semblance
@semblance.solver("solver/deaf")
class Deaf:
    "Never asks whether to stop."
    def fit(self, samples, labels):
        pathlib.Path("fitting").touch()
        end = time.monotonic() + 60
        while time.monotonic() < end:
            pass
    def apply(self, samples):
        return samples
@semblance.solver("solver/polite")
class Polite:
    "Asks, and keeps what it has."
    def fit(self, samples, labels, context):
        pathlib.Path("fitting").touch()
        while not context.stop_requested:
            time.sleep(0.01)
        self.factor = 3
    def apply(self, samples):
        return samples * self.factor
"""

SLOW_PIPELINE = """
name: slow
nodes:
  t:    {is: source/xor, train: 50, test: 20}
  svm:  {is: solver/deaf, from: t}
"""


@in_program
@pytest.mark.parametrize("solver", ["deaf", "polite"])
def test_ctrl_c_and_the_deadline_end_python(program, solver):
    program.file("slow.py", SLOW)
    program.file("p.yaml", SLOW_PIPELINE)
    command = [PROGRAM, "run", "p.yaml", "--plugin-path", "slow.py", "--out", "out", "--quiet",
               "--set", f"nodes.svm.is=solver/{solver}"]
    with subprocess.Popen(command, cwd=program.folder, env=program.environment,
                          stderr=subprocess.PIPE, text=True) as running:
        while not (program.folder / "fitting").exists():
            time.sleep(0.01)
        running.send_signal(signal.SIGINT)
        error = running.communicate(timeout=30)[1]  # half of what it would take
    assert "stopped by Ctrl-C" in error
    begin = time.monotonic()
    program(*map(str, command[1:]), "--deadline", "1")
    assert time.monotonic() - begin < 30
