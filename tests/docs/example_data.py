# SPDX-License-Identifier: MIT
"""Small files in every format that a source reads, made up, for the examples of the components and
for what the pages say to do with data. What is asked of a page's command is that it runs, not what
it finds: the real data sets do not come with the program."""
import json
import math
import random
import shutil
import struct
import tarfile
from pathlib import Path

import h5py
import numpy

CHECKED = Path(__file__).parents[2] / "plugins" / "sources" / "checked_files"


def write(folder: Path) -> None:
    make = random.Random(1)
    _tables(folder, make)
    _similarities(folder, make)
    _arrays(folder, make)
    _cifar10(folder / "cifar10", make)
    _mnist(folder / "mnist", make)
    _photos(folder / "photos", make)
    _faces(folder / "lfw-a", make)
    _series(folder / "ucr" / "GunPoint", make)
    _strings(folder / "strings", make)
    _texts(folder, make)
    _molecules(folder, make)
    _graphs(folder)
    _pairs(folder, make)


def _graphs(folder):
    """The graphs that the sources of graphs are checked with."""
    shutil.copy(CHECKED / "graphs.jsonl", folder)
    (folder / "graphs").mkdir()
    with tarfile.open(folder / "graphs" / "MUTAG.tar.xz", "w:xz") as archive:
        archive.add(CHECKED / "tudataset", "MUTAG")


def _pairs(folder, make):
    """Pairs of made-up drugs and proteins, with an affinity and whether they bind."""
    drugs = {f"d{i}": [make.gauss(0, 1) for _ in range(3)] for i in range(12)}
    proteins = {f"p{i}": [make.gauss(0, 1) for _ in range(2)] for i in range(10)}
    for file, first, rows in (("drugs", "drug,x,y,z", drugs), ("targets", "protein,u,v", proteins)):
        _text(folder / f"{file}.csv",
              [first] + [f"{name}," + ",".join(f"{v:.3f}" for v in row)
                         for name, row in rows.items()])
    _text(folder / "proteins.fasta",
          [line for name in proteins
           for line in (f">{name}", "".join(make.choice("ACDEGKL") for _ in range(20)))])
    pairs = [(d, p, drugs[d][0] * proteins[p][0] + make.gauss(0, 0.1))
             for d in drugs for p in proteins if make.random() < 0.8]
    _text(folder / "affinities.csv",
          ["drug,protein,affinity"] + [f"{d},{p},{value:.3f}" for d, p, value in pairs])
    _text(folder / "interactions.csv",
          ["drug,protein,binds"] + [f"{d},{p},{'yes' if value > 0 else 'no'}"
                                    for d, p, value in pairs])


def _texts(folder, make):
    """Two kinds of letters, as texts and as counts of their words."""
    words = {"trade": "price market share profit".split(), "grain": "wheat crop tonnes harvest".split()}
    common = "the said year would last also".split()
    (folder / "text").mkdir()

    def letters(count):
        for i in range(count):
            kind = ("trade", "grain")[i % 2]
            yield kind, [make.choice(words[kind] if make.random() < 0.4 else common)
                         for _ in range(12)]

    for part, count in (("train", 60), ("test", 20)):
        texts = list(letters(count))
        _text(folder / "text" / f"reuters-r8.{part}.tsv", [f"{k}\t{' '.join(t)}" for k, t in texts])
        columns = sorted(common + words["trade"] + words["grain"])
        for name in (["counts.svm"] if part == "train" else []) + [f"text/20news.{part}.svm"]:
            _text(folder / name,
                  [f"{1 + (k == 'grain')}" + "".join(f" {1 + c}:{t.count(w)}"
                                                    for c, w in enumerate(columns) if w in t)
                   for k, t in texts])


def _molecules(folder, make):
    """Chains and rings with a made-up solubility, which falls with their size."""
    rows = [(chain * "C" + end, -0.5 * chain + bonus)
            for chain in range(1, 11) for end, bonus in (("O", 1.0), ("N", 0.8), ("c1ccccc1", -1.5))]
    _text(folder / "esol.csv", ["name,smiles,logS"] +
          [f"m{i},{smiles},{value + make.gauss(0, 0.1):.2f}" for i, (smiles, value) in enumerate(rows)])


def _rows(make, count):
    """Points of two classes that lie apart, in three dimensions."""
    for i in range(count):
        name = "ab"[i % 2]
        yield [make.gauss(2.0 * (i % 2), 1.0) for _ in range(3)], name


def _tables(folder, make):
    rows = list(_rows(make, 60))
    lines = ["x,y,z,class"] + [",".join(f"{v:.4f}" for v in x) + f",{c}" for x, c in rows]
    _text(folder / "table.csv", lines)
    _text(folder / "mine.csv", lines)
    _text(folder / "table.jsonl",
          [json.dumps({"x": x[0], "y": x[1], "z": x[2], "class": c}) for x, c in rows])
    _text(folder / "new.csv", [line.rpartition(",")[0] for line in lines[:10]])
    _text(folder / "table.arff",
          ["@relation table"] + [f"@attribute {v} numeric" for v in "xyz"] +
          ["@attribute class {a,b}", "@data"] + lines[1:])
    with h5py.File(folder / "table.h5", "w") as out:
        out["X"] = numpy.array([x for x, _ in rows], dtype="f4")
        out["y"] = numpy.array([c for _, c in rows], dtype="S")
    _text(folder / "table.libsvm",
          [("+1" if c == "b" else "-1") + "".join(f" {k + 1}:{v:.4f}" for k, v in enumerate(x))
           for x, c in rows])
    # Two folds of pairs of the table's rows, as Labeled Faces in the Wild lists them.
    lines = ["2\t4"]
    for fold in range(2):
        first = 15 * fold
        lines += [f"{'ab'[k % 2]}\t{first + k + 1}\t{first + k + 5}" for k in range(4)]
        lines += [f"a\t{first + k + 1}\tb\t{first + k + 2}" for k in range(4)]
    _text(folder / "pairs.txt", lines)


def _similarities(folder, make):
    """Each row's similarity to the 60 training rows, then its class."""
    train, test = list(_rows(make, 60)), list(_rows(make, 20))
    for name, rows in [("similarities", train), ("test_similarities", test),
                       ("my_train", train), ("my_test", test)]:
        lines = [",".join([f"s{k}" for k in range(len(train))] + ["class"])]
        for x, c in rows:
            lines.append(",".join(f"{-max(abs(u - v) for u, v in zip(x, t)):.4f}"
                                  for t, _ in train) + f",{c}")
        _text(folder / f"{name}.csv", lines)


def _series(folder, make):
    folder.mkdir(parents=True)
    for part in ("TRAIN", "TEST"):
        lines = []
        for i in range(40):
            start = make.uniform(0, 6)
            values = [math.sin(start + (0.2 + 0.2 * (i % 2)) * t) + make.gauss(0, 0.2)
                      for t in range(30)]
            lines.append("\t".join([str(i % 2 + 1)] + [f"{v:.4f}" for v in values]))
        _text(folder / f"GunPoint_{part}.tsv", lines)


def _strings(folder, make):
    folder.mkdir()
    _text(folder / "surnames.tsv",
          [f"{('north', 'south')[i % 2]}\t" +
           "".join(make.choice("bdklmnrt") + make.choice("aeiou")
                   for _ in range(make.randrange(1, 4))) + ("ns" if i % 2 else "")
           for i in range(120)])


def _arrays(folder, make):
    rows = list(_rows(make, 60))
    _npy(folder / "rows.npy", "<f4", (60, 3),
         b"".join(struct.pack("<3f", *x) for x, _ in rows))
    _npy(folder / "labels.npy", "<i8", (60,),
         b"".join(struct.pack("<q", "ab".index(c)) for _, c in rows))


def _npy(file, kind, shape, data):
    header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}".encode()
    header += b" " * (-(len(header) + 11) % 64) + b"\n"
    file.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + data)


def _picture(make, width, height, kind):
    """Stripes whose direction and distance tell the class, and noise."""
    period = 4 + kind // 2
    stripe = [(x if kind % 2 else y) // period % 2 for y in range(height) for x in range(width)]
    return bytes(90 + 90 * s + make.randrange(40) for s in stripe)


def _cifar10(folder, make):
    folder.mkdir()
    for name in [f"data_batch_{k}" for k in range(1, 6)] + ["test_batch"]:
        records = []
        for i in range(100):
            plane = _picture(make, 32, 32, i % 10)
            records.append(bytes([i % 10]) + plane * 3)
        (folder / f"{name}.bin").write_bytes(b"".join(records))


def _mnist(folder, make):
    folder.mkdir()
    for name, count in [("train", 60), ("t10k", 30)]:
        labels = bytes(i % 10 for i in range(count))
        images = b"".join(_picture(make, 28, 28, k) for k in labels)
        (folder / f"{name}-images-idx3-ubyte").write_bytes(
            struct.pack(">4I", 0x803, count, 28, 28) + images)
        (folder / f"{name}-labels-idx1-ubyte").write_bytes(
            struct.pack(">2I", 0x801, count) + labels)


def _photos(folder, make):
    for kind, name in enumerate(["beach", "forest", "street"]):
        for i in range(6):
            _pgm(folder / name / f"{i}.pgm", make, 40, 40, kind)


def _faces(folder, make):
    people = [f"Person_{letter}" for letter in "ABCDEFGH"]
    for kind, name in enumerate(people):
        for i in range(1, 7):
            _pgm(folder / "faces" / name / f"{name}_{i:04}.jpg", make, 64, 96, kind)


def _pgm(file, make, width, height, kind):
    """The program goes by what a file holds, not by how its name ends."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(b"P5 %d %d 255\n" % (width, height) + _picture(make, width, height, kind))


def _text(file, lines):
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
