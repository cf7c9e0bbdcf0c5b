# SPDX-License-Identifier: MIT
"""Components written in Python, as the runtime calls them.

The runtime's side (sdk/python/bridge) hands over views of its rows; this side gives them the shape
that a user knows them in, calls the component, and checks what comes back. A component that is a
function without a state of its own is always given the same number of rows, and of bases: which
other rows are computed with a row may change the last bits of matrix products, and a row must get
the same bits wherever it stands.
"""

from __future__ import annotations

import inspect
import os
import warnings
from typing import Any, Callable, Dict, List, NamedTuple, Tuple, Union

import numpy as np

from . import _blocks as blocks
from . import _state
from ._declare import Declaration, Refused

Values = Union[np.ndarray, Tuple[np.ndarray, np.ndarray]]


class Layout(NamedTuple):
    """How the values of a sample are arranged, as `Layout` of the SDK."""

    kind: str
    height: int
    width: int
    depth: int
    alphabet: Tuple[str, ...] = ()

    @property
    def size(self) -> int:
        return self.height * self.width * self.depth

    @property
    def ragged(self) -> bool:
        return self.kind in ("sequence", "string", "set")


# Shapes -----------------------------------------------------------------------------------------


def shaped(layout: Layout, values: Any) -> Any:
    """The rows as users know them: arrays share the runtime's memory.

    Vectors are (n, size); images (n, height, width), with several channels (n, height, width,
    channels); grids (n, height, width, depth); series a list of (steps,), with several channels
    (channels, steps); strings a list of str; sets a list of (points, dimension).
    """
    if not layout.ragged:
        if layout.kind == "image":
            planes = _split(values, (layout.depth, layout.height, layout.width))
            return planes[:, 0] if layout.depth == 1 else planes.transpose(0, 2, 3, 1)
        if layout.kind == "grid":
            return _split(values, (layout.height, layout.width, layout.depth))
        return values
    flat, offsets = values
    rows = [flat[a:b] for a, b in zip(offsets[:-1], offsets[1:])]
    if layout.kind == "string":
        symbols = layout.alphabet
        return ["".join(symbols[int(x)] for x in row) for row in rows]
    if layout.kind == "sequence" and layout.depth == 1:
        return rows
    tables = [row.reshape(-1, layout.depth) for row in rows]
    return [t.T for t in tables] if layout.kind == "sequence" else tables


def _split(values: np.ndarray, shape: Tuple[int, ...]) -> np.ndarray:
    """The second axis as several: a view, also where there are gaps between the rows."""
    return values.reshape(len(values), *shape)


def _rows_of(values: Values) -> int:
    return len(values[1]) - 1 if isinstance(values, tuple) else len(values)


def _range(values: Values, first: int, last: int) -> Values:
    if isinstance(values, tuple):
        return values[0], values[1][first:last + 1]
    return values[first:last]


def _chosen(values: Values, rows: np.ndarray) -> Values:
    """A copy of some of the rows, which may be repeated."""
    if not isinstance(values, tuple):
        return _locked(values[rows])
    flat, offsets = values
    parts = [flat[offsets[i]:offsets[i + 1]] for i in rows]
    ends = np.concatenate([[0], np.cumsum([len(p) for p in parts])]).astype(np.int64)
    return _locked(np.concatenate(parts) if parts else flat[:0]), ends


def _locked(array: np.ndarray) -> np.ndarray:
    array.flags.writeable = False
    return array


def _tile(values: Values, first: int, rows: int) -> Values:
    """Rows [first, first + rows), the last one again and again where there are not so many."""
    count = _rows_of(values)
    if first + rows <= count:
        return _range(values, first, first + rows)
    return _chosen(values, np.minimum(np.arange(first, first + rows), count - 1))


# Results ----------------------------------------------------------------------------------------


def _numeric(result: Any, what: str) -> np.ndarray:
    try:
        array = np.asarray(result)
    except ValueError:  # rows of differing lengths
        raise Refused(f"{what} is no array of numbers: its rows differ in length") from None
    if array.dtype.kind not in "fiub":
        raise Refused(f"{what} is an array of {array.dtype}, not of real numbers")
    return array


def _finite(array: np.ndarray, what: str, rows: str) -> np.ndarray:
    """As float32, after a check that every value is finite in it."""
    with np.errstate(over="ignore"):
        values = array.astype(np.float32, copy=False)
    good = np.isfinite(values)
    if not good.all():
        place = tuple(int(i) for i in np.argwhere(~good)[0])
        found = array[place]
        how = "NaN" if np.isnan(found) else "infinite" if np.isinf(found) else \
            f"{found}, beyond what float32 holds"
        raise Refused(f"{what} has a value that is {how}: {list(place)} of its {rows}; scale the "
                      "samples, or return finite numbers")
    return values


def _size(shape: Tuple[int, ...]) -> str:
    return "(" + ", ".join(map(str, shape)) + ("," if len(shape) == 1 else "") + ")"


# Components -------------------------------------------------------------------------------------


def made(target: Any, values: Dict[str, Any]) -> Any:
    """A class's object with these parameters."""
    return target(**values)


class Adapter:
    """A component with its parameters, as the runtime calls it.

    `layout` is that of the samples; known after `bind`.
    """

    def __init__(self, declaration: Declaration, values: Dict[str, Any]) -> None:
        self.declaration = declaration
        self.values = values
        self.name = getattr(declaration.target, "__name__", declaration.id)
        self.layout = self.shown = Layout("vector", 1, 1, 0)
        self.object: Any = None
        if inspect.isclass(declaration.target):
            self.object = made(declaration.target, values)
        self.row_by_row = False

    def bind(self, layout: Tuple[Any, ...]) -> Tuple[Any, ...]:
        """The layout of the rows that are made of rows of this layout."""
        self._set_layout(layout)
        return self.layout

    def _set_layout(self, layout: Tuple[Any, ...]) -> None:
        """Images and grids are shown as such to who says to accept them, to others as vectors."""
        self.layout = self.shown = Layout(*layout)
        if not self.layout.ragged and self.layout.kind not in self.declaration.options["accepts"]:
            self.shown = Layout("vector", 1, 1, self.layout.size)

    # Calls

    def _given(self, method: str, **extra: Any) -> Dict[str, Any]:
        wanted = self.declaration.wanted[method]
        return {name: extra[name] if name in extra else self.layout for name in wanted}

    def _context(self, native: Any) -> Context:
        return Context(native, self.declaration.options["random"])

    def _call(self, method: str, **extra: Any) -> Any:
        """The function, or a method of the object, with what it asks for of `extra`."""
        if self.object is None:
            return self.declaration.target(**self._given("call", **extra), **self.values)
        return getattr(self.object, method)(**self._given(method, **extra))

    def _said(self, method: str = "apply") -> str:
        return f"what {self.name}{'' if self.object is None else '.' + method}() returned"

    # What was learned

    def files(self) -> List[str]:
        """Files besides the parameters' whose content is part of what is computed."""
        named = getattr(self.object, "files", None)
        return [os.path.abspath(f) for f in named()] if callable(named) else []

    def saved(self) -> Tuple[str, List[Tuple[str, str, np.ndarray]]]:
        """As `semblance._state` lays it out."""
        return _state.written(self._learned())

    def _learned(self) -> Any:
        return None

    def arrays_of(self, text: str) -> List[Tuple[str, str]]:
        """The arrays that belong to the text of a saved state."""
        return _state.arrays_of(text)

    def load(self, text: str, arrays: Dict[str, np.ndarray]) -> None:
        """The contrary of `saved`."""
        self._take(_state.read(text, arrays))

    def _take(self, learned: Any) -> None:
        return None

    def _learn(self, **given: Any) -> Any:
        """Call the method fit; then what it learned is as if it had been saved and loaded."""
        result = self._call("fit", **given)
        state = self.object.save() if hasattr(self.object, "save") else vars(self.object)
        if not isinstance(state, dict):
            raise Refused(f"{self._said('save')} is no dictionary of what was learned")
        self.learned = {name: _state.settled(value) for name, value in state.items()}
        self._restore(self.learned)
        return result

    def _restore(self, learned: Dict[str, Any]) -> None:
        self.learned = learned
        self.object = made(self.declaration.target, self.values)
        state = {name: _state.opened(value) for name, value in learned.items()}
        if hasattr(self.object, "load"):
            self.object.load(state)
        else:
            vars(self.object).update(state)

    # Rows in blocks of one size

    def _made_of(self, samples: Values) -> np.ndarray:
        """The rows made of these, as float32 of the right shape."""
        raise NotImplementedError

    def apply(self, samples: Values, out: np.ndarray, context: Any) -> None:
        """Write a row of `out` for each of the samples."""
        self._in_blocks(samples, out, context, self._made_of)

    def _in_blocks(self, samples: Values, out: np.ndarray, context: Any,
                   made_of: Callable[[Values], np.ndarray]) -> None:
        count, most = _rows_of(samples), blocks.rows_at_once()
        for first in range(0, count, most):
            context.check_stop()
            rows = min(most, count - first)
            if isinstance(samples, tuple):
                block = _range(samples, first, first + rows)
            else:
                block = _tile(samples, first, most)
            result = made_of(block)
            if not self.row_by_row and rows > 1:
                self._check_rows(block, rows, result, made_of)
            out[first:first + rows] = result[:rows]

    def _check_rows(self, block: Values, rows: int, result: np.ndarray,
                    made_of: Callable[[Values], np.ndarray]) -> None:
        """Once: that a row's result does not depend on the rows beside it."""
        order = np.arange(_rows_of(block))
        order[:rows] = rows - 1
        alone = made_of(_chosen(block, order))[0]
        scale = np.abs(result).max(initial=0)
        if not np.allclose(alone, result[rows - 1], rtol=1e-3, atol=1e-4 * scale):
            raise Refused(f"{self._said()} for a row depends on the rows beside it, or differs "
                          "from call to call; each row must get the same result wherever it stands")
        self.row_by_row = True

    def _checked(self, result: Any, shape: Tuple[int, ...], samples: Values) -> np.ndarray:
        array = _numeric(result, self._said())
        if array.shape != shape:
            raise Refused(f"{self._said()} has the shape {_size(array.shape)}, not {_size(shape)}: "
                          f"{self._shape_says()}")
        return _finite(array, self._said(), "values")

    def _shape_says(self) -> str:
        return "a row for each sample"


class Similarity(Adapter):
    """``f(bases, samples)``, or a class with ``fit(bases)`` and ``apply(samples)``."""

    bases: Values
    indices: np.ndarray

    def set_bases(self, bases: Values, indices: np.ndarray, context: Any) -> None:
        """Keep a copy of the bases, and learn from them where it is a class."""
        self.count = _rows_of(bases)
        self.bases = _chosen(bases, np.arange(self.count))
        if self.object is None:
            self._check_pairs()
        else:
            self._learn(bases=shaped(self.shown, self.bases), indices=_locked(indices.copy()),
                        context=self._context(context))

    def _learned(self) -> Any:
        if self.object is not None:
            return {"count": self.count, "learned": self.learned}
        ragged = isinstance(self.bases, tuple)
        return {"values": self.bases[0] if ragged else self.bases,
                "offsets": self.bases[1] if ragged else None}

    def _take(self, learned: Any) -> None:
        if self.object is not None:
            self.count = int(learned["count"])
            return self._restore(learned["learned"])
        values, offsets = learned["values"], learned["offsets"]
        if self.layout.ragged:
            wrong = offsets is None or values.ndim != 1 or offsets.dtype != np.int64 \
                or offsets.ndim != 1 or len(offsets) < 2 or offsets[0] != 0 or offsets[-1] != len(values) or (np.diff(offsets) <= 0).any() \
                or (np.diff(offsets) > self.layout.size).any()
            wrong = wrong or (np.diff(offsets) % self.layout.depth != 0).any()
            if not wrong and self.layout.kind == "string":
                wrong = not np.isin(values, np.arange(len(self.layout.alphabet))).all()
        else:
            wrong = offsets is not None or values.ndim != 2 or values.shape[1] != self.layout.size
            wrong = wrong or len(values) == 0
        if wrong or values.dtype != np.float32:
            raise _state.Untrusted("its saved bases are not samples like those that it compares; "
                                   "train it again")
        self.bases = (_locked(values), offsets) if self.layout.ragged else _locked(values)
        self.count = _rows_of(self.bases)

    def _shape_says(self) -> str:
        return "a row for each sample, a column for each basis"

    def _tile_of(self, bases: Values, samples: Values) -> np.ndarray:
        result = self._call("call", bases=shaped(self.shown, bases),
                            samples=shaped(self.shown, samples))
        return self._checked(result, (_rows_of(samples), _rows_of(bases)), samples)

    def _check_pairs(self) -> None:
        """That the similarity of a pair depends on nothing but the pair."""
        few = _tile(self.bases, 0, 3)
        both = self._tile_of(few, _tile(self.bases, 0, 4))
        alone = self._tile_of(_range(few, 0, 1), _tile(self.bases, 0, 4))
        scale = np.abs(both).max(initial=0)
        if not np.allclose(both[:, :1], alone, rtol=1e-3, atol=1e-4 * scale):
            raise Refused(f"{self._said()} for a basis and a sample depends on the other bases, or "
                          "differs from call to call; to learn from all bases, declare a class "
                          "with fit(bases) and apply(samples)")

    def _made_of(self, samples: Values) -> np.ndarray:
        return self._columns(samples, 0, self.count)

    def _columns(self, samples: Values, first: int, last: int) -> np.ndarray:
        """The similarities to the bases [first, last), in tiles that begin at the same bases
        whatever the range is."""
        if self.object is not None:
            result = self._call("apply", samples=shaped(self.shown, samples))
            whole = self._checked(result, (_rows_of(samples), self.count), samples)
            return whole[:, first:last]
        most = blocks.bases_at_once()
        begin = first // most * most
        columns = []
        for start in range(begin, last, most):
            bases = min(most, self.count - start)
            wide = bases if isinstance(self.bases, tuple) else -(-bases // 16) * 16
            columns.append(self._tile_of(_tile(self.bases, start, wide), samples)[:, :bases])
        whole = columns[0] if len(columns) == 1 else np.hstack(columns)
        return whole[:, first - begin:last - begin]

    def apply_range(self, samples: Values, first: int, out: np.ndarray, context: Any) -> None:
        """Write the similarities to the bases from `first` on, as many as `out` has columns."""
        last = first + out.shape[1]
        if first == last:
            return
        self._in_blocks(samples, out, context, lambda block: self._columns(block, first, last))

    def compare_with_itself(self, rows: Values, out: np.ndarray) -> None:
        """Write the similarity of each row to itself."""
        most = blocks.rows_at_once()
        for first in range(0, _rows_of(rows), most):
            count = min(most, _rows_of(rows) - first)
            block = _range(rows, first, first + count) if isinstance(rows, tuple) else \
                _tile(rows, first, most)
            out[first:first + count, 0] = np.diagonal(self._tile_of(block, block))[:count]


class Transform(Adapter):
    """A feature, or a normalizer: ``f(samples)``, or a class with ``apply(samples)``."""

    def bind(self, layout: Tuple[Any, ...]) -> Tuple[Any, ...]:
        self._set_layout(layout)
        self.given = self._output()
        return self.given

    def _output(self) -> Layout:
        """The layout of what is made: seen by trying it on rows that mean nothing."""
        rows = blocks.rows_at_once()
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = _numeric(self._result_for(self._trial(rows)), self._said())
        gives = self.declaration.options["gives"] or "vector"
        expected = {"vector": (2,), "image": (3, 4), "grid": (4,)}[gives]
        if result.ndim not in expected or len(result) != rows or result.size == 0:
            raise Refused(f"{self._said()} has the shape {_size(result.shape)} for {rows} samples; "
                          f"{'an image' if gives == 'image' else 'a ' + gives} for each is "
                          f"{' or '.join(_axes(gives, n) for n in expected)}"
                          f"{_SAY_GIVES if gives == 'vector' else ''}")
        return _layout_of(gives, result.shape)

    def _trial(self, rows: int) -> Values:
        """Rows of the layout, of which each series, string and set is as long as may be."""
        size = self.layout.size
        flat = np.linspace(0, 1, rows * size, dtype=np.float32)
        if self.layout.kind == "string":
            flat[:] = 0
        flat = _locked(flat)
        if self.layout.ragged:
            return flat, np.arange(0, rows * size + 1, size)
        return _locked(flat.reshape(rows, size))

    def _result_for(self, samples: Values) -> Any:
        method = "call" if self.object is None else "apply"
        return self._call(method, samples=shaped(self.shown, samples))

    def _made_of(self, samples: Values) -> np.ndarray:
        rows = _rows_of(samples)
        result = self._result_for(samples)
        flat = self.given is self.layout and self.shown.kind == "vector"
        shape = (rows, self.given.size) if flat else _shape_of(self.given, rows)
        values = self._checked(result, shape, samples)
        if values.ndim == 4 and self.given.kind == "image":
            values = values.transpose(0, 3, 1, 2)
        return values.reshape(rows, -1)


class Normalizer(Transform):
    """Gives rows like those it is given; where the option `size` says so, vectors of that size."""

    def _output(self) -> Layout:
        size = self.declaration.options["size"]
        if self.object is None or "fit" not in self.declaration.wanted:
            return super()._output()
        if size is None:
            if self.layout.ragged:
                raise Refused("a normalizer of samples that differ in size gives vectors; say "
                              "their size by the option 'size'")
            return self.layout
        number = self.values[size] if isinstance(size, str) else \
            announced(size, self.values, layout=self.layout)
        return Layout("vector", 1, 1, _whole(number, "the option 'size'"))

    def fit(self, samples: Values, labels: np.ndarray, classes: Tuple[str, ...],
            context: Any) -> Any:
        """Learn from the training rows."""
        self._learn(samples=shaped(self.shown, samples), labels=labels, classes=classes,
                    context=self._context(context))

    def _learned(self) -> Any:
        return self.learned

    def _take(self, learned: Any) -> None:
        self._restore(learned)


class Solver(Normalizer):
    """A class with ``fit(samples, labels)``; ``apply(samples)`` gives a score for each class."""

    scores = 0

    def _output(self) -> Layout:
        return Layout("vector", 1, 1, self.scores)

    def fit(self, samples: Values, labels: np.ndarray, classes: Tuple[str, ...],
            context: Any) -> Dict[str, Any]:
        """Learn from the training rows; returns what is reported."""
        result = self._learn(samples=shaped(self.shown, samples), labels=labels,
                             classes=classes, context=self._context(context))
        self._set_scores(len(classes))
        return figures(result, self._said("fit"), none_is_well=True)

    def _set_scores(self, count: int) -> None:
        self.scores = count
        self.given = self._output()

    def _learned(self) -> Any:
        return {"classes": self.scores, "learned": self.learned}

    def _take(self, learned: Any) -> None:
        self._restore(learned["learned"])
        self._set_scores(_whole(learned["classes"], "its saved number of classes"))

    def _shape_says(self) -> str:
        return "a row for each sample, a score for each class"


class Basis(Adapter):
    """A function that chooses training rows."""

    def count(self, rows: int, classes: int) -> int:
        """How many it chooses of so many rows."""
        how = self.declaration.options["count"]
        number = self.values[how] if isinstance(how, str) else \
            announced(how, self.values, rows=rows, classes=classes)
        return _whole(number, "the option 'count'")

    def select(self, samples: Any, labels: np.ndarray, classes: Tuple[str, ...],
               context: Any) -> List[int]:
        """The positions of the rows that it chooses."""
        given = None if samples is None else shaped(self.shown, samples)
        result = self._call("call", samples=given, labels=labels, classes=classes,
                            context=self._context(context))
        array = _numeric(result, self._said())
        if array.ndim != 1 or (array.dtype.kind not in "iu" and array.size):
            raise Refused(f"{self._said()} is an array of {array.dtype} of the shape "
                          f"{_size(array.shape)}, not the positions of training rows (whole "
                          "numbers, one behind the other)")
        return [int(i) for i in array]


class Evaluator(Adapter):
    """A function of scores and labels that returns figures by name."""

    def evaluate(self, scores: np.ndarray, labels: np.ndarray, classes: Tuple[str, ...],
                 context: Any) -> Dict[str, Any]:
        """The figures."""
        result = self._call("call", scores=scores, labels=labels, classes=classes,
                            context=self._context(context))
        return figures(result, self._said(), none_is_well=False)


def figures(result: Any, what: str, none_is_well: bool) -> Dict[str, Any]:
    """Numbers and texts by name, as Python's own types."""
    if result is None and none_is_well:
        return {}
    if not isinstance(result, dict):
        raise Refused(f"{what} is no dictionary of figures by name, but {type(result).__name__}")
    found: Dict[str, Any] = {}
    for name, value in result.items():
        if isinstance(value, (bool, np.bool_)) or not isinstance(
                value, (int, float, str, np.integer, np.floating)):
            raise Refused(f"the figure '{name}' in {what} is {value!r}, not a number or a text")
        if not isinstance(value, (str, int, np.integer)) and not np.isfinite(value):
            raise Refused(f"the figure '{name}' in {what} is {value}")
        found[str(name)] = value if isinstance(value, str) else \
            int(value) if isinstance(value, (int, np.integer)) else float(value)
    return found


def announced(function: Callable[..., Any], values: Dict[str, Any], **known: Any) -> Any:
    """What the function of an option says, given what it asks for."""
    every = {**values, **known}
    return function(**{name: every[name] for name in inspect.signature(function).parameters
                       if name in every})


def _whole(number: Any, what: str) -> int:
    if isinstance(number, bool) or not isinstance(number, (int, np.integer)) or number < 1:
        raise Refused(f"{what} is {number!r}, not a whole number of at least 1")
    return int(number)


_SAY_GIVES = "; for images or grids, say gives=\"image\" or gives=\"grid\""


def _axes(layout: str, axes: int) -> str:
    names = {("vector", 2): "(samples, values)", ("image", 3): "(samples, height, width)",
             ("image", 4): "(samples, height, width, channels)",
             ("grid", 4): "(samples, height, width, values)"}
    return names[layout, axes]


def _layout_of(kind: str, shape: Tuple[int, ...]) -> Layout:
    if kind == "vector":
        return Layout(kind, 1, 1, shape[1])
    return Layout(kind, shape[1], shape[2], shape[3] if len(shape) == 4 else 1)


def _shape_of(layout: Layout, rows: int) -> Tuple[int, ...]:
    if layout.kind == "vector":
        return rows, layout.depth
    if layout.kind == "image" and layout.depth == 1:
        return rows, layout.height, layout.width
    return rows, layout.height, layout.width, layout.depth


class Context:
    """What a function may ask for as `context`: random numbers, the log, and whether to stop.

    Attributes
    ----------
    random : numpy.random.Generator
        Seeded by the run's seed: the same numbers in each run. For components that are declared
        with ``random=True``.
    stop_requested : bool
        Whether Ctrl-C was pressed or the deadline has passed; a solver then returns the best that
        it has.
    threads : int
        Threads of the run.
    memory_budget : int
        Bytes of memory that the call may use for itself.
    """

    def __init__(self, native: Any, is_random: bool) -> None:
        self._native = native
        self._is_random = is_random
        self._generator: Any = None

    @property
    def seed(self) -> int:
        """A whole number below 2**32 that depends on the run's seed."""
        if not self._is_random:
            raise AttributeError("the component is not declared random: say random=True, so that "
                                 "the runtime knows that its result depends on the seed")
        return int(self._native.seed % 2**32)

    @property
    def random(self) -> np.random.Generator:
        if self._generator is None:
            self._generator = np.random.Generator(np.random.PCG64(self.seed))
        return self._generator

    @property
    def stop_requested(self) -> bool:
        return bool(self._native.stop_requested)

    @property
    def threads(self) -> int:
        return int(self._native.threads)

    @property
    def memory_budget(self) -> int:
        return int(self._native.memory_budget)

    def check_stop(self) -> None:
        """End the call where a stop was requested."""
        self._native.check_stop()

    def log(self, message: str) -> None:
        """One line for the run's log."""
        self._native.log(str(message))

    def warn(self, message: str) -> None:
        """One line for the run's log, shown to the user as well."""
        self._native.warn(str(message))

    def progress(self, done: float, total: float) -> None:
        """`done` of `total` units of work, for the display."""
        self._native.progress(float(done), float(total))


KINDS: Dict[str, Any] = {
    "basis": Basis,
    "evaluator": Evaluator,
    "feature": Transform,
    "normalizer": Normalizer,
    "similarity": Similarity,
    "solver": Solver,
}


def adapter(declaration: Declaration, values: Dict[str, Any]) -> Adapter:
    """The component with these parameters."""
    return KINDS[declaration.kind](declaration, values)
