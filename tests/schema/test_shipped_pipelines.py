# SPDX-License-Identifier: MIT
"""The schema itself, and the pipelines that come with the program."""
import os
import unittest
from pathlib import Path

from jsonschema import Draft7Validator

import core_yaml
import verdicts

PIPELINE = """
name: small
nodes:
  data:  {is: source/xor, train: 40}
  bases: {is: basis/random, count: 5, from: data}
  rbf:   {is: similarity/rbf, gamma: 1e-3, from: data, bases: bases}
  svm:   {is: solver/linear_svm, from: rbf}
"""


class Schema(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.schema = verdicts.schema()
        cls.validator = Draft7Validator(cls.schema)

    def messages(self, text):
        return [e.message for e in self.validator.iter_errors(core_yaml.load(text))]

    def test_it_is_a_schema_of_draft_7(self):
        self.assertEqual(self.schema["$schema"], "http://json-schema.org/draft-07/schema#")
        Draft7Validator.check_schema(self.schema)

    def test_the_same_components_give_the_same_text(self):
        self.assertEqual(verdicts.run("describe", "--schema").stdout,
                         verdicts.run("describe", "--schema", "--json").stdout)

    def test_a_plugin_that_is_named_is_in_it(self):
        with_plugin = verdicts.schema("--plugin-path", os.environ["SEMBLANCE_TEST_PLUGIN"])
        text = PIPELINE.replace("from: rbf}", "from: t}") + "  t: {is: feature/throwing, from: rbf}\n"
        self.assertTrue(Draft7Validator(with_plugin).is_valid(core_yaml.load(text)))
        self.assertEqual(len(self.messages(text)), 1)

    def test_an_id_beside_it_is_refused(self):
        outcome = verdicts.run("describe", "--schema", "similarity/rbf")
        self.assertEqual((outcome.returncode, outcome.stdout), (2, ""))
        self.assertIn("omit the ID", outcome.stderr)

    def test_the_pipelines_that_come_with_the_program_are_right(self):
        files = sorted(Path(os.environ["SEMBLANCE_PIPELINES"]).rglob("*.yaml"))
        self.assertGreaterEqual(len(files), 4)
        for file in files:
            text = file.read_text(encoding="utf-8")
            if file.parent.name.startswith("molecule") and self.messages(text):
                listed = verdicts.run("list", "source").stdout
                if "source/molecules" not in listed:
                    print(f"skipped: {file.name}, since there is no source/molecules")
                    continue
            found = self.messages(text)
            if file.parent.name == "beside_sklearn":  # whose solver is a plugin in Python
                found = [message for message in found if not message.startswith("'solver/sklearn' is not one of")]
            with self.subTest(file=str(file)):
                self.assertEqual(found, [])

    def test_a_mistake_gives_one_message_that_names_it(self):
        self.assertEqual(self.messages(PIPELINE), [])
        for right, wrong, message in [
            ("gamma: 1e-3", "gama: 1", "'gama' was unexpected"),
            ("gamma: 1e-3", "gamma: 0", "0 is less than or equal to the minimum of 0"),
            ("gamma: 1e-3", "gamma: '1'", "'1' is not one of ['scale', 'auto']"),
            ("similarity/rbf", "similarity/rfb", "'similarity/rfb' is not one of"),
            ("is: similarity/rbf, ", "", "'is' is a required property"),
            (", bases: bases", "", "'bases' is a required property"),
            ("from: rbf", "from: []", "[] is too short"),
            ("name: small\n", "", "'name' is a required property"),
            ("nodes:", "node:", "'nodes' is a required property"),
        ]:
            with self.subTest(wrong=wrong):
                self.assertEqual(PIPELINE.count(right), 1)
                found = self.messages(PIPELINE.replace(right, wrong))
                if right != "nodes:":
                    self.assertEqual(len(found), 1)
                self.assertTrue(any(message in text for text in found), found)

    def test_every_default_is_valid_where_it_is_given(self):
        seen = 0
        for name, definition in self.schema["definitions"].items():
            for key, value in definition.get("properties", {}).items():
                if "default" not in value:
                    continue
                with self.subTest(definition=name, parameter=key):
                    seen += 1
                    here = {**value, "definitions": self.schema["definitions"]}
                    Draft7Validator(here).validate(value["default"])
        self.assertGreater(seen, 80)

    def test_everything_that_can_be_typed_is_explained(self):
        for name, definition in self.schema["definitions"].items():
            for key, value in definition.get("properties", {}).items():
                with self.subTest(definition=name, key=key):
                    self.assertTrue(key == "is" or len(value["description"]) > 3)
            if "enumDescriptions" in definition:
                self.assertEqual(len(definition["enumDescriptions"]), len(definition["enum"]))
