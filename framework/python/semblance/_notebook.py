# SPDX-License-Identifier: MIT
"""What a notebook shows of results: the figures, the confusion matrices, and the table of a study,
with the style of their pages and without scripts."""

from html import escape
from typing import Any, Iterator, List, Mapping, Sequence, Tuple

MOST_CLASSES = 30
MOST_CONFUSED = 8

# The page's rules are nested so that they do not affect the notebook. In there, rules for the whole
# page select nothing: the class `light` sets the colours, and other rules follow below.
FRAME = """<div class="semblance-view"><style>
.semblance-view {{
{style}
.light {{ background: var(--paper); color: var(--ink); font: 15px/1.5 var(--sans);
  font-variant-numeric: tabular-nums lining-nums; padding: 4px 20px 20px; max-width: 1060px; }}
.headline {{ margin-top: 16px; }}
h2 {{ margin-top: 28px; font-size: 18px; }}
.figure dd {{ font-size: 36px; }}
}}</style><div class="light">
{content}</div></div>
"""


def bar(share: float) -> str:
    return f'<span class="bar miss"><i style="width:{100 * share:.1f}%"></i></span>'


def figures(nodes: Sequence[Tuple[str, Sequence[Tuple[str, str]]]]) -> str:
    """The figures of evaluators in large type: (node, [(words, text), ...])."""
    if not nodes:
        return ""
    content = "".join(
        f'<div class="evaluator"><h2>{escape(node)}</h2><dl>' + "".join(
            f'<div class="figure"><dt>{escape(words)}</dt><dd>{escape(text.rstrip("%"))}' +
            ('<span class="unit">%</span>' if text.endswith("%") else "") + "</dd></div>"
            for words, text in shown) + "</dl></div>\n"
        for node, shown in nodes)
    return f'<section class="headline">{content}</section>\n'


def _matrices(metrics: Mapping[str, Any]) -> Iterator[Tuple[str, List[str], List[List[float]]]]:
    """Confusion matrices of evaluators: a title, the classes, the counts."""
    for node, reported in metrics["nodes"].items():
        for name, table in reported.items():
            if (reported["component"].startswith("evaluator/") and "confusion" in name and
                    isinstance(table, dict) and table["rows"] == table["columns"] and
                    2 <= len(table["rows"]) <= MOST_CLASSES):
                yield f"{node}, {name.replace('_', ' ')}", table["rows"], table["values"]


def _cell(count: float, share: float, right: bool, worst: float) -> str:
    if count == 0:
        return '<td class="zero">0</td>'
    # As deep as in the page: errors relative to the greatest one.
    depth = share if right else (share / worst) ** 0.7 * min(1, 0.35 + 2 * worst)
    deep = " deep" if depth > (0.8 if right else 0.98) else ""
    return f'<td class="{"hit" if right else "miss"}{deep}" style="--a:{depth:.3f}">{count:g}</td>'


def confusion_matrices(metrics: Mapping[str, Any]) -> str:
    content = ""
    for title, classes, counts in _matrices(metrics):
        shares = [[count / (sum(row) or 1) for count in row] for row in counts]
        wrong = sorted(((share, i, j) for i, row in enumerate(shares)
                        for j, share in enumerate(row) if i != j and share > 0),
                       key=lambda each: -each[0])
        worst = wrong[0][0] if wrong else 1
        names = [escape(name) for name in classes]
        rows = "".join(
            f'<tr><th scope="row">{names[i]}</th>' + "".join(
                _cell(count, shares[i][j], i == j, worst) for j, count in enumerate(row)) +
            f'<td class="recall">{100 * shares[i][i]:.1f}%</td></tr>\n'
            for i, row in enumerate(counts))
        heads = "".join(f'<th scope="col"><span>{name}</span></th>' for name in names)
        pairs = "".join(
            f'<li><span class="pair">{names[i]} <span class="as">as</span> {names[j]}</span>'
            f'<span class="value">{100 * share:.1f}%</span>{bar(share / worst)}</li>'
            for share, i, j in wrong[:MOST_CONFUSED])
        content += (
            f'<h4>{escape(title)}</h4><div class="confusion"><figure><div class="scroll">'
            f'<table class="heat"><thead><tr><td class="corner">true class</td>{heads}'
            '<th scope="col" class="recall"><span>recognized</span></th></tr></thead>'
            f'<tbody>{rows}</tbody></table></div></figure>' +
            (f'<aside><h4>Most confused</h4><ol class="pairs">{pairs}</ol></aside>' if pairs else
             "") + "</div>")
    return content


def results_table(rows: Sequence[Sequence[str]], best: int) -> str:
    """The table of a study: its heads, then a row per combination, of which one is the best."""
    heads = "".join(f'<th scope="col">{escape(text)}</th>' for text in rows[0])
    pill = ' <span class="pill">best</span>'
    body = "".join(
        f'<tr><th scope="row">{escape(row[0])}{pill if place == best else ""}</th>' +
        "".join(f"<td>{escape(text) or '–'}</td>" for text in row[1:]) + "</tr>\n"
        for place, row in enumerate(rows[1:]))
    return (f'<section><h2>Results</h2><div class="scroll"><table class="results"><thead><tr>{heads}'
            f"</tr></thead><tbody>{body}</tbody></table></div></section>\n")


def view(style: str, content: str) -> str:
    """A piece of HTML whose style does not affect the notebook; empty without content."""
    return FRAME.format(style=style, content=content) if content else ""
