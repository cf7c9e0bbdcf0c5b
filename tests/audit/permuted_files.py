# SPDX-License-Identifier: MIT
"""One small data set in every format that a source reads, and in any order of rows, columns, files
and classes. What must not matter is a field of Order."""
import io
import json
import random
import struct
import tarfile
from dataclasses import dataclass, field

from example_files import write_hdf5, write_npy

CLASSES = ["ant", "bee", "cat"]


@dataclass
class Order:
    train: list = None     # the training rows; as they are where it is not given
    test: list = None
    columns: list = None   # of both parts
    test_columns: list = None   # of the test part alone, where columns have names
    classes: dict = field(default_factory=dict)   # other names
    file: str = "data"     # what files are called
    moved: bool = False    # some rows of the first class are of the second, and so on
    archive: bool = False  # pictures in an archive, in the order of `train` and `test`


class Samples:
    """Rows (values, class) of noisy patterns: vectors, or pictures of 12 x 12 bytes."""

    def __init__(self, pictures, count=75, side=12):
        make = random.Random(3)
        self.side = side

        def row(kind):
            if not pictures:
                return [make.gauss(1.2 * (kind == k), 1.0) for k in range(5)]
            return [min(255, 60 + 90 * ((x if kind % 2 else y) // (2 + kind // 2) % 2) +
                        make.randrange(80)) for y in range(side) for x in range(side)]
        self.train = [(row(i % 3), i % 3) for i in range(count)]
        self.test = [(row(i % 3), i % 3) for i in range(count)]

    def parts(self, order):
        """Training and test rows in this order; each with its class's name."""
        for rows, places in ((self.train, order.train), (self.test, order.test)):
            kinds = [kind for _, kind in rows]
            if order.moved:  # so that rows class after class stay where they were
                for k, i in enumerate(sorted(range(len(rows)), key=lambda i: (rows[i][1], i))):
                    kinds[i] = (k > 35) + (k > 45)
            yield [(rows[i][0], order.classes.get(CLASSES[kinds[i]], CLASSES[kinds[i]]), i)
                   for i in places or range(len(rows))]


def csv(folder, samples, order):
    for part, rows in zip(("train", "test"), samples.parts(order)):
        columns = order.columns or range(5)
        if part == "test" and order.test_columns:
            columns = order.test_columns
        lines = [",".join(f"v{c}" for c in columns) + ",kind"]
        lines += [",".join(f"{x[c]:.5f}" for c in columns) + f",{name}" for x, name, _ in rows]
        (folder / f"{order.file}_{part}.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return (f"{{is: source/csv, path: {order.file}_train.csv, test_path: {order.file}_test.csv, "
            "label: kind}")


def arff(folder, samples, order):
    """The header declares the classes in any order."""
    for part, rows in zip(("train", "test"), samples.parts(order)):
        columns = order.columns or range(5)
        if part == "test" and order.test_columns:
            columns = order.test_columns
        names = list(dict.fromkeys(name for _, name, _ in rows))
        lines = ["@relation data"] + [f"@attribute v{c} numeric" for c in columns]
        lines += ["@attribute kind {" + ",".join(names) + "}", "@data"]
        lines += [",".join(f"{x[c]:.5f}" for c in columns) + f",{name}" for x, name, _ in rows]
        (folder / f"{order.file}_{part}.arff").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return (f"{{is: source/arff, path: {order.file}_train.arff, test_path: "
            f"{order.file}_test.arff, label: kind}}")


def jsonl(folder, samples, order):
    for part, rows in zip(("train", "test"), samples.parts(order)):
        columns = order.columns or range(5)
        if part == "test" and order.test_columns:
            columns = order.test_columns
        lines = ["{" + "".join(f'"v{c}": {x[c]:.5f}, ' for c in columns) + f'"kind": "{name}"' + "}"
                 for x, name, _ in rows]
        (folder / f"{order.file}_{part}_table.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return (f"{{is: source/jsonl, path: {order.file}_train_table.jsonl, test_path: "
            f"{order.file}_test_table.jsonl, label: kind}}")


def hdf5(folder, samples, order):
    for part, rows in zip(("train", "test"), samples.parts(order)):
        columns = order.columns or range(5)
        write_hdf5(folder / f"{order.file}_{part}.h5", [[x[c] for c in columns] for x, _, _ in rows],
                   [name for _, name, _ in rows])
    return (f"{{is: source/hdf5, path: {order.file}_train.h5, test_path: {order.file}_test.h5, "
            "samples: /X, label: /y}")


def libsvm(folder, samples, order):
    label = {order.classes.get(c, c): str(k + 1) for k, c in enumerate(CLASSES)}
    if order.classes:  # its labels are numbers: other numbers are other names
        label = {name: str(10 + sorted(order.classes.values()).index(name)) for name in label}
    for part, rows in zip(("train", "test"), samples.parts(order)):
        columns = order.columns or range(5)
        lines = [label[name] + "".join(f" {k + 1}:{x[c]:.5f}" for k, c in enumerate(columns))
                 for x, name, _ in rows]
        (folder / f"{order.file}_{part}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return (f"{{is: source/libsvm, path: {order.file}_train.txt, test_path: "
            f"{order.file}_test.txt}}")


def npy(folder, samples, order):
    names = sorted(order.classes.get(c, c) for c in CLASSES)
    for part, rows in zip(("train", "test"), samples.parts(order)):
        columns = order.columns or range(5)
        write_npy(folder / f"{order.file}_{part}.npy", (len(rows), 5), "f",
                  [x[c] for x, _, _ in rows for c in columns])
        write_npy(folder / f"{order.file}_{part}_labels.npy", (len(rows),), "q",
                  [names.index(name) for _, name, _ in rows])
    f = order.file
    return (f"{{is: source/npy, path: {f}_train.npy, label: {f}_train_labels.npy, test_path: "
            f"{f}_test.npy, test_label: {f}_test_labels.npy}}")


def ucr(folder, samples, order):
    """Series of five steps."""
    label = {order.classes.get(c, c): order.classes.get(c, c) for c in CLASSES}
    for part, rows in zip(("train", "test"), samples.parts(order)):
        lines = [label[name] + "".join(f"\t{v:.5f}" for v in x) for x, name, _ in rows]
        (folder / f"{order.file}_{part}.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return f"{{is: source/ucr, path: {order.file}_train.tsv, test_path: {order.file}_test.tsv}}"


def texts(folder, samples, order):
    """A word for each value, as often as the value is large."""
    for part, rows in zip(("train", "test"), samples.parts(order)):
        lines = [name + "\t" + " ".join(["every"] + [f"word{k}" for k, v in enumerate(x)
                                                     for _ in range(max(0, round(3 * v)))])
                 for x, name, _ in rows]
        (folder / f"{order.file}_{part}.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return (f"{{is: source/text, path: {order.file}_train.tsv, test_path: "
            f"{order.file}_test.tsv}}")


def strings(folder, samples, order):
    """Strings of five letters, one for each value."""
    for part, rows in zip(("train", "test"), samples.parts(order)):
        lines = [name + "\t" + "".join("abcdefgh"[max(0, min(7, int(2 * v + 3)))] for v in x)
                 for x, name, _ in rows]
        (folder / f"{order.file}_{part}.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return (f"{{is: source/strings, path: {order.file}_train.tsv, test_path: "
            f"{order.file}_test.tsv}}")


def molecules(folder, samples, order):
    """Chains of five atoms, one for each value."""
    for part, rows in zip(("train", "test"), samples.parts(order)):
        lines = ["smiles,kind"] + ["C" + "".join("CNOS"[max(0, min(3, int(v + 1.5)))] for v in x) +
                                   f",{name}" for x, name, _ in rows]
        (folder / f"{order.file}_{part}.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return (f"{{is: source/molecules, path: {order.file}_train.csv, test_path: "
            f"{order.file}_test.csv, label: kind}}")


def _edges(x):
    """A chain of nodes, one for each value, with further edges between nodes of large values."""
    return [(i, j) for j in range(len(x)) for i in range(j) if i + 1 == j or x[i] + x[j] > 1]


def graphs(folder, samples, order):
    for part, rows in zip(("train", "test"), samples.parts(order)):
        lines = [json.dumps({"nodes": ["large" if v > 0.5 else "small" for v in x],
                             "edges": _edges(x), "label": name}) for x, name, _ in rows]
        (folder / f"{order.file}_{part}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return (f"{{is: source/graphs, path: {order.file}_train.jsonl, test_path: "
            f"{order.file}_test.jsonl}}")


def tudataset(folder, samples, order):
    names = sorted(order.classes.get(c, c) for c in CLASSES)
    for part, rows in zip(("train", "test"), samples.parts(order)):
        base = folder / f"{order.file}_{part}"
        base.mkdir()
        edges = [(5 * g + a + 1, 5 * g + b + 1) for g, (x, _, _) in enumerate(rows)
                 for i, j in _edges(x) for a, b in ((i, j), (j, i))]
        for name, lines in {
                "A": [f"{a}, {b}" for a, b in edges],
                "graph_indicator": [g + 1 for g in range(len(rows)) for _ in range(5)],
                "graph_labels": [names.index(n) for _, n, _ in rows],
                "node_labels": [int(v > 0.5) for x, _, _ in rows for v in x]}.items():
            (base / f"SET_{name}.txt").write_text("".join(f"{line}\n" for line in lines),
                                                  encoding="utf-8")
    return (f"{{is: source/tudataset, path: {order.file}_train, test_path: {order.file}_test}}")


def idx(folder, samples, order):
    names = sorted(order.classes.get(c, c) for c in CLASSES)
    for part, rows in zip(("train", "test"), samples.parts(order)):
        (folder / f"{order.file}_{part}_images").write_bytes(
            struct.pack(">4I", 0x803, len(rows), samples.side, samples.side) +
            b"".join(bytes(x) for x, _, _ in rows))
        (folder / f"{order.file}_{part}_labels").write_bytes(
            struct.pack(">2I", 0x801, len(rows)) + bytes(names.index(n) for _, n, _ in rows))
    f = order.file
    return (f"{{is: source/idx, train_images: {f}_train_images, train_labels: {f}_train_labels, "
            f"test_images: {f}_test_images, test_labels: {f}_test_labels}}")


def _pictures(folder, name, pictures, archive, side):
    """Pictures [(path, bytes)] in a folder, or in an archive in this order; its name."""
    encoded = [(path, b"P5 %d %d 255\n" % (side, side) + bytes(x)) for path, x in pictures]
    if archive:
        with tarfile.open(folder / f"{name}.tar", "w") as tar:
            for path, data in encoded:
                entry = tarfile.TarInfo(f"{name}/{path}")
                entry.size = len(data)
                tar.addfile(entry, io.BytesIO(data))
        return f"{name}.tar"
    for path, data in encoded:
        (folder / name / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / name / path).write_bytes(data)
    return name


def images(folder, samples, order):
    paths = [_pictures(folder, f"{order.file}_{part}",
                       [(f"{name}/{order.file}_{i:03}.pgm", x) for x, name, i in rows],
                       order.archive, samples.side)
             for part, rows in zip(("train", "test"), samples.parts(order))]
    return f"{{is: source/images, path: {paths[0]}, test_path: {paths[1]}, color: grey}}"


def cifar10(folder, samples, order):
    """Pictures of its size, of its ten classes, which like its files have names that stay."""
    def record(values, kind):
        wide = [values[(y * 12 // 32) * 12 + x * 12 // 32] for y in range(32) for x in range(32)]
        return bytes([kind]) + bytes(wide) * 3
    (folder / order.file).mkdir()
    for part, rows in zip(("data_batch_1", "test_batch"), samples.parts(order)):
        (folder / order.file / f"{part}.bin").write_bytes(
            b"".join(record(x, i % 10) for x, _, i in rows))
    return (f"{{is: source/cifar10, path: {order.file}, train_folds: [1], "
            f"images_per_batch: {len(rows)}}}")


def lfw(folder, samples, order):
    """View 1: 15 people for training, 15 for testing, five pictures each."""
    base = folder / order.file
    base.mkdir()
    pictures = []
    for part, rows in zip(("Train", "Test"), samples.parts(order)):
        people = {}
        for x, _, i in sorted(rows, key=lambda r: r[2]):
            person = f"Person_{part}_{i // 5:02}"
            people.setdefault(order.classes.get(person, person), []).append(x)
        lines = [str(len(people))] + [f"{name}\t{len(own)}" for name, own in people.items()]
        (base / f"peopleDev{part}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
        pictures += [(f"{name}/{name}_{n + 1:04}.jpg", x) for name, own in people.items()
                     for n, x in enumerate(own)]
    if order.archive:
        random.Random(9).shuffle(pictures)
    name = _pictures(base, "faces", pictures, order.archive, samples.side)
    return f"{{is: source/lfw, path: {order.file}, images: {name}, view: 1}}"


@dataclass
class Format:
    write: object
    pictures: bool = False
    ordered: bool = True      # rows stand in some order in the file
    by_column: bool = False   # columns can be in another order
    named_columns: bool = False
    named_classes: bool = True
    archives: bool = False
    pairs: bool = False
    vectors: str = ""         # the feature that makes vectors of its samples, if they are others


FORMATS = {
    "source/csv": Format(csv, by_column=True, named_columns=True),
    "source/arff": Format(arff, by_column=True, named_columns=True),
    "source/jsonl": Format(jsonl, by_column=True, named_columns=True),
    "source/hdf5": Format(hdf5, by_column=True),
    "source/libsvm": Format(libsvm, by_column=True),
    "source/npy": Format(npy, by_column=True, named_classes=False),
    "source/ucr": Format(ucr, vectors="feature/flatten"),
    "source/strings": Format(strings, vectors="feature/onehot"),
    "source/text": Format(texts, vectors="feature/dense"),
    "source/graphs": Format(graphs, vectors="feature/graphlets"),
    "source/tudataset": Format(tudataset, vectors="feature/graphlets", named_classes=False),
    "source/molecules": Format(molecules, vectors="feature/dense"),
    "source/idx": Format(idx, pictures=True, named_classes=False),
    "source/images": Format(images, pictures=True, ordered=False, archives=True),
    "source/cifar10": Format(cifar10, pictures=True, named_classes=False),
    "source/lfw": Format(lfw, pictures=True, ordered=False, archives=True, pairs=True),
}
