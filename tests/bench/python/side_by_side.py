# SPDX-License-Identifier: MIT
"""Two machines on the same data, in turns: accuracy, wall time and processor time of both."""

from __future__ import annotations

import os
import statistics
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional


@dataclass
class Timed:
    """What one machine took: the median of all rounds, in seconds."""

    walls: Dict[str, List[float]] = field(default_factory=dict)
    processors: Dict[str, List[float]] = field(default_factory=dict)
    accuracy: float = 0.0
    predictions: Any = None
    machine: Any = None

    def measured(self, what: str, work: Callable[[], Any]) -> Any:
        wall, processor = time.perf_counter(), processor_time()
        result = work()
        self.walls.setdefault(what, []).append(time.perf_counter() - wall)
        self.processors.setdefault(what, []).append(processor_time() - processor)
        return result


def processor_time() -> float:
    """Seconds of all threads, and of the processes that were started, ended or not."""
    used = os.times()
    ended = used.children_user + used.children_system
    return used.user + used.system + ended + sum(map(_seconds, _children("self")))


def _children(process: str) -> List[str]:
    try:
        return [child for file in Path(f"/proc/{process}/task").glob("*/children")
                for child in file.read_text().split()]
    except OSError:  # it has ended meanwhile
        return []


def _seconds(process: str) -> float:
    try:
        said = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    own = sum(int(ticks) for ticks in said[11:15]) / os.sysconf("SC_CLK_TCK")
    return own + sum(map(_seconds, _children(process)))


def compare(machines: Dict[str, Callable[[], Any]], X: Any, y: Any, X_test: Any, y_test: Any,
            rounds: int = 3) -> Dict[str, Timed]:
    """Fits and applies each machine `rounds` times, in turns, and prints a table."""
    found = {name: Timed() for name in machines}
    for _ in range(rounds):
        for name, make in machines.items():
            timed = found[name]
            timed.machine = make()
            timed.measured("fit", lambda: timed.machine.fit(X, y))
            timed.predictions = timed.measured("predict", lambda: timed.machine.predict(X_test))
            timed.accuracy = float((timed.predictions == y_test).mean())
    show(found)
    first, second = (timed.predictions for timed in found.values())
    print(f"other predictions: {int((first != second).sum())} of {len(y_test)}")
    return found


def show(found: Dict[str, Timed]) -> None:
    steps = list(next(iter(found.values())).walls)
    print(f"{'':20}{'accuracy':>10}" + "".join(f"{step + ' wall':>14}{'processor':>11}"
                                               for step in steps))
    for name, timed in found.items():
        print(f"{name:20}{timed.accuracy:10.4f}" + "".join(
            f"{statistics.median(timed.walls[step]):12.4f} s"
            f"{statistics.median(timed.processors[step]):9.4f} s" for step in steps))
    one, other = found.values()
    print(f"{'ratio':20}{'':10}" + "".join(
        f"{statistics.median(one.walls[step]) / statistics.median(other.walls[step]):14.2f}"
        f"{ratio(one.processors[step], other.processors[step])}" for step in steps))


def ratio(one: List[float], other: List[float]) -> str:
    below = statistics.median(other)
    return f"{statistics.median(one) / below:11.2f}" if below >= 0.02 else f"{'':11}"


def data_folder(name: str) -> Optional[Path]:
    """A folder of real data below $SEMBLANCE_DATA; None, and a word, where it is not there."""
    folder = Path(os.environ.get("SEMBLANCE_DATA", "")) / name
    if os.environ.get("SEMBLANCE_DATA") and folder.is_dir():
        return folder
    print(f"skipped: there is no {name} below $SEMBLANCE_DATA")
    return None
