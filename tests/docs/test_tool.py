# SPDX-License-Identifier: MIT
"""The tool itself: what is wrong on a page is seen, and its place is right."""
import tempfile
import unittest
from pathlib import Path

import commands
import python_session
import snippets
import test_pages
from workplace import Workplace

PAGE = """# A title: `code`, and more

Words with `./semblance run
FILE` and a [link](other.md#there).

<!-- not run: too long -->
```sh
./semblance run pipelines/gone.yaml
```

```
figures 0.5
```
"""


class Tool(unittest.TestCase):
    def test_a_page_is_taken_apart(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "page.md"
            file.write_text(PAGE, encoding="utf-8")
            page = snippets.read(file)
            self.assertEqual([(b.line, b.language, b.marks) for b in page.blocks],
                             [(8, "sh", {"not run": "too long"}), (12, "", {})])
            self.assertEqual([(s.line, s.text) for s in page.spans],
                             [(1, "code"), (3, "./semblance run FILE")])
            self.assertEqual(page.links, [(4, "other.md#there")])
            self.assertEqual(page.anchors, {"a-title-code-and-more"})
            file.write_text("<!-- not rum: a slip -->\n", encoding="utf-8")
            with self.assertRaisesRegex(ValueError, "page.md:1: this comment means nothing"):
                snippets.read(file)
            file.write_text("```sh\nls\n", encoding="utf-8")
            with self.assertRaisesRegex(ValueError, "page.md:2: the block has no end"):
                snippets.read(file)

    def test_a_shell_text_is_split_into_commands(self):
        self.assertEqual(commands.split("a b \\\n  c && d > out | e 'f g' # h\n\ni"),
                         [["a", "b", "c"], ["d"], ["e", "f g"], ["i"]])
        self.assertEqual(commands.split("DIR=x ./semblance run --set a=b"),
                         [["./semblance", "run", "--set", "a=b"]])

    def test_lines_are_alike_but_for_blanks_and_rounding(self):
        self.assertTrue(test_pages.alike("accuracy  88.60 %", "accuracy 88.50 %"))
        for shown, printed in [("accuracy 88.60 %", "accuracy 80.60 %"), ("a b", "a"),
                               ("accuracy 88.60 %", "precision 88.60 %"), ("1", "one")]:
            self.assertFalse(test_pages.alike(shown, printed), (shown, printed))

    def test_blocks_of_python_share_names_and_tell_where_they_fail(self):
        work = Workplace()
        self.addCleanup(work.close)
        session = python_session.Session(work.environment, work.folder("session"))
        self.addCleanup(session.close)
        page = Path("page.md")
        define = snippets.Block(page, 3, "python", "def f(x):\n    return 1 / x\n")
        self.assertEqual(session.run(define), (True, ""))
        use = "import inspect\nprint(f(2), 'f(x)' in inspect.getsource(f))\n"
        self.assertEqual(session.run(snippets.Block(page, 9, "python", use)), (True, "0.5 True\n"))
        well, printed = session.run(snippets.Block(page, 15, "python", "print('a')\nf(0)\n"))
        self.assertFalse(well)
        self.assertRegex(printed, "(?s)^a\n.*page.md:15.*, line 16,.*, line 4,.*ZeroDivisionError")

    def test_a_command_that_cannot_be_right_is_found(self):
        work = Workplace()
        self.addCleanup(work.close)
        judge = commands.Judge(work, work.folder("judge"))
        for right in ["run FILE --threads 2", "run pipelines/quickstart.yaml --out x", "list",
                      "run pipelines/be_svm/cifar10.yaml --set nodes.svm.C=2",
                      "ablate pipelines/ml3/table_2.yaml --data nowhere", "--version"]:
            self.assertIsNone(judge.problem(["./semblance", *right.split()]), right)
        for wrong, told in [("rum FILE", "unknown command 'rum'"),
                            ("run FILE --thread 2", "no option --thread"),
                            ("run pipelines/gone.yaml", "gone.yaml"),
                            ("run pipelines/quickstart.yaml --set nodes.svm.C=2", "svm"),
                            ("run pipelines/be_svm/cifar10.yaml --set nodes.svm.c=2", "'C'")]:
            self.assertIn(told, judge.problem(["./semblance", *wrong.split()]) or "", wrong)
