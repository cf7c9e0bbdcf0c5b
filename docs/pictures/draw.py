#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the pictures at the beginning of pages of the book, each from a run.

    docs/pictures/draw.py PROGRAM              # all; PROGRAM is a built or installed semblance
    docs/pictures/draw.py PROGRAM board study  # some

Each is what a browser shows of one part of a page. The text in it, without its numbers, is in the
picture's file, so that tests find out that a page says something else by now.
"""
import base64
import contextlib
import re
import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
SOURCE = FOLDER.parents[1]
sys.path.insert(0, str(SOURCE / "tests" / "program"))
from browser import Browser  # noqa: E402

WHY = """name: why
nodes:
  points: {is: source/friedman, train: 200, test: 50}
  x:      {is: normalizer/zscore, from: points}
  fit:    {is: solver/kernel_svr, kernel: {is: similarity/rbf, gamma: 0.05}, C: 10, from: x}
  test:   {is: evaluator/regression, from: fit}
  why:    {is: evaluator/explanations, from: fit}
"""


class Run:
    """The program in a folder of its own."""

    def __init__(self, program, folder):
        self.program, self.folder = str(Path(program).resolve()), folder

    def __call__(self, *arguments):
        done = subprocess.run([self.program, *map(str, arguments)], cwd=self.folder, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"semblance {arguments}: {done.stdout}")
        return done.stdout


@contextlib.contextmanager
def page(file, selector):
    """The address of a file, and the part of it that is drawn."""
    yield f"file://{file}", selector


def study(run):
    """How the error of the quickstart changes with each of its choices."""
    run("ablate", SOURCE / "pipelines/quickstart_study.yaml", "--quiet", "--out", "study")
    return page(run.folder / "study/report.html", "[data-title='effects of the slots']")


def explanations(run):
    """Which columns made the estimates of some samples."""
    (run.folder / "why.yaml").write_text(WHY)
    run("run", "why.yaml", "--quiet", "--out", "why")
    return page(run.folder / "why/report.html", "#evaluation section.node:last-of-type")


def concepts(run):
    """The graph of the quickstart."""
    drawing = run.folder / "graph.svg"
    run("graph", SOURCE / "pipelines/quickstart.yaml", "--out", drawing)
    file = run.folder / "graph.html"
    file.write_text(f"<meta charset=utf-8><div id=graph style='width:1000px'>{drawing.read_text()}"
                    "</div><style>svg{width:100%;height:auto}</style>")
    return page(file, "#graph")


def plugins(run):
    """The report of a measure that `new-plugin` has begun."""
    run("new-plugin", "similarity/mine")
    made = run.folder / "mine/build"
    prefix = Path(run.program).parents[1]
    for command in (["cmake", "-G", "Ninja", "-S", "mine", "-B", made,
                     f"-DCMAKE_PREFIX_PATH={prefix}"], ["cmake", "--build", made]):
        subprocess.run(command, cwd=run.folder, check=True, stdout=subprocess.DEVNULL)
    run("run", "mine/pipeline.yaml", "--plugin-path", made, "--quiet", "--out", "report")
    return page(run.folder / "report/report.html", "#evaluation")


@contextlib.contextmanager
def board(run):
    """Runs of one pipeline, one of them with a tag, two of them compared; and a study."""
    quickstart = SOURCE / "pipelines/quickstart.yaml"
    for gamma in (1, 2, 4):
        run("run", quickstart, "--quiet", "--set", f"nodes.rbf.gamma={gamma}")
    run("ablate", SOURCE / "pipelines/quickstart_study.yaml", "--quiet")
    identity = run("history", "list").split()[0]
    run("history", "tag", identity, "baseline")
    server = subprocess.Popen([run.program, "board", "--port", "0"], cwd=run.folder, text=True,
                              stdout=subprocess.PIPE)
    try:
        yield re.search(r"http://\S+", server.stdout.readline())[0], "main.board"
    finally:
        server.terminate()
        server.wait()


#: The pictures by their names, and the pages that begin with them.
PICTURES = {"study": (study, "studies.md"), "board": (board, "board.md"),
            "explanations": (explanations, "explanations.md"), "plugins": (plugins, "plugins.md"),
            "concepts": (concepts, "concepts.md")}


def without_numbers(text):
    """Words alone: processors round differently, and every run takes another time."""
    return " ".join(re.sub(r"[-+]?\d[\d.,:TZ×e-]*", "#", text).split())


def seen(program, name):
    """The text and the picture, as PNG, that a browser shows."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as holder:
        folder = Path(holder)
        run = Run(program, folder)
        with PICTURES[name][0](run) as (address, selector):
            browser = Browser(folder / "profile")
            try:
                browser.open(address)
                browser.wait_for(f"document.querySelector({selector!r})")
                browser.wait_for("document.readyState === 'complete'")
                if name == "board":
                    browser.wait_for("document.querySelectorAll('.row.item').length === 4")
                    browser.evaluate("document.querySelectorAll('.row.item input').forEach("
                                     "(box, i) => { if (i === 1 || i === 3) box.click(); });"
                                     "document.getElementById('compare').click()")
                    browser.wait_for("document.getElementById('tests')")
                browser.evaluate("document.querySelectorAll('.download, [download]')"
                                 ".forEach((link) => link.remove())")
                place = browser.evaluate(
                    f"(() => {{ const part = document.querySelector({selector!r});"
                    "const box = part.getBoundingClientRect();"
                    "return {x: box.x + scrollX, y: box.y + scrollY, width: box.width,"
                    "        height: Math.min(box.height, 700), text: part.innerText}; })()")
                text = without_numbers(place.pop("text"))
                shot = browser.command("Page.captureScreenshot", format="png",
                                       captureBeyondViewport=True, clip={**place, "scale": 1})
                return text, base64.b64decode(shot["data"])
            finally:
                browser.close()


def with_text(png, text):
    """The picture with the text in its metadata."""
    data = b"Shows\0" + text.encode("latin-1", "replace")
    chunk = struct.pack(">I", len(data)) + b"tEXt" + data
    chunk += struct.pack(">I", zlib.crc32(b"tEXt" + data))
    end = 8 + 25  # after the signature and the header
    return png[:end] + chunk + png[end:]


def text_in(file):
    """The text of a picture that this script has drawn."""
    png = file.read_bytes()
    begin = png.index(b"tEXtShows\0")
    length = struct.unpack(">I", png[begin - 4:begin])[0]
    return png[begin + 4 + len(b"Shows\0"):begin + 4 + length].decode("latin-1")


def main():
    for name in sys.argv[2:] or PICTURES:
        text, png = seen(sys.argv[1], name)
        (FOLDER / f"{name}.png").write_bytes(with_text(png, text))
        print(f"{name}: {len(png)} bytes: {text[:200]}")


if __name__ == "__main__":
    main()
