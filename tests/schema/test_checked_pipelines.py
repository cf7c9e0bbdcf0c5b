# SPDX-License-Identifier: MIT
"""All pipelines of the tests in tests/pipeline, right, wrong and mutilated, are judged by the schema
as `check` judges them."""
import json
import os
import subprocess
import tempfile
import unittest

import yaml
from jsonschema import Draft7Validator

import core_yaml
import verdicts


def record():
    """What the tests of the checker checked: [{"schema"}, {"text", "accepted", "messages"}, ...]"""
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "checks.jsonl")
        subprocess.run([os.environ["SEMBLANCE_PIPELINE_TEST"]],
                       env={**os.environ, "SEMBLANCE_RECORD_CHECKS": file}, check=True,
                       stdout=subprocess.DEVNULL)
        with open(file, encoding="utf-8") as lines:
            return [json.loads(line) for line in lines]


class CheckedPipelines(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        first, *cls.checks = record()
        Draft7Validator.check_schema(first["schema"])
        cls.validator = Draft7Validator(first["schema"])

    def valid(self, text):
        return self.validator.is_valid(core_yaml.load(text))

    def test_what_check_accepts_the_schema_accepts(self):
        accepted = [c["text"] for c in self.checks if c["accepted"]]
        unreadable = 0
        for text in accepted:
            try:
                valid = self.valid(text)
            except yaml.YAMLError:
                unreadable += 1  # PyYAML is stricter about tabs and indentation
                continue
            with self.subTest(text=text):
                self.assertTrue(valid)
        self.assertGreater(len(accepted) - unreadable, 60)
        self.assertLess(unreadable, len(accepted) / 20)

    def test_what_is_wrong_in_form_the_schema_refuses(self):
        judged = 0
        for check in self.checks:
            if check["accepted"] or all(map(verdicts.beyond_a_schema, check["messages"])):
                continue
            with self.subTest(**check):
                try:
                    valid = self.valid(check["text"])
                except yaml.YAMLError:
                    continue  # an editor says so without a schema
                judged += 1
                self.assertFalse(valid)
        self.assertGreater(judged, 500)
