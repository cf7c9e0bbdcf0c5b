# SPDX-License-Identifier: MIT
"""Tests of the JSON Schema for editors. Exits with 77, skipped, where there is no validator."""
import sys
from pathlib import Path

try:
    import jsonschema  # noqa: F401
    import yaml  # noqa: F401
except ImportError as missing:
    print(f"skipped: {missing}; install the packages python3-jsonschema and python3-yaml")
    sys.exit(77)

folder = Path(__file__).parent
sys.path.insert(0, str(folder.parent))
from run_unittests import run  # noqa: E402

sys.exit(run(folder, "test_*.py"))
