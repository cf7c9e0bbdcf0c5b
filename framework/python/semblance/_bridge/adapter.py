# SPDX-License-Identifier: MIT
"""The common part of all kinds of components: calls, learned states, and rows in blocks of one size,
so that a row gets the same bits at any position."""

from __future__ import annotations

import contextlib
import copy
import functools
import inspect
import os
from typing import Any, Callable, Dict, Iterator, List, Tuple

import numpy as np

from .._declare import Declaration, Refused
from . import saved_state
from .values import (Layout, Measure, Values, chosen_rows, finite, numeric, row_count, row_range,
                     tile)

#: Pairs of a basis and a sample per call of a similarity. They stay in the cache even if it forms
#: the differences of all values of each pair.
_PAIRS = 4096


@functools.lru_cache(maxsize=None)
def rows_at_once() -> int:
    """The number of rows, at most 32, that this machine's matrix product treats alike.

    Some kernels of BLAS sum the products of a row in another order if the row is among the last of
    a block (OpenBLAS in float32 on processors without AVX-512, beyond eight rows).
    """
    return next(rows for rows in (32, 16, 8, 4, 2, 1) if _alike(rows))


def bases_at_once() -> int:
    """The number of bases per call of a similarity with `rows_at_once()` rows."""
    return _PAIRS // rows_at_once()


def _alike(rows: int) -> bool:
    """Whether rows get the same bits at all positions, in products of several sizes."""
    random = np.random.Generator(np.random.PCG64(0))
    for values, others in ((3, 16), (24, 20), (100, 128), (800, 48), (24, _PAIRS // rows)):
        x = random.random((rows, values), dtype=np.float32)
        y = random.random((others, values), dtype=np.float32)
        w = random.random((values, others), dtype=np.float32)
        products: Tuple[Callable[[np.ndarray], np.ndarray], ...] = (
            lambda x: x @ y.T, lambda x: (y @ x.T).T, lambda x: x @ w)
        expected = [product(x) for product in products]
        for shift in range(1, min(rows, 4)):
            moved = np.roll(x, shift, axis=0)
            if any(not np.array_equal(np.roll(e, shift, axis=0), product(moved))
                   for e, product in zip(expected, products)):
                return False
    return True


class Context:
    """The argument `context` of a function: random numbers, the log, and stop requests.

    Attributes
    ----------
    random : numpy.random.Generator
        Seeded with the run's seed: the same numbers in each run. For components declared with
        ``random=True``.
    stop_requested : bool
        Whether Ctrl-C was pressed or the deadline has passed; a solver then returns its best
        result so far.
    threads : int
        Threads of the run.
    memory_budget : int
        Bytes of memory that the call may use.
    check_stop()
        Ends the call if a stop was requested.
    log(message), warn(message)
        Write one line to the run's log; a warning is shown to the user, too.
    progress(done, total)
        Reports `done` of `total` units of work to the display.
    """

    def __init__(self, native: Any, is_random: bool) -> None:
        self._native = native
        self._is_random = is_random
        self._generator: Any = None

    def __getattr__(self, name: str) -> Any:
        if name in ("stop_requested", "threads", "memory_budget", "check_stop", "log", "warn",
                    "progress"):
            return getattr(self._native, name)
        if name in ("seed", "random"):  # its property has raised AttributeError
            raise AttributeError("the component is not declared random: say random=True, so that "
                                 "the runtime knows that its result depends on the seed")
        raise AttributeError(f"the context has no '{name}'")

    @property
    def seed(self) -> int:
        """A whole number below 2**32 that depends on the run's seed."""
        if not self._is_random:
            raise AttributeError
        return int(self._native.seed % 2**32)

    @property
    def random(self) -> np.random.Generator:
        if self._generator is None:
            self._generator = np.random.Generator(np.random.PCG64(self.seed))
        return self._generator


def own(values: Dict[str, Any]) -> Dict[str, Any]:
    """Copies of lists and dicts: a component may change what it is given."""
    return {name: copy.deepcopy(value) if isinstance(value, (dict, list)) else value
            for name, value in values.items()}


class Adapter:
    """A component with its parameters, as the runtime calls it.

    `layout` is the layout of the samples; it is known after `bind`.
    """

    def __init__(self, declaration: Declaration, values: Dict[str, Any]) -> None:
        self.declaration = declaration
        self.values = {name: Measure(value, name, lambda: self.layout)
                       if declaration.parameters[name].type == "component" else value
                       for name, value in values.items()}
        self.name = getattr(declaration.target, "__name__", declaration.id)
        self.layout = self.shown = Layout("vector", 1, 1, 0)
        self.object: Any = None
        if inspect.isclass(declaration.target):
            self.object = declaration.target(**own(self.values))
        self.row_by_row = False

    def bind(self, layout: Tuple[Any, ...]) -> Tuple[Any, ...]:
        """The layout of the rows that are made of rows of this layout."""
        self._set_layout(layout)
        return self.layout

    def _set_layout(self, layout: Tuple[Any, ...]) -> None:
        """Shows images and grids as such to components that accept them, as vectors to others."""
        self.layout = self.shown = Layout(*layout)
        if not self.layout.ragged and self.layout.kind not in self.declaration.options["accepts"]:
            self.shown = Layout("vector", 1, 1, self.layout.size)

    @contextlib.contextmanager
    def _trying(self) -> Iterator[None]:
        """Makes measures return zeros meanwhile: only the shape of a result matters."""
        measures = [value for value in self.values.values() if isinstance(value, Measure)]
        for measure in measures:
            measure.trying = True
        try:
            yield
        finally:
            for measure in measures:
                measure.trying = False

    # Calls

    def _given(self, method: str, **extra: Any) -> Dict[str, Any]:
        wanted = self.declaration.wanted[method]
        return {name: extra[name] if name in extra else self.layout for name in wanted}

    def _context(self, native: Any) -> Context:
        return Context(native, self.declaration.options["random"])

    def _call(self, method: str, **extra: Any) -> Any:
        """Calls the function, or a method of the object, with the names of `extra` it asks for."""
        if self.object is None:
            return self.declaration.target(**self._given("call", **extra), **own(self.values))
        return getattr(self.object, method)(**self._given(method, **extra))

    def _said(self, method: str = "apply") -> str:
        return f"what {self.name}{'' if self.object is None else '.' + method}() returned"

    # Learned states

    def files(self) -> List[str]:
        """Files whose content affects the result, besides those given as parameters."""
        named = getattr(self.object, "files", None)
        return [os.path.abspath(f) for f in named()] if callable(named) else []

    def saved(self) -> Tuple[str, np.ndarray]:
        """The learned state, in the form of `saved_state`."""
        return saved_state.written(self._learned())

    def _learned(self) -> Any:
        return None

    def load(self, text: str, arrays: np.ndarray) -> None:
        """The inverse of `saved`."""
        self._take(saved_state.read(text, arrays))

    def _take(self, learned: Any) -> None:
        return None

    def _learn(self, **given: Any) -> Any:
        """Calls the method fit, and leaves the state as if it had been saved and loaded."""
        result = self._call("fit", **given)
        state = self.object.save() if hasattr(self.object, "save") else vars(self.object)
        if not isinstance(state, dict):
            raise Refused(f"{self._said('save')} is no dictionary of what was learned")
        self.learned = {name: saved_state.settled(value) for name, value in state.items()
                        if not isinstance(value, Measure)}
        self._restore(self.learned)
        return result

    def _restore(self, learned: Dict[str, Any]) -> None:
        self.learned = learned
        self.object = self.declaration.target(**own(self.values))
        state = {name: saved_state.opened(value) for name, value in learned.items()}
        if hasattr(self.object, "load"):
            self.object.load(state)
        else:
            vars(self.object).update(state)

    # Rows in blocks of one size

    def _made_of(self, samples: Values) -> np.ndarray:
        """The output rows of these samples, as float32 of the right shape."""
        raise NotImplementedError

    def apply(self, samples: Values, out: np.ndarray, context: Any) -> None:
        """Writes one row of `out` per sample."""
        self._in_blocks(samples, out, context, self._made_of)

    def _in_blocks(self, samples: Values, out: np.ndarray, context: Any,
                   made_of: Callable[[Values], np.ndarray]) -> None:
        count, most = row_count(samples), rows_at_once()
        for first in range(0, count, most):
            context.check_stop()
            rows = min(most, count - first)
            if isinstance(samples, tuple):
                block = row_range(samples, first, first + rows)
            else:
                block = tile(samples, first, most)
            result = made_of(block)
            if not self.row_by_row and rows > 1:
                self._check_rows(block, rows, result, made_of)
            out[first:first + rows] = result[:rows]

    def _check_rows(self, block: Values, rows: int, result: np.ndarray,
                    made_of: Callable[[Values], np.ndarray]) -> None:
        """Checks, once, that a row's result does not depend on the rows beside it."""
        order = np.arange(row_count(block))
        order[:rows] = rows - 1
        alone = made_of(chosen_rows(block, order))[0]
        scale = np.abs(result).max(initial=0)
        if not np.allclose(alone, result[rows - 1], rtol=1e-3, atol=1e-4 * scale):
            raise Refused(f"{self._said()} for a row depends on the rows beside it, or differs "
                          "from call to call; each row must get the same result wherever it stands")
        self.row_by_row = True

    def _checked(self, result: Any, shape: Tuple[int, ...], samples: Values) -> np.ndarray:
        array = numeric(result, self._said())
        if array.shape != shape:
            raise Refused(f"{self._said()} has the shape {array.shape}, not {shape}: "
                          f"{self._shape_says()}")
        return finite(array, self._said(), "values")

    def _shape_says(self) -> str:
        return "a row for each sample"


def announced(function: Callable[..., Any], values: Dict[str, Any], **known: Any) -> Any:
    """The value of an option's function, called with the arguments that it asks for."""
    every = {**values, **known}
    return function(**{name: every[name] for name in inspect.signature(function).parameters
                       if name in every})
