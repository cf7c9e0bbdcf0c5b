# SPDX-License-Identifier: MIT
"""Writes the page: every statement with the paper's figures, the measured ones, and a verdict."""
import inspect

from .experiment import FAILS, HOLDS, NOT_RUN, PARTLY, Paper
from .record import Record

Records = dict[str, Record]  # by name of experiment

INTRODUCTION = {
    "full": """Every figure, table and statement of the three papers that Semblance reproduces, at the papers' size.
`pipelines/reproduce --full` runs all of it and writes this page; a stopped run resumes where it was. Verdicts are
computed from the figures; only the reasons why a statement does not hold exactly are written by hand.
""",
    "scaled": """Every figure, table and statement of the three papers that Semblance reproduces, **scaled down** to a part
of their data: verdicts at this size show that everything runs and what to expect, no more.
`pipelines/reproduce --full` runs the papers' sizes.
""",
}


def page(papers: list[Paper], records: dict[str, Records], size: str) -> str:
    """The page as Markdown; `records` by name of paper. Experiments that were not run are listed."""
    parts = ["# The papers, statement by statement", "", INTRODUCTION[size], summary(papers, records)]
    for paper in papers:
        parts += ["", f"## {paper.title}", ""]
        if not records[paper.name]:
            parts.append("Nothing of it was run.")
            continue
        parts += statements(paper, records[paper.name])
        for heading, write in paper.tables:
            rows = written(write, records[paper.name])
            if rows:
                parts += ["", f"### {heading}", "", *markdown(rows)]
        parts += ["", "### Experiments", "", *commands(paper, records[paper.name]),
                  *left_out(paper, records[paper.name])]
    return "\n".join(parts) + "\n"


def judged(statement, records: Records) -> tuple[str, str]:
    """(measured, verdict)"""
    missing = [name for name in statement.needs() if name not in records]
    if missing:
        return f"{' and '.join(missing)}: {NOT_RUN}", NOT_RUN
    measured, verdict = statement.judge(*(records[name] for name in statement.needs()))
    return measured + (f". Why: {statement.why}" if statement.why and verdict != HOLDS else ""), verdict


def written(write, records: Records):
    names = list(inspect.signature(write).parameters)
    return write(*(records[name] for name in names)) if all(n in records for n in names) else None


def statements(paper: Paper, records: Records) -> list[str]:
    rows = [["statement", "paper", "measured", "verdict", "by"]]
    for statement in paper.statements:
        measured, verdict = judged(statement, records)
        if verdict == NOT_RUN:
            continue
        rows.append([f"{statement.says} ({statement.where})", statement.paper, measured, verdict,
                     ", ".join(statement.needs())])
    return markdown(rows)


def commands(paper: Paper, records: Records) -> list[str]:
    rows = [["", "what", "command", "time", "on"]]
    for experiment in paper.experiments:
        record = records.get(experiment.name)
        if record is None:
            continue
        time = duration(record.seconds) + (", continued" if record.continued else "")
        rows.append([experiment.name, experiment.shows, f"`{record.command}`", time,
                     f"{record.processor}, {record.threads} threads, {record.date}"])
    return markdown(rows)


def left_out(paper: Paper, records: Records) -> list[str]:
    missing = [e.name for e in paper.experiments if e.name not in records]
    return ["", f"Not run: {', '.join(missing)}."] if missing else []


def summary(papers: list[Paper], records: dict[str, Records]) -> str:
    rows = [["paper", HOLDS, PARTLY, FAILS, NOT_RUN, "time of all runs"]]
    for paper in papers:
        verdicts = [judged(s, records[paper.name])[1] for s in paper.statements]
        seconds = sum(r.seconds for r in records[paper.name].values())
        rows.append([paper.title, *(str(verdicts.count(v)) for v in rows[0][1:5]), duration(seconds)])
    return "\n".join(markdown(rows))


def markdown(rows: list[list[str]]) -> list[str]:
    lines = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    return [lines[0], "|" + " --- |" * len(rows[0]), *lines[1:]]


def duration(seconds: float) -> str:
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes < 100 else f"{minutes / 60:.1f} h"
