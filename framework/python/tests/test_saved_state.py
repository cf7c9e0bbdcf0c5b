# SPDX-License-Identifier: MIT
"""A component's learned state is restored exactly, or not at all."""

import os
import stat

import numpy as np
import pytest

from semblance._bridge import saved_state

pytestmark = pytest.mark.usefixtures("as_before")


def test_states_come_back_as_they_were():
    random = np.random.default_rng(0)
    values = {"none": None, "flag": True, "whole": -7, "large": 2 ** 80, "number": 0.1,
              "infinite": float("inf"), "text": "ü\n", "list": [1, (2.5, "x"), {"a": [None]}],
              "scalar": np.float32(0.1), "count": np.int64(2 ** 60), "empty": np.zeros((3, 0)),
              "half": random.random((2, 3)).astype(np.float16), "tables": random.random((2, 3, 4)),
              "single": random.random((5, 2)).astype(np.float32), "bits": np.array([True, False]),
              "bytes": np.arange(9, dtype=np.uint8), "unsigned": np.array([2 ** 64 - 1], np.uint64),
              "complex": random.random(4) + 1j, "short": (random.random(3) + 2j).astype("c8"),
              "zero": np.float64(3.5), "scalar array": np.array(4.0)}
    assert all(saved_state.is_plain(v) for v in values.values())
    text, arrays = saved_state.written(values)
    found = saved_state.read(text, arrays)
    assert list(found) == list(values)
    for name, value in values.items():
        assert type(found[name]) is type(value), name
        if isinstance(value, np.ndarray):
            assert found[name].dtype == value.dtype and found[name].shape == value.shape
            assert found[name].tobytes() == value.tobytes()
        else:
            assert found[name] == value


def test_a_pickle_that_was_changed_is_refused(monkeypatch):
    text, arrays = saved_state.written({"f": saved_state.settled(print)})
    bits = arrays.copy()
    assert saved_state.opened(saved_state.read(text, bits)["f"]) is print
    bits[-2] ^= 1
    with pytest.raises(saved_state.Untrusted, match="this user did not make"):
        saved_state.read(text, bits)


def of_bytes(file, count, mode):
    file.write_bytes(bytes(count))
    file.chmod(mode)


@pytest.mark.parametrize("make, message", [
    (lambda file: os.mkfifo(file, 0o600), "' is not a regular file; remove it"),
    (lambda file: file.mkdir(0o700), "' is not a regular file; remove it"),
    (lambda file: file.symlink_to("nowhere"), "is a link that leads nowhere; remove it"),
    (lambda file: of_bytes(file, 31, 0o600), "' is no key; remove it"),
    (lambda file: of_bytes(file, 33, 0o600), "' is no key; remove it"),
    (lambda file: of_bytes(file, 32, 0o666), "run: chmod 600 "),
    (lambda file: of_bytes(file, 32, 0o640), "run: chmod 600 ")])
def test_a_key_that_others_may_have_signs_nothing(tmp_path, monkeypatch, make, message):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    (tmp_path / "semblance").mkdir()
    make(tmp_path / "semblance" / "pickle.key")
    with pytest.raises(saved_state.Untrusted, match=message):
        saved_state.written({"f": saved_state.settled(print)})


def test_a_key_of_another_user_signs_nothing(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    saved_state.written({"f": saved_state.settled(print)})
    key = tmp_path / "semblance" / "pickle.key"
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert os.listdir(key.parent) == ["pickle.key"]
    monkeypatch.setattr(os, "geteuid", lambda: key.stat().st_uid + 1)
    with pytest.raises(saved_state.Untrusted, match="belongs to another user; remove it, or set"):
        saved_state.written({"f": saved_state.settled(print)})


def test_a_key_is_made_where_the_file_system_has_no_links(tmp_path, monkeypatch):
    def no_links(source, target):
        raise PermissionError(1, "Operation not permitted")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(os, "link", no_links)
    text, arrays = saved_state.written({"f": saved_state.settled(print)})
    found = saved_state.read(text, arrays)
    assert saved_state.opened(found["f"]) is print
    assert os.listdir(tmp_path / "semblance") == ["pickle.key"]


def edited(arrays, old, new):
    content = arrays.tobytes()
    assert old in content
    return np.frombuffer(content.replace(old, new), "<i8")


@pytest.mark.parametrize("damage", [
    lambda text, arrays: (text[:-5], arrays), lambda text, arrays: ("[]", arrays),
    lambda text, arrays: (text, edited(arrays, b"'<f4'", b"'|O8'")),
    lambda text, arrays: (text, edited(arrays, b"(5, 2)", b"(5, 9)")),
    lambda text, arrays: (text, edited(arrays, b"(5, 2)", b"(-1,2)")),
    lambda text, arrays: (text, edited(arrays, b"NUMPY", b"MUMPS")),
    lambda text, arrays: (text, arrays[:4]),
    lambda text, arrays: (text.replace('{"array": 0}', '{"array": 9}'), arrays)])
def test_a_damaged_state_is_refused(damage):
    text, arrays = saved_state.written({"a": np.ones((5, 2), np.float32)})
    with pytest.raises(saved_state.Untrusted, match="damaged"):
        saved_state.read(*damage(text, arrays))
