# SPDX-License-Identifier: MIT
"""Two-class and multiclass tables as people bring them: years, coordinates, times, prices, codes, counts,
on their own levels and in their own units. Nothing is centred or scaled."""
import csv
import gzip
import itertools
import math
import os
import random
from pathlib import Path

ROWS = 200


def _table(make, seed, classes=2, rows=ROWS):
    """`make(random, class)` gives a row."""
    draw = random.Random(seed)
    kinds = [i % classes for i in range(rows)]
    return [make(draw, kind) for kind in kinds], [f"c{kind}" for kind in kinds]


def _columns(*parts):
    """Each part: (level, deviation, how many deviations the classes differ by)."""
    def row(draw, kind):
        return [level + deviation * (draw.gauss(0, 1) + shift * kind) for level, deviation, shift in parts]
    return row


def _clusters(*centres, deviation=1.0):
    """Classes that lie in turns around centres far apart."""
    def row(draw, kind):
        centre = draw.choice(centres)
        return [centre + deviation * (draw.gauss(0, 1) + 2 * kind), centre + deviation * draw.gauss(0, 1)]
    return row


def _chosen(*weights):
    """A category as columns of 0 and 1, and one number beside it."""
    def row(draw, kind):
        place = draw.choices(range(len(weights)), [w + 2 * kind * (i % 2) for i, w in enumerate(weights)])[0]
        return [float(i == place) for i in range(len(weights))] + [draw.gauss(kind, 1)]
    return row


def _counts(mean):
    def row(draw, kind):
        return [float(sum(draw.random() < 0.02 * (1 + kind * (k % 2)) for _ in range(50 * mean)))
                for k in range(6)]
    return row


def _powers(exponent):
    def row(draw, kind):
        return [math.exp(exponent * (draw.gauss(0, 1) + 0.8 * kind)) for _ in range(4)]
    return row


def _with_sentinel(draw, kind):
    return [-999.0 if draw.random() < 0.2 else draw.gauss(20 + 3 * kind, 2) for _ in range(4)]


def _heavy_tails(draw, kind):
    return [math.tan(math.pi * (draw.random() - 0.5)) + 2 * kind for _ in range(3)]


def _grid(draw, kind):
    x, y = draw.randrange(3), draw.randrange(3)
    while (x + y) % 2 != kind:
        x, y = draw.randrange(3), draw.randrange(3)
    return [3000.0 + x, 3000.0 + y]


def _town(draw, kind):
    angle, radius = 2 * math.pi * draw.random(), 0.004 + 0.006 * kind + 0.001 * draw.gauss(0, 1)
    return [48.1374 + radius * math.cos(angle), 11.5755 + 1.5 * radius * math.sin(angle)]


def _numbered():
    numbers = itertools.count(100_001)
    return lambda draw, kind: [float(next(numbers)), *[draw.gauss(kind, 1) for _ in range(3)]]


def _twice(draw, kind):
    value = draw.gauss(2 * kind, 1)
    return [value, value, 1e3 * value]


def _conflicting(draw, kind):
    return [float(draw.randrange(4)) + (kind if draw.random() < 0.3 else 0), float(draw.randrange(3))]


NORMAL = [(0, 1, 1.0)] * 4
_MADE = {
    "year_and_price": (_columns((2005, 8, 0.8), (18_500, 6_000, 0.8), (90_000, 40_000, -0.5)), 2),
    "year_alone": (_columns((1990, 15, 1.5)), 2),
    "town": (_town, 2),
    "checkerboard_at_3000": (_grid, 2),
    "one_column_at_1000": (_columns((1000, 2, 1.0), *NORMAL), 2),
    "one_column_at_1e6": (_columns((1e6, 50, 1.0), *NORMAL), 2),
    "seconds_of_a_year": (_columns((1.7e9, 9e6, 1.0), (50, 20, 0.7)), 2),
    "seconds_of_a_week": (_columns((1.7e9, 2e5, 1.0), (50, 20, 0.7)), 2),
    "kelvin": (_columns((293.15, 4, 1.0), (288.15, 6, -1.0)), 2),
    "pascal": (_columns((101_325, 600, 1.2), (70_000, 900, 0.5)), 2),
    "hours_and_heights": (_columns((12, 6, 0.7), (2_850, 250, 1.0), (8_848, 2, 0.5)), 2),
    "body": (_columns((172, 9, 1.0), (74, 12, 1.0), (41, 15, 0.2)), 2),
    "percents": (_columns((50, 15, 1.0), (97, 1, -1.0), (3, 1, 0.5)), 2),
    "shares": (_columns((0.31, 0.02, 1.0), (0.002, 0.0005, 1.0)), 2),
    "nanometres": (_columns((5e-7, 2e-8, 1.5), (3e-7, 1e-8, 1.0)), 2),
    "light_years": (_columns((9.46e15, 1e15, 1.5), (4e16, 2e15, 1.0)), 2),
    "decibels": (_columns((-60, 9, 1.0), (-12, 3, -1.0)), 2),
    "codes": (_columns((55_000, 20_000, 0.5), (301, 120, 1.0)), 2),
    "row_numbers": (_numbered(), 2),
    "counts": (_counts(4), 2),
    "prices": (_powers(1), 2),
    "incomes": (_powers(3), 2),
    "heavy_tails": (_heavy_tails, 2),
    "sentinels": (_with_sentinel, 2),
    "categories": (_chosen(1, 2, 3, 4), 2),
    "a_constant_column": (_columns((7, 0, 0), (0, 1, 1.5), (0, 1, 1.0)), 2),
    "a_constant_of_1e7": (_columns((1e7, 0, 0), (0, 1, 1.5)), 2),
    "the_same_twice": (_twice, 2),
    "conflicts": (_conflicting, 2),
    "three_clusters": (_clusters(0, 1_000, 30_000), 2),
    "mirrored_clusters": (_clusters(-20_000, 20_000), 2),
    "tight_clusters": (_clusters(-100, 0, 100, deviation=0.01), 2),
    "five_classes": (_columns((1_950, 3, 1.0), (40, 1, -1.0)), 5),
    "three_classes_in_feet": (_columns((29_032, 40, 2.0), (6, 0.3, 0.7)), 3),
    "more_columns_than_rows": (_columns(*[(100, 5, 0.2)] * 250), 2),
    "one_column": (_columns((0, 1, 2.0)), 2),
}


def made_tables():
    for seed, (name, (make, classes)) in enumerate(_MADE.items()):
        yield name, *_table(make, seed, classes)


def bundled_tables():
    """Those that scikit-learn brings."""
    from sklearn import datasets
    for name in ("iris", "wine", "breast_cancer", "digits"):
        data = getattr(datasets, f"load_{name}")()
        order = list(range(len(data.target)))
        random.Random(7).shuffle(order)
        order = order[:600]
        yield name, [data.data[i].tolist() for i in order], [f"c{data.target[i]}" for i in order]


_REAL = {  # file, separator, column of the label, columns that are no features
    "banana": ("banana/banana.csv", ",", -1, ()), "german": ("german/german.data-numeric", None, -1, ()),
    "heart": ("heart/heart.dat", None, -1, ()), "ionosphere": ("ionosphere/ionosphere.data", ",", -1, ()),
    "liver": ("liver/bupa.data", ",", -1, ()), "pima": ("pima/pima-indians-diabetes.data", ",", -1, ()),
    "ringnorm": ("ringnorm/ringnorm.csv.gz", ",", -1, ()), "sonar": ("sonar/sonar.all-data", ",", -1, ()),
    "spambase": ("spambase/spambase.data", ",", -1, ()), "wdbc": ("wdbc/wdbc.data", ",", 1, (0,)),
    "wdbc_with_numbers_of_patients": ("wdbc/wdbc.data", ",", 1, ()),
    "covtype": ("covtype/covtype.first20000.data.gz", ",", -1, ()),
}


def real_tables():
    """Six hundred rows of each, where SEMBLANCE_DATA is."""
    folder = Path(os.environ.get("SEMBLANCE_DATA", ""))
    for name, (file, separator, label, left_out) in _REAL.items():
        path = folder / file
        if not os.environ.get("SEMBLANCE_DATA") or not path.exists():
            continue
        opened = gzip.open if path.suffix == ".gz" else open
        with opened(path, "rt", encoding="utf-8") as text:
            lines = [line.strip().split(separator) for line in text if line.strip()]
        random.Random(7).shuffle(lines)
        rows, labels = [], []
        for cells in lines:
            place = label % len(cells)
            try:
                values = [float(c) for i, c in enumerate(cells) if i != place and i not in left_out]
            except ValueError:
                continue  # the names of columns
            rows.append(values)
            labels.append("c" + cells[place])
        yield name, rows[:600], labels[:600]


def write_table(path, rows, labels):
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([f"v{k}" for k in range(len(rows[0]))] + ["kind"])
        writer.writerows([*map(repr, row), label] for row, label in zip(rows, labels))
