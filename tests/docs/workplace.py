# SPDX-License-Identifier: MIT
"""A folder like the one that a reader stands in: the launcher, the pipelines and some data."""
import os
import subprocess
import tempfile
from pathlib import Path

import example_data
from python_session import PYTHON

PROGRAM = os.environ["SEMBLANCE_PROGRAM"]
SOURCE = Path(os.environ["SEMBLANCE_SOURCE"])
BUILD = Path(os.environ["SEMBLANCE_BUILD"])


class Workplace:
    """`folders` are made anew from the same data; they share one store."""

    def __init__(self):
        self._holder = tempfile.TemporaryDirectory(prefix="semblance_docs_")
        self.root = Path(self._holder.name)
        self.data = self.root / "data"
        self.data.mkdir()
        example_data.write(self.data)
        bin_folder = self.root / "bin"
        bin_folder.mkdir()
        _script(bin_folder / "semblance")
        self.environment = {
            **os.environ,
            "HOME": str(self.root), "XDG_CACHE_HOME": str(self.root / "xdg_cache"),
            "XDG_DATA_HOME": str(self.root / "xdg_data"), "LC_ALL": "C.UTF-8",
            "PATH": f"{bin_folder}:{os.environ['PATH']}",
            "PREFIX": str(BUILD),
            "SEMBLANCE_CACHE": str(self.root / "store"), "SEMBLANCE_DATA": str(self.data),
            # Open MPI refuses root, and more ranks than cores, unless options allow it.
            "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            "OMPI_MCA_rmaps_base_oversubscribe": "1",
            "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",  # since Open MPI 5
            "SEMBLANCE_PLUGIN_PATH": "", "CCACHE_NOHASHDIR": "1", "CCACHE_BASEDIR": str(self.root),
            "CCACHE_DIR": os.environ.get("CCACHE_DIR", str(Path.home() / ".cache" / "ccache")),
        }

    def close(self):
        self._holder.cleanup()

    def folder(self, name):
        folder = self.root / name
        folder.mkdir()
        _script(folder / "semblance")
        for item in self.data.iterdir():
            (folder / item.name).symlink_to(item)
        for item in ("pipelines", "plugins", "sdk", "docs"):
            (folder / item).symlink_to(SOURCE / item)
        (folder / "build").mkdir()
        (folder / "build" / "release").symlink_to(BUILD)
        return folder

    def run(self, command, folder):
        return subprocess.run(command, cwd=folder, env=self.environment, text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              stdin=subprocess.DEVNULL)


def _script(file):
    """What the launcher does, without building."""
    python = f'PYTHONPATH={BUILD}/python exec "{PYTHON}"'
    file.write_text(f'#!/bin/sh\n[ "$1" != python ] || {{ shift; {python} "$@"; }}\n'
                    f'exec "{PROGRAM}" "$@"\n', encoding="utf-8")
    file.chmod(0o755)
