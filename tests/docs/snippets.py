# SPDX-License-Identifier: MIT
"""What a page of Markdown holds: fenced blocks, code in sentences, links, headings.

The line above a block may say more of it, in a comment that readers do not see:

    <!-- needs: PROGRAM -->        of sh: as if marked "not run" where that program is not there.
    <!-- not run: WHY -->          of sh: too long, or needs what is not here. Its commands are still
                                   checked: files, options, components. Of python: its syntax is.
    <!-- with: PIPELINE.yaml -->   of yaml: a part of a pipeline. Its top-level keys replace those
                                   of the file, and the whole is checked.
    <!-- excerpt of: FILE -->      of any language: these lines stand in that file, in this order.
    <!-- not compared: WHY -->     of an output: it is not what the commands above it print.
"""
import re
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Block:
    page: Path
    line: int  # of its first line, from 1
    language: str
    text: str
    marks: dict = field(default_factory=dict)


@dataclass
class Span:
    """Code in a sentence or in a table."""
    line: int
    text: str


@dataclass
class Page:
    file: Path
    blocks: list
    spans: list
    links: list  # (line, target)
    anchors: set


MARK = re.compile(r"<!-- (not run|needs|with|excerpt of|not compared): (.+?) -->$")


def slug(heading):
    """The anchor that a heading gets."""
    kept = re.sub(r"[^\w\- ]", "", heading.strip().lower())
    return kept.replace(" ", "-")


def read(file):
    page = Page(file, [], [], [], set())
    prose = []
    block = None
    above = ""
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        if block is not None:
            if line.rstrip() == "```":
                page.blocks.append(block)
                block = None
            else:
                block.text += line + "\n"
        elif line.startswith("```"):
            mark = MARK.match(above)
            block = Block(file, number + 1, line[3:].strip(), "",
                          {mark[1]: mark[2]} if mark else {})
        else:
            if line.startswith("#"):
                page.anchors.add(slug(line.lstrip("#")))
            if line.startswith("<!--") and not MARK.match(line):
                raise ValueError(f"{file}:{number}: this comment means nothing: {line}")
            prose.append((number, line))
        above = line
    if block is not None:
        raise ValueError(f"{file}:{block.line}: the block has no end")
    _read_prose(page, prose)
    return page


def _read_prose(page, prose):
    """Code and links may go on in the next line, so paragraphs are read as a whole."""
    text = "\n".join(line for _, line in prose)
    numbers = [number for number, _ in prose]

    def line_of(position):
        return numbers[text.count("\n", 0, position)]

    for found in re.finditer(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", text, re.S):
        page.spans.append(Span(line_of(found.start()), " ".join(found[2].split())))
    for found in re.finditer(r"\[[^\]]*\]\(([^)\s]+)\)", text):
        page.links.append((line_of(found.start()), found[1]))
