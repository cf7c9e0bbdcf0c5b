# SPDX-License-Identifier: MIT
"""What the launcher builds first for a pipeline: the plugins of its components and of their
parameters' defaults, from the list that CMake reads from the sources; and a program with the verbs
that need no more."""
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
        cls.functions = "\n".join(
            re.search(rf"^{name}=.*", launcher, re.M)[0] for name in ("pipeline_verbs", "kinds"))
        for name in ("among", "plugins_of", "first_targets"):
            cls.functions += "\n" + re.search(rf"^{name}\(\) \{{(.*\}}$|\n(.*\n)*?\}}$)", launcher, re.M)[0]
        cls.pipeline_verbs = re.search(r"^pipeline_verbs='(.*)'", launcher, re.M)[1].split()

    def called(self, function, *words):
        """The words that a function of the launcher prints; None where it fails."""
        script = f"set -euo pipefail; build={BUILD}; {self.functions}\n{function} \"$@\""
        done = subprocess.run(["bash", "-c", script, "bash", *map(str, words)], cwd=TREE, text=True,
                              stdout=subprocess.PIPE)
        return set(done.stdout.split()) if done.returncode == 0 else None

    def plugins_of(self, *words):
        """None: everything has to be built."""
        return self.called("plugins_of", *words)

    def plugins_of_text(self, text):
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            file.write(text)
            file.flush()
            return self.plugins_of("run", file.name)

    def test_every_component_is_listed_with_its_plugin(self):
        lines = [line.split() for line in (BUILD / "components.txt").read_text().splitlines()]
        listed = {first: second for first, second in lines if "/" in first}
        self.assertEqual(listed, {c["id"]: c["plugin"] for c in self.components})

    def test_defaults_of_parameters_are_listed(self):
        plugin = {c["id"]: c["plugin"] for c in self.components}
        lines = set((BUILD / "components.txt").read_text().splitlines())
        found = 0
        for c in self.components:
            for parameter in c["parameters"]:
                default = parameter.get("default_component")
                if default and plugin[default] != c["plugin"]:
                    self.assertIn(f"{c['plugin']} {default}", lines, c["id"])
                    found += 1
        self.assertGreater(found, 3)

    def test_the_quickstart_needs_a_third_of_the_plugins(self):
        wanted = {"bases", "evaluators", "features", "generated", "linear", "normalizers", "vectors"}
        self.assertEqual(self.plugins_of("run", "pipelines/quickstart.yaml"),
                         {"semblance_" + name for name in wanted})

    def test_a_component_on_the_command_line_counts(self):
        plugins = self.plugins_of("run", "pipelines/quickstart.yaml",
                                  "--set", "nodes.rbf.is=similarity/dtw")
        self.assertIn("semblance_series", plugins)

    def test_a_default_of_another_plugin_counts(self):
        self.assertIn("semblance_vectors", self.plugins_of_text("x: {is: solver/kernel_svm}\n"))

    def test_comments_do_not_count(self):
        self.assertEqual(self.plugins_of_text("x: {is: evaluator/classification}  # similarity/none\n"),
                         {"semblance_evaluators"})

    def test_unknown_components_and_further_files_need_everything(self):
        self.assertIsNone(self.plugins_of("run", "pipelines/quickstart.yaml",
                                          "--set", "nodes.rbf.is=similarity/rfb"))
        self.assertIsNone(self.plugins_of_text("pipeline: other.yaml\nx: {is: basis/all}\n"))
        self.assertIsNone(self.plugins_of("run", "no_such_file.yaml"))
        self.assertIsNone(self.plugins_of("run"))
        self.assertIsNone(self.plugins_of("run", "pipelines/quickstart.yaml", "--mpi"))

    def test_what_a_command_needs(self):
        quickstart = "pipelines/quickstart.yaml"
        for verb in self.pipeline_verbs:
            targets = self.called("first_targets", verb, quickstart)
            self.assertLessEqual({"semblance_first", "semblance_drawing_door", "semblance_linear"}, targets)
            self.assertNotIn("semblance", targets)
        for words in ([], ["--help"], ["--version"], ["run", "--help"], ["check", quickstart, "-h"]):
            self.assertEqual(self.called("first_targets", *words), {"semblance_first"}, words)
        for words in (["list"], ["ablate", quickstart], ["export", "--help"], ["run"], ["no_such_verb"]):
            self.assertIsNone(self.called("first_targets", *words), words)

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
                done = run(program, "run", "pipelines/quickstart.yaml", "--quiet", "--no-cache",
                           "--out", f"{folder}/{name}")
                self.assertEqual(done.returncode, 0, done.stderr)
            predictions = [{file.name: file.read_bytes() for file in (Path(folder) / name / "predictions").iterdir()}
                           for name in ("first", "whole")]
            self.assertTrue(predictions[0])
            self.assertEqual(*predictions)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
