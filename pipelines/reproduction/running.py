# SPDX-License-Identifier: MIT
"""Runs an experiment with the program and keeps what it measured."""
import csv
import hashlib
import json
import subprocess
import tempfile
import time
from datetime import date
from pathlib import Path

from .experiment import Experiment
from .record import Record

PIPELINES = Path(__file__).resolve().parent.parent
TREE = PIPELINES.parent


TESTS = {"McNemar's test": "mcnemar_p", "a paired t test": "t_p"}  # columns of table.csv


class Failure(Exception):
    """Why an experiment left no results."""


class Runner:
    """Runs experiments of one size with one program, below one folder."""

    def __init__(self, program: str, size: str, folder: Path, options: list[str]):
        self.program, self.size, self.folder, self.options = program, size, folder, options

    def record_path(self, paper: str, experiment: Experiment) -> Path:
        return self.folder / paper / f"{experiment.name}.json"

    def kept(self, paper: str, experiment: Experiment) -> Record | None:
        """The record of the same pipeline with the same arguments, if there is one."""
        path = self.record_path(paper, experiment)
        if not path.is_file():
            return None
        record = Record.load(path)
        same = (record.command == self.shown_command(experiment) and record.size == self.size and
                record.pipeline == sha256_of(PIPELINES / experiment.file))
        return record if same else None

    def run(self, paper: str, experiment: Experiment) -> Record:
        results = self.folder / "runs" / paper / experiment.name
        continued = results.exists()
        results.mkdir(parents=True, exist_ok=True)
        command = [self.program, experiment.verb, str(PIPELINES / experiment.file), "--quiet",
                   "--out", str(results), *experiment.arguments(self.size), *self.options]
        start = time.monotonic()
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        seconds = time.monotonic() - start
        if done.returncode != 0:
            raise Failure(last_lines(done.stderr) or f"exit code {done.returncode}")
        record = self.read(experiment, results, seconds, continued)
        record.save(self.record_path(paper, experiment))
        return record

    def shown_command(self, experiment: Experiment) -> str:
        """The command that a reader types for the same run."""
        words = ["./semblance", experiment.verb, f"pipelines/{experiment.file}"]
        for argument in [*experiment.arguments(self.size), *self.options]:
            words.append(f'"{argument}"' if set(argument) & set(" {}[]") else argument)
        return " ".join(words)

    def read(self, experiment: Experiment, results: Path, seconds: float, continued: bool) -> Record:
        # A study in steps has the metrics of each step.
        files = [results / "metrics.json", *sorted(results.glob("steps/*/metrics.json"))]
        metrics = json.loads(next(file for file in files if file.is_file()).read_text())
        record = Record(
            experiment=experiment.name, size=self.size, command=self.shown_command(experiment),
            pipeline=sha256_of(PIPELINES / experiment.file), date=date.today().isoformat(),
            processor=processor_name(), threads=metrics["threads"], seconds=round(seconds, 1),
            continued=continued)
        if experiment.verb == "ablate":
            read_study(record, experiment, results)
        else:
            read_run(record, experiment, metrics)
        for method, other in experiment.compared:
            found = self.compare(results, method, other)
            if found:
                record.compared[f"{method} against {other}"] = found
        return record

    def compare(self, results: Path, method: str, other: str) -> dict | None:
        """The test that `semblance compare` finds right for two methods, not corrected."""
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([self.program, "compare", str(results), "--baseline", other, "--out", folder],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            if "unknown method" in done.stderr:
                return None  # which a scaled-down study may lack
            if done.returncode != 0:
                raise Failure(last_lines(done.stderr))
            with open(Path(folder) / "table.csv", newline="") as file:
                rows = {row["method"]: row for row in csv.DictReader(file)}
        for name, column in TESTS.items():
            if rows.get(method, {}).get(column):
                return {"test": name, "p": rounded(float(rows[method][column]))}
        return None


def read_study(record: Record, experiment: Experiment, results: Path) -> None:
    study = json.loads((results / "study.json").read_text())
    record.metric = study["metric"]
    record.slots = [slot["name"] for slot in study["slots"]]
    record.blocks = study["blocks"]
    standings = {m["name"]: m for m in study["comparison"]["methods"]}
    for method in study["methods"]:
        figures = {record.metric: [rounded(m["value"]) for m in method["measurements"]]}
        for name in experiment.keep:
            figures[name] = [kept_figure(results, method["name"], block, name) for block in study["blocks"]]
        standing = standings[method["name"]]
        record.methods.append({"choices": method["choices"], "figures": figures,
                               "rank": standing["average_rank"], "tests": standing["tests"]})
    for name in experiment.keep:
        if all(v is None for m in record.methods for v in m["figures"][name]):
            raise Failure(f"no variant reports {name}")
    record.steps = [{key: step[key] for key in ("step", "chosen", "mean", "trials")}
                    for step in study.get("steps", [])]


def kept_figure(results: Path, method: str, block: str, name: str):
    """A figure of a variant; None if its component does not report it."""
    variant = results / "variants" / (f"{method},{block}" if block else method)
    node, figure = name.split(".")
    return rounded(json.loads((variant / "metrics.json").read_text())["nodes"][node].get(figure))


def read_run(record: Record, experiment: Experiment, metrics: dict) -> None:
    figures = {}
    for name in experiment.keep:
        node, figure = name.split(".")
        value = metrics["nodes"][node][figure]
        if isinstance(value, dict):
            record.tables[name] = value
        else:
            figures[name] = [rounded(value)]
    record.methods = [{"choices": [], "figures": figures}]
    if "selection" in metrics:
        record.steps = [{key: metrics["selection"][key] for key in ("chosen", "mean", "trials")}]


def rounded(value):
    """To seven digits: more says nothing, and files stay small."""
    return float(f"{value:.7g}") if isinstance(value, float) else value


def sha256_of(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def processor_name() -> str:
    try:
        for line in open("/proc/cpuinfo"):
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return "unknown"


def last_lines(text: str, count: int = 6) -> str:
    return "\n".join(text.strip().splitlines()[-count:])
