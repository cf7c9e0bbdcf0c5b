# SPDX-License-Identifier: MIT
"""The pictures at the beginning of pages show what the program shows today."""
import importlib.util
import shutil
import unittest

from sampled import of_the_day
from workplace import PROGRAM, SOURCE

FOLDER = SOURCE / "docs" / "pictures"


def drawing():
    """docs/pictures/draw.py as a module."""
    specification = importlib.util.spec_from_file_location("draw", FOLDER / "draw.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


class Pictures(unittest.TestCase):
    def test_pages_begin_with_their_pictures(self):
        pictures = drawing().PICTURES
        self.assertEqual({f.stem for f in FOLDER.glob("*.png")}, set(pictures))
        for name, (_, page) in pictures.items():
            lines = (SOURCE / "docs" / page).read_text().splitlines()
            first = next(i for i, line in enumerate(lines) if f"(pictures/{name}.png)" in line)
            self.assertLess(first, 12, page)
            self.assertFalse(any(line.startswith("## ") for line in lines[:first]), page)
            self.assertLess((FOLDER / f"{name}.png").stat().st_size, 130_000, name)

    @unittest.skipUnless(shutil.which("chromium"), "there is no chromium")
    def test_they_show_what_the_program_shows(self):
        draw = drawing()
        for name in of_the_day(dict.fromkeys(draw.PICTURES), days=5):
            with self.subTest(name):
                shown = set(draw.text_in(FOLDER / f"{name}.png").split())
                gone = shown - set(draw.seen(PROGRAM, name)[0].split())
                # A word more or less is no other picture.
                self.assertLess(len(gone), 1 + len(shown) / 10,
                                f"draw it again: docs/pictures/draw.py PROGRAM {name}: {gone}")


if __name__ == "__main__":
    unittest.main()
