# SPDX-License-Identifier: MIT
"""Mistakes in a component written in Python are reported in one line that says where."""

import textwrap

import pytest
from program_in_folder import in_program
from small_plugin import MINE, SHORT, run_mine

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
    program.file("mine.py", MINE.replace("similarity/mine", "similarity/rbf"))
    program.file("p.yaml", SHORT)
    code, text = program("run", "p.yaml", "--plugin-path", "mine.py", "--out", "out")
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
    # On one thread: another one's call may replace what the function keeps.
    code, text = run_mine(program, head + source, "--threads", "1")
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
            ({"fit": "self.f = lambda x: x"}, "Mine.fit.<locals>.<lambda>"),
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
