#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the cells of notebooks, as Jupyter would, and stores their outputs, except for warnings.

    ./semblance python docs/notebooks/run.py docs/notebooks/first_steps.ipynb
"""
import ast
import contextlib
import io
import json
import linecache
import pprint
import sys
from pathlib import Path


def code_cells(notebook):
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def lines(text):
    return text.splitlines(keepends=True)


def displayed(value):
    """The forms in which a notebook shows a cell's last value."""
    forms = {}
    html = getattr(value, "_repr_html_", lambda: None)()
    if html is not None:
        forms["text/html"] = lines(html)
    plain = isinstance(value, (dict, list, tuple))
    forms["text/plain"] = lines(pprint.pformat(value, sort_dicts=False) if plain else repr(value))
    return forms


def run(cell, number, names):
    """The outputs of a cell: what it prints, and the value of its last expression."""
    name = f"<cell {number}>"
    text = "".join(cell["source"])
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    tree = ast.parse(text, name)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    value, printed = None, io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, name, "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), name, "eval"), names)
    outputs = []
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream",
                        "text": lines(printed.getvalue())})
    if value is not None:
        outputs.append({"data": displayed(value), "execution_count": number, "metadata": {},
                        "output_type": "execute_result"})
    return outputs


def run_all(notebook):
    """The outputs of each code cell."""
    names = {"__name__": "__main__"}
    return [run(cell, number, names) for number, cell in enumerate(code_cells(notebook), 1)]


def fill(file):
    """Stores the outputs in the notebook."""
    notebook = json.loads(file.read_text(encoding="utf-8"))
    for number, (cell, outputs) in enumerate(zip(code_cells(notebook), run_all(notebook)), 1):
        cell["execution_count"], cell["outputs"] = number, outputs
    file.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        fill(Path(argument))
