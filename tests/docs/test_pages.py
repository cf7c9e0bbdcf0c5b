# SPDX-License-Identifier: MIT
"""README.md and the book: commands are run, pipelines checked, excerpts compared, links followed."""
import json
import re
import shutil
import unittest

import commands
import python_session
import snippets
from sampled import of_the_day
from workplace import SOURCE, Workplace

PAGES = [SOURCE / "README.md", *sorted((SOURCE / "docs").glob("*.md")),
         *sorted((SOURCE / "docs/benchmarks").glob("*.md")), SOURCE / "docs/gallery/README.md"]
KINDS = "source|feature|normalizer|basis|similarity|pair_kernel|pairs|solver|calibrator|evaluator"
# What a reader writes is called so; and what is in a plugin that is read when it is named.
OWN_NAMES = {"mine", "sklearn"}
WRITTEN = {"pipeline.yaml", "study.yaml"}  # by a run, or a study
# Components whose library may be missing, and the page about them.
OPTIONAL = {"source/molecules": "molecules"}
SKIPPED = "skipped"  # what a block printed that needs a program which is not there


def top_level(text):
    """The parts of a YAML file by their keys, in order, each with the comments before it."""
    parts = {}
    key = ""
    for line in text.splitlines(keepends=True):
        found = re.match(r"([A-Za-z_]\w*):", line)
        if found:
            key = found[1]
        parts[key] = parts.get(key, "") + line
    return parts


def alike(shown, printed):
    """Whether a printed line is the shown one: blanks do not count, and figures may differ by 2 %
    of their size: processors round differently."""
    shown, printed = shown.split(), printed.split()
    if len(shown) != len(printed):
        return False
    for a, b in zip(shown, printed):
        if a == b:
            continue
        try:
            a, b = float(a), float(b)
        except ValueError:
            return False
        if abs(a - b) > 0.02 * max(abs(a), abs(b)):
            return False
    return True


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.work = Workplace()
        cls.folder = cls.work.folder("judge")
        cls.judge = commands.Judge(cls.work, cls.folder)
        cls.pages = [snippets.read(file) for file in PAGES]
        listed = cls.work.run(["./semblance", "list", "--json"], cls.folder)
        cls.components = {c["id"] for c in json.loads(listed.stdout)}

    @classmethod
    def tearDownClass(cls):
        cls.work.close()

    def where(self, page, line):
        return f"{page.file.relative_to(SOURCE)}:{line}"

    def test_blocks(self):
        """Page after page, each in its own folder and from top to bottom, as a reader goes."""
        for number, page in of_the_day(dict(enumerate(self.pages)), days=5).items():
            if any(block.language == "python" for block in page.blocks):
                if not python_session.is_there():
                    print(f"skipped: {page.file.name}, since there is no Python package")
                    continue
            lacking = [c for c, stem in OPTIONAL.items()
                       if stem == page.file.stem and c not in self.components]
            if lacking:
                print(f"skipped: {page.file.name}, since there is no {lacking[0]}")
                continue
            folder = self.work.folder(f"{number}_{page.file.stem}")
            self.session = None
            printed = None
            for block in page.blocks:
                with self.subTest(self.where(page, block.line)):
                    printed = self.judged(block, folder, printed)
            if self.session:
                self.session.close()

    def judged(self, block, folder, printed):
        """Returns what the block has printed, for the block of output that may follow it."""
        if "excerpt of" in block.marks:
            self.excerpt(block, folder)
        elif block.language == "sh":
            return self.shell(block, folder)
        elif block.language == "python":
            return self.python(block, folder)
        elif block.language == "yaml":
            self.pipeline(block, folder)
        elif block.language in ("", "text"):
            if "not compared" not in block.marks:
                self.output(block, printed)
        else:
            self.fail(f"nobody checks a block of '{block.language}'; mark it as an excerpt")
        return None

    def shell(self, block, folder):
        needed = block.marks.get("needs")
        lacking = needed is not None and shutil.which(needed) is None
        if lacking:
            print(f"skipped: {block.page.name}:{block.line}, since there is no {needed}")
        if lacking or "not run" in block.marks:
            found = [c for c in commands.split(block.text) if c[0].endswith("semblance")]
            self.assertTrue(found, "nothing in it can be checked")
            for command in found:
                self.assertIsNone(self.judge.problem(command), " ".join(command))
            return SKIPPED if lacking else None
        # Blank lines before it make the shell's line numbers those of the page.
        script = "\n" * (block.line - 1) + block.text
        file = folder / f".{block.page.name}"
        file.write_text(script, encoding="utf-8")
        told = 'trap \'echo "this failed: line $LINENO: $BASH_COMMAND"\' ERR; set -eEuo pipefail; . '
        outcome = self.work.run(["bash", "-c", f"{told} ./{file.name}"], folder)
        self.assertEqual(outcome.returncode, 0, outcome.stdout)
        return outcome.stdout

    def python(self, block, folder):
        if "not run" in block.marks:
            compile(block.text, block.page.name, "exec")
            return None
        if self.session is None:
            self.session = python_session.Session(self.work.environment, folder)
        well, printed = self.session.run(block)
        self.assertTrue(well, printed)
        return printed

    def pipeline(self, block, folder):
        text = block.text
        if "with" in block.marks:
            parts = top_level((folder / block.marks["with"]).read_text(encoding="utf-8"))
            parts.update(top_level(text))
            text = "".join(parts.values())
        file = folder / f"block_{block.line}.yaml"
        file.write_text(text, encoding="utf-8")
        outcome = self.work.run(["./semblance", "check", file.name], folder)
        self.assertEqual(outcome.returncode, 0, outcome.stdout)

    def excerpt(self, block, folder):
        name = block.marks["excerpt of"]
        file = folder / name
        if not file.exists():
            file = SOURCE / name
        lines = [line.strip() for line in file.read_text(encoding="utf-8").splitlines()]
        start = 0
        for wanted in (line.strip() for line in block.text.splitlines() if line.strip()):
            if wanted in ("...", "// ..."):
                continue
            self.assertIn(wanted, lines[start:], f"{name} has no such line, or not in this order")
            start = lines.index(wanted, start) + 1

    def output(self, block, printed):
        if printed is SKIPPED:
            return
        self.assertIsNotNone(printed, "an output follows the commands that print it")
        lines = printed.splitlines()
        start = 0
        for wanted in block.text.splitlines():
            if wanted.strip() in ("", "..."):
                continue
            at = next((k for k in range(start, len(lines)) if alike(wanted, lines[k])), None)
            self.assertIsNotNone(at, f"not printed: {wanted}\nbut:\n{printed}")
            start = at + 1

    def test_commands_in_sentences(self):
        count = 0
        for page in self.pages:
            for span in page.spans:
                if not re.match(r"(\./)?semblance [a-z-]", span.text):
                    continue
                for command in commands.split(span.text):
                    if not command[0].endswith("semblance"):
                        continue
                    count += 1
                    with self.subTest(self.where(page, span.line), command=span.text):
                        self.assertIsNone(self.judge.problem(command))
        self.assertGreater(count, 40)

    def test_names_in_sentences(self):
        files = {f.name for f in (SOURCE / "pipelines").rglob("*.yaml")}
        options = self.judge.all_options()
        for page in self.pages:
            for span in page.spans:
                with self.subTest(self.where(page, span.line), code=span.text):
                    for kind, name in re.findall(rf"(?<![\w/.-])({KINDS})/(\w+)", span.text):
                        self.assertTrue(name in OWN_NAMES or name.isupper() or
                                        f"{kind}/{name}" in {*self.components, *OPTIONAL},
                                        f"there is no {kind}/{name}")
                    for path in re.findall(r"(?<![\w/])pipelines/[\w/.-]+\.yaml", span.text):
                        self.assertTrue((SOURCE / path).is_file(), f"there is no {path}")
                    if re.fullmatch(r"\w+\.yaml", span.text) and span.text not in WRITTEN:
                        self.assertIn(span.text, files)
                    if re.match(r"--[a-z]", span.text):
                        self.assertIn(re.match(r"--[a-z-]+", span.text)[0], options)

    def test_links(self):
        for page in self.pages:
            for line, target in page.links:
                if "://" in target:
                    continue
                with self.subTest(self.where(page, line), target=target):
                    path, _, anchor = target.partition("#")
                    file = page.file.parent / path if path else page.file
                    self.assertTrue(file.exists(), "there is no such file")
                    if anchor:
                        self.assertIn(anchor, snippets.read(file).anchors)

    def test_every_page_is_in_the_index(self):
        index = snippets.read(SOURCE / "docs" / "README.md")
        linked = {target.partition("#")[0] for _, target in index.links}
        for file in (SOURCE / "docs").glob("*.md"):
            if file.name != "README.md":
                self.assertIn(file.name, linked)
