# SPDX-License-Identifier: MIT
"""Whether tarballs and wheels stand by themselves: check.py FILE..., or --folder FOLDER.

Every library that is needed is inside or in minimal_system.txt; run paths stay inside; no symbol is of a newer
glibc than the wheel's tag says, or than this machine's for a tarball; licences are inside."""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import elf


def glibc_of(name: str) -> tuple:
    if name.endswith(".whl"):
        tag = re.search(r"-manylinux_(\d+)_(\d+)_\w+\.whl$", name)
        if tag is None:
            sys.exit(f"{name} has no tag of a glibc (manylinux_MAJOR_MINOR_MACHINE)")
        return int(tag[1]), int(tag[2])
    return tuple(int(part) for part in os.confstr("CS_GNU_LIBC_VERSION").split()[1].split("."))


def unpack(file: Path, folder: Path) -> None:
    command = ([sys.executable, "-m", "zipfile", "-e", file, folder] if file.suffix == ".whl" else
               ["tar", "-xf", file, "-C", folder])
    subprocess.run([str(word) for word in command], check=True)


def problems_of(file: Path, tree: Path, headers: elf.Headers, newest: tuple) -> list:
    problems, folders = [], []
    for path in headers.run_paths:
        folder = Path(os.path.normpath(path.replace("$ORIGIN", str(file.parent))))
        if not path.startswith("$ORIGIN") or (folder != tree and tree not in folder.parents):
            problems.append(f"its run path {path} leaves the package")
        folders.append(folder)
    for name in headers.needed:
        if name not in elf.MINIMAL_SYSTEM and not any((folder / name).is_file() for folder in folders):
            problems.append(f"it needs {name}, which is neither inside nor on a minimal system")
    for version in sorted(headers.glibc):
        if version > newest:
            problems.append(f"it needs a symbol of glibc {'.'.join(map(str, version))}")
    return [f"{file.relative_to(tree)}: {problem}" for problem in problems]


def licences_lacking(name: str, tree: Path) -> list:
    """A package has its own licence, and the texts that this refers to as Debian's common licences."""
    own = next(tree.rglob("share/doc/semblance/copyright"), None)
    if own is None:
        return [f"{name} has no share/doc/semblance/copyright"]
    referred = re.findall(r"common-licenses/([\w.-]*\w)", own.read_text(encoding="utf-8"))
    return [f"{name} lacks the licence {licence}" for licence in sorted(set(referred))
            if not (own.parent / "licences" / licence).is_file()]


def check(file: Path) -> list:
    newest = glibc_of(file.name)
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder).resolve()
        unpack(file, tree)
        found = {one: elf.Headers(one) for one in elf.files(tree)}
        if not found:
            return [f"{file.name} has no programs or libraries"]
        problems = [problem for one, headers in found.items()
                    for problem in problems_of(one, tree, headers, newest)]
        problems += licences_lacking(file.name, tree)
    used = sorted({name for headers in found.values() for name in headers.needed}
                  & elf.MINIMAL_SYSTEM)
    version = max((version for headers in found.values() for version in headers.glibc))
    print(f"{file.name}: {len(found)} programs and libraries; of the system: {', '.join(used)}; "
          f"glibc {'.'.join(map(str, version))} or newer")
    return problems


def main() -> int:
    if sys.argv[1] == "--folder":
        names = [*Path(sys.argv[2]).glob("*.tar.xz"), *Path(sys.argv[2]).glob("*.whl")]
        if not names:
            print("skipped: no packages were built (cmake --build BUILD --target packages)")
            return 77
    else:
        names = [Path(name) for name in sys.argv[1:]]
    problems = [problem for file in names for problem in check(file)]
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
