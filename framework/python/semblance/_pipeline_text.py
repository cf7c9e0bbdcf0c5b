# SPDX-License-Identifier: MIT
"""Converts pipelines, studies and their changes to the text that the runtime checks."""

from __future__ import annotations

import json
import os
from typing import Any, List, Mapping, Optional, Tuple

import numpy as np

from . import _native
from ._names import of_symbols

#: The name in messages of a pipeline that is not in a file.
UNNAMED = "<pipeline>"


def text_of(pipeline: Any) -> Tuple[str, str]:
    """The text of a pipeline or study, and its name in messages. It is given as a file; as the text
    itself (YAML or JSON); or the same as a dict, in which components may be objects, ``{"is":
    HOG(cell=8), "from": "images"}``, and a name is not required. Raises PipelineError where the
    file cannot be read; TypeError where the value is none of these."""
    if isinstance(pipeline, Mapping):
        named = {"name": "pipeline", **plain(pipeline)}
        return json.dumps(named, indent=1, ensure_ascii=False), UNNAMED
    if isinstance(pipeline, str) and ("\n" in pipeline or pipeline.lstrip().startswith("{")):
        of_symbols("line", pipeline.splitlines())
        return pipeline, UNNAMED
    if isinstance(pipeline, (str, os.PathLike)):
        file, = of_symbols("file", [os.fspath(pipeline)])
        return _native.read_pipeline(file), file
    raise TypeError(f"a pipeline must be a file, its text or a dict; got "
                    f"{type(pipeline).__name__}")


def overrides_of(changes: Optional[Mapping[str, Any]]) -> List[str]:
    """Changes in the form of the command line's --set: PATH=VALUE."""
    if changes is None:
        return []
    if not isinstance(changes, Mapping):
        raise TypeError("set must be a dict of paths and values, such as {'nodes.svm.C': 10}; got "
                        f"{type(changes).__name__}")
    return [f"{path}={json.dumps(plain(value), ensure_ascii=False)}"
            for path, value in _plain_mapping(changes).items()]


def plain(value: Any) -> Any:
    """The value with components, NumPy's numbers and tuples in the form of JSON."""
    if isinstance(value, np.generic):
        return value.item()
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, str):
        return of_symbols("text", [value])[0]
    if isinstance(value, Mapping):
        return _plain_mapping(value)
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if hasattr(value, "spec") and not isinstance(value, type):
        return plain(value.spec())
    raise TypeError(f"a pipeline holds numbers, texts, lists, dicts and components; got "
                    f"{value!r}")


def _plain_mapping(value: Mapping[Any, Any]) -> Any:
    made = {}
    for key, inner in value.items():
        if key == "is" and hasattr(inner, "spec"):
            made.update(plain(inner.spec()))
        else:
            made[plain(str(key))] = plain(inner)
    return made
