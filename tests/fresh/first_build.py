# SPDX-License-Identifier: MIT
"""The plugins that the launcher builds first for a pipeline: those of its components and of their
parameters' defaults, from the list that CMake reads from the sources."""
import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM, BUILD = map(Path, sys.argv[1:3])
TREE = Path(__file__).resolve().parents[2]


class FirstBuild(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        listed = subprocess.run([PROGRAM, "list", "--json"], check=True, stdout=subprocess.PIPE)
        cls.components = json.loads(listed.stdout)
        launcher = (TREE / "semblance").read_text(encoding="utf-8")
        cls.functions = "\n".join(
            [re.search(r"^kinds=.*", launcher, re.M)[0],
             re.search(r"^plugins_of\(\) \{.*?^\}", launcher, re.M | re.S)[0]])

    def plugins_of(self, *words):
        """None: everything has to be built."""
        script = f"set -euo pipefail; build={BUILD}; {self.functions}\nplugins_of \"$@\""
        done = subprocess.run(["bash", "-c", script, "bash", *map(str, words)], cwd=TREE, text=True,
                              stdout=subprocess.PIPE)
        return set(done.stdout.split()) if done.returncode == 0 else None

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
        wanted = {"bases", "evaluators", "features", "linear", "normalizers", "sources", "vectors"}
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


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
