# SPDX-License-Identifier: MIT
"""Parameters that are values by name, with their types: declared, given, stored."""

import json
import re

import numpy as np
import pytest
from program_in_folder import in_program

import semblance

PLUGIN = '''
import json
from pathlib import Path
import numpy as np
import semblance


@semblance.feature("feature/told", options=semblance.mapping({"depth": 3, "rule": "gini"}))
class Told:
    """Adds a number, and writes down what it was given."""

    def __init__(self, options):
        Path("told.json").write_text(json.dumps(options))
        if "dept" in options:
            raise semblance.Refused("options.dept: there is no such option")
        self.options = options

    def apply(self, samples):
        return samples + float(self.options.get("shift") or 0)
'''

PIPELINE = """
name: told
nodes:
  t:    {is: source/xor, train: 60, test: 20}
  told: {is: feature/told, OPTIONS from: t}
  svm:  {is: solver/linear_svm, from: told}
  test: {is: evaluator/classification, from: svm}
"""

VALUES = ("{whole: 1, real: 1.0, exponent: 1e3, text: gini, digits: '1', yes: true, "
          "nothing: null, list: [1, 1.5, null, a]}")
READ = {"whole": 1, "real": 1.0, "exponent": 1000.0, "text": "gini", "digits": "1", "yes": True,
        "nothing": None, "list": [1, 1.5, None, "a"]}


@pytest.fixture(autouse=True)
def told_py(tmp_path):
    (tmp_path / "told.py").write_text(PLUGIN)


@pytest.fixture
def told(as_before):
    """The values that the component received, if it is declared in this process."""
    given = []

    @semblance.feature("feature/told", options=semblance.mapping({"depth": 3, "rule": "gini"}))
    def told(samples, options):
        given.append(options)
        return samples

    return given


def same(given, expected):
    """Equal, and of the same types: 1 is neither 1.0 nor True."""
    return repr(sorted(given.items())) == repr(sorted(expected.items()))


def pipeline(options=""):
    return PIPELINE.replace("OPTIONS", options)


@in_program
def test_a_pipeline_says_them_with_their_types(program):
    program.file("p.yaml", pipeline(f"options: {VALUES},"))
    run = ("run", "p.yaml", "--plugin-path", "told.py", "--quiet", "--out", "out")
    program.succeed(*run)
    assert same(json.loads((program.folder / "told.json").read_text()), READ)
    # The pipeline that is stored with the results is the same one.
    program.succeed("run", "out/pipeline.yaml", "--plugin-path", "told.py", "--quiet", "--out",
                    "again")
    assert same(json.loads((program.folder / "told.json").read_text()), READ)
    assert program.cached("svm", "again")
    program.succeed("predict", "out/model", "--plugin-path", "told.py", "--quiet", "--out", "new")
    assert same(json.loads((program.folder / "told.json").read_text()), READ)


@in_program
def test_the_order_of_names_does_not_matter_and_types_do(program):
    def cached(options):
        program.file("p.yaml", pipeline(f"options: {options},"))
        program.succeed("run", "p.yaml", "--plugin-path", "told.py", "--quiet", "--out", "out")
        return program.cached("svm")

    assert not cached("{shift: 1, rule: gini}")
    assert cached("{rule: gini, shift: 1}")
    assert not cached("{rule: gini, shift: 1.0}")
    assert not cached("{rule: gini, shift: '1'}")
    assert not cached("{rule: gini, shift: null}")
    assert not cached("{rule: gini}")
    assert not cached("{rule: gini, shift: [1]}".replace("[1]", "true"))


@in_program
def test_set_and_studies_change_one_or_all(program):
    program.file("p.yaml", pipeline())

    def told(*settings):
        changes = [part for setting in settings for part in ("--set", setting)]
        program.succeed("check", "p.yaml", "--plugin-path", "told.py", *changes)
        return json.loads((program.folder / "told.json").read_text())

    assert same(told(), {"depth": 3, "rule": "gini"})
    assert same(told("nodes.told.options.depth=100"), {"depth": 100})
    assert same(told("nodes.told.options={depth: 100, rule: null}"), {"depth": 100, "rule": None})
    program.file("s.yaml", pipeline("options: {rule: gini},").replace("name: told", """\
name: told
study:
  metric: test.accuracy
  slots:
    shift: {path: nodes.told.options.shift, values: [0, 1, 2.5]}
    rule:  {gini: {}, none: {nodes.told.options: {}}}"""))
    program.succeed("ablate", "s.yaml", "--plugin-path", "told.py", "--quiet", "--out", "study")
    assert len(list((program.folder / "study/variants").iterdir())) == 6


@in_program
@pytest.mark.parametrize("options, place, message", [
    ("{shift: 1, dept: 2}", "dept", "options.dept: there is no such option"),
    ("{dept: 2, shift: None}", "None", "'options.shift' could be null or a text, got 'None'"),
    ("{a: 1, a: 2}", "a: 2", "'a' is given twice"),
    ("[shift=1]", "[shift=1]", "'options' must be a mapping, got a list"),
])
def test_what_is_wrong_is_told_at_its_place(program, options, place, message):
    program.file("p.yaml", pipeline(f"options: {options},"))
    code, text = program("check", "p.yaml", "--plugin-path", "told.py")
    assert code == 2
    lines = text.splitlines()
    told = next(i for i, line in enumerate(lines) if f"error: {message}" in line)
    shown, caret = lines[told + 1:told + 3]
    assert shown[caret.index("^"):].startswith(place)


@in_program
def test_the_reference_the_schema_and_check_plugin_know_them(program):
    page = program.succeed("describe", "feature/told", "--plugin-path", "told.py")
    assert "mapping" in page and "{depth: 3, rule: gini}" in page
    schema = json.loads(program.succeed("describe", "--schema", "--plugin-path", "told.py"))
    options = schema["definitions"]["node.feature.told"]["properties"]["options"]
    assert options["type"] == "object" and options["default"] == {"depth": 3, "rule": "gini"}
    program.succeed("check-plugin", "told.py")
    program.succeed("check-plugin", "told.py", "--set", 'feature/told.options={"shift": 2}')
    assert json.loads((program.folder / "told.json").read_text()) == {"shift": 2}
    code, text = program("check-plugin", "told.py", "--set", "feature/told.options=[2]")
    assert code != 0 and "takes a value of type mapping" in text


def test_python_gives_dicts(told):
    given = {"whole": np.int64(1), "real": np.float32(1), "flag": np.bool_(True), "none": None,
             "list": (1, 2.0), "array": np.arange(3), "text": np.str_("a")}
    expected = {"whole": 1, "real": 1.0, "flag": True, "none": None, "list": [1, 2.0],
                "array": [0, 1, 2], "text": "a"}
    nodes = {"t": {"is": "source/xor", "train": 60, "test": 20},
             "told": {"is": "feature/told", "options": given, "from": "t"},
             "svm": {"is": "solver/linear_svm", "from": "told"}}
    semblance.run({"nodes": nodes}, cache=False)
    assert same(told[-1], expected)
    del nodes["told"]["options"]
    semblance.run({"nodes": nodes}, cache=False, set={"nodes.told.options": given})
    assert same(told[-1], expected)
    semblance.run({"nodes": nodes}, cache=False, set={"nodes.told.options.real": 1.0})
    assert same(told[-1], {"real": 1.0})
    semblance.run({"nodes": nodes}, cache=False)
    assert same(told[-1], {"depth": 3, "rule": "gini"})
    with pytest.raises(semblance.PipelineError, match="must be a finite number, got 'NaN'"):
        semblance.run({"nodes": nodes}, set={"nodes.told.options.real": np.nan})


def test_what_a_component_changes_of_its_own_is_not_changed_for_others(told):
    @semblance.feature("feature/told", options=semblance.mapping({"depth": 3, "list": [1]}))
    def change(samples, options):
        told.append(repr(options))
        options.pop("depth")
        options["list"].append(2)
        return samples

    semblance.component("feature/told").fit_transform(np.zeros((4, 2), np.float32))
    assert set(told) == {"{'depth': 3, 'list': [1]}"}


def test_components_as_objects_take_dicts(told):
    from sklearn.base import clone
    x = np.zeros((4, 2), np.float32)
    assert semblance.component("feature/told").options is None
    semblance.component("feature/told").fit_transform(x)
    assert same(told[-1], {"depth": 3, "rule": "gini"})
    made = semblance.component("feature/told", options={"depth": np.int64(4), "list": (1, 2)})
    clone(made).fit_transform(x)
    assert same(told[-1], {"depth": 4, "list": [1, 2]})
    semblance.component("feature/told", options={}).fit_transform(x)
    assert told[-1] == {}


@pytest.mark.parametrize("wrong, exception, message", [
    ([("depth", 3)], TypeError, "must be a dict of values by name"),
    ({3: 3}, TypeError, "must have texts for names, got 3"),
    ({"": 3}, ValueError, "cannot have a value of the name ''"),
    ({"is": 3}, ValueError, "cannot have a value of the name 'is'"),
    ({"depth": {}}, TypeError, "has 'depth', which must be a number, a text, True, False, None"),
    ({"depth": [[1]]}, TypeError, "has 'depth', which must be a number, a text"),
    ({"depth": object}, TypeError, "has 'depth', which must be"),
    ({"depth": float("nan")}, ValueError, "has 'depth', which must be finite"),
    ({"depth": [float("inf")]}, ValueError, "has 'depth', which must be finite"),
    ({"depth": 2**63}, ValueError, "has 'depth', which must fit in 64 bits"),
])
def test_wrong_dicts_are_refused(told, wrong, exception, message):
    if wrong != {3: 3}:  # a pipeline's names are texts
        made = semblance.component("feature/told", options=wrong)
        with pytest.raises((TypeError, ValueError), match="options|a pipeline holds"):
            made.fit_transform(np.zeros((4, 2), np.float32))
    with pytest.raises(exception, match=re.escape(message)):
        semblance.mapping(wrong)


def test_declared_without_a_default_they_must_be_given():
    assert semblance.mapping().default is None
    assert semblance.mapping({}).default == {}
