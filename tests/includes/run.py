#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints which folder includes which, and fails on a cycle of folders or an upward include.

A folder stands above all that it includes, directly or through others, so no two folders include
each other, except those of one family of plugins. Besides:
- the SDK includes only itself;
- a family of plugins, a folder in plugins/, includes itself, plugins/common and the SDK;
- a layer of the framework includes only those above it in framework/CMakeLists.txt;
- a test is in a namespace named after its file, because several tests are compiled as one file.

  tests/includes/run.py           the folders, each with what it includes
  tests/includes/run.py --files   and the includes that make it so
"""
import argparse
import re
import sys
from collections import defaultdict
from pathlib import Path, PurePosixPath

TREE = Path(__file__).resolve().parents[2]
PARTS = ("sdk", "framework", "plugins")
# The folders that includes are relative to, beside the file's own.
ROOTS = ("framework", "sdk/include", "sdk/numerics/include", "sdk/tables/include", "sdk/src", "plugins", "")
COMMON = "plugins/common"  # what several families share
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)


def product_files(tree):
    """The sources that are no tests, by their path in the tree."""
    files = {}
    for part in PARTS:
        for path in (tree / part).rglob("*"):
            if path.suffix not in (".cpp", ".hpp", ".h"):
                continue
            name = path.relative_to(tree).as_posix()
            if not re.search(r"(_test|_testing|_sample|_fuzz)\.[a-z]+$", name) and "/templates/" not in name:
                files[name] = path.read_text(encoding="utf-8")
    return files


def test_files(tree):
    """The tests that are compiled together, by their path in the tree."""
    paths = [path for part in (*PARTS, "tests") for path in (tree / part).rglob("*_test.cpp")]
    return {path.relative_to(tree).as_posix(): path.read_text(encoding="utf-8")
            for path in paths if "templates" not in path.parts}


def tests_outside_namespaces(tests):
    """One line for each test whose names another one's may clash with."""
    problems = []
    for name, text in sorted(tests.items()):
        stem = PurePosixPath(name).stem
        by_itself = re.search(r'#include "(\w+\.cpp|hwy/foreach_target\.h)"', text)  # SKIP_UNITY_BUILD_INCLUSION
        if not by_itself and not re.search(rf"^namespace (\w+::)*{stem}(_cases)? {{$", text, re.MULTILINE):
            problems.append(f"{name}: put all that follows the includes into a namespace {stem}; tests are compiled "
                            "together, and names would clash")
    return problems


def resolved(name, included, files):
    """The file of the tree that an include names; nothing for headers of libraries."""
    own = PurePosixPath(name).parent
    roots = [own, *map(PurePosixPath, ROOTS)]
    if own.parts[0] == "plugins":
        roots[1:1] = [PurePosixPath(*own.parts[:2]), PurePosixPath(COMMON)]
    for root in roots:
        parts = []
        for piece in (root / included).parts:
            if piece == ".." and parts:
                parts.pop()
            else:
                parts.append(piece)
        if "/".join(parts) in files:
            return "/".join(parts)
    return None


def folder(name):
    return PurePosixPath(name).parent.as_posix()


def includes_of(files):
    """{folder: {included folder: [(file, included file)]}}"""
    edges = defaultdict(lambda: defaultdict(list))
    for name, text in sorted(files.items()):
        edges[folder(name)]
        for included in INCLUDE.findall(text):
            other = resolved(name, included, files)
            if other and folder(other) != folder(name):
                edges[folder(name)][folder(other)].append((name, other))
    return edges


def between_families(edges):
    """The edges except those within a family of plugins."""
    def family(name):
        return "/".join(name.split("/")[:2]) if name.startswith("plugins/") else name

    return {name: [other for other in others if family(other) != family(name)] for name, others in edges.items()}


def cycles(edges):
    """The groups of folders that include each other at any depth (Tarjan 1972)."""
    number, low, stack, groups = {}, {}, [], []

    def visit(node):
        number[node] = low[node] = len(number)
        stack.append(node)
        for other in edges.get(node, ()):
            if other not in number:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], number[other])
        if low[node] == number[node]:
            group = stack[stack.index(node):]
            del stack[stack.index(node):]
            if len(group) > 1:
                groups.append(sorted(group))

    for node in sorted(edges):
        if node not in number:
            visit(node)
    return groups


def layers(tree):
    """The layers of the framework, the lowest first."""
    def added(file, prefix):
        text = (tree / file).read_text(encoding="utf-8")
        return re.findall(rf"^add_subdirectory\({prefix}(\w+)\)", text, re.MULTILINE)

    return added("framework/CMakeLists.txt", "") + added("CMakeLists.txt", "framework/")


def upward(name, other, order):
    """Why this include is not allowed; nothing if it is."""
    part, other_part = name.split("/")[0], other.split("/")[0]
    if part == "sdk" and other_part != "sdk":
        return "the SDK includes only itself"
    if part == "plugins" and other_part == "framework":
        return "a plugin never includes the framework"
    if part == other_part == "plugins" and other.split("/")[1] not in (name.split("/")[1], "common"):
        return f"a family of plugins includes only itself, {COMMON} and the SDK"
    if part == "framework" and other_part == "plugins":
        return "the framework never includes a plugin"
    if part == other_part == "framework":
        layer, other_layer = name.split("/")[1], other.split("/")[1]
        for each in (layer, other_layer):
            if each not in order:
                return f"framework/CMakeLists.txt does not list the layer '{each}'"
        if order.index(layer) < order.index(other_layer):
            return f"framework/CMakeLists.txt lists '{layer}' before '{other_layer}'"
    return None


def problems_of(files, order):
    edges = includes_of(files)
    problems = []
    for group in cycles(between_families(edges)):
        problems.append("folders that include each other: " + ", ".join(group))
        for name in group:
            for other in group:
                problems += [f"  {a} includes {b}" for a, b in edges[name].get(other, [])[:3]]
    for others in edges.values():
        for pairs in others.values():
            for name, other in pairs:
                why = upward(name, other, order)
                if why:
                    problems.append(f"{name} includes {other}: {why}")
    return edges, problems


def self_test():
    """The check itself finds what it is for."""
    order = ["support", "runtime"]
    good = {"framework/runtime/a.cpp": '#include "support/b.hpp"\n', "framework/support/b.hpp": "",
            "plugins/x/p.cpp": '#include "semblance/s.hpp"\n', "sdk/include/semblance/s.hpp": ""}
    assert problems_of(good, order)[1] == []
    up = {**good, "framework/support/b.hpp": '#include "runtime/c.hpp"\n', "framework/runtime/c.hpp": ""}
    found = "\n".join(problems_of(up, order)[1])
    assert "folders that include each other: framework/runtime, framework/support" in found, found
    assert "lists 'support' before 'runtime'" in found, found
    three = {f"framework/runtime/{a}/h.hpp": f'#include "runtime/{b}/h.hpp"\n' for a, b in ("ab", "bc", "ca")}
    assert "framework/runtime/a, framework/runtime/b, framework/runtime/c" in problems_of(three, order)[1][0]
    plugin = {**good, "plugins/x/p.cpp": '#include "support/b.hpp"\n'}
    assert "a plugin never includes the framework" in problems_of(plugin, order)[1][0]
    shared = {**good, "plugins/x/p.cpp": '#include "q.hpp"\n#include "y/r.hpp"\n', "plugins/common/q.hpp": "",
              "plugins/x/y/r.hpp": ""}
    assert problems_of(shared, order)[1] == []
    family = {**good, "plugins/x/p.cpp": '#include "z/q.hpp"\n', "plugins/z/q.hpp": ""}
    assert "a family of plugins includes only itself" in problems_of(family, order)[1][0]
    sdk = {**good, "sdk/include/semblance/s.hpp": '#include "support/b.hpp"\n'}
    assert "the SDK includes only itself" in problems_of(sdk, order)[1][0]
    tests = {"a/x_test.cpp": "namespace x_test {\n", "a/y_test.cpp": "namespace semblance::a::y_test {\n",
             "a/z_test.cpp": "namespace a {\n", "a/w_test.cpp": '#include "w.cpp"\n'}
    assert [line.split(":")[0] for line in tests_outside_namespaces(tests)] == ["a/z_test.cpp"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", action="store_true", help="print the includes too")
    arguments = parser.parse_args()
    self_test()
    edges, problems = problems_of(product_files(TREE), layers(TREE))
    problems += tests_outside_namespaces(test_files(TREE))
    for name in sorted(edges):
        print(name)
        for other in sorted(edges[name]):
            print(f"  {other} ({len(edges[name][other])})")
            if arguments.files:
                for pair in edges[name][other]:
                    print(f"    {pair[0]} -> {pair[1]}")
    for problem in problems:
        print(problem, file=sys.stderr)
    count = sum(len(others) for others in edges.values())
    print(f"{len(edges)} folders, {count} edges, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
