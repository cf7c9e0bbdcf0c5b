# SPDX-License-Identifier: MIT
"""run_unittests.py FOLDER PATTERN: the tests of the files in the folder. Exits with 77 where all were
skipped."""
import sys
import unittest
from pathlib import Path


def run(folder, pattern):
    sys.path[:0] = [str(folder), str(Path(__file__).parent)]
    tests = unittest.defaultTestLoader.discover(str(folder), pattern=pattern)
    result = unittest.TextTestRunner(verbosity=2).run(tests)
    if not result.wasSuccessful():
        return 1
    return 77 if len(result.skipped) >= result.testsRun else 0


if __name__ == "__main__":
    sys.exit(run(Path(sys.argv[1]), sys.argv[2]))
