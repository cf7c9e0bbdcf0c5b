# SPDX-License-Identifier: MIT
"""Makes a folder with an installed program stand by itself: bundle.py FOLDER.

FOLDER has bin, lib and share, as `cmake --install` writes them. All libraries that are needed and that
a minimal system lacks are copied into FOLDER/lib, with their licences; every run path then stays
inside. What belongs to a machine is removed: the doors to MPI and to the library of Python, and the
plugin of molecules."""

import os
import re
import shutil
import sys
from pathlib import Path

import elf

# Loaded only for `--mpi`, or for components in Python: of the cluster's MPI, of one Python.
MACHINES_DOORS = ("mpi", "python")
# Its libraries are RDKit's, which depend on that of one Python.
SYSTEMS_PLUGINS = ("molecules",)
# Packages whose code is compiled into the program, beside the libraries that it is linked with.
COMPILED_IN = ("libeigen3-dev", "libfmt-dev", "libhwy-dev", "liblemon-dev", "libspdlog-dev", "nlohmann-json3-dev",
               "pybind11-dev")
BOOST = Path("/usr/include/boost/version.hpp")  # libboost-dev itself is a name for one version's package
# Of Graphviz's plugins, those that lay a graph out and write it as SVG.
GRAPHVIZ_PLUGINS = ("core", "dot_layout")
COMMON_LICENCES = Path("/usr/share/common-licenses")
COMMON_LICENCE = re.compile(rb"common-licenses/([A-Za-z0-9.-]*[A-Za-z0-9])")


def bring_libraries(tree: Path) -> dict:
    """Copies what is needed into lib, under the names that the loader asks for; {name: original}."""
    library_folder = tree / "lib"
    brought = {}
    waiting = elf.files(tree)
    while waiting:
        file = waiting.pop()
        for name, path in elf.resolved(file, library_folder).items():
            if name in elf.MINIMAL_SYSTEM or name in brought:
                continue
            if path is None:
                sys.exit(f"{file} needs {name}, which is not on this machine")
            if tree in path.parents:
                continue
            brought[name] = path.resolve()
            shutil.copyfile(path, library_folder / name)
            (library_folder / name).chmod(0o644)
            if name.startswith("libgvc.so"):
                waiting += bring_graphviz_plugins(path.resolve().parent / "graphviz",
                                                  library_folder / "graphviz")
    return brought


def bring_graphviz_plugins(installed: Path, folder: Path) -> list:
    """Graphviz reads the list config6a of its plugins in the folder `graphviz` beside libgvc."""
    folder.mkdir()
    copied, sections = [], []
    text = (installed / "config6a").read_text(encoding="utf-8")
    for name in GRAPHVIZ_PLUGINS:
        section = re.search(rf"^(libgvplugin_{name}\.so\S*) \S+ \{{.*?^\}}$", text, re.M | re.S)
        sections.append(section[0])
        copied.append(Path(shutil.copyfile(installed / section[1], folder / section[1])))
    (folder / "config6a").write_text("\n".join(sections) + "\n", encoding="utf-8")
    return copied


def set_run_paths(tree: Path) -> None:
    for file in elf.files(tree):
        inside = os.path.relpath(tree / "lib", file.parent)
        path = "$ORIGIN" if inside == "." else f"$ORIGIN/{inside}"
        elf.output("patchelf", "--set-rpath", path, file)


def package_of(path: Path) -> str:
    for name in (path, Path("/") / path.relative_to("/usr") if Path("/usr") in path.parents else path):
        try:
            return elf.output("dpkg-query", "-S", name).split(": ")[0].split(",")[0]
        except elf.subprocess.CalledProcessError:
            continue
    sys.exit(f"no package of this machine has {path}: its licence is unknown")


def bring_licences(folder: Path, brought: dict) -> None:
    """The copyright files of Debian, the licences that they refer to, and a list of what is here."""
    folder.mkdir(parents=True)
    lines = []
    common = set(COMMON_LICENCE.findall((folder.parent / "copyright").read_bytes()))
    packages = {name: package_of(path) for name, path in sorted(brought.items())}
    for package in sorted({*packages.values(), *COMPILED_IN, package_of(BOOST)}):
        form = "${Package} ${Version} (source: ${source:Package} ${source:Version})"
        described = elf.output("dpkg-query", "-W", "-f", form + "\n", package).splitlines()[0]
        names = [name for name, owner in packages.items() if owner == package]
        lines.append(f"{described}: {', '.join(names) if names else 'compiled in'}")
        plain = package.split(":")[0]
        text = Path("/usr/share/doc", plain, "copyright").read_bytes()
        (folder / plain).write_bytes(text)
        common |= set(COMMON_LICENCE.findall(text))
    for name in sorted(common):
        file = COMMON_LICENCES / os.fsdecode(name)
        if file.is_file():
            shutil.copyfile(file, folder / file.name)
    (folder / "README").write_text(
        "Libraries of Debian that are included, and what is compiled in. The copyright file of each package is\n"
        "here, and so are the licences that these files refer to as /usr/share/common-licenses.\n"
        "The sources of these versions: https://snapshot.debian.org\n\n" + "\n".join(lines) + "\n",
        encoding="utf-8")


def bundle(tree: Path) -> None:
    tree = tree.resolve()
    for name in MACHINES_DOORS:
        (tree / f"lib/semblance/doors/libsemblance_{name}_door.so").unlink(missing_ok=True)
    for name in SYSTEMS_PLUGINS:
        (tree / f"lib/semblance/plugins/libsemblance_{name}.so").unlink(missing_ok=True)
    brought = bring_libraries(tree)
    set_run_paths(tree)
    bring_licences(tree / "share/doc/semblance/licences", brought)


if __name__ == "__main__":
    bundle(Path(sys.argv[1]))
