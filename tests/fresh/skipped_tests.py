# SPDX-License-Identifier: MIT
"""What CTest calls the tests of semblance_add_test(): "Skipped" where nothing was checked, and never where
something failed."""
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

TREE = Path(__file__).resolve().parents[2]
SUMMARY = "[doctest] test cases: {} | {} passed | {} failed | 0 skipped\n[doctest] assertions: {} | {} passed | 0 failed |"
TESTS = {"all_skipped": (SUMMARY.format(14, 14, 0, "  0", 0), 0, "Skipped"),
         "some_skipped": (SUMMARY.format(14, 14, 0, 3, 3), 0, "Passed"),
         "thrown": (SUMMARY.format(1, 0, 1, 0, 0), 1, "Failed"),
         "exit_77": ("", 77, "Skipped"),
         "failed": (SUMMARY.format(2, 1, 1, 9, 8), 1, "Failed")}


class SkippedTests(unittest.TestCase):
    def test_what_is_skipped_is_called_so(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            lines = ["cmake_minimum_required(VERSION 3.25)", "project(skipping LANGUAGES NONE)", "enable_testing()",
                     f"include({TREE}/sdk/cmake/SemblanceAddPlugin.cmake)"]
            for test, (text, code, _) in TESTS.items():
                (folder / test).write_text(f"cat <<'END'\n{text}\nEND\nexit {code}\n")
                lines.append(f"semblance_add_test(NAME {test} COMMAND sh {folder / test})")
            (folder / "CMakeLists.txt").write_text("\n".join(lines))
            subprocess.run(["cmake", "-S", folder, "-B", folder / "build"], check=True, stdout=subprocess.PIPE)
            said = subprocess.run(["ctest"], cwd=folder / "build", text=True, stdout=subprocess.PIPE).stdout
        found = dict(re.findall(r"Test +#\d+: (\w+) \.*[* ]*(\w+)", said))
        self.assertEqual(found, {test: verdict for test, (_, _, verdict) in TESTS.items()}, said)


if __name__ == "__main__":
    unittest.main(verbosity=2)
