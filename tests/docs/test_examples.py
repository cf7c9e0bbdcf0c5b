# SPDX-License-Identifier: MIT
"""The reference: pages that hold together, and examples that run."""
import json
import os
import re
import unittest
from concurrent.futures import ThreadPoolExecutor

import snippets
from workplace import BUILD, Workplace

REFERENCE = BUILD / "share" / "doc" / "semblance" / "reference"


class Reference(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.work = Workplace()
        cls.folder = cls.work.folder("examples")
        outcome = cls.work.run(["./semblance", "describe", "--all", "--json"], cls.folder)
        cls.components = json.loads(outcome.stdout)

    @classmethod
    def tearDownClass(cls):
        cls.work.close()

    def page(self, component):
        return snippets.read(REFERENCE / f"{component['id']}.md")

    def test_every_component_tells_what_its_page_needs(self):
        self.assertGreater(len(self.components), 60)
        for component in self.components:
            with self.subTest(component["id"]):
                for key in ("summary", "documentation", "complexity", "example"):
                    self.assertGreater(len(component[key]), 3, key)
                self.assertIn(component["id"], component["example"])
                self.assertEqual(component["kind"], component["id"].split("/")[0])
                for key in ("name", "version", "licence", "library"):
                    self.assertTrue(component["plugin"][key])

    def test_the_built_pages_are_those_of_the_plugins(self):
        again = self.folder / "again"
        outcome = self.work.run(["./semblance", "describe", "--pages", str(again)], self.folder)
        self.assertEqual(outcome.returncode, 0, outcome.stdout)
        files = sorted(f.relative_to(again) for f in again.rglob("*.md"))
        self.assertEqual(len(files), len(self.components) + 1)
        self.assertEqual(files, sorted(f.relative_to(REFERENCE) for f in REFERENCE.rglob("*.md")))
        for file in files:
            self.assertEqual((again / file).read_text(), (REFERENCE / file).read_text(), file)

    def test_every_link_leads_somewhere(self):
        for file in REFERENCE.rglob("*.md"):
            for line, target in snippets.read(file).links:
                with self.subTest(file=f"{file}:{line}", target=target):
                    path, _, anchor = target.partition("#")
                    self.assertTrue((file.parent / path).is_file())
                    if anchor:
                        self.assertIn(anchor, snippets.read(file.parent / path).anchors)

    def test_every_parameter_is_on_its_page(self):
        for component in self.components:
            text = (REFERENCE / f"{component['id']}.md").read_text(encoding="utf-8")
            for parameter in component["parameters"]:
                with self.subTest(component["id"], parameter=parameter["name"]):
                    self.assertRegex(text, rf"(?m)^\| `{parameter['name']}` \| ")

    def run_example(self, component):
        (block,) = [b for b in self.page(component).blocks if b.language == "yaml"]
        name = component["id"].replace("/", "_")
        file = self.folder / f"{name}.yaml"
        file.write_text(block.text, encoding="utf-8")
        outcome = self.work.run(["./semblance", "run", file.name, "--threads", "1", "--out",
                                 f"results/{name}"], self.folder)
        return component["id"], block, outcome

    def test_every_example_runs(self):
        with ThreadPoolExecutor(min(4, os.cpu_count() or 1)) as pool:
            for name, block, outcome in pool.map(self.run_example, self.components):
                with self.subTest(name):
                    self.assertEqual(outcome.returncode, 0,
                                     f"{block.page}:{block.line}\n{outcome.stdout}")
                    self.assertTrue(re.search(r"report: ", outcome.stdout), outcome.stdout)

    def test_an_example_is_printed_as_it_stands_on_the_page(self):
        for component in self.components[::15]:
            outcome = self.work.run(["./semblance", "describe", component["id"], "--example"],
                                    self.folder)
            (block,) = [b for b in self.page(component).blocks if b.language == "yaml"]
            self.assertEqual(outcome.stdout, block.text)
