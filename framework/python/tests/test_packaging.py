# SPDX-License-Identifier: MIT
"""What is installed works by itself: a wheel in a new environment; and for the system's Python."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from semblance import _native

SOURCE = Path(__file__).resolve().parents[3]
BUILD = Path(_native.__file__).resolve().parents[2]
PYTHON = "/usr/bin/python3"


def run(*command, folder=None, **variables):
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    environment.update(variables)
    done = subprocess.run([str(word) for word in command], cwd=folder, env=environment, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.fixture(scope="module", name="environment")
def new_environment(tmp_path_factory):
    """A virtual environment that sees the system's packages; its Python."""
    for package, module in [("venv", "ensurepip"), ("setuptools", "setuptools"),
                            ("wheel", "wheel")]:
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"no python3-{package}")
    folder = tmp_path_factory.mktemp("environment")
    run(PYTHON, "-m", "venv", "--system-site-packages", folder)
    return folder / "bin" / "python"


def test_a_wheel_works_by_itself(environment, tmp_path):
    run(environment, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps", "--no-index",
        "-w", tmp_path, SOURCE / "framework" / "python", SEMBLANCE_BUILD=str(BUILD))
    (wheel,) = tmp_path.glob("semblance-*.whl")
    assert f"cp{sys.version_info[0]}{sys.version_info[1]}" in wheel.name
    run(environment, "-m", "pip", "install", "--no-index", wheel)
    packages = environment.parents[1] / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}"
    printed = run(environment, "-B", SOURCE / "framework/python/packaging/installed.py",
                  packages / "site-packages" / "semblance", folder=tmp_path,
                  SEMBLANCE_PLUGIN_PATH="", SEMBLANCE_CACHE=str(tmp_path / "store"))
    assert printed.startswith("semblance ")
    share = packages / "site-packages" / "semblance" / "share"
    assert "The Semblance developers" in (share / "doc/semblance/copyright").read_text(encoding="utf-8")
    printed = run(environment.parent / "semblance", "check", share / "semblance/pipelines/quickstart.yaml",
                  SEMBLANCE_PLUGIN_PATH="", SEMBLANCE_CACHE=str(tmp_path / "store"))
    assert "quickstart" in printed


def test_a_relative_build_folder_is_meant_from_where_pip_was_started(tmp_path):
    package = tmp_path / "build"
    package.mkdir()
    (package / "cmake_install.cmake").write_text("", encoding="utf-8")

    def output(given):
        done = subprocess.run([PYTHON, "setup.py", "-q", "build", "--build-base", tmp_path / "out"],
                              cwd=SOURCE / "framework" / "python", capture_output=True, text=True,
                              env={**os.environ, "PWD": str(tmp_path), "SEMBLANCE_BUILD": given},
                              check=False)
        return done.stderr
    assert f"{package} has no Python package; build the target 'python' there" in output("build")
    assert (f"SEMBLANCE_BUILD=nowhere is no build folder; looked for {tmp_path}/nowhere/"
            f"cmake_install.cmake and {SOURCE}/nowhere/cmake_install.cmake") in output("nowhere")


def test_a_wheel_for_another_python_is_refused(tmp_path):
    package = tmp_path / "build"
    package.mkdir()
    (package / "cmake_install.cmake").write_text(
        'file(WRITE "${CMAKE_INSTALL_PREFIX}/lib/python3/dist-packages/semblance/_native.other.so" '
        '"")\n', encoding="utf-8")
    done = subprocess.run([PYTHON, "setup.py", "-q", "build", "--build-base", tmp_path],
                          cwd=SOURCE / "framework" / "python", capture_output=True, text=True,
                          env={**os.environ, "SEMBLANCE_BUILD": str(package)}, check=False)
    assert done.returncode != 0
    assert "has _native.other.so, which is for another Python than this" in done.stderr


def test_cmake_takes_the_systems_python_where_another_stands_first(tmp_path):
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("python3", "python"):
        other = folder / name
        other.write_text("#!/bin/sh\necho 'Python 3.99.0'\nexit 1\n", encoding="utf-8")
        other.chmod(0o755)
    printed = run("cmake", "-S", SOURCE, "-B", tmp_path / "build", "-G", "Ninja",
                  "-D", "SEMBLANCE_TESTS=OFF", PATH=f"{folder}:{os.environ['PATH']}")
    assert "Found Python: /usr/bin/python3 " in printed
    assert "the Python package is not built" not in printed


@pytest.mark.parametrize("prefix, folder", [
    ("/usr", "lib/python3/dist-packages"),
    ("/usr/local",
     f"lib/python{sys.version_info[0]}.{sys.version_info[1]}/dist-packages"),
    ("/opt/semblance", "lib/python3/dist-packages")])
def test_it_is_installed_where_python_looks(tmp_path, prefix, folder):
    run("cmake", "--install", BUILD, "--prefix", prefix, "--component", "python",
        DESTDIR=str(tmp_path))
    package = tmp_path / prefix[1:] / folder / "semblance"
    names = {path.name for path in package.iterdir()}
    assert {"__init__.py", "py.typed"} <= names
    assert any(name.startswith("_native.") for name in names)
    assert not any(path.is_symlink() for path in package.rglob("*"))
