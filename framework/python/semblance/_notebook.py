# SPDX-License-Identifier: MIT
"""What a notebook shows of results: texts, confusion matrices, and the table of a study."""

from html import escape
from typing import Any, Callable, Mapping, Sequence

#: Larger matrices are on the page only.
MOST_CLASSES = 30

HIT, MISS = "42,93,143", "178,58,40"


def text(content: str) -> str:
    return f"<pre>{escape(content)}</pre>\n"


def table(heads: Sequence[str], rows: Sequence[Sequence[str]],
          style: Callable[[int, int], str] = lambda row, column: "") -> str:
    """A table whose first column names the rows; `style` is that of a cell behind it."""
    head = "".join(f'<th style="text-align:right">{escape(name)}</th>' for name in heads)
    body = "".join(
        f'<tr><th style="text-align:left">{escape(row[0])}</th>' + "".join(
            f'<td style="text-align:right;{style(i, j)}">{escape(cell) or "–"}</td>'
            for j, cell in enumerate(row[1:])) + "</tr>\n" for i, row in enumerate(rows))
    return ('<div style="overflow-x:auto"><table style="font-variant-numeric:tabular-nums">'
            f"<thead><tr>{head}</tr></thead><tbody>\n{body}</tbody></table></div>\n")


def confusion_matrices(metrics: Mapping[str, Any]) -> str:
    """The confusion matrices of evaluators; colours are shares of the true class."""
    content = ""
    for node, reported in metrics["nodes"].items():
        for name, found in reported.items():
            if (reported["component"].startswith("evaluator/") and "confusion" in name and
                    isinstance(found, dict) and found["rows"] == found["columns"] and
                    2 <= len(found["rows"]) <= MOST_CLASSES):
                content += text(f"{node}, {name.replace('_', ' ')} (rows: true classes)")
                content += _matrix(found["rows"], found["values"])
    return content


def _matrix(classes: Sequence[str], counts: Sequence[Sequence[float]]) -> str:
    def style(i: int, j: int) -> str:
        share = counts[i][j] / (sum(counts[i]) or 1)
        shade = share if i == j else share ** 0.5  # rare errors are seen, too
        words = "color:#fff" if shade > 0.5 else ""
        return f"background:rgba({HIT if i == j else MISS},{shade:.3f});{words}"
    rows = [[name, *(f"{count:g}" for count in row)] for name, row in zip(classes, counts)]
    return table(["", *classes], rows, style)
