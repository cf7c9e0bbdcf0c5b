# SPDX-License-Identifier: MIT
"""The same pipeline gives the same bits from the store and without it, on any number of threads, with
any budget, and whatever its nodes are called."""
import unittest

import example_files
from audited_pipelines import all_pipelines
from sampled import of_the_day
from workbench import (NO_CACHE, Workbench, components_in, differences, node_names, numbers,
                       renamed, side_by_side)


class Repetition(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.bench = Workbench()
        cls.data = cls.bench.root / "data"
        example_files.write(cls.data)
        cls.components = cls.bench.components()
        cls.pipelines = all_pipelines(cls.components)
        chosen = of_the_day(cls.pipelines, days=7)
        cls.runs = dict(zip(chosen, side_by_side(cls.run_all_ways, chosen)))

    @classmethod
    def tearDownClass(cls):
        cls.bench.close()

    @classmethod
    def run_all_ways(cls, name):
        nodes = cls.pipelines[name]
        own = node_names(nodes)
        # Each node takes the name of the next: names that stuck would be names of others.
        names = dict(zip(own, own[1:] + own[:1]))
        turned = renamed(nodes, names)

        def run(way, text, options):
            return cls.bench.run(f"{name}_{way}", text, cls.data, options)

        def in_little_memory():
            result = run("stored", nodes, ["--threads", "3", "--memory", "120M"])
            if "--memory" not in result.failure:
                return result
            return run("stored", nodes, ["--threads", "3", "--memory", "260M"])
        return names, {
            "plain": run("plain", nodes, [*NO_CACHE, "--threads", "1", "--memory", "2G"]),
            "stored": in_little_memory(),
            "again": run("again", nodes, []),
            "renamed": run("renamed", turned, []),
            "renamed_anew": run("renamed_anew", turned, NO_CACHE),
        }

    def of_each(self, check):
        """Calls check(names, ways) for every pipeline; one that fails is reported, and the rest continue."""
        for name, (names, ways) in self.runs.items():
            with self.subTest(name):
                failure = next((way.failure for way in ways.values() if way.failure), "")
                self.assertEqual(failure, "")
                check(names, ways)

    def check_same(self, one, other):
        self.assertEqual(differences(one, other), [])

    def test_every_component_is_audited(self):
        audited = set().union(*map(components_in, self.pipelines.values()))
        for component in self.components:
            with self.subTest(component["id"]):
                self.assertIn(component["id"], audited, "no audited pipeline contains it")

    def test_threads_and_budgets_change_no_bit(self):
        self.of_each(lambda _, ways: self.check_same(ways["plain"], ways["stored"]))

    def test_the_store_gives_what_was_computed(self):
        def check(_, ways):
            self.check_same(ways["stored"], ways["again"])
            computed = {n for n, cached in ways["again"].cached.items() if not cached}
            self.assertEqual(computed, set(), "computed again")
        self.of_each(check)

    def test_names_are_of_this_run_whatever_the_store_holds(self):
        self.of_each(lambda _, ways: self.check_same(ways["renamed_anew"], ways["renamed"]))

    def test_names_change_no_figure(self):
        def check(names, ways):
            for name, node in ways["plain"].nodes.items():
                self.assertEqual(numbers(node), numbers(ways["renamed_anew"].nodes[names[name]]),
                                 name)
        self.of_each(check)
