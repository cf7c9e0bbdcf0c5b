#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the stable names (docs/stability.md) of this tree and its build with names.txt, or writes them there.

  tests/stability/names.py           what differs; exit code 1 if anything does
  tests/stability/names.py --write   writes names.txt; commit it with the change, and a line in CHANGELOG.md

$SEMBLANCE_BUILD is the build folder (build/release). What a build lacks because a library is not there, the Python
package and the components in OPTIONAL, is taken from names.txt as it is.
"""
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import sdk_names

TREE = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("SEMBLANCE_BUILD", TREE / "build/release"))
PYTHON = os.environ.get("SEMBLANCE_PYTHON") or "/usr/bin/python3"
FILE = Path(__file__).with_name("names.txt")
OPTIONAL = {"source/molecules"}
PYTHON_NAMES = r"""
import inspect, semblance
from types import ModuleType

def parameters(thing):
    try:
        return [one.name for one in inspect.signature(thing).parameters.values()
                if one.name != "self" and one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)]
    except (TypeError, ValueError, ImportError):
        return []

def members(kind):
    # Methods and properties that this package documents.
    for name in dir(kind):
        place = next((base for base in kind.__mro__ if name in vars(base)), kind)
        member = inspect.getattr_static(kind, name)
        if place.__module__.startswith("semblance") and name[0] != "_" and name not in ("accepted_layouts", "spec"):
            if isinstance(member, property):
                yield name
            elif callable(getattr(kind, name)) and not name.endswith("_request"):
                yield f"{name}({','.join(parameters(getattr(kind, name)))})"

shown = {}

def show(name, thing):
    if shown.setdefault(id(thing), name) != name:
        print(f"python {name}: = {shown[id(thing)]}")
    elif isinstance(thing, ModuleType):
        print(f"python {name}:")
    else:
        made_by_users = callable(thing) and name not in ("Model", "RunResult", "StudyResult")
        words = [f"{one}=" for one in parameters(thing)] if made_by_users else []
        print(f"python {name}:", *sorted(words), *(members(thing) if inspect.isclass(thing) else []))

for name in semblance.__all__:
    thing = getattr(semblance, name)
    show(name, thing)
    if isinstance(thing, ModuleType):
        for inner in getattr(thing, "__all__", dir(thing)):
            if inner[0] != "_" and getattr(getattr(thing, inner), "__module__", "semblance").startswith("semblance"):
                show(f"{name}.{inner}", getattr(thing, inner))
"""


def output(*command, **environment):
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL,
                          env={**os.environ, "SEMBLANCE_PLUGIN_PATH": "", **environment}).stdout


def command_names(program):
    verbs = re.findall(r"^  ([a-z-]+)  ", output(program, "--help"), re.M)
    for verb in verbs:
        if verb not in ("python", "test"):  # the launcher's
            options = re.findall(r"^  (?:-\w \[ )?(--[a-z-]+)", output(program, verb, "--help"), re.M)
            yield f"command {verb}: {' '.join(sorted(options))}"


def grammar_names(program):
    keys = json.loads(output(program, "describe", "--schema"))["properties"]
    yield f"pipeline: {' '.join(sorted(keys))}"
    for part in "study", "select":
        yield f"pipeline {part}: {' '.join(sorted(keys[part]['properties']))}"


def component_names(program):
    for component in json.loads(output(program, "describe", "--all", "--json")):
        words = []
        for parameter in component["parameters"]:
            choices = "|".join(map(str, parameter.get("choices", [])))
            default = parameter.get("default", parameter.get("default_component", ""))
            default = json.dumps(default).replace(" ", "") if default != "" else ""
            words.append(f"{parameter['name']}={default}" + (f"({choices})" if choices else ""))
        words += [f"<{port['name']}>" for port in component["inputs"]]
        words += ["deprecated:" + former["written"].replace(": ", "=") for former in component.get("former", [])
                  if not former["gone"]]
        words += [f"@{figure['name']}" for figure in component["figures"]]
        yield f"component {component['id']}: {' '.join(sorted(words))}"


def overdue(program):
    """What has been deprecated for more than one MINOR."""
    version = re.search(r"^project\(Semblance VERSION ([\d.]+)", (TREE / "CMakeLists.txt").read_text(), re.M)[1]
    major, minor = map(int, version.split(".")[:2])
    for component in json.loads(output(program, "describe", "--all", "--json")):
        for former in component.get("former", []):
            since = [int(part) for part in former["since"].split(".")]
            if not former["gone"] and (major, minor - 1) > (since[0], since[1]):
                yield (f"deprecated since {former['since']}, which is more than one MINOR: {former['written']} of "
                       f"{component['id']}; write gone in its declaration")


def header_names():
    for header in sorted((TREE / "sdk/include/semblance").glob("*.hpp")):
        if header.stem == "plugin_testing" or not header.stem.endswith("_testing"):
            for owner, names in sdk_names.names_of(header.read_text(encoding="utf-8")).items():
                if owner or names:
                    yield " ".join(["sdk", header.name, *owner.split("::")]).rstrip() + f": {' '.join(sorted(names))}"


def names():
    """The lines of names.txt: what comes after a colon by what comes before it."""
    program = str(BUILD / "bin/semblance")
    lines = [*command_names(program), *grammar_names(program), *component_names(program), *header_names()]
    known = FILE.read_text(encoding="utf-8").splitlines() if FILE.exists() else []
    if next((BUILD / "python/semblance").glob("_native*.so"), None):
        lines += output(PYTHON, "-B", "-c", PYTHON_NAMES, PYTHONPATH=str(BUILD / "python")).splitlines()
    else:
        print("not compared: the names of the Python package, which is not built")
        lines += [line for line in known if line.startswith("python ")]
    given = {line.split(":")[0] for line in lines}
    lines += [line for line in known for name in OPTIONAL
              if line.startswith(f"component {name}:") and f"component {name}" not in given]
    return by_name(lines)


def by_name(lines):
    return {line.partition(":")[0]: line.partition(":")[2].strip() for line in sorted(lines)}


def differences(known, found):
    for name in sorted(known.keys() | found.keys()):
        before, after = known.get(name), found.get(name)
        if after is None:
            yield f"gone: {name}"
        elif before is None:
            yield f"new: {name}"
        else:
            before, after = before.split(), after.split()
            yield from (f"gone from {name}: {word}" for word in before if word not in after)
            yield from (f"new in {name}: {word}" for word in after if word not in before)


def main():
    found = names()
    if sys.argv[1:] == ["--write"]:
        FILE.write_text("".join(f"{name}: {words}".rstrip() + "\n" for name, words in found.items()), encoding="utf-8")
        return 0
    late = list(overdue(str(BUILD / "bin/semblance")))
    problems = list(differences(by_name(FILE.read_text(encoding="utf-8").splitlines()), found))
    print(*late, *problems, sep="\n")
    if problems:
        print("If this is meant: give what is gone one minor version of deprecation (docs/stability.md), a line in\n"
              "CHANGELOG.md and, where a plugin notices, a higher sdk_api; build, then write the names:\n"
              "  tests/stability/names.py --write")
    return 1 if problems or late else 0


if __name__ == "__main__":
    sys.exit(main())
