# SPDX-License-Identifier: MIT
"""Each component that is installed, with right and wrong values of each parameter and input: the
schema and `check` must agree on every node."""
import json
import math
import re
import tempfile
import unittest
from pathlib import Path

from jsonschema import Draft7Validator

import core_yaml
import verdicts
from sampled import of_the_day

VALUES = ["null", "''", "text", "'8'", "0", "-1", "1", "2", "1.5", "-0.5", "1e-3", "1e9", "true", "yes",
          ".inf", "99999999999999999999", "[]", "[1]", "[-1]", "[0, 1]", "[1.5]", "[a]", "[null]", "[[1]]",
          "{}", "{a: 1}"]
INPUTS = ["null", "other", "'other'", "7", "a/b", "[]", "[other]", "[one, two]", "[one, one]", "[[one]]",
          "{a: one}", "[null]", "''"]
# A run of `check` shows at most a hundred errors; if nodes have more, they are checked in two runs.
NODES_A_FILE = 40


def text(value):
    return json.dumps(value)


def limits(parameter):
    """Values at the ends of the range and just beyond."""
    for key, step in (("minimum", -1), ("exclusive_minimum", -1), ("maximum", 1), ("exclusive_maximum", 1)):
        if key in parameter:
            end = parameter[key]
            step = max(1, math.ulp(end)) * step  # the checker reads a double
            whole = int(end) if end == int(end) else end
            yield from (text(v) for v in (whole, whole + type(whole)(step), whole - type(whole)(step)))


def candidates(parameter):
    values = VALUES + list(limits(parameter)) + [text(c) for c in parameter.get("choices", [])]
    if "default" in parameter:
        values.append(text(parameter["default"]))
    if parameter["type"].startswith("list"):
        values += [f"[{value}]" for value in limits(parameter)]
        values += [f"[{text(choice)}]" for choice in parameter.get("choices", [])]
    return list(dict.fromkeys(values))


class Components:
    def __init__(self, declared):
        self.declared = declared
        self.kinds = set()  # of parts, each of which one parameter tries in full

    def needed(self, info, inputs=True):
        """The keys without which a component is refused, with values that are right."""
        keys = {}
        for p in info["parameters"]:
            if p["type"] == "component":
                if not p.get("optional") and "default_component" not in p:
                    part = self.of_kind(p["kind"])[0]
                    keys[p["name"]] = self.part(part)
            elif p.get("required"):
                keys[p["name"]] = {"integer": "1", "number": "1", "path": "file", "list of texts": "[a]"}.get(
                    p["type"], p.get("choices", ["text"])[0])
        for port in info["inputs"] if inputs else []:
            if port["required"]:
                keys[port["name"]] = "other"
        return keys

    def of_kind(self, kind):
        return [info for info in self.declared if info["id"].startswith(kind + "/")]

    def part(self, info, **changes):
        return body({"is": info["id"], **self.needed(info, inputs=False), **changes})

    def nodes(self, info):
        """Bodies of nodes, right ones and wrong ones."""
        keys = {"is": info["id"], **self.needed(info)}
        yield body(keys)
        defaults = {p["name"]: text(p["default"]) for p in info["parameters"] if "default" in p}
        yield body({**defaults, **keys})
        for key in keys:
            yield body({k: v for k, v in keys.items() if k != key})
        yield body({**keys, "nonsense": "1"})
        for seed in ("0", "-1", "1.5", "text", "by_name", "null", "18446744073709551615", "18446744073709551616"):
            yield body({**keys, "seed": seed})
        for port in info["inputs"]:
            for value in INPUTS:
                yield body({**keys, port["name"]: value})
        for p in info["parameters"]:
            for value in self.parts(p) if p["type"] == "component" else candidates(p):
                yield body({**keys, p["name"]: value})

    def parts(self, parameter):
        """Parts of a kind: the schema and the checker have one definition of each, so only a kind's first parameter,
        and a default at each, get values of their own parameters."""
        first = parameter["kind"] not in self.kinds
        self.kinds.add(parameter["kind"])
        yield from ("null", "text", "[]", "1", "{}", "{is: null}", "{nonsense: 1}", "{is: none/such}")
        yield parameter.get("default_component", "text")
        for info in self.declared:
            yield self.part(info)
        for info in self.of_kind(parameter["kind"]):
            default = info["id"] == parameter.get("default_component")
            if not first and not default:
                continue
            yield self.part(info, seed="1")
            yield self.part(info, **{"from": "other"})
            for p in info["parameters"]:
                for value in ("text", "-1", "[1]", "null", "{}") if p["type"] == "component" else candidates(p):
                    yield self.part(info, **{p["name"]: value})
                    if default:
                        yield body({p["name"]: value})


def body(keys):
    return "{" + ", ".join(f"{key}: {value}" for key, value in keys.items()) + "}"


class EachComponent(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.declared = json.loads(verdicts.run("list", "--json").stdout)
        cls.validator = Draft7Validator(verdicts.schema())
        cls.nodes = {}
        cls.parameters = {p["name"] for c in cls.declared for p in c["parameters"] if p["type"] == "component"}

    def in_form(self, line, column, message):
        """Whether an error is of form; a component's own words, on several parameters together, are
        not, and stand at its name."""
        if any(re.search(p, message) for p in verdicts.BEYOND_A_SCHEMA):
            return False
        key = re.match(r"(\w*)(:?)", line[column - 1:])
        of_component = column == 3 or (key[2] and key[1] in self.parameters)
        return not of_component or re.search(
            r" needs the (parameter|input) '| needs '\w+', a component of kind | has no value$|"
            r" does not name its component$| must not be empty|has no parameter", message) is not None

    def valid(self, node):
        """Whether a node suits the schema; without the conditions on components of other ids, which hold
        for it anyway and take all the time."""
        ident = str(node.get("is")) if isinstance(node, dict) else ""
        if ident not in self.nodes:
            definitions = self.validator.schema["definitions"]
            own = [c for c in definitions["node"]["allOf"]
                   if c["if"]["properties"]["is"]["const"] == ident]
            definition = {**definitions["node"], "allOf": own or [True]}
            self.nodes[ident] = Draft7Validator({"$ref": "#/definitions/node",
                                                 "definitions": {**definitions, "node": definition}})
        return self.nodes[ident].is_valid(node)

    def check(self, nodes):
        """What `check` finds wrong in the form of each node."""
        lines = ["name: nodes", "nodes:"] + [f"  n{i}: {node}" for i, node in enumerate(nodes)]
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "p.yaml"
            file.write_text("\n".join(lines) + "\n", encoding="utf-8")
            errors = verdicts.diagnostics(file)
        if any("more errors" in m for _, _, m in errors):
            self.assertGreater(len(nodes), 1)
            half = len(nodes) // 2
            return self.check(nodes[:half]) + self.check(nodes[half:])
        wrong = [[] for _ in nodes]
        for line, column, message in errors:
            if line > 2 and self.in_form(lines[line - 1], column, message):
                wrong[line - 3].append(message)
        return wrong

    def test_the_schema_and_the_checker_agree_on_every_node(self):
        components = Components(self.declared)
        nodes = [n for info in self.declared if "output" in info for n in components.nodes(info)]
        nodes = of_the_day(list(dict.fromkeys(nodes)), days=7)
        outcomes = {True: 0, False: 0}
        for start in range(0, len(nodes), NODES_A_FILE):
            part = nodes[start:start + NODES_A_FILE]
            for node, wrong in zip(part, self.check(part)):
                if wrong and all(map(verdicts.read_alike, wrong)):
                    continue  # a schema may see it or not
                with self.subTest(node=node, check=wrong):
                    outcomes[not wrong] += 1
                    self.assertEqual(self.valid(core_yaml.load(node)), not wrong)
        self.assertGreater(outcomes[True], 500)
        self.assertGreater(outcomes[False], 1000)

    def test_only_what_can_be_a_node_is_offered_as_one(self):
        ids = self.validator.schema["definitions"]["node.is"]["enum"]
        self.assertEqual(ids, [c["id"] for c in self.declared if "output" in c])
