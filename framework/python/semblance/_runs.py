# SPDX-License-Identifier: MIT
"""Runs and studies from Python."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import weakref
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Sequence

from . import _data, _errors, _native, _notebook
from ._model import Model, load
from ._pipeline_text import UNNAMED, overrides_of, text_of
from ._predictions import read_predictions
from ._progress import Progress

if TYPE_CHECKING:
    import pandas


class _Folder:
    """The folder of a run's results: the user's, or one that is removed with the result."""

    def __init__(self, out: Optional["str | os.PathLike[str]"]) -> None:
        if out is not None:
            self.path = os.path.abspath(out)
            return
        self.path = tempfile.mkdtemp(prefix="semblance-")
        weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)

    def file(self, *names: str) -> Optional[str]:
        path = os.path.join(self.path, *names)
        return path if os.path.exists(path) else None


class RunResult:
    """The result of a run.

    Attributes
    ----------
    out : str
        The folder with everything, as ``semblance run --out`` fills it. A temporary one lives as
        long as this object.
    metrics : dict
        The content of metrics.json: ``metrics["nodes"]["test"]["accuracy"]``.
    warnings : list of str
    stopped_by : str
        What stopped the run before its end; empty if nothing did.
    """

    def __init__(self, told: Mapping[str, Any], folder: _Folder,
                 labels: Optional[_data.Labels] = None) -> None:
        self._folder, self._figures = folder, told["figures"]
        self._labels = labels
        self.out: str = folder.path
        self.metrics: Dict[str, Any] = json.loads(told["metrics"])
        self.warnings: List[str] = list(told["warnings"])
        self.stopped_by: str = told["stopped_by"] if told["end"] == "stopped" else ""
        self._model: Optional[Model] = None

    @property
    def figures(self) -> Dict[str, Dict[str, Any]]:
        """The numbers that each evaluator reported: ``figures["test"]["accuracy"]``."""
        known = self.metrics["figures"]
        return {name: {key: value for key, value in node.items()
                       if key in known.get(node["component"], {})}
                for name, node in self.metrics["nodes"].items()
                if node["component"].startswith("evaluator/")}

    @property
    def model(self) -> Model:
        """The trained pipeline.

        Raises
        ------
        SemblanceError
            The run was stopped before it had trained anything.
        """
        if self._model is None:
            folder = self._folder.file("model")
            if folder is None:
                raise _native.SemblanceError("this run has left no model: no solver was trained")
            self._model = load(folder)
            self._model._labels = self._labels
        return self._model

    @property
    def predictions(self) -> Dict[str, Any]:
        """The solvers' predictions for the test samples, by node: one data frame each, with the
        columns of predictions/NODE.csv. Without pandas, one dict of arrays each."""
        return read_predictions(os.path.join(self.out, "predictions"))

    @property
    def report(self) -> Optional[str]:
        """The path of the page; None if the run was stopped too early for one."""
        return self._folder.file("report.html")

    def __repr__(self) -> str:
        name = self.metrics["pipeline"]
        lines = [f"<semblance run of {name}>"] + self._figures.splitlines()
        if self.stopped_by:
            lines.append(f"stopped by {self.stopped_by}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return _notebook.text(repr(self)) + _notebook.confusion_matrices(self.metrics)


class StudyResult:
    """The result of a study.

    Attributes
    ----------
    out : str
        The folder with everything, as ``semblance ablate --out`` fills it. A temporary one lives
        as long as this object.
    study : dict
        The content of study.json.
    warnings : list of str
    failed : int
        How many variants failed.
    stopped : bool
        Whether it was stopped before its end.
    """

    def __init__(self, told: Mapping[str, Any], folder: _Folder) -> None:
        self._folder, self._rows, self._text = folder, told["rows"], told["text"]
        self.out: str = folder.path
        self.study: Dict[str, Any] = json.loads(told["study"])
        self.warnings: List[str] = list(told["warnings"])
        self.failed: int = told["failed"]
        self.stopped: bool = told["end"] == "stopped"

    @property
    def table(self) -> pandas.DataFrame:
        """A data frame with one row per combination: its choices, mean and standard deviation of
        the metric, average rank, and the value for each repeat. Needs pandas."""
        import pandas
        study = self.study
        results = {study["metric"], "deviation", "average_rank", "best", "error"}
        slots = [f"slot {slot['name']}" if slot["name"] in results else slot["name"]
                 for slot in study["slots"]]
        fixed = {*slots, *results}
        rows = []
        for method, standing in zip(study["methods"], study["comparison"]["methods"]):
            row: Dict[str, Any] = dict(zip(slots, method["choices"]))
            row[study["metric"]] = standing["mean"]
            row["deviation"] = standing.get("deviation")
            row["average_rank"] = standing.get("average_rank")
            row["best"] = standing["best"]
            if len(study["blocks"]) > 1:
                row.update((block if block not in fixed else f"on {block}", measured["value"])
                           for block, measured in zip(study["blocks"], method["measurements"]))
            errors = [measured["error"] for measured in method["measurements"]
                      if measured.get("error")]
            row["error"] = errors[0] if errors else ""
            rows.append(row)
        names = [method["name"] for method in study["methods"]]
        frame = pandas.DataFrame(rows, index=pandas.Index(names, name="variant"))
        for slot in slots:  # choices that are all numbers, to be plotted over
            numbers = pandas.to_numeric(frame[slot], errors="coerce")
            if numbers.notna().all():
                frame[slot] = numbers
        return frame

    @property
    def tests(self) -> pandas.DataFrame:
        """A data frame of the paired tests against the baseline: one row per combination and test,
        with the mean difference, p, p after Holm's correction, or the reason why there is none.
        Needs pandas."""
        import pandas
        rows = []
        for standing in self.study["comparison"]["methods"]:
            for test, found in (standing.get("tests") or {}).items():
                rows.append({"variant": standing["name"], "test": test,
                             "difference": standing.get("difference"), "p": found.get("p"),
                             "p_holm": found.get("p_holm"), "remark": found.get("remark", "")})
        columns = ["variant", "test", "difference", "p", "p_holm", "remark"]
        return pandas.DataFrame(rows, columns=columns).set_index(["variant", "test"])

    @property
    def report(self) -> Optional[str]:
        """The path of the page."""
        return self._folder.file("report.html")

    def __repr__(self) -> str:
        return f"<semblance study {self.study['study']}>\n{self._text.rstrip()}"

    def _repr_html_(self) -> Optional[str]:
        if not self._rows:
            return None
        best = [standing["best"] for standing in self.study["comparison"]["methods"]]
        rows = [[row[0] + " (best)" * is_best, *row[1:]]
                for row, is_best in zip(self._rows[1:], best)]
        return _notebook.table(self._rows[0], rows)


def run(pipeline: Any, data: Optional[Mapping[str, Any]] = None, *,
        set: Optional[Mapping[str, Any]] = None, seed: Optional[int] = None,
        out: Optional["str | os.PathLike[str]"] = None, threads: Optional[int] = None,
        memory: Optional["int | str"] = None, deadline: Optional[float] = None,
        cache: "bool | str | os.PathLike[str]" = True,
        data_folder: Optional["str | os.PathLike[str]"] = None, plugins: Sequence[Any] = (),
        progress: Optional[bool] = None, on_interrupt: str = "raise") -> RunResult:
    """Runs a pipeline, as ``semblance run`` does: same checks, figures, model and page.

    Parameters
    ----------
    pipeline : str, path or dict
        A file; the text itself (YAML or JSON); or the same as a dict, in which components may be
        objects.
    data : dict, optional
        Arrays for the pipeline's sources, by their names: X, (X, y), (X, y, X_test) or
        (X, y, X_test, y_test), or a dict of these that may have more: ``target`` and
        ``target_test``, numbers in place of labels; ``sample_weight``, how much each training
        sample counts; ``groups``, which of them belong together, so that no fold and no
        `test_fraction` divides them, with those of X_test behind them if known. Without test
        samples, the source's share `test_fraction`, if given, is set aside. The seed decides which
        samples these are; for arrays the choice differs from that for files. Float32 arrays in C
        order are not copied.
    set : dict, optional
        Changes, as --set makes them: ``{"nodes.svm.C": 10, "nodes.x.is": "normalizer/zscore"}``.
    seed : int, optional
        Replaces the pipeline's.
    out : path, optional
        The folder for the results; None: a temporary one that lives as long as the result.
    threads : int, optional
        None: all cores. Results do not depend on it.
    memory : int or str, optional
        Budget in bytes, or such as "4G"; None: 80 % of the machine's.
    deadline : float, optional
        Seconds after which the run stops; finished results are retained.
    cache : bool or path
        The store of finished work: True: the user's, False: none.
    data_folder : path, optional
        The folder of relative paths in the pipeline.
    plugins : sequence of paths
        Plugins besides the installed ones; they stay loaded in this process.
    progress : bool, optional
        None: a bar if tqdm is installed and there is a terminal or notebook.
    on_interrupt : {"raise", "return"}
        Whether Ctrl-C raises KeyboardInterrupt, or gives the best model so far.

    Raises
    ------
    PipelineError
        The pipeline is wrong; the error lists everything that is wrong with it.
    SemblanceError
        A component failed, or nothing useful was left when the run was stopped.
    ValueError, TypeError
        An argument is wrong.

    Examples
    --------
    >>> import semblance
    >>> result = semblance.run({"nodes": {
    ...     "shapes": {"is": "source/glyphs", "train_per_class": 20, "test_per_class": 5},
    ...     "hog": {"is": "feature/hog", "cell": 4, "from": "shapes"},
    ...     "svm": {"is": "solver/linear_svm", "from": "hog"},
    ...     "test": {"is": "evaluator/classification", "from": "svm"}}}, cache=False)
    >>> result.figures["test"]["accuracy"] > 0.5
    True
    """
    text, file = text_of(pipeline)
    options = _options(seed, threads, memory, deadline, cache, data_folder, plugins, on_interrupt)
    options["command"] = _command("run", file, set, seed)
    folder = _Folder(out)
    with Progress(progress) as shown:
        told = _native.run(text, file, _data.bind(text, file, data, set), overrides_of(set),
                           options, folder.path, shown.callback)
    return _finished(RunResult(told, folder, _data.labels_of(data)))


def ablate(study: Any, data: Optional[Mapping[str, Any]] = None, *,
           set: Optional[Mapping[str, Any]] = None, seed: Optional[int] = None,
           out: Optional["str | os.PathLike[str]"] = None, threads: Optional[int] = None,
           memory: Optional["int | str"] = None, deadline: Optional[float] = None,
           cache: "bool | str | os.PathLike[str]" = True,
           data_folder: Optional["str | os.PathLike[str]"] = None, plugins: Sequence[Any] = (),
           progress: Optional[bool] = None, on_interrupt: str = "raise",
           fail_fast: bool = False) -> StudyResult:
    """Runs all variants of a study, as ``semblance ablate`` does.

    Parameters
    ----------
    study : str, path or dict
        A study file; its text; or the same as a dict, in which components may be objects.
    fail_fast : bool
        Stop at the first variant that fails.
    data, set, seed, out, threads, memory, deadline, cache, data_folder, plugins, progress, \
on_interrupt
        As :func:`run` has them.

    Raises
    ------
    PipelineError
        The study or one of its variants is wrong.
    Stopped
        It was stopped before any variant was run.
    SemblanceError
        With `fail_fast`, a variant failed.
    """
    text, file = text_of(study)
    options = _options(seed, threads, memory, deadline, cache, data_folder, plugins, on_interrupt)
    options["command"] = _command("ablate", file, set, seed)
    folder = _Folder(out)
    with Progress(progress) as shown:
        told = _native.ablate(text, file, _data.bind(text, file, data, set), overrides_of(set),
                              options, folder.path, fail_fast, shown.callback)
    if not told["study"]:
        raise _native.Stopped("the study was stopped before any variant was run")
    return _finished(StudyResult(told, folder))


def check(pipeline: Any, data: Optional[Mapping[str, Any]] = None, *,
          set: Optional[Mapping[str, Any]] = None, seed: Optional[int] = None,
          data_folder: Optional["str | os.PathLike[str]"] = None,
          plugins: Sequence[Any] = ()) -> List[Dict[str, Any]]:
    """The problems of a pipeline or study: an empty list if it can run.

    Parameters
    ----------
    pipeline, data, set, seed, data_folder, plugins
        As :func:`run` has them.

    Returns
    -------
    list of dict
        Each with file, line, column, length, message, help and severity.
    """
    text, file = text_of(pipeline)
    options = {"seed": seed, "data_folder": _path(data_folder),
               "plugin_paths": [os.fspath(path) for path in plugins]}
    return _native.check(text, file, _data.bind(text, file, data, set), overrides_of(set), options)


def _path(path: Any) -> Optional[str]:
    return None if path is None else os.fspath(path)


def _options(seed: Any, threads: Any, memory: Any, deadline: Any, cache: Any, data_folder: Any,
             plugins: Sequence[Any], on_interrupt: str) -> Dict[str, Any]:
    if on_interrupt not in ("raise", "return"):
        raise ValueError(f"on_interrupt must be 'raise' or 'return', got {on_interrupt!r}")
    return {"seed": seed, "threads": threads, "memory": memory, "deadline": deadline,
            "cache": cache if isinstance(cache, bool) else os.fspath(cache),
            "data_folder": _path(data_folder),
            "plugin_paths": [os.fspath(path) for path in plugins],
            "return_on_interrupt": on_interrupt == "return"}


def _command(verb: str, file: str, changes: Optional[Mapping[str, Any]],
             seed: Optional[int]) -> str:
    """The command that repeats the run, for the page."""
    said = ["..." if file == UNNAMED else repr(file)]
    if changes:
        said.append(f"set={changes!r}")
    if seed is not None:
        said.append(f"seed={seed}")
    return f"semblance.{verb}({', '.join(said)})"


def _finished(result: Any) -> Any:
    for warning in result.warnings:
        _errors.warn(warning)
    return result
