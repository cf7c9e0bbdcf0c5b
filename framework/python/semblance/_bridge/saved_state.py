# SPDX-License-Identifier: MIT
"""A component's learned state as a text (JSON) and arrays: nothing in it is code.

Anything that is not a number, a text, an array, or a list or dictionary of these is pickled.
Reading a pickle executes its content, and models may come from other people. Therefore a pickle is
signed with a key of the user who made it, and a pickle signed by another user is refused.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import math
import os
import pickle
import secrets
import shlex
import stat
from typing import Any, Dict, List, Optional, Tuple

import numpy as np

from .._declare import Refused

#: Set it to 1 to trust the pickles of all models, from any origin.
TRUST = "SEMBLANCE_TRUST_PICKLES"


class Untrusted(Refused):
    """A state that no component of this user has saved."""


def _key_file() -> str:
    base = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")
    return os.path.join(base, "semblance", "pickle.key")


def _read_key(file: str) -> Optional[bytes]:
    """The key in the file, None where there is no file. Whoever else can write it could sign
    pickles that this user then runs, and whoever can read it, too."""
    try:
        # Without waiting for the other end of a pipe.
        descriptor = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    except OSError as problem:
        raise Untrusted(f"the key that signs pickles cannot be read: {problem}") from None
    about = os.fstat(descriptor)
    if not stat.S_ISREG(about.st_mode):
        os.close(descriptor)
        raise Untrusted(f"'{file}' is not a regular file; remove it, so that a new key is made")
    with open(descriptor, "rb") as stream:
        key = stream.read(33)
    if about.st_uid != os.geteuid():
        raise Untrusted(f"'{file}', the key that signs pickles, belongs to another user; remove "
                        "it, or set XDG_DATA_HOME to a folder of your own")
    if about.st_mode & 0o077:
        raise Untrusted(f"other users can read or change '{file}', the key that signs pickles; "
                        f"remove it and train again, or, if none of them has, run: chmod 600 "
                        f"{shlex.quote(file)}")
    if len(key) != 32:
        raise Untrusted(f"'{file}' is no key; remove it, so that a new one is made")
    return key


def _key() -> bytes:
    """The user's own key, which nobody else can read; created on first use."""
    file = _key_file()
    key = _read_key(file)
    if key is not None:
        return key
    os.makedirs(os.path.dirname(file), exist_ok=True)
    part = f"{file}.{os.getpid()}.{secrets.token_hex(4)}"
    with open(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as stream:
        stream.write(secrets.token_bytes(32))
    try:
        os.link(part, file)  # another process may have been first
        os.unlink(part)
    except FileExistsError:
        os.unlink(part)
    except OSError:
        os.rename(part, file)  # a file system without links
    key = _read_key(file)
    if key is None:
        raise Untrusted(f"'{file}' is a link that leads nowhere; remove it")
    return key


def _signature(content: bytes) -> str:
    return hmac.new(_key(), content, hashlib.sha256).hexdigest()


class Pickle:
    """The saved bytes of an object."""

    def __init__(self, content: bytes) -> None:
        self.content = content


def settled(value: Any) -> Any:
    """The value in its saved form. The component uses `opened` of it from then on, so that it
    gives the same bits as a loaded one. No array shares memory with others."""
    if not is_plain(value):
        return Pickle(pickle.dumps(value, protocol=4))
    if isinstance(value, np.ndarray):
        return value if value.base is None else value.copy()
    if isinstance(value, (list, tuple)):
        return type(value)(map(settled, value))
    return {k: settled(v) for k, v in value.items()} if isinstance(value, dict) else value


def opened(value: Any) -> Any:
    """The value behind a settled one."""
    return pickle.loads(value.content) if isinstance(value, Pickle) else value


def is_plain(value: Any) -> bool:
    if value is None or type(value) in (bool, int, float, str):
        return True
    if isinstance(value, np.ndarray):
        return type(value) is np.ndarray and value.dtype.kind in "fiubc" and \
            value.dtype.itemsize <= (16 if value.dtype.kind == "c" else 8)
    if isinstance(value, np.generic):
        return value.dtype.kind in "fiub" and value.dtype.itemsize <= 8
    if type(value) in (list, tuple):
        return all(map(is_plain, value))
    return type(value) is dict and all(type(k) is str and is_plain(v) for k, v in value.items())


# Writing ----------------------------------------------------------------------------------------


class _Writer:
    def __init__(self) -> None:
        self.arrays: List[Tuple[str, str, np.ndarray]] = []

    def _array(self, kind: str, array: np.ndarray) -> str:
        name = f"array_{len(self.arrays)}"
        self.arrays.append((name, kind, array))
        return name

    def tree(self, value: Any) -> Any:
        if value is None or isinstance(value, (bool, str)):
            return value
        if type(value) is int:
            return value if abs(value) < 2**53 else {"int": str(value)}
        if type(value) is float:
            return {"float": value.hex()} if math.isfinite(value) else {"float": str(value)}
        if isinstance(value, np.generic):
            return {"scalar": self.tree(np.asarray(value))}
        if isinstance(value, np.ndarray):
            return self._of_array(value)
        if isinstance(value, Pickle):
            content = value.content
            padded = content + bytes(-len(content) % 8)
            return {"pickle": self._array("integers", np.frombuffer(padded, "<i8")),
                    "bytes": len(content), "signature": _signature(content)}
        if isinstance(value, list):
            return [self.tree(v) for v in value]
        if isinstance(value, tuple):
            return {"tuple": [self.tree(v) for v in value]}
        return {"dict": [[k, self.tree(v)] for k, v in value.items()]}

    def _of_array(self, array: np.ndarray) -> Any:
        about = {"dtype": array.dtype.newbyteorder("<").str, "shape": list(array.shape)}
        if array.size == 0:
            return {"array": None, **about}
        flat = np.ascontiguousarray(array).reshape(-1).astype(array.dtype.newbyteorder("<"))
        if array.dtype.kind == "c":
            flat = flat.view("<f4" if array.dtype.itemsize == 8 else "<f8")
        if flat.dtype == np.uint64:
            flat = flat.view("<i8")
        if flat.dtype.kind in "iub":
            return {"array": self._array("integers", flat.astype("<i8")), **about}
        if flat.dtype.itemsize == 8:
            return {"array": self._array("doubles", flat), **about}
        rows = array.shape[0] if array.ndim > 1 and array.dtype.kind != "c" else 1
        return {"array": self._array("floats", flat.astype("<f4").reshape(rows, -1)), **about}


def written(value: Any) -> Tuple[str, List[Tuple[str, str, np.ndarray]]]:
    """A settled value as a text, and the arrays that the text names, with their types."""
    writer = _Writer()
    tree = writer.tree(value)
    entries = [[name, kind] for name, kind, _ in writer.arrays]
    return json.dumps({"arrays": entries, "value": tree}), writer.arrays


# Reading ----------------------------------------------------------------------------------------


def arrays_of(text: str) -> List[Tuple[str, str]]:
    """The names and types of the arrays that belong to the text."""
    with _damaged():
        return [(str(name), str(kind)) for name, kind in json.loads(text)["arrays"]]


def read(text: str, arrays: Dict[str, np.ndarray]) -> Any:
    """The settled value. Raises `Untrusted` if it is damaged, or comes from another user."""
    with _damaged():
        return _Reader(arrays).value(json.loads(text)["value"])


class _damaged:
    """Reports any error inside as a damaged state."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, problem: Any, trace: Any) -> None:
        if isinstance(problem, (KeyError, TypeError, ValueError, IndexError, RecursionError,
                                AttributeError, OverflowError)):
            raise Untrusted("its saved state is damaged; train it again") from None


class _Reader:
    def __init__(self, arrays: Dict[str, np.ndarray]) -> None:
        self.arrays = arrays

    def value(self, tree: Any) -> Any:
        if isinstance(tree, list):
            return [self.value(t) for t in tree]
        if not isinstance(tree, dict):
            return tree
        if "int" in tree:
            return int(tree["int"])
        if "float" in tree:
            text = tree["float"]
            return float.fromhex(text) if "0x" in text else float(text)
        if "scalar" in tree:
            return self._array(tree["scalar"])[()]
        if "tuple" in tree:
            return tuple(self.value(t) for t in tree["tuple"])
        if "pickle" in tree:
            return self._pickle(tree)
        if "dict" in tree:
            return {str(k): self.value(v) for k, v in tree["dict"]}
        return self._array(tree)

    def _array(self, tree: Dict[str, Any]) -> np.ndarray:
        dtype, shape = np.dtype(str(tree["dtype"])), tuple(int(n) for n in tree["shape"])
        if dtype.kind not in "fiubc" or any(n < 0 for n in shape):
            raise ValueError(dtype)
        if tree["array"] is None:
            return np.empty(shape if 0 in shape else (0,), dtype)
        flat = self.arrays[tree["array"]]
        if dtype.kind == "c" or dtype == np.uint64:
            part = dtype if dtype.kind != "c" else np.dtype("<f4" if dtype.itemsize == 8 else "<f8")
            flat = (flat if dtype.kind != "c" else flat.astype(part)).view(dtype)
        return flat.astype(dtype).reshape(shape)

    def _pickle(self, tree: Dict[str, Any]) -> Pickle:
        content = self.arrays[tree["pickle"]].astype("<i8").tobytes()[:int(tree["bytes"])]
        if os.environ.get(TRUST) != "1" and \
                not hmac.compare_digest(_signature(content), str(tree["signature"])):
            raise Untrusted(
                "what it has learned is a pickle that this user did not make: reading it would "
                "run whatever it contains. Train it again, or, if you trust its author, set "
                f"{TRUST}=1")
        return Pickle(content)
