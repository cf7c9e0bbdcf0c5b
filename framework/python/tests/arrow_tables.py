# SPDX-License-Identifier: MIT
"""Arrow tables made by hand, from the structs of the C data interface."""

import ctypes

import numpy as np


class ArrowSchema(ctypes.Structure):
    pass


class ArrowArray(ctypes.Structure):
    pass


class ArrowArrayStream(ctypes.Structure):
    pass


RELEASE_SCHEMA = ctypes.CFUNCTYPE(None, ctypes.POINTER(ArrowSchema))
RELEASE_ARRAY = ctypes.CFUNCTYPE(None, ctypes.POINTER(ArrowArray))
RELEASE_STREAM = ctypes.CFUNCTYPE(None, ctypes.POINTER(ArrowArrayStream))
GET_SCHEMA = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ArrowArrayStream),
                              ctypes.POINTER(ArrowSchema))
GET_NEXT = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ArrowArrayStream),
                            ctypes.POINTER(ArrowArray))
LAST_ERROR = ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.POINTER(ArrowArrayStream))

ArrowSchema._fields_ = [
    ("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", ctypes.c_char_p),
    ("flags", ctypes.c_int64), ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(ArrowSchema))),
    ("dictionary", ctypes.POINTER(ArrowSchema)), ("release", RELEASE_SCHEMA),
    ("private_data", ctypes.c_void_p)]
ArrowArray._fields_ = [
    ("length", ctypes.c_int64), ("null_count", ctypes.c_int64), ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64), ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(ArrowArray))),
    ("dictionary", ctypes.POINTER(ArrowArray)), ("release", RELEASE_ARRAY),
    ("private_data", ctypes.c_void_p)]
ArrowArrayStream._fields_ = [
    ("get_schema", GET_SCHEMA), ("get_next", GET_NEXT), ("get_last_error", LAST_ERROR),
    ("release", RELEASE_STREAM), ("private_data", ctypes.c_void_p)]

ctypes.pythonapi.PyCapsule_New.restype = ctypes.py_object
ctypes.pythonapi.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


def bits(truths):
    return np.packbits(np.asarray(truths, dtype=bool), bitorder="little")


class Column:
    """A column in its chunks: a list of (buffers, length, null count, offset, dictionary)."""

    def __init__(self, name, format, chunks, dictionary=None):
        self.name, self.format, self.chunks, self.dictionary = name, format, chunks, dictionary


def numbers(name, format, *chunks, offset=0):
    """Chunks are arrays, or (array, truths) where some are missing."""
    made = []
    for chunk in chunks:
        values, there = chunk if isinstance(chunk, tuple) else (chunk, None)
        validity = None if there is None else bits(there)
        nulls = 0 if there is None else int(len(there) - np.sum(there[offset:]) - offset)
        made.append(([validity, values], len(values) - offset, nulls, offset, None))
    return Column(name, format, made)


def texts(name, *chunks, format="u", missing=()):
    made = []
    for words in chunks:
        raw = [word.encode() for word in words]
        ends = np.cumsum([0] + [len(word) for word in raw])
        ends = ends.astype(np.int32 if format == "u" else np.int64)
        there = [i not in missing for i in range(len(words))]
        validity = bits(there) if missing else None
        data = np.frombuffer(b"".join(raw) or b"\0", dtype=np.uint8)
        made.append(([validity, ends, data], len(words), len(missing), 0, None))
    return Column(name, format, made)


class Table:
    """An object with `__arrow_c_stream__`; counts released parts."""

    def __init__(self, *columns, format="+s", fail=None):
        self.columns, self.format, self.fail = columns, format, fail
        self.keep, self.released, self.next = [], [], 0

    def _kept(self, thing):
        self.keep.append(thing)
        return thing

    def _fill_schema(self, schema, format, name, children=(), dictionary=None):
        schema.format = self._kept(format.encode())
        schema.name = self._kept(name.encode())
        schema.n_children = len(children)
        parts = (ctypes.POINTER(ArrowSchema) * max(1, len(children)))()
        for i, column in enumerate(children):
            inner = self._kept(ArrowSchema())
            self._fill_schema(inner, column.format, column.name, dictionary=column.dictionary)
            parts[i] = ctypes.pointer(inner)
        schema.children = ctypes.cast(self._kept(parts),
                                      ctypes.POINTER(ctypes.POINTER(ArrowSchema)))
        if dictionary is not None:
            inner = self._kept(ArrowSchema())
            self._fill_schema(inner, dictionary, "")
            schema.dictionary = ctypes.pointer(inner)

        def release(pointer):
            self.released.append("schema")
            pointer.contents.release = RELEASE_SCHEMA()
        schema.release = self._kept(RELEASE_SCHEMA(release))

    def _fill_array(self, array, buffers, length, nulls, offset, dictionary, children=()):
        array.length, array.null_count, array.offset = length, nulls, offset
        array.n_buffers, array.n_children = len(buffers), len(children)
        addresses = (ctypes.c_void_p * max(1, len(buffers)))()
        for i, buffer in enumerate(buffers):
            if buffer is not None:
                addresses[i] = self._kept(np.ascontiguousarray(buffer)).ctypes.data
        array.buffers = ctypes.cast(self._kept(addresses), ctypes.POINTER(ctypes.c_void_p))
        parts = (ctypes.POINTER(ArrowArray) * max(1, len(children)))()
        for i, chunk in enumerate(children):
            inner = self._kept(ArrowArray())
            self._fill_array(inner, *chunk)
            parts[i] = ctypes.pointer(inner)
        array.children = ctypes.cast(self._kept(parts),
                                     ctypes.POINTER(ctypes.POINTER(ArrowArray)))
        if dictionary is not None:
            inner = self._kept(ArrowArray())
            self._fill_array(inner, *dictionary)
            array.dictionary = ctypes.pointer(inner)

        def release(pointer):
            self.released.append("array")
            pointer.contents.release = RELEASE_ARRAY()
        array.release = self._kept(RELEASE_ARRAY(release))

    def __arrow_c_stream__(self, requested_schema=None):
        def get_schema(_, out):
            self._fill_schema(out.contents, self.format, "", self.columns)
            return 0

        def get_next(_, out):
            if self.fail:
                return 5
            count = len(self.columns[0].chunks) if self.columns else 0
            if self.next == count:
                out.contents.release = RELEASE_ARRAY()
                return 0
            chunks = [column.chunks[self.next] for column in self.columns]
            self.next += 1
            self._fill_array(out.contents, [None], chunks[0][1], 0, 0, None, chunks)
            return 0

        def last_error(_):
            return self.fail

        def release(pointer):
            self.released.append("stream")
            pointer.contents.release = RELEASE_STREAM()

        stream = self._kept(ArrowArrayStream())
        stream.get_schema = self._kept(GET_SCHEMA(get_schema))
        stream.get_next = self._kept(GET_NEXT(get_next))
        stream.get_last_error = self._kept(LAST_ERROR(last_error))
        stream.release = self._kept(RELEASE_STREAM(release))
        return ctypes.pythonapi.PyCapsule_New(ctypes.addressof(stream), b"arrow_array_stream",
                                              None)
