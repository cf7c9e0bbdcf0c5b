# SPDX-License-Identifier: MIT
"""Experiments and statements: the terms in which the papers are described here."""
import inspect
from dataclasses import dataclass, field
from typing import Callable

HOLDS, PARTLY, FAILS = "holds", "holds in part", "does not hold"
NOT_RUN = "not run"


@dataclass(frozen=True)
class Experiment:
    """One figure or table: a pipeline or study below pipelines/, at the paper's size and scaled down."""

    name: str  # "figure_2a"; unique in its paper
    shows: str  # "Fig. 2a: single similarities"
    file: str  # "be_svm/figure_2a.yaml"
    verb: str = "ablate"  # or "run"
    always: tuple[str, ...] = ()  # arguments at both sizes
    full: tuple[str, ...] = ()  # arguments at the paper's size alone
    scaled: tuple[str, ...] = ()  # arguments of the scaled-down form alone
    keep: tuple[str, ...] = ()  # NODE.FIGURE, besides a study's metric; of a run all figures that are stored
    compared: tuple[tuple[str, str], ...] = ()  # two methods whose difference is tested, by name

    def arguments(self, size: str) -> list[str]:
        return [*self.always, *(self.full if size == "full" else self.scaled)]


@dataclass(frozen=True)
class Statement:
    """A sentence or figure of a paper, and the function that judges it from the results."""

    where: str  # "3.5, Fig. 3"
    says: str
    paper: str  # the figures printed there, or ""
    judge: Callable  # its parameters are names of experiments; returns (measured, verdict or NOT_RUN)
    why: str = ""  # the reason, as far as known, if it does not hold exactly

    def needs(self) -> list[str]:
        return list(inspect.signature(self.judge).parameters)


@dataclass
class Paper:
    """A paper: its experiments in order, and its statements."""

    name: str  # the folder below pipelines/
    title: str
    experiments: list[Experiment]
    statements: list[Statement] = field(default_factory=list)
    tables: list[tuple[str, Callable]] = field(default_factory=list)  # heading, and the function that writes it

    def states(self, where: str, says: str, paper: str = "", why: str = ""):
        """Decorates the function that judges a statement."""

        def keep(judge: Callable) -> Callable:
            self.statements.append(Statement(where, says, paper, judge, why))
            return judge

        return keep

    def table(self, heading: str):
        """Decorates a function that writes a table of results: a list of rows, the first one names."""

        def keep(write: Callable) -> Callable:
            self.tables.append((heading, write))
            return write

        return keep


def verdict(holds: bool, partly: bool = False) -> str:
    return HOLDS if holds else PARTLY if partly else FAILS
