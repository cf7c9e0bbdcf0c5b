# SPDX-License-Identifier: MIT
"""Tests of the JSON Schema for editors. Exits with 77, skipped, where there is no validator."""
import sys
import unittest
from pathlib import Path

try:
    import jsonschema  # noqa: F401
    import yaml  # noqa: F401
except ImportError as missing:
    print(f"skipped: {missing}; install the packages python3-jsonschema and python3-yaml")
    sys.exit(77)

folder = Path(__file__).parent
sys.path[:0] = [str(folder), str(folder.parent)]
tests = unittest.defaultTestLoader.discover(str(folder), pattern="test_*.py")
sys.exit(not unittest.TextTestRunner(verbosity=2).run(tests).wasSuccessful())
