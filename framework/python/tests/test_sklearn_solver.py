# SPDX-License-Identifier: MIT
"""solver/sklearn: any classifier of scikit-learn in a pipeline."""

import json

from program_in_folder import in_program


@in_program
def test_a_pickle_is_only_read_by_whoever_made_it(program):
    program.file("p.yaml", """
        name: forest
        nodes:
          t:    {is: source/xor, train: 100, test: 50}
          svm:  {is: solver/sklearn, parameters: {n_estimators: 5}, from: t}
          test: {is: evaluator/classification, from: svm}
    """)
    plugin = ("--plugin-path", "sklearn_solver.py")
    program.succeed("run", "p.yaml", *plugin, "--out", "out", "--quiet")
    predict = ("predict", "out/model", *plugin, "--out", "again", "--quiet")
    program.succeed(*predict)
    stranger = str(program.folder / "stranger")
    code, text = program(*predict, XDG_DATA_HOME=stranger)
    assert code == 1
    assert "is a pickle that this user did not make" in text
    program.succeed(*predict, XDG_DATA_HOME=stranger, SEMBLANCE_TRUST_PICKLES="1")
    key = program.folder / "home/semblance/pickle.key"
    assert key.stat().st_mode & 0o777 == 0o600
    code, text = program("predict", "out/model", "--out", "again", "--quiet")
    assert code != 0 and "needs the plugin 'sklearn_solver'" in text


@in_program
def test_sklearn_classifiers_are_solvers(program):
    nodes = {"forest": "parameters: {n_estimators: 10, max_depth: 4}",
             "knn": "class: sklearn.neighbors.KNeighborsClassifier",
             "svc": "class: sklearn.svm.SVC, parameters: {C: 10, kernel: rbf}",
             "bayes": "class: sklearn.naive_bayes.GaussianNB"}
    program.file("p.yaml", "name: all\nnodes:\n  t: {is: source/xor, train: 200, test: 200}\n"
                 + "".join(f"  {name}: {{is: solver/sklearn, {how}, from: t}}\n"
                           f"  test_{name}: {{is: evaluator/classification, from: {name}}}\n"
                           for name, how in nodes.items()))
    program.succeed("run", "p.yaml", "--plugin-path", "sklearn_solver.py", "--out", "out",
                    "--quiet")
    for name in ("forest", "knn", "svc"):
        assert program.metrics()[f"test_{name}"]["accuracy"] > 0.8
        assert program.metrics()[name]["objective"] < 0.2
    assert program.metrics()["test_bayes"]["accuracy"] < 0.7  # it cannot learn XOR


@in_program
def test_what_sklearn_does_not_have_is_found_before_anything_runs(program):
    wrong = {
        "class: sklearn.ensemble.RandomForestRegressor": "is no classifier",
        "class: os.system": "'os.system' is no estimator of scikit-learn",
        "class: sklearn.ensemble.RandomForestClasifier": "did you mean 'RandomForestClassifier'?",
        "class: no_such.Thing": "cannot be imported",
        "parameters: {n_estimator: 3}": "did you mean 'n_estimators'?",
        "parameters: {n_estimators: -3}": "must be an int in the range [1, inf). Got -3 instead",
        "parameters: {n_estimators: '3'}": "must be an int in the range [1, inf). Got '3' instead",
        "parameters: [n_estimators=3]": "'parameters' must be a mapping, got a list",
        "parameters: {bootstrap: True}": "'parameters.bootstrap' could be true or a text"}
    program.file("p.yaml", "name: wrong\nnodes:\n  t: {is: source/xor, train: 50, test: 20}\n" + "".join(
        f"  svm{n}: {{is: solver/sklearn, from: t, {setting}}}\n" for n, setting in enumerate(wrong)))
    code, text = program("check", "p.yaml", "--plugin-path", "sklearn_solver.py")
    assert code == 2
    errors = [line for line in text.splitlines() if ": error: " in line]
    assert len(errors) == len(wrong)
    for error, message in zip(errors, wrong.values()):
        assert message in error
    assert "Error: " not in text


@in_program
def test_damaged_states_are_refused(program):
    text = program.succeed("check-plugin", "sklearn_solver.py", "--set",
                           'solver/sklearn.parameters={"n_estimators": 3}')
    assert "ok       a damaged state is refused" in text


@in_program
def test_suggest_tries_trees_of_sklearn_on_the_same_splits(program):
    rows = [f"{i % 11},{i * 7 % 13},{'red' if i % 3 else 'blue'},{'b' if i % 11 > 5 else 'a'}" for i in range(120)]
    program.file("t.csv", "x,y,colour,kind\n" + "\n".join(rows) + "\n")
    program.file("own/1_linear.yaml", """
        name: linear
        nodes:
          data: {is: source/csv}
          svm:  {is: solver/linear_svm, from: data}
          test: {is: evaluator/classification, from: svm}
    """)
    text = program.succeed("suggest", "t.csv", "--label", "kind", "--candidates", "own", "--beside", "sklearn",
                           "--splits", "2", "--out", "out")
    assert "sklearn_forest" in text and "sklearn_boosting" in text
    assert "--plugin-path sklearn_solver.py" in text
    found = json.loads((program.folder / "out/suggestion.json").read_text())
    errors = {method["name"]: method["error_rate"] for method in found["methods"]}
    assert len(errors) == 3
    assert errors["sklearn_boosting"] < 0.1
