# SPDX-License-Identifier: MIT
"""What CTest calls the tests of semblance_add_test(): "Skipped" where nothing was checked, and never where
something failed; and what `./semblance test` says beside CTest's lines."""
import os
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
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.build = Path(folder.name) / "build"

    def configure(self, tests):
        """A project of the tests {name: script}."""
        folder = self.build.parent
        lines = ["cmake_minimum_required(VERSION 3.25)", "project(skipping LANGUAGES NONE)", "enable_testing()",
                 f"include({TREE}/sdk/cmake/SemblanceAddPlugin.cmake)"]
        for name, script in tests.items():
            (folder / name).write_text(script)
            lines.append(f"semblance_add_test(NAME {name} COMMAND sh {folder / name})")
        (folder / "CMakeLists.txt").write_text("\n".join(lines))
        subprocess.run(["cmake", "-S", folder, "-B", self.build], check=True, stdout=subprocess.PIPE)

    def run_tests(self, *arguments, **environment):
        return subprocess.run([TREE / "tests/run", self.build, *arguments], env={**os.environ, **environment}, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def test_what_is_skipped_is_called_so(self):
        self.configure({name: f"cat <<'END'\n{text}\nEND\nexit {code}\n" for name, (text, code, _) in TESTS.items()})
        said = subprocess.run(["ctest"], cwd=self.build, text=True, stdout=subprocess.PIPE).stdout
        found = dict(re.findall(r"Test +#\d+: (\w+) \.*[* ]*(\w+)", said))
        self.assertEqual(found, {test: verdict for test, (_, _, verdict) in TESTS.items()}, said)

    def test_what_was_skipped_is_listed(self):
        self.configure({"dark": "echo 'x: skipped: no lamp'; echo 'y: skipped: no lamp'",
                        "python": "echo 'test_a ... skipped no numpy'", "fine": ""})
        done = self.run_tests("-j", "2")
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stdout[done.stdout.index("Skipped:"):],
                         "Skipped:\n  dark: no lamp (2 times)\n  python: no numpy\n")
        self.assertNotIn("Skipped:", self.run_tests("-R", "fine").stdout)

    def test_the_time_left_follows_from_the_last_run(self):
        self.configure({"first": "", "second": "exit 1", "third": ""})
        self.assertNotIn("tests left", self.run_tests().stdout)
        (self.build / ".test_seconds").write_text("first 10\nsecond 60\nthird 7230\n")
        done = self.run_tests(SEMBLANCE_TEST_PACE="0")
        self.assertEqual(done.returncode, 8)
        self.assertTrue(done.stdout.startswith("3 tests; the last time they took 122 min, one by one\n"), done.stdout)
        self.assertRegex(done.stdout, r"(?s)first \.* +Passed.*\n2 tests left, about \d+ (s|min)\n.*second.*\n"
                                      r"1 test left, about \d+ (s|min)\n.*third")
        seconds = dict(line.split() for line in (self.build / ".test_seconds").read_text().splitlines())
        self.assertEqual(seconds.keys(), {"first", "second", "third"})
        self.assertLess(float(seconds["third"]), 60)

    def test_all_cases_run_where_they_are_asked_for(self):
        self.configure({"turns": "echo $SEMBLANCE_TESTS; exit 1"})
        self.assertNotIn("whole", self.run_tests(SEMBLANCE_TESTS="").stdout)
        self.assertIn("whole\n", self.run_tests("--all", SEMBLANCE_TESTS="").stdout)


if __name__ == "__main__":
    unittest.main(verbosity=2)
