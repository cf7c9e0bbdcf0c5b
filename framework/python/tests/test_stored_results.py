# SPDX-License-Identifier: MIT
"""Dependencies of the store's keys, for components that are written in Python."""

import re
import shutil
import textwrap

import numpy as np
from program_in_folder import in_program
from small_plugin import MINE, SHORT, run_mine


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
    # In the same second and of the same size: Python's compiled files would not notice.
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
