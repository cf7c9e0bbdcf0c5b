#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of pipelines/reproduce."""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TREE = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(TREE / "pipelines"))
from reproduction import be_svm, be_svm_eigenvalues, be_svm_questions, ml3, pairwise, pairwise_faces  # noqa: E402, F401
from reproduction.experiment import FAILS, HOLDS, PARTLY  # noqa: E402
from reproduction.page import judged, page  # noqa: E402
from reproduction.record import Record  # noqa: E402
from reproduction.running import PIPELINES, Runner, sha256_of  # noqa: E402

PAPERS = [be_svm.PAPER, ml3.PAPER, pairwise.PAPER]
PROGRAM = os.environ.get("SEMBLANCE_PROGRAM", str(TREE / "build/release/bin/semblance"))
KEPT = TREE / "docs" / "reproduction"


def record(slots, figures, metric="accuracy", **more):
    """Of a study; `figures` by alternatives: {("H8R", "25"): .6}"""
    return Record("made_up", "full", "", "", "2026-01-01", "a processor", 2, 1.0, False, metric, slots,
                  methods=[{"choices": list(choices), "figures": {metric: [value]}, "rank": 1, "tests": {}}
                           for choices, value in figures.items()], **more)


def reproduce(*arguments, program=PROGRAM):
    return subprocess.run([str(TREE / "pipelines/reproduce"), "--program", program, *map(str, arguments)],
                          capture_output=True, text=True, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})


class Experiments(unittest.TestCase):
    def test_statements_need_experiments_that_there_are(self):
        for paper in PAPERS:
            names = [e.name for e in paper.experiments]
            self.assertEqual(len(names), len(set(names)))
            needed = {name for s in paper.statements for name in s.needs()}
            self.assertLessEqual(needed, set(names), paper.name)
            for experiment in paper.experiments:
                self.assertTrue((PIPELINES / experiment.file).is_file(), experiment.file)

    def test_every_figure_of_the_papers_pipelines_is_an_experiment(self):
        used = {e.file for paper in PAPERS for e in paper.experiments}
        there = {f"{paper.name}/{f.name}" for paper in PAPERS
                 for pattern in ("figure_*", "table_*") for f in (PIPELINES / paper.name).glob(pattern)}
        self.assertLessEqual(there, used)

    @unittest.skipUnless(os.environ.get("SEMBLANCE_DATA"), "SEMBLANCE_DATA is not set")
    def test_the_program_accepts_all_of_them_at_both_sizes(self):
        for size in ("full", "scaled"):
            for paper in PAPERS:
                for experiment in paper.experiments:
                    words = experiment.arguments(size)
                    changes = [w for pair in zip(words[::2], words[1::2]) if pair[0] == "--set" for w in pair]
                    self.assertLessEqual(set(words[::2]), {"--set", "--memory"})
                    done = subprocess.run([PROGRAM, "check", PIPELINES / experiment.file, *changes],
                                          capture_output=True, text=True)
                    self.assertEqual(done.returncode, 0, f"{size} {experiment.name}: {done.stderr}")


class Running(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = Path(folder.name) / "out"

    def test_what_is_kept_is_not_run_again(self):
        first = reproduce("--only", "be_svm/margins", "be_svm/figure_1", "--out", self.out)
        self.assertEqual(first.returncode, 0, first.stderr)
        text = (self.out / "README.md").read_text()
        self.assertIn("./semblance run pipelines/be_svm/margins.yaml", text)
        self.assertRegex(text, r"Not run: figure_1_noise, figure_2a, .*\.")
        self.assertNotIn("margins", text.split("Not run:")[1])
        kept = Record.load(self.out / "be_svm" / "margins.json")
        self.assertGreater(kept.mean("be_margin.mean_margin"), 0)
        self.assertFalse(kept.continued)
        again = reproduce("--only", "be_svm/margins", "--out", self.out)
        self.assertIn("be_svm/margins: kept", again.stdout)
        self.assertEqual((self.out / "README.md").read_text(), text)

    def test_a_record_of_another_pipeline_or_of_other_arguments_does_not_count(self):
        runner = Runner(PROGRAM, "full", self.out, [])
        experiment = be_svm.PAPER.experiments[0]
        same = Record(experiment.name, "full", runner.shown_command(experiment),
                      sha256_of(PIPELINES / experiment.file), "", "", 1, 1.0, False)
        path = runner.record_path("be_svm", experiment)
        same.save(path)
        self.assertEqual(runner.kept("be_svm", experiment), same)
        for key, value in (("pipeline", "0"), ("command", "another"), ("size", "scaled")):
            other = Record(**{**vars(same), key: value})
            other.save(path)
            self.assertIsNone(runner.kept("be_svm", experiment), key)

    def test_a_record_with_other_options_of_the_program_does_not_count(self):
        options = ("--only", "be_svm/margins", "--out", self.out)
        self.assertEqual(reproduce(*options, "--", "--seed", "2").returncode, 0)
        self.assertIn("margins.yaml --seed 2", (self.out / "README.md").read_text())
        self.assertNotIn("kept", reproduce(*options).stdout)

    def test_a_failure_is_told_and_the_others_are_run(self):
        program = self.out.parent / "fails"
        program.write_text("#!/bin/sh\necho 'no such file' >&2\nexit 1\n")
        program.chmod(0o755)
        done = reproduce("--only", "be_svm/margins", "be_svm/figure_1", "--out", self.out, program=str(program))
        self.assertEqual(done.returncode, 1)
        self.assertIn("2 of 2 failed: be_svm/figure_1, be_svm/margins", done.stderr)
        self.assertEqual(done.stderr.count("no such file"), 2)
        self.assertEqual((self.out / "README.md").read_text().count("Nothing of it was run."), 3)
        self.assertFalse((self.out / "be_svm" / "margins.json").exists())

    def test_a_reader_may_have_seen_enough(self):
        with subprocess.Popen([str(TREE / "pipelines/reproduce"), "--list"], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as listing:
            listing.stdout.close()
            self.assertEqual(listing.stderr.read(), "")
        self.assertEqual(listing.returncode, 0)

    def test_wrong_usage(self):
        done = reproduce("--only", "be_svm/figure_7", "--out", self.out)
        self.assertEqual(done.returncode, 2)
        self.assertIn("unknown 'be_svm/figure_7'", done.stderr)
        self.assertFalse(self.out.exists())


class Verdicts(unittest.TestCase):
    """They follow from the figures: with others, they are others."""

    def verdict(self, paper, begins, **records):
        found = [s for s in paper.statements if s.says.startswith(begins)]
        self.assertEqual(len(found), 1, begins)
        return judged(found[0], records)[1]

    def test_gains_in_points(self):
        says = "Two resolutions and invariant similarities"
        for gain, expected in ((.09, HOLDS), (.06, PARTLY), (.01, FAILS)):
            figure_3 = record(["set", "per_class", "folds"],
                              {("H8R", "25", "five"): .1, ("M2_4", "25", "five"): .9,
                               ("H8R", "500", "five"): .6, ("M2_4", "500", "five"): .6 + gain})
            self.assertEqual(self.verdict(be_svm.PAPER, says, figure_3=figure_3), expected)
        self.assertEqual(self.verdict(be_svm.PAPER, says), "not run")

    def test_model_sizes_for_the_same_accuracy(self):
        def figure_4(exemplars):
            made = record(["machine", "folds", "per_class"],
                          {("K8R", "5", "25"): .7, ("M2_4", "5", "25"): .6, ("M2_4", "5", "100"): .71})
            for method, size in zip(made.methods, (30000, exemplars / 4, exemplars)):
                method["figures"]["size.supporting_exemplars"] = [size]
                method["figures"]["size.parameters"] = [size]
            return made
        for exemplars, expected in ((1000, HOLDS), (10000, PARTLY), (20000, FAILS)):
            self.assertEqual(self.verdict(be_svm.PAPER, "and fewer supporting exemplars",
                                          figure_4=figure_4(exemplars)), expected)

    def test_errors_against_the_papers(self):
        def letter(error):
            made = record([], {(): 0.0})
            made.methods[0]["figures"] = {"ml3_test.error_rate": [error]}
            return made
        for error, expected in ((.0343, HOLDS), (.0360, PARTLY), (.0500, FAILS)):
            self.assertEqual(self.verdict(ml3.PAPER, "ML3's error on LETTER", letter=letter(error)), expected)

    def test_the_best_kernel(self):
        def figure(best):
            errors = {k: .2 for k in ("ML_lin", "ML_poly", "TL_lin", "TL_poly", "TM_lin", "TM_poly")}
            errors[best] = .1
            errors["ML_lin"] = errors["ML_lin"] if best == "ML_lin" else .3
            return record(["kernel", "task"], {(k, "interclass"): e for k, e in errors.items()}, "eer")
        says = "In the interclass task"
        self.assertEqual(self.verdict(pairwise.PAPER, says, figure_2ef=figure("TM_poly")), HOLDS)
        self.assertEqual(self.verdict(pairwise.PAPER, says, figure_2ef=figure("ML_lin")), FAILS)

    def test_found_points_against_fixed_ones(self):
        def faces(found, p):
            pairs = (("sift_at_found", "sift_at_fixed"), ("found_points", "fixed_points"))
            return record(["step"], {(step,): e for a, b in pairs for step, e in ((a, found), (b, .1))}, "eer",
                          compared={f"step={a} against step={b}": {"test": "a paired t test", "p": p}
                                    for a, b in pairs})
        for found, p, expected in ((.08, .01, HOLDS), (.08, .2, PARTLY), (.12, .01, FAILS)):
            self.assertEqual(self.verdict(pairwise.PAPER, "Facial points found in each face",
                                          lfw_more_steps=faces(found, p)), expected)

    def test_a_step_helps_where_its_difference_is_significant(self):
        for error, p, expected in ((.08, .01, HOLDS), (.08, .2, PARTLY), (.12, .01, FAILS)):
            made = record(["step"], {("sift+lbp",): .1, ("scales",): error}, "eer")
            made.methods[1]["tests"] = {"t": {"p": p / 2, "p_holm": p}}
            self.assertEqual(self.verdict(pairwise.PAPER, "Three scales of SIFT", lfw_more_steps=made), expected)

    @unittest.skipUnless(KEPT.is_dir(), "no results at full size are kept in the tree")
    def test_the_kept_page_is_what_the_kept_records_say(self):
        records = {p.name: {f.stem: Record.load(f) for f in (KEPT / p.name).glob("*.json")} for p in PAPERS}
        self.assertEqual((KEPT / "README.md").read_text(), page(PAPERS, records, "full"))


if __name__ == "__main__":
    unittest.main()
