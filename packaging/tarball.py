# SPDX-License-Identifier: MIT
"""Makes the tarball of a build: tarball.py BUILD FILE.tar.xz. The same build gives the same bytes."""

import subprocess
import sys
import tempfile
from pathlib import Path

from bundle import bundle


def run(*command) -> None:
    subprocess.run([str(word) for word in command], check=True, stdout=subprocess.DEVNULL)


def main(build: Path, file: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / file.name.removesuffix(".tar.xz")
        run("cmake", "--install", build, "--prefix", tree, "--component", "semblance", "--strip")
        bundle(tree)
        file.parent.mkdir(parents=True, exist_ok=True)
        run("tar", "-C", folder, "--sort=name", "--mtime=@0", "--owner=0", "--group=0",
            "--numeric-owner", "--mode=u+rwX,go+rX,go-w", "-I", "xz -T0 -9 --block-size=64MiB", "-cf", file, tree.name)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]).resolve())
