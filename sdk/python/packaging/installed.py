# SPDX-License-Identifier: MIT
"""An installed package works by itself: installed.py FOLDER_THAT_IT_IS_IN."""

import json
import sys
from pathlib import Path

import semblance
from semblance import _native

folder = Path(semblance.__file__).resolve().parent
if folder != Path(sys.argv[1]).resolve():
    sys.exit(f"semblance was imported from {folder}, not from {sys.argv[1]}")

ids = {declaration["id"] for declaration in json.loads(_native.catalogue())}
if not {"solver/linear_svm", "similarity/rbf", "normalizer/zscore"} <= ids:
    sys.exit(f"components are missing; there are: {sorted(ids)}")
# What is mapped into this process is the installation's own: no library of a build folder.
libraries = {line.split()[-1] for line in Path("/proc/self/maps").read_text().splitlines()
             if "semblance" in line.split()[-1]}
prefix = folder if (folder / "plugins").is_dir() else folder.parents[3]
strangers = [path for path in libraries if not path.startswith(str(prefix))]
if strangers:
    sys.exit(f"these libraries are not below {prefix}: {strangers}")
print(f"semblance {semblance.__version__}: {len(ids)} components")
