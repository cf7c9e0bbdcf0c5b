# SPDX-License-Identifier: MIT
"""The results of an experiment, as a small file that outlives its run: figures by method and block,
and how they came about. Pages are written from records alone."""
import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import fmean


@dataclass
class Record:
    experiment: str
    size: str  # "full" or "scaled"
    command: str
    pipeline: str  # sha256 of the pipeline file
    date: str
    processor: str
    threads: int
    seconds: float
    continued: bool  # parts were taken from the store: the time is not that of all
    metric: str = ""  # the figure that a study compares
    slots: list[str] = field(default_factory=list)
    blocks: list[str] = field(default_factory=lambda: [""])
    # Each {"choices": [...], "figures": {NAME: [one a block]}, "rank", "tests" against the baseline}
    methods: list[dict] = field(default_factory=list)
    tables: dict = field(default_factory=dict)  # NODE.TABLE of a run: {"rows", "columns", "values"}
    compared: dict = field(default_factory=dict)  # "A against B": {"test", "p"}
    steps: list[dict] = field(default_factory=list)  # of a study in steps; the selection of a run

    def save(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(".json.part")
        lines = ["{"]
        entries = list(asdict(self).items())
        for i, (key, value) in enumerate(entries):
            comma = "," if i + 1 < len(entries) else ""
            if key == "methods":
                rows = ",\n  ".join(json.dumps(method) for method in value)
                lines.append(f' "methods": [\n  {rows}]{comma}')
            else:
                lines.append(f" {json.dumps(key)}: {json.dumps(value)}{comma}")
        unfinished.write_text("\n".join(lines) + "\n}\n")
        os.replace(unfinished, path)

    @staticmethod
    def load(path: Path) -> "Record":
        return Record(**json.loads(path.read_text()))

    def methods_with(self, **choices) -> list[dict]:
        """The methods with these alternatives; SLOT="NAME"."""
        unknown = set(choices) - set(self.slots)
        if unknown:
            raise KeyError(f"{self.experiment} has no slot {sorted(unknown)}; it has {self.slots}")
        return [m for m in self.methods
                if all(m["choices"][self.slots.index(slot)] == str(wanted)
                       for slot, wanted in choices.items())]

    def has(self, **choices) -> bool:
        """Whether there is such a method: a scaled-down study may lack it."""
        return len(self.methods_with(**choices)) > 0

    def method(self, **choices) -> dict:
        """The one method with these alternatives."""
        found = self.methods_with(**choices)
        if len(found) != 1:
            raise KeyError(f"{self.experiment}: {len(found)} methods with {choices}")
        return found[0]

    def values(self, figure: str = "", **choices) -> list[float]:
        """The figure of the one method with these alternatives, in each block."""
        values = self.method(**choices)["figures"].get(figure or self.metric)
        if values is None:
            raise KeyError(f"{self.experiment} keeps no {figure or self.metric}")
        return values

    def mean(self, figure: str = "", **choices) -> float:
        """Over the blocks in which it was measured."""
        return fmean(v for v in self.values(figure, **choices) if v is not None)

    def tested(self, method: str, other: str) -> str:
        """The test of their difference, in words; "" where there is none at this size."""
        found = self.compared.get(f"{method} against {other}")
        if not found:
            return ""
        p = found["p"]
        return f"; {found['test']} p {'< 0.001' if p < 0.001 else f'= {p:.3f}'}"

    def p_value(self, test: str, **choices):
        """The p value of the difference from the study's baseline, not corrected; None without such a test."""
        return self.method(**choices)["tests"].get(test, {}).get("p")

    def alternatives(self, slot: str) -> list[str]:
        index = self.slots.index(slot)
        return list(dict.fromkeys(m["choices"][index] for m in self.methods))
