# SPDX-License-Identifier: MIT
"""Runs pipelines with the program, and reads what they found out."""
import csv
import json
import os
import re
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

PROGRAM = os.environ["SEMBLANCE_PROGRAM"]
NO_CACHE = ["--no-cache"]


@dataclass
class Result:
    """What a run found out, without times and what came from the store. `files` are the bytes of
    predictions and of what nodes learned."""
    nodes: dict = field(default_factory=dict)
    cached: dict = field(default_factory=dict)
    files: dict = field(default_factory=dict)
    folder: Path = None
    failure: str = ""

    def predictions(self, solver):
        """The rows of a solver's predictions, by column."""
        with (self.folder / "predictions" / f"{solver}.csv").open(encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def layouts(self):
        """The layouts of the sources' rows."""
        model = json.loads((self.folder / "model" / "model.json").read_text(encoding="utf-8"))
        return {name: source["layout"] for name, source in model["sources"].items()}


class Workbench:
    """A folder with data and a store."""

    def __init__(self):
        self._holder = tempfile.TemporaryDirectory(prefix="semblance_audit_")
        self.root = Path(self._holder.name)
        self._runs = 0

    def close(self):
        self._holder.cleanup()

    def call(self, arguments):
        environment = {**os.environ, "SEMBLANCE_CACHE": str(self.root / "store"),
                       "SEMBLANCE_PLUGIN_PATH": "", "LC_ALL": "C.UTF-8", "HOME": str(self.root)}
        return subprocess.run([PROGRAM, *arguments], env=environment, text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              stdin=subprocess.DEVNULL)

    def components(self):
        return json.loads(self.call(["describe", "--all", "--json"]).stdout)

    def run(self, name, nodes, data, options=()):
        """A pipeline with these lines below `nodes:`. `name` only has to be new."""
        file = self.root / f"{name}.yaml"
        file.write_text("name: audited\nseed: 1\nnodes:\n" +
                        "".join(f"  {line}\n" for line in nodes.split("\n")), encoding="utf-8")
        out = self.root / "results" / name
        outcome = self.call(["run", str(file), "--data", str(data), "--out", str(out), "--quiet",
                             *options])
        if outcome.returncode:
            return Result(failure=outcome.stdout)
        return read_result(out)


def read_result(out):
    metrics = json.loads((out / "metrics.json").read_text(encoding="utf-8"))["nodes"]
    result = Result(folder=out)
    for name, node in metrics.items():
        result.cached[name] = node["cached"]
        result.nodes[name] = {key: value for key, value in node.items() if not _varies(key)}
    for part in ("predictions", "model/nodes"):
        for file in sorted((out / part).rglob("*")):
            if file.is_file():
                result.files[str(file.relative_to(out))] = file.read_bytes()
    return result


def differences(one, other):
    """What two results do not agree in, named."""
    found = []
    for name in sorted(one.nodes.keys() | other.nodes.keys()):
        a, b = one.nodes.get(name, {}), other.nodes.get(name, {})
        found += [f"{name}.{key}: {str(a.get(key))[:60]} and {str(b.get(key))[:60]}"
                  for key in sorted(a.keys() | b.keys()) if a.get(key) != b.get(key)]
    found += [name for name in sorted(one.files.keys() | other.files.keys())
              if one.files.get(name) != other.files.get(name)]
    return found


def _varies(key):
    """Times, and what is reported of the store."""
    return "seconds" in key or "measured" in key or key in ("cached", "predict_rows")


def numbers(value):
    """All numbers of a node's report, in their order."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return []
    if isinstance(value, (int, float)):
        return [value]
    parts = value.values() if isinstance(value, dict) else value
    return [number for part in parts for number in numbers(part)]


def side_by_side(work, cases):
    """[work(case) for case in cases], on two threads: what they wait for are processes."""
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(work, cases))


_NAMED = re.compile(r"^(\w+):", re.M)
_REFERENCE = re.compile(r"(\b(?:from|bases|pairs): *)(\[[^\]]*\]|\w+)")


def node_names(nodes):
    return _NAMED.findall(nodes)


def renamed(nodes, names):
    """The same nodes under other names."""
    def reference(match):
        return match[1] + re.sub(r"\w+", lambda name: names[name[0]], match[2])
    return _NAMED.sub(lambda m: names[m[1]] + ":", _REFERENCE.sub(reference, nodes))


def components_in(nodes):
    return set(re.findall(r"\bis:\s*([a-z_]+/\w+)", nodes))
