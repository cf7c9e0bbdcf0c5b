# SPDX-License-Identifier: MIT
"""The wheel: what CMake builds and installs, put into one folder. See pyproject.toml."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

root = Path(__file__).resolve().parents[2]


def version() -> str:
    """The project's version, which is written down for CMake."""
    lists = root / "CMakeLists.txt"
    if not lists.is_file():
        sys.exit(f"There is no {lists}; a wheel is built in Semblance's source tree, and there is "
                 "no source distribution of the Python package by itself")
    return re.search(r"^project\(Semblance VERSION ([\d.]+)", lists.read_text(), re.M)[1]


def run(*command) -> None:
    subprocess.run([str(word) for word in command], cwd=root, check=True)


def build_folder() -> Path:
    """$SEMBLANCE_BUILD, as it is; else a build for the Python that runs this.

    A relative path is meant from where pip was started, which the shell's $PWD says: pip changes to
    another folder.
    """
    given = os.environ.get("SEMBLANCE_BUILD")
    if given:
        places = [Path(folder, given).resolve()
                  for folder in (os.environ.get("PWD", os.curdir), root)]
        for place in places:
            if (place / "cmake_install.cmake").is_file():
                return place
        sys.exit(f"SEMBLANCE_BUILD={given} is no build folder; looked for "
                 + " and ".join(f"{place}/cmake_install.cmake" for place in dict.fromkeys(places)))
    folder = root / "build" / f"wheel-{sysconfig.get_python_version()}"
    run("cmake", "--preset", "release", "-B", folder, "-D", "SEMBLANCE_TESTS=OFF",
        "-D", f"Python_EXECUTABLE={sys.executable}")
    run("cmake", "--build", folder, "--target", "python")
    return folder


class PlatformDistribution(Distribution):
    """Its wheel is for one version of Python and one kind of machine."""

    def has_ext_modules(self) -> bool:
        return True


class InstalledPackage(build_py):
    """Installs into a folder of its own, and takes from there what a package by itself needs."""

    def run(self) -> None:
        package = Path(self.build_lib) / "semblance"
        shutil.rmtree(package, ignore_errors=True)
        build = build_folder()
        with tempfile.TemporaryDirectory() as folder:
            prefix = Path(folder)
            run("cmake", "--install", build, "--prefix", prefix, "--strip")
            module = next(prefix.glob("lib/*/*-packages/semblance/_native.*.so"), None)
            if module is None:
                sys.exit(f"{build} has no Python package; build the target 'python' there")
            if not module.name.endswith(sysconfig.get_config_var("EXT_SUFFIX")):
                sys.exit(f"{build} has {module.name}, which is for another Python than this "
                         f"{sysconfig.get_python_version()}; unset SEMBLANCE_BUILD, or build the "
                         f"wheel with the other one")
            shutil.copytree(module.parent, package)
            # The rest of the prefix lies inside of the package as it does below a prefix.
            for part in ("bin", "lib/semblance", "share/semblance"):
                shutil.copytree(prefix / part, package / part)
            licence = Path("share/doc/semblance/copyright")
            (package / licence).parent.mkdir(parents=True)
            shutil.copyfile(prefix / licence, package / licence)
            shutil.rmtree(package / "share/semblance/templates", ignore_errors=True)
            # By the name that the loader asks for: a wheel has no links.
            library = next(prefix.glob("lib/libsemblance_sdk.so.?"))
            shutil.copyfile(library, package / "lib" / library.name)
        if bundled:
            run(sys.executable, "-B", root / "packaging" / "bundle.py", package)

    def get_source_files(self) -> list:
        return []


# With its libraries inside it runs wherever glibc is as new as here.
bundled = bool(os.environ.get("SEMBLANCE_BUNDLE"))
platform = sysconfig.get_platform().replace("-", "_")
if bundled:
    glibc = os.confstr("CS_GNU_LIBC_VERSION").split()[1].replace(".", "_")
    platform = platform.replace("linux", f"manylinux_{glibc}")
temporary = root / "build" / "wheel"
temporary.mkdir(parents=True, exist_ok=True)
setup(
    version=version(),
    packages=["semblance"],
    scripts=["packaging/semblance"],
    distclass=PlatformDistribution,
    cmdclass={"build_py": InstalledPackage},
    options={"build": {"build_base": str(temporary)}, "egg_info": {"egg_base": str(temporary)},
             "bdist_wheel": {"plat_name": platform}},
)
