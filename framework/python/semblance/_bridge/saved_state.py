# SPDX-License-Identifier: MIT
"""A component's learned state as a text (JSON) and arrays: nothing in it is code.

Anything that is not a number, a text, an array, or a list or dictionary of these is pickled.
Reading a pickle executes its content, and models may come from other people. Therefore a pickle is
signed with a key of the user who made it, and a pickle signed by another user is refused.
"""

from __future__ import annotations

import hashlib
import hmac
import io
import json
import os
import pickle
import secrets
import shlex
import stat
from typing import Any, List, Optional, Tuple

import numpy as np

from .._declare import Refused

#: Set it to 1 to trust the pickles of all models, from any origin.
TRUST = "SEMBLANCE_TRUST_PICKLES"


_FORMAT: Any = np.lib.format  # NumPy's own, of which it has no types


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


# Writing and reading ----------------------------------------------------------------------------


def written(value: Any) -> Tuple[str, np.ndarray]:
    """A settled value as a text, and the bytes of the arrays that the text numbers, as integers."""
    arrays: List[np.ndarray] = []
    tree = _tree(value, arrays)
    room = io.BytesIO()
    for array in arrays:
        _FORMAT.write_array(room, array, allow_pickle=False)
    content = room.getvalue()
    padded = np.frombuffer(content + bytes(8 - len(content) % 8), "<i8")
    return json.dumps({"arrays": len(arrays), "value": tree}), padded


def _tree(value: Any, arrays: List[np.ndarray]) -> Any:
    if value is None or type(value) in (bool, int, float, str):
        return value
    if isinstance(value, (list, tuple)):
        items = [_tree(item, arrays) for item in value]
        return items if isinstance(value, list) else {"tuple": items}
    if isinstance(value, dict):
        return {"dict": [[name, _tree(item, arrays)] for name, item in value.items()]}
    if isinstance(value, Pickle):
        arrays.append(np.frombuffer(value.content, np.uint8))
        return {"pickle": len(arrays) - 1, "signature": _signature(value.content)}
    arrays.append(np.asarray(value))
    return {"scalar" if isinstance(value, np.generic) else "array": len(arrays) - 1}


def read(text: str, content: np.ndarray) -> Any:
    """The settled value. Raises `Untrusted` if it is damaged, or comes from another user."""
    try:
        said = json.loads(text)
        room = io.BytesIO(content.astype("<i8").tobytes())
        arrays = [_FORMAT.read_array(room, allow_pickle=False) for _ in range(said["arrays"])]
        return _value(said["value"], arrays)
    except (KeyError, TypeError, ValueError, IndexError, RecursionError, AttributeError,
            OverflowError, MemoryError):
        raise Untrusted("its saved state is damaged, or of an older version; train it again"
                        ) from None


def _value(tree: Any, arrays: List[np.ndarray]) -> Any:
    if isinstance(tree, list):
        return [_value(item, arrays) for item in tree]
    if not isinstance(tree, dict):
        return tree
    if "tuple" in tree:
        return tuple(_value(item, arrays) for item in tree["tuple"])
    if "dict" in tree:
        return {str(name): _value(item, arrays) for name, item in tree["dict"]}
    if "pickle" in tree:
        return _trusted(arrays[tree["pickle"]].tobytes(), str(tree["signature"]))
    return arrays[tree["scalar"]][()] if "scalar" in tree else arrays[tree["array"]]


def _trusted(content: bytes, signature: str) -> Pickle:
    if os.environ.get(TRUST) != "1" and not hmac.compare_digest(_signature(content), signature):
        raise Untrusted(
            "what it has learned is a pickle that this user did not make: reading it would run "
            f"whatever it contains. Train it again, or, if you trust its author, set {TRUST}=1")
    return Pickle(content)
