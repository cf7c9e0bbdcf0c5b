#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the gallery's scripts, and updates their pictures and the page that shows them.

    ./semblance python docs/gallery/draw.py            # all
    ./semblance python docs/gallery/draw.py ml3 sets   # some
"""
import ast
import os
import runpy
import sys
import textwrap
import warnings
from pathlib import Path

import semblance

FOLDER = Path(__file__).resolve().parent

#: Where a build has the program, for scripts that call it; an installation has it on the path.
PROGRAMS = Path(semblance.__file__).absolute().parents[2] / "bin"

#: In the order of the page.
SCRIPTS = ["replace_svc", "own_measure", "choose_C_and_gamma", "calibrated_refused", "intervals",
           "novelty", "dtw_ragged", "strings", "sets", "text", "indefinite", "ml3",
           "same_or_different", "ablation", "export_to_c"]

HEAD = """# Gallery

One idea each, in fewer than forty lines, on data that come with scikit-learn or are made on the
spot. The tests run all of them. `./semblance python docs/gallery/draw.py` draws the pictures again.
"""


def run(name):
    """The variables of a script after its run, and its figure."""
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    pyplot.close("all")
    if str(PROGRAMS) not in os.environ["PATH"].split(os.pathsep):
        os.environ["PATH"] = os.pathsep.join([str(PROGRAMS), os.environ["PATH"]])
    with pyplot.style.context(["default", "tableau-colorblind10"]), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="FigureCanvasAgg is non-interactive")
        warnings.filterwarnings("ignore", message="Matplotlib is currently using agg")
        return runpy.run_path(str(FOLDER / f"{name}.py"), run_name="__main__"), pyplot.gcf()


def versions():
    """What pictures depend on besides the scripts; each picture has it in its metadata."""
    import matplotlib
    import sklearn
    return f"Matplotlib {matplotlib.__version__}, scikit-learn {sklearn.__version__}"


def save(figure, file):
    figure.savefig(file, dpi=80, metadata={"Software": versions()})


def title_and_text(name):
    """The first line of a script's documentation, and what follows it."""
    first, _, rest = ast.get_docstring(ast.parse((FOLDER / f"{name}.py").read_text())).partition(
        "\n\n")
    return first.rstrip("."), " ".join(rest.split())


def page():
    """The text of README.md."""
    parts = [HEAD]
    for name in SCRIPTS:
        title, text = title_and_text(name)
        shown = textwrap.fill(f"{text} [{name}.py]({name}.py)", 100, break_long_words=False,
                              break_on_hyphens=False)
        parts.append(f"## {title}\n\n{shown}\n\n![{title}]({name}.png)\n")
    return "\n".join(parts)


def main():
    for name in sys.argv[1:] or SCRIPTS:
        print(f"{name}:", flush=True)
        save(run(name)[1], FOLDER / f"{name}.png")
    (FOLDER / "README.md").write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
