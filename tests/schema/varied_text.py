# SPDX-License-Identifier: MIT
"""A text that is right, and what the schema says of it with one part replaced."""
import unittest

from jsonschema import Draft7Validator

import core_yaml
import verdicts


class VariedText(unittest.TestCase):
    text = ""

    @classmethod
    def setUpClass(cls):
        cls.validator = Draft7Validator(verdicts.schema())

    def errors(self, text):
        return [e.message for e in self.validator.iter_errors(core_yaml.load(text))]

    def changed(self, before, after):
        self.assertEqual(self.text.count(before), 1, before)
        return self.text.replace(before, after)

    def expect_errors(self, count, replacements):
        for before, after in replacements:
            with self.subTest(after=after):
                self.assertEqual(len(self.errors(self.changed(before, after))), count)
