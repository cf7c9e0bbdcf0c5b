# SPDX-License-Identifier: MIT
"""MPI is found where all of it is, whatever was there when CMake looked first. The MPI here is made up."""
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

TREE = Path(__file__).resolve().parents[2]
PROJECT = f"""cmake_minimum_required(VERSION 3.25)
project(looking LANGUAGES C)
include({TREE}/framework/mpi/find_mpi.cmake)
message(STATUS "MPI: ${{MPI_C_FOUND}}")
"""
HEADER = """#define MPI_VERSION 3
#define MPI_SUBVERSION 1
int MPI_Init(int*, char***); int MPI_Finalize(void);
"""
WRAPPER = """#!/bin/sh
case $1 in -show*) echo "-I{0}/include -L{0}/lib -lmpi" ;; *) exec cc -I{0}/include "$@" -L{0}/lib -lmpi ;; esac
"""


class MpiFound(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        for name in ("bin", "project"):
            (self.folder / name).mkdir()
        (self.folder / "project/CMakeLists.txt").write_text(PROJECT)
        compiler = self.folder / "bin/mpicc"
        compiler.write_text(WRAPPER.format(self.folder))
        compiler.chmod(0o755)

    def install(self):
        for name in ("include", "lib"):
            (self.folder / name).mkdir()
        (self.folder / "include/mpi.h").write_text(HEADER)
        (self.folder / "mpi.c").write_text("int MPI_Init(int* n, char*** v) { return 0; }\n"
                                           "int MPI_Finalize(void) { return 0; }\n")
        subprocess.run(["cc", "-shared", "-fPIC", "-o", self.folder / "lib/libmpi.so", self.folder / "mpi.c"],
                       check=True)

    def found(self, *settings):
        environment = {**os.environ, "PATH": f"{self.folder}/bin:{os.environ['PATH']}"}
        environment.pop("MPI_HOME", None)
        done = subprocess.run(["cmake", "-S", self.folder / "project", "-B", self.folder / "build", *settings],
                              env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(done.returncode, 0, done.stdout)
        return "-- MPI: TRUE" in done.stdout

    def test_a_compiler_without_headers_is_no_mpi_until_they_come(self):
        self.assertFalse(self.found())
        self.install()
        self.assertTrue(self.found())
        shutil.rmtree(self.folder / "include")
        self.assertFalse(self.found())

    def test_what_an_earlier_search_did_not_find_is_looked_for_again(self):
        self.install()
        stale = [f"-DMPI_C_{name}" for name in ("HEADER_DIR=MPI_C_HEADER_DIR-NOTFOUND", "LIB_NAMES=mpi;gone",
                                                f"COMPILER_INCLUDE_DIRS={self.folder}/gone")]
        self.assertTrue(self.found("-DMPI_gone_LIBRARY=MPI_gone_LIBRARY-NOTFOUND", *stale))


if __name__ == "__main__":
    unittest.main(verbosity=2)
