# SPDX-License-Identifier: MIT
"""Tests of the documentation: run.py test_pages.py, run.py test_examples.py."""
import sys
import unittest
from pathlib import Path

folder = Path(__file__).parent
sys.path[:0] = [str(folder), str(folder.parent)]
tests = unittest.defaultTestLoader.discover(str(folder), pattern=sys.argv[1])
sys.exit(not unittest.TextTestRunner(verbosity=2).run(tests).wasSuccessful())
