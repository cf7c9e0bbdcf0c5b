# SPDX-License-Identifier: MIT
"""Something is different between one run and the next: a result is gone from the store or damaged, an input
file has become another one. What the second run says is what it would say without the first."""
import os
import random
import shutil
import unittest

import example_files
from audited_pipelines import all_pipelines
from permuted_files import FORMATS, Order, Samples
from sampled import of_the_day
from test_permutations import MADE_VECTORS, PAIRS, PICTURES, VECTORS
from workbench import NO_CACHE, Workbench, differences, side_by_side


def damage(artifact):
    """Its largest file loses a third."""
    file = max((f for f in artifact.rglob("*") if f.is_file()), key=lambda f: (f.stat().st_size, str(f)))
    file.chmod(0o644)
    os.truncate(file, file.stat().st_size * 2 // 3)


class Store(unittest.TestCase):
    """Of every audited pipeline that has its day one artifact is damaged, and one removed."""

    def test_a_lost_or_damaged_artifact_is_made_again(self):
        bench = Workbench()
        self.addCleanup(bench.close)
        example_files.write(bench.root / "data")
        pipelines = of_the_day(all_pipelines(bench.components()), days=7)

        def judge(name):
            store = bench.root / f"store_{name}"
            here = ["--cache", str(store)]

            def run(way, options):
                return bench.run(f"{name}_{way}", pipelines[name], bench.root / "data", options)
            plain = run("plain", here)
            if plain.failure:
                return plain.failure
            draw = random.Random(name)
            artifacts = sorted((store / "artifacts").iterdir())
            chosen = draw.sample(artifacts, min(2, len(artifacts)))
            for artifact, loses in zip(chosen, (damage, shutil.rmtree)):
                loses(artifact)
            after = run("after", here)
            shutil.rmtree(store, ignore_errors=True)
            return after.failure or "\n".join(differences(plain, after))
        for name, said in zip(pipelines, side_by_side(judge, pipelines)):
            with self.subTest(name):
                self.assertEqual(said, "")


class Files(unittest.TestCase):
    """The files of every source are replaced by others of the same names, with the same times."""

    def test_a_replaced_file_is_read(self):
        bench = Workbench()
        self.addCleanup(bench.close)
        for component, form in FORMATS.items():
            with self.subTest(component):
                name = component.replace("/", "_")
                nodes = PAIRS if form.pairs else PICTURES if form.pictures else VECTORS
                if form.vectors:
                    nodes = MADE_VECTORS.replace("FEATURE", form.vectors)
                samples, folder, other = Samples(form.pictures), bench.root / name, bench.root / f"{name}_b"
                folder.mkdir()
                other.mkdir()
                lines = nodes.replace("SOURCE", form.write(folder, samples, Order()))
                # Every row has the values of another one of its class.
                samples.train = samples.train[3:] + samples.train[:3]
                form.write(other, samples, Order())
                before = bench.run(f"{name}_before", lines, folder)
                self.assertEqual(before.failure, "")
                replaced = 0
                for file in sorted(f for f in other.rglob("*") if f.is_file()):
                    old = folder / file.relative_to(other)
                    if not old.exists() or old.read_bytes() == file.read_bytes():
                        continue
                    times = old.stat()
                    old.write_bytes(file.read_bytes())
                    os.utime(old, ns=(times.st_atime_ns, times.st_mtime_ns))
                    replaced += 1
                self.assertGreater(replaced, 0)
                after = bench.run(f"{name}_after", lines, folder)
                anew = bench.run(f"{name}_anew", lines, folder, NO_CACHE)
                self.assertEqual(after.failure, anew.failure)
                self.assertEqual(differences(after, anew), [])
                self.assertNotEqual(differences(before, after), [], "the change changes nothing")
