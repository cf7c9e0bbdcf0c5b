# SPDX-License-Identifier: MIT
"""Writes the generated modules into a folder: see the package's own documentation."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from .sources import kind_modules, modules


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--declarations", type=Path, required=True,
                        help="what `semblance describe --all --json` prints")
    parser.add_argument("--output", type=Path, required=True, help="folder of the modules")
    parser.add_argument("--plugins", type=Path,
                        help="folder of the plugins whose components are wanted; all without it")
    arguments = parser.parse_args()
    declarations = json.loads(arguments.declarations.read_text(encoding="utf-8"))
    if arguments.plugins:
        folder = arguments.plugins.resolve()
        declarations = [declaration for declaration in declarations
                        if Path(declaration["plugin"]["library"]).resolve().parent == folder]
    arguments.output.mkdir(parents=True, exist_ok=True)
    for name, text in modules(declarations).items():
        (arguments.output / f"{name}.py").write_text(text, encoding="utf-8")
    for name, text in kind_modules().items():
        (arguments.output.parent / f"{name}.py").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
