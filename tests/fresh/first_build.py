# SPDX-License-Identifier: MIT
"""What the launcher builds first for a pipeline: the targets of its components, which bring their parameters' defaults
along; and a program with the verbs that need no more."""
import json
import re
import subprocess
import sys
import tempfile
import unittest
from collections import namedtuple
from pathlib import Path

PROGRAM, FIRST, BUILD = map(Path, sys.argv[1:4])
TREE = Path(__file__).resolve().parents[2]
QUICKSTART = "pipelines/quickstart.yaml"
Outcome = namedtuple("Outcome", "returncode stdout stderr")


def run(program, *words):
    done = subprocess.run([program, *words], cwd=TREE, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return Outcome(done.returncode, done.stdout, done.stderr)


class FirstBuild(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        listed = subprocess.run([PROGRAM, "list", "--json"], check=True, stdout=subprocess.PIPE)
        cls.components = json.loads(listed.stdout)
        launcher = (TREE / "semblance").read_text(encoding="utf-8")
        cls.function = re.search(r"^first_targets\(\) \{\n(.*\n)*?\}$", launcher, re.M)[0]
        cls.pipeline_verbs = re.search(r"^    (run(\|\w+)+)\) ;;$", cls.function, re.M)[1].split("|")

    def first_targets(self, *words, build="/none"):
        """The targets that the launcher builds for these words; None: everything has to be built."""
        script = f"set -euo pipefail; build={build}; {self.function}\nfirst_targets \"$@\""
        done = subprocess.run(["bash", "-c", script, "bash", *map(str, words)], cwd=TREE, text=True,
                              stdout=subprocess.PIPE)
        return set(done.stdout.split()) if done.returncode == 0 else None

    def plugins(self, targets):
        """The plugins that these targets build; None: there is no such target."""
        done = subprocess.run(["ninja", "-C", BUILD, "-t", "commands", *targets], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if "unknown target" in done.stderr:
            return None
        self.assertEqual(done.returncode, 0, done.stderr)
        return set(re.findall(r" -o lib/semblance/plugins/libsemblance_(\w+)\.so ", done.stdout))

    def plugins_of(self, *words):
        targets = self.first_targets("run", *words)
        return targets and self.plugins(targets)

    def plugins_of_text(self, text):
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            file.write(text)
            file.flush()
            return self.plugins_of(file.name)

    def test_each_component_has_a_target_that_builds_its_plugin(self):
        kinds = {c["kind"] for c in self.components}
        listed = subprocess.run(["ninja", "-C", BUILD, "-t", "targets", "all"], check=True, text=True,
                                stdout=subprocess.PIPE).stdout
        targets = {target for target in re.findall(r"^(\w+\.\w+): phony$", listed, re.M)
                   if target.split(".")[0] in kinds}
        plugins = {c["id"].replace("/", "."): c["plugin"] for c in self.components}
        self.assertEqual(targets, set(plugins))
        asked = subprocess.run(["ninja", "-C", BUILD, "-t", "query", *plugins], check=True, text=True,
                               stdout=subprocess.PIPE).stdout
        built = dict(re.findall(r"^(\w+\.\w+):\n(?:  .*\n)*?    lib/semblance/plugins/lib(\w+)\.so$", asked, re.M))
        self.assertEqual(built, plugins)

    def test_defaults_of_parameters_are_built_with_a_component(self):
        plugin = {c["id"]: c["plugin"].removeprefix("semblance_") for c in self.components}
        defaults = {(plugin[c["id"]], plugin[p["default_component"]]): c["id"] for c in self.components
                    for p in c["parameters"] if "default_component" in p}
        between = {pair: name for pair, name in defaults.items() if len(set(pair)) == 2}
        self.assertGreater(len(between), 2)
        for (_, default), name in between.items():
            self.assertIn(default, self.plugins([name.replace("/", ".")]), name)

    def test_the_quickstart_needs_a_third_of_the_plugins(self):
        wanted = {"bases", "evaluators", "features", "generated", "linear", "normalizers", "vectors"}
        self.assertEqual(self.plugins_of(QUICKSTART), wanted)

    def test_a_component_on_the_command_line_counts(self):
        self.assertIn("series", self.plugins_of(QUICKSTART, "--set", "nodes.rbf.is=similarity/dtw"))

    def test_a_default_of_another_plugin_counts(self):
        self.assertIn("vectors", self.plugins_of_text("x: {is: solver/kernel_svm}\n"))

    def test_comments_do_not_count(self):
        self.assertEqual(self.plugins_of_text("x: {is: evaluator/classification}  # similarity/none\n"),
                         {"evaluators"})

    def test_unknown_components_and_further_files_need_everything(self):
        for name in ("rfb", "rbF", "rbf2"):
            self.assertIsNone(self.plugins_of(QUICKSTART, "--set", f"nodes.rbf.is=similarity/{name}"))
        self.assertIsNone(self.plugins_of_text("pipeline: other.yaml\nx: {is: basis/all}\n"))
        self.assertIsNone(self.plugins_of("no_such_file.yaml"))
        self.assertIsNone(self.plugins_of())
        self.assertIsNone(self.plugins_of(QUICKSTART, QUICKSTART))
        self.assertIsNone(self.plugins_of(QUICKSTART, "--mpi"))

    def test_what_a_command_needs(self):
        for verb in self.pipeline_verbs:
            targets = self.first_targets(verb, QUICKSTART)
            self.assertLessEqual({"semblance_first", "semblance_drawing_door", "solver.linear_svm"}, targets)
            self.assertNotIn("semblance", targets)
        for words in ([], ["--help"], ["--version"], ["run", "--help"], ["check", QUICKSTART, "-h"]):
            self.assertEqual(self.first_targets(*words), {"semblance_first"}, words)
        for words in (["list"], ["ablate", QUICKSTART], ["export", "--help"], ["run"], ["no_such_verb"]):
            self.assertIsNone(self.first_targets(*words), words)

    def test_plugins_that_are_there_are_built_as_well(self):
        with tempfile.TemporaryDirectory() as build:
            folder = Path(build) / "lib/semblance/plugins"
            folder.mkdir(parents=True)
            (folder / "libsemblance_strings.so").touch()
            (folder / "libmine.so").touch()
            more = self.first_targets("run", QUICKSTART, build=build) - self.first_targets("run", QUICKSTART)
        self.assertEqual(more, {"semblance_strings"})

    def test_the_first_program_has_the_verbs_that_the_launcher_gives_it(self):
        verbs = re.findall(r"^  ([a-z-]+) ", run(PROGRAM, "--help").stdout, re.M)
        verbs = [verb for verb in verbs if verb not in ("python", "test")]
        self.assertLess(set(self.pipeline_verbs), set(verbs))
        for verb in verbs:
            first = run(FIRST, verb, "--help")
            if verb in self.pipeline_verbs:
                self.assertEqual(first, run(PROGRAM, verb, "--help"), verb)
                continue
            self.assertEqual((first.returncode, first.stdout), (2, ""))
            self.assertEqual(first.stderr, f"semblance: '{verb}' is not part of a first build; run "
                                           f"`./semblance {verb}`, which builds the rest\n")
        for words in (["--help"], ["--version"], [], ["no_such_verb"]):
            self.assertEqual(run(FIRST, *words), run(PROGRAM, *words), words)

    def test_both_programs_compute_the_same(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, program in {"first": FIRST, "whole": PROGRAM}.items():
                done = run(program, "run", QUICKSTART, "--quiet", "--no-cache",
                           "--out", f"{folder}/{name}")
                self.assertEqual(done.returncode, 0, done.stderr)
            predictions = [{file.name: file.read_bytes() for file in (Path(folder) / name / "predictions").iterdir()}
                           for name in ("first", "whole")]
            self.assertTrue(predictions[0])
            self.assertEqual(*predictions)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
