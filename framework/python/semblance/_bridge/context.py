# SPDX-License-Identifier: MIT
"""The object that a component receives as `context`."""

from __future__ import annotations

from typing import Any

import numpy as np


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
        """Ends the call if a stop was requested."""
        self._native.check_stop()

    def log(self, message: str) -> None:
        """Writes one line to the run's log."""
        self._native.log(str(message))

    def warn(self, message: str) -> None:
        """Writes one line to the run's log and shows it to the user."""
        self._native.warn(str(message))

    def progress(self, done: float, total: float) -> None:
        """Reports `done` of `total` units of work to the display."""
        self._native.progress(float(done), float(total))
