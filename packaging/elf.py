# SPDX-License-Identifier: MIT
"""What objdump and ldd say about programs and libraries."""

import os
import re
import subprocess
from pathlib import Path

# The name of a library in minimal_system.txt needs no file: every system has one.
MINIMAL_SYSTEM = frozenset(
    line for line in (Path(__file__).parent / "minimal_system.txt").read_text().splitlines()
    if line and not line.startswith("#"))


def output(*command, **variables) -> str:
    done = subprocess.run([str(word) for word in command], check=True, text=True, capture_output=True,
                          env={**os.environ, "LC_ALL": "C", **variables})
    return done.stdout


def is_elf(file: Path) -> bool:
    if file.is_symlink() or not file.is_file():
        return False
    with open(file, "rb") as stream:
        return stream.read(4) == b"\x7fELF"


def files(tree: Path) -> list:
    """The programs and shared libraries below a folder; archives of objects are none."""
    return sorted(file for file in tree.rglob("*") if is_elf(file))


class Headers:
    """The dynamic section of a file."""

    def __init__(self, file: Path) -> None:
        text = output("objdump", "-p", file)
        self.needed = re.findall(r"^ +NEEDED +(\S+)", text, re.M)
        self.run_paths = [path for entry in re.findall(r"^ +R(?:UN)?PATH +(\S+)", text, re.M)
                          for path in entry.split(":")]
        # The versions of glibc's symbols, which the loader asks for before it runs anything.
        self.glibc = {tuple(int(part) for part in version.split("."))
                      for version in re.findall(r"^ +0x\S+ 0x\S+ \d+ GLIBC_([\d.]+)$", text, re.M)}


def resolved(file: Path, folder: Path) -> dict:
    """{name: path} of all libraries that the loader finds for a file, those that they need included;
    first in `folder`."""
    found = {}
    for line in output("ldd", file, LD_LIBRARY_PATH=str(folder)).splitlines():
        if match := re.match(r"\s+(\S+) => (not found|\S+)", line):
            found[match[1]] = None if match[2] == "not found" else Path(match[2])
    return found
