# SPDX-License-Identifier: MIT
"""This version reads what earlier ones have written: it accepts their pipelines and studies, their models predict
what they predicted, `compare` finds their figures, and runs still write all keys."""
import csv
import json
import os
import re
import subprocess
import tarfile
import tempfile
import unittest
from pathlib import Path

PROGRAM = os.environ["SEMBLANCE_PROGRAM"]
TREE = Path(__file__).resolve().parents[2]
VERSION = re.search(r"^project\(Semblance VERSION ([\d.]+)", (TREE / "CMakeLists.txt").read_text(), re.M)[1]
ARCHIVES = sorted(Path(__file__).parent.glob("written_by_*.tar.xz"))
REMEDY = "mend reading: what an earlier version has written stays readable (docs/stability.md)"
# Models that are refused: {"VERSION/NAME": what the message tells to do instead}.
REFUSED = {}
TOLERANCE = 1e-6  # of the largest number of a column


def number(text):
    try:
        return float(text)
    except ValueError:
        return None


def difference(before, after):
    """The first cell that differs between two CSV files, or nothing. New columns may be added."""
    with before.open(encoding="utf-8", newline="") as old, after.open(encoding="utf-8", newline="") as new:
        before, after = list(csv.DictReader(old)), list(csv.DictReader(new))
    if len(before) != len(after):
        return f"{len(before)} rows, now {len(after)}"
    for column in before[0]:
        cells = [(row[column], other.get(column, "no such column")) for row, other in zip(before, after)]
        scale = max((abs(number(cell) or 0) for cell, _ in cells if abs(number(cell) or 0) < 1e30), default=0)
        for place, (cell, now) in enumerate(cells):
            a, b = number(cell), number(now)
            if cell != now and (a is None or b is None or not abs(a - b) <= TOLERANCE * scale):
                return f"row {place}, {column}: {cell}, now {now}"
    return ""


def keys(value, path=""):
    """The keys of JSON, each with those that lead to it."""
    if isinstance(value, list):
        inner = [("[]", one) for one in value]
    else:
        inner = value.items() if isinstance(value, dict) else ()
    return {path, *(key for name, one in inner for key in keys(one, f"{path}/{name}"))}


class Written(unittest.TestCase):
    def semblance(self, folder, *words):
        environment = {**os.environ, "SEMBLANCE_CACHE": str(folder.parent / "store"), "SEMBLANCE_PLUGIN_PATH": ""}
        return subprocess.run([PROGRAM, *words], cwd=folder, env=environment, text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)

    def done(self, folder, *words):
        outcome = self.semblance(folder, *words)
        self.assertEqual(outcome.returncode, 0, f"semblance {' '.join(map(str, words))}\n{outcome.stdout}{REMEDY}")
        return outcome.stdout

    def test_archives(self):
        self.assertTrue(ARCHIVES, f"nothing is stored; {REMEDY}")
        for archive in ARCHIVES:
            version = archive.name.removeprefix("written_by_").removesuffix(".tar.xz")
            with tempfile.TemporaryDirectory() as place:
                folder = Path(place, "written")
                with tarfile.open(archive) as packed:
                    packed.extractall(folder)
                for pipeline in sorted(folder.glob("*.yaml")):
                    with self.subTest(f"{version}/{pipeline.stem}"):
                        self.done(folder, "check", pipeline.name, "--data", ".")
                        self.read(folder, pipeline.stem, REFUSED.get(f"{version}/{pipeline.stem}"))

    def test_versions(self):
        """The version stands in CMakeLists.txt alone, and all that is built has it."""
        with tempfile.TemporaryDirectory() as place:
            here = Path(place, "here")
            here.mkdir()
            self.assertEqual(self.done(here, "--version"), f"semblance {VERSION}\n")
            components = json.loads(self.done(here, "describe", "--all", "--json"))
        self.assertEqual({one["plugin"]["version"] for one in components}, {VERSION})
        package = Path(os.environ["SEMBLANCE_BUILD"], "python")
        if next(package.glob("semblance/_native*.so"), None):
            said = subprocess.run([os.environ["SEMBLANCE_PYTHON"], "-c", "import semblance; print(semblance.__version__)"],
                                  env={**os.environ, "PYTHONPATH": str(package)}, check=True, text=True,
                                  stdout=subprocess.PIPE).stdout
            self.assertEqual(said, f"{VERSION}\n")
        stated = re.compile(rf"(?<![\d.]){re.escape(VERSION)}(?![\d.]*\d)|[sS]emblance[ -]{VERSION.rpartition('.')[0]}\b")
        files = [TREE / "README.md", TREE / "CITATION.cff", TREE / "semblance", TREE / "sdk/CMakeLists.txt",
                 *(file for folder in ("docs", "packaging", "sdk/cmake", "sdk/templates", "tests/sdk")
                   for file in (TREE / folder).rglob("*") if file.suffix in ("", ".md", ".txt", ".cmake", ".py", ".sh"))]
        for file in files:
            text = file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""
            self.assertIsNone(stated.search(text), f"{file} states the version, which is CMakeLists.txt's to do")

    def read(self, folder, name, remedy):
        verb = "ablate" if (folder / name / "study.json").exists() else "run"
        self.done(folder, verb, f"{name}.yaml", "--data", ".", "--threads", "1", "--out", f"{name}/rerun")
        for file in (folder / name).glob("*.json"):
            before, after = (keys(json.loads(one.read_text(encoding="utf-8")))
                             for one in (file, folder / name / "rerun" / file.name))
            self.assertEqual(sorted(before - after), [], f"these keys of {name}/{file.name} are gone; {REMEDY}")
        if (folder / name / "table.csv").exists():
            self.done(folder, "compare", name, "--out", f"{name}/compared")
            self.same(folder / name / "table.csv", folder / name / "compared" / "table.csv")
        if not (folder / name / "model").exists():
            return
        arguments = (folder / name / "predict.txt").read_text(encoding="utf-8").split()
        words = ["predict", f"{name}/model", *arguments, "--data", ".", "--out", f"{name}/again"]
        if remedy:
            outcome = self.semblance(folder, *words)
            self.assertNotEqual(outcome.returncode, 0, outcome.stdout)
            self.assertIn(remedy, outcome.stdout)
            return
        self.done(folder, *words)
        for before in sorted((folder / name / "predicted").glob("*.csv")):
            self.same(before, folder / name / "again" / before.name)

    def same(self, before, after):
        self.assertTrue(after.exists(), f"{after.name} is not written any more; {REMEDY}")
        self.assertEqual(difference(before, after), "", f"{before.parent.parent.name}/{before.name}: {REMEDY}")


if __name__ == "__main__":
    unittest.main()
