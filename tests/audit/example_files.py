# SPDX-License-Identifier: MIT
"""The files that the components' examples name. Where they are to be noise, labels tell nothing of
the values."""
import json
import math
import random
import shutil
import struct
import tarfile
from pathlib import Path

import h5py
import numpy


CHECKED = Path(__file__).parents[2] / "plugins/sources/checked_files"


def write(folder, noise=False):
    folder.mkdir()
    Files(folder, noise).write()


class Files:
    def __init__(self, folder: Path, noise):
        self.folder, self.noise, self.make = folder, noise, random.Random(7)

    def write(self):
        self._tables()
        self._matrices()
        self._people()
        self._arrays()
        self._cifar10()
        self._mnist()
        self._series()
        self._strings()
        self._texts()
        self._graphs()
        self._molecules()
        self._pairs()
        for kind, name in enumerate(["beach", "forest", "street"]):
            for i in range(12):
                self._pgm(f"photos/{name}/{i:02}.pgm", 40, 40, kind)
        for kind, letter in enumerate("ABCDEFGHIJKLMNOP"):
            name = f"Person_{letter}"
            for i in range(1, 7):
                self._pgm(f"lfw-a/faces/{name}/{name}_{i:04}.pgm", 64, 96, kind)

    def _graphs(self):
        """The graphs that their sources are checked with."""
        shutil.copy(CHECKED / "graphs.jsonl", self.folder)
        (self.folder / "graphs").mkdir()
        with tarfile.open(self.folder / "graphs/MUTAG.tar.xz", "w:xz") as archive:
            archive.add(CHECKED / "tudataset", "MUTAG")

    def _pairs(self):
        """Pairs of drugs and proteins, with an affinity and whether they bind."""
        make = self.make
        sides = {"drugs": ("drug,x,y,z", "d", 12, 3), "targets": ("protein,u,v", "p", 10, 2)}
        values = {}
        for file, (header, letter, count, columns) in sides.items():
            rows = {f"{letter}{i}": [make.gauss(0, 1) for _ in range(columns)]
                    for i in range(count)}
            values.update(rows)
            (self.folder / f"{file}.csv").write_text("\n".join(
                [header] + [f"{name}," + ",".join(f"{v:.3f}" for v in row)
                            for name, row in rows.items()]) + "\n")
        (self.folder / "proteins.fasta").write_text("".join(
            f">p{i}\n{''.join(make.choice('ACDEGKL') for _ in range(20))}\n" for i in range(10)))
        pairs = [(f"d{i}", f"p{j}") for i in range(12) for j in range(10) if make.random() < 0.8]
        numbers = [make.gauss(0, 1) if self.noise else values[d][0] * values[p][0]
                   for d, p in pairs]
        for file, column, said in (("affinities", "affinity", [f"{v:.3f}" for v in numbers]),
                                   ("interactions", "binds",
                                    ["yes" if v > 0 else "no" for v in numbers])):
            (self.folder / f"{file}.csv").write_text("\n".join(
                [f"drug,protein,{column}"] + [f"{d},{p},{v}" for (d, p), v in zip(pairs, said)])
                + "\n")

    def _molecules(self):
        """Chains with a solubility that falls with their length."""
        rows = [(chain * "C" + end, bonus - 0.5 * chain)
                for chain in range(1, 11) for end, bonus in (("O", 1.0), ("N", 0.8), ("c1ccccc1", -1.5))]
        self.text("esol.csv", ["name,smiles,logS"] +
                  [f"m{i},{smiles},{value:.2f}" for i, (smiles, value) in enumerate(rows)])

    def told(self, kind, kinds):
        """What the values are made of: the class, or anything."""
        return self.make.randrange(kinds) if self.noise else kind

    def rows(self, count):
        for i in range(count):
            centre = 2.0 * self.told(i % 2, 2)
            yield [self.make.gauss(centre, 1.0) for _ in range(3)], "ab"[i % 2]

    def text(self, name, lines):
        (self.folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")

    def _tables(self):
        rows = list(self.rows(160))
        self.text("table.csv", ["x,y,z,class"] +
                  [",".join(f"{v:.4f}" for v in x) + f",{c}" for x, c in rows])
        self.text("sites.csv", ["x,y,z,site,class"] + [
            ",".join(f"{v:.4f}" for v in x) + f",{'uvw'[i % 3]},{c}" for i, (x, c) in enumerate(rows)])
        self.text("table.jsonl", [json.dumps({"x": x[0], "y": x[1], "z": x[2], "class": c})
                                  for x, c in rows])
        self.text("table.arff", ["@relation table"] + [f"@attribute {v} numeric" for v in "xyz"] +
                  ["@attribute class {a,b}", "@data"] +
                  [",".join(f"{v:.4f}" for v in x) + f",{c}" for x, c in rows])
        write_hdf5(self.folder / "table.h5", [x for x, _ in rows], [c for _, c in rows])
        self.text("table.libsvm", [
            ("+1" if c == "b" else "-1") + "".join(f" {k + 1}:{v:.4f}" for k, v in enumerate(x))
            for x, c in rows])
        lines = ["2\t20"]
        for fold in range(2):
            first = 36 * fold
            lines += [f"{'ab'[k % 2]}\t{first + k + 1}\t{first + k + 9}" for k in range(20)]
            lines += [f"a\t{first + k + 1}\tb\t{first + k + 2}" for k in range(20)]
        self.text("pairs.txt", lines)

    def _series(self):
        """Waves, faster in one class than in the other."""
        (self.folder / "ucr" / "GunPoint").mkdir(parents=True)
        for part, count in (("TRAIN", 80), ("TEST", 160)):
            lines = []
            for i in range(count):
                pace = 0.2 + 0.2 * self.told(i % 2, 2)
                start = self.make.uniform(0, 6)
                values = [math.sin(start + pace * t) + self.make.gauss(0, 0.2) for t in range(30)]
                lines.append("\t".join([str(i % 2 + 1)] + [f"{v:.4f}" for v in values]))
            self.text(f"ucr/GunPoint/GunPoint_{part}.tsv", lines)

    def _strings(self):
        """Names that end in a vowel in one class, mostly."""
        (self.folder / "strings").mkdir()
        lines = []
        for i in range(300):
            vowel = self.told(i % 2, 2)
            stem = "".join(self.make.choice("bdklmnrt") + self.make.choice("aeiou")
                           for _ in range(self.make.randrange(1, 4)))
            lines.append(f"{('north', 'south')[i % 2]}\t{stem}{'' if vowel else 'ns'}")
        self.text("strings/surnames.tsv", lines)

    def _texts(self):
        """Words that one class uses more often, and counts of them."""
        (self.folder / "text").mkdir()
        own, common = ["price market share".split(), "wheat crop tonnes".split()], "the said year".split()
        columns = sorted(own[0] + own[1] + common)

        def texts(count):
            for i in range(count):
                kind = self.told(i % 2, 2)
                yield i % 2, [self.make.choice(own[kind] if self.make.random() < 0.4 else common)
                              for _ in range(10)]

        for part, count in (("train", 160), ("test", 160)):
            self.text(f"text/reuters-r8.{part}.tsv", [f"{('trade', 'grain')[k]}\t{' '.join(words)}"
                                                     for k, words in texts(count)])
        self.text("counts.svm", [
            str(k) + "".join(f" {1 + c}:{words.count(w)}" for c, w in enumerate(columns) if w in words)
            for k, words in texts(300)])

    def _matrices(self):
        train, test = list(self.rows(60)), list(self.rows(60))
        for name, rows, columns in [("similarities", train, train),
                                    ("test_similarities", test, train), ("whole", train, train)]:
            self.text(f"{name}.csv", [",".join([f"s{k}" for k in range(len(columns))] + ["class"])] + [
                ",".join(f"{-max(abs(u - v) for u, v in zip(x, t)):.4f}" for t, _ in columns) +
                f",{c}" for x, c in rows])

    def _people(self):
        """24 people with six rows each, in mixed order, and three folds of eight of them."""
        centres = [[self.make.gauss(0, 1) for _ in range(6)] for _ in range(24)]
        order = [i % 24 for i in range(144)]
        self.make.shuffle(order)
        lines = [",".join(f"v{k}" for k in range(6)) + ",person"]
        for person in order:
            centre = centres[self.told(person, 24)]
            lines.append(",".join(f"{self.make.gauss(c, 0.3):.4f}" for c in centre) +
                         f",person_{person:02}")
        self.text("people.csv", lines)
        lines = ["3\t60"]
        for fold in range(3):
            own = [f"person_{p:02}" for p in range(8 * fold, 8 * fold + 8)]
            for _ in range(60):
                first = self.make.randrange(6)
                lines.append(f"{self.make.choice(own)}\t{first + 1}\t{(first + 2) % 6 + 1}")
            for _ in range(60):
                one, other = self.make.sample(own, 2)
                lines.append(f"{one}\t{self.make.randint(1, 6)}\t{other}\t{self.make.randint(1, 6)}")
        self.text("people.txt", lines)

    def _arrays(self):
        rows = list(self.rows(160))
        values = [v for x, _ in rows for v in x]
        write_npy(self.folder / "rows.npy", (160, 3), "f", values)
        write_npy(self.folder / "labels.npy", (160,), "q", ["ab".index(c) for _, c in rows])

    def picture(self, width, height, kind, kinds):
        """Stripes whose direction and distance tell the class, and noise."""
        kind = self.told(kind, kinds)
        period = 3 + kind // 2
        return bytes(90 + 90 * ((x if kind % 2 else y) // period % 2) + self.make.randrange(40)
                     for y in range(height) for x in range(width))

    def _cifar10(self):
        (self.folder / "cifar10").mkdir()
        for name in [f"data_batch_{k}" for k in range(1, 6)] + ["test_batch"]:
            (self.folder / "cifar10" / f"{name}.bin").write_bytes(b"".join(
                bytes([i % 10]) + self.picture(32, 32, i % 10, 10) * 3 for i in range(100)))

    def _mnist(self):
        (self.folder / "mnist").mkdir()
        for name, count in [("train", 100), ("t10k", 60)]:
            labels = bytes(i % 10 for i in range(count))
            images = b"".join(self.picture(28, 28, k, 10) for k in labels)
            (self.folder / "mnist" / f"{name}-images-idx3-ubyte").write_bytes(
                struct.pack(">4I", 0x803, count, 28, 28) + images)
            (self.folder / "mnist" / f"{name}-labels-idx1-ubyte").write_bytes(
                struct.pack(">2I", 0x801, count) + labels)

    def _pgm(self, name, width, height, kind):
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"P5 %d %d 255\n" % (width, height) +
                         self.picture(width, height, kind, 16))


def write_hdf5(file, rows, labels):
    with h5py.File(file, "w") as out:
        out.create_dataset("X", data=numpy.array(rows, dtype="f4"), chunks=True, compression="gzip")
        out["y"] = numpy.array(labels, dtype="S")


def write_npy(file, shape, code, values):
    """`code` as of the module struct: f, q or B."""
    kind = {"f": "<f4", "q": "<i8", "B": "|u1"}[code]
    header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {tuple(shape)}, }}".encode()
    header += b" " * (-(len(header) + 11) % 64) + b"\n"
    assert len(values) == math.prod(shape)
    file.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header +
                     struct.pack(f"<{len(values)}{code}", *values))
