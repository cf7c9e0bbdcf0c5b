# SPDX-License-Identifier: MIT
"""Components written in Python, as the program uses them."""

import json
import re
import subprocess
from pathlib import Path

from program_in_folder import PROGRAM, in_program
from small_plugin import MINE, SHORT, run_mine

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
def test_nothing_but_the_function_must_be_said(program):
    program.file("cauchy.py", """
        import numpy as np
        import semblance
        @semblance.similarity("similarity/cauchy", width=semblance.number(1.0, above=0))
        def cauchy(bases, samples, width):
            return 1 / (1 + np.square(samples[:, None] - bases).sum(axis=2) / width ** 2)
    """)
    text = program.succeed("check-plugin", "cauchy.py")
    assert ", 0 failed" in text
    text = program.succeed("describe", "similarity/cauchy", "--plugin-path", "cauchy.py")
    assert "The similarity cauchy, written in Python" in text
    assert "the argument 'width' of cauchy" in text


@in_program
def test_a_parameter_is_documented_by_its_declaration_or_the_docstring(program):
    program.file("cauchy.py", """
        import numpy as np
        import semblance
        @semblance.similarity("similarity/cauchy", width=semblance.number(1.0, above=0),
                              power=semblance.number(2.0, documentation="the power"))
        def cauchy(bases, samples, width, power):
            '''Cauchy kernel.

            Parameters
            ----------
            width : float
                Half the width of the bell.
            power : float
                Not this one.
            '''
            return 1 / (1 + np.square(samples[:, None] - bases).sum(axis=2) / width ** power)
    """)
    text = program.succeed("describe", "similarity/cauchy", "--plugin-path", "cauchy.py")
    assert "Half the width of the bell" in text
    assert "the power" in text and "Not this one" not in text


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
    text = program.succeed("ablate", "study.yaml", "--plugin-path", "mine.py", "--out", "out")
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
  map2:  {is: similarity/rbf, gamma: 1, from: t, bases: bases}
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
