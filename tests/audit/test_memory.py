# SPDX-License-Identifier: MIT
"""No input makes a run take much more memory than --memory allows, or deaf to a request to stop: every component that
takes sparse rows on rows of 20 million columns of which four occur, every one that takes graphs on a graph of
10,000 nodes, every source of text on a small archive of a large file. A run may refuse, with the arithmetic.
What a run takes is measured by the kernel; a stop is timed by the processor time that it takes from the signal on,
which does not depend on what else the machine does."""
import json
import os
import random
import re
import signal
import struct
import subprocess
import time
import unittest
import zlib

from sampled import of_the_day
from workbench import PROGRAM, Workbench, side_by_side

MEMORY = 200  # MiB
MOST = 1.2 * MEMORY + 30
THREADS = 2
STOP_SECONDS = 2 * THREADS  # of processor time

WIDE, VERY_WIDE = 20_000_000, 2**31 - 1
SPARSE = "data: {is: source/libsvm, path: %s.libsvm, rows: sparse, test_fraction: 0.5%s}"
SOURCES = {"classes": SPARSE % ("%s", ""), "numbers": SPARSE % ("%s", ", target: numbers")}
BASES = "bases: {is: basis/random, count: 4, from: data}\n"

# Parameters that components need here, or whose values are other methods.
PARAMETERS = {
    "normalizer/zscore": ["center: false"],
    "normalizer/tfidf": ["idf: true", "sublinear: true, idf: false"],
    "similarity/rbf": ["gamma: 0.1"],
    "similarity/sum": ["first: {is: similarity/linear}, second: {is: similarity/rbf, gamma: 0.1}"],
    "basis/random": ["count: 4"], "basis/random_per_class": ["per_class: 2"], "basis/index": ["per_class: 2"],
    "basis/k_medoids": ["per_class: 2, similarity: {is: similarity/linear}"],
    "solver/linear_svm": ["C: 1", "C: automatic, folds: 2", "regularizer: l1", "multiclass: crammer_singer"],
    "solver/linear_svr": ["C: 1", "loss: epsilon_insensitive"],
    "solver/kernel_svm": ["kernel: {is: similarity/rbf, gamma: 0.1}", "kernel: {is: similarity/linear}"],
    "solver/kernel_svr": ["kernel: {is: similarity/rbf, gamma: 0.1}", "kernel: {is: similarity/linear}"],
    "solver/kernel_ridge": ["kernel: {is: similarity/linear}"],
    "solver/kernel_intervals": ["kernel: {is: similarity/linear}, method: jackknife_plus"],
    "solver/one_class_svm": ["kernel: {is: similarity/linear}"],
    "solver/svdd": ["kernel: {is: similarity/linear}"],
    "solver/libsvm": ["kernel: linear", "gamma: 0.1"],
}
EVALUATED = {"scores": "solver/linear_svm", "estimates": "solver/linear_svr",
             "intervals": "solver/quantile_regression"}


def takes(component, layout):
    """Whether its samples may have this layout."""
    return any(port["type"] == "samples" and layout in port.get("layouts", []) for port in component["inputs"])


def nodes(component, parameters):
    """The lines of a pipeline with this component, after the source."""
    made = f"{{is: {component['id']}, {parameters + ', ' if parameters else ''}from: "
    kind = component["kind"]
    if kind == "basis":
        return (f"bases: {made}data}}\nmap: {{is: similarity/linear, from: data, bases: bases}}\n"
                "svm: {is: solver/linear_svm, from: map}")
    if kind == "similarity":
        return f"{BASES}map: {made}data, bases: bases}}\nsvm: {{is: solver/linear_svm, from: map}}"
    if kind in ("feature", "normalizer"):
        return f"x: {made}data}}\nsvm: {{is: solver/linear_svm, from: x}}"
    return f"machine: {made}data}}"


def sparse_cases(components):
    """Name, target, lines."""
    for component in components:
        own = component["id"]
        if takes(component, "sparse vector"):
            target = "numbers" if component["targets"] == ["numbers"] else "classes"
            for parameters in PARAMETERS.get(own, [""]):
                yield f"{own} {parameters}", target, nodes(component, parameters)
        judged = [port["type"] for port in component["inputs"] if own.startswith("evaluator/")]
        for result in judged:
            if result in EVALUATED:
                target = "classes" if result == "scores" else "numbers"
                yield (f"{own} of {result}", target,
                       f"machine: {{is: {EVALUATED[result]}, from: data}}\nseen: {{is: {own}, from: machine}}")
    for kernel in ("rbf, gamma: 0.1", "linear"):
        yield (f"explanations of {kernel}", "classes",
               f"machine: {{is: solver/kernel_svm, kernel: {{is: similarity/{kernel}}}, from: data}}\n"
               "seen: {is: evaluator/explanations, from: machine}")


def write_sparse(folder, name, width):
    """Thirty-two rows that have four of `width` columns."""
    make = random.Random(5)
    columns = [1, 2, max(3, width // 3), width]
    with (folder / f"{name}.libsvm").open("w") as classes, (folder / f"{name}_numbers.libsvm").open("w") as numbers:
        for i in range(32):
            values = sorted(make.sample(columns, 2))
            text = " ".join(f"{column}:{make.randint(1, 4)}" for column in values)
            classes.write(f"{i % 2} {text}\n")
            numbers.write(f"{i % 4 + make.random():.3f} {text}\n")


def write_graphs(folder, name, labelled):
    """A few small graphs and one of 10,000 nodes."""
    make = random.Random(6)
    with (folder / f"{name}.jsonl").open("w") as file:
        for i, size in enumerate([6, 8, 10_000, 7, 9, 5, 8, 6]):
            edges = {(k, make.randrange(k + 1, min(size, k + 40))) for k in range(size - 1)}
            if labelled:
                edges |= {(0, k) for k in range(2, size // 2)}
            nodes_of = [make.choice("abc") for _ in range(size)] if labelled else size
            file.write(json.dumps({"nodes": nodes_of, "edges": sorted(edges), "label": "xy"[i % 2]}) + "\n")


def write_bomb(path, head, line, size):
    """A file of `size` bytes of equal lines, compressed: the deflated bytes of one piece again and again."""
    piece = (line * ((8 << 20) // len(line))).encode()
    count, checksum = size // len(piece), zlib.crc32(head.encode())
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    first = packer.compress(head.encode()) + packer.flush(zlib.Z_FULL_FLUSH)
    again = packer.compress(piece) + packer.flush(zlib.Z_FULL_FLUSH)
    for _ in range(count):
        checksum = zlib.crc32(piece, checksum)
    with path.open("wb") as file:
        file.write(b"\x1f\x8b\x08" + bytes(6) + b"\xff" + first + again * count + packer.flush())
        file.write(struct.pack("<II", checksum, (len(head) + count * len(piece)) % 2**32))


def write_archives(folder):
    """More text than memory, in less than a mebibyte."""
    size = 256 << 20
    for name, head, line in [
            ("bomb.csv", "a,b,label\n", "0.5,0.25,x\n0.25,0.5,y\n"),
            ("bomb.libsvm", "", "0 1:0.5 2:0.25\n1 1:0.25 3:0.5\n"),
            ("bomb.arff", "@relation r\n@attribute a numeric\n@attribute class {x,y}\n@data\n", "0.5,x\n0.25,y\n"),
            ("bomb.txt", "", "x abab\ny bbaa\n"),
            ("bomb.jsonl", "", '{"nodes": 2, "edges": [[0, 1]], "label": "x"}\n'
                               '{"nodes": 3, "edges": [[0, 1]], "label": "y"}\n'),
            ("table.jsonl", "", '{"a": 0.5, "label": "x"}\n{"a": 0.25, "label": "y"}\n'),
            ("line.csv", "", "1,")]:  # a line that never ends
        write_bomb(folder / f"{name}.gz", head, line, size)


ARCHIVES = {
    "source/csv": "{is: source/csv, path: bomb.csv.gz, label: label, test_fraction: 0.5}",
    "one line": "{is: source/csv, path: line.csv.gz, label: 0, header: absent, test_fraction: 0.5}",
    "source/libsvm": "{is: source/libsvm, path: bomb.libsvm.gz, test_fraction: 0.5}",
    "source/libsvm, sparse": "{is: source/libsvm, path: bomb.libsvm.gz, rows: sparse, test_fraction: 0.5}",
    "source/arff": "{is: source/arff, path: bomb.arff.gz, test_fraction: 0.5}",
    "source/jsonl": "{is: source/jsonl, path: table.jsonl.gz, label: label, test_fraction: 0.5}",
    "source/strings": "{is: source/strings, path: bomb.txt.gz, test_fraction: 0.5}",
    "source/graphs": "{is: source/graphs, path: bomb.jsonl.gz, test_fraction: 0.5}",
}


def processor_seconds(process):
    """Of a process that runs; nothing once it has ended."""
    try:
        with open(f"/proc/{process}/stat", encoding="ascii") as file:
            fields = file.read().rpartition(")")[2].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Run:
    """A run that is measured: its peak in MiB, processor time, exit code and output; with `stop_after` seconds of
    processor time, it is asked to stop then, and `after_stop` is the time that it takes from then on."""

    def __init__(self, bench, name, text, stop_after=None):
        name = re.sub(r"\W+", "_", name)
        file = bench.root / f"{name}.yaml"
        file.write_text("name: audited\nseed: 1\nnodes:\n" + "".join(f"  {line}\n" for line in text.split("\n")))
        log = bench.root / f"{name}.log"
        with log.open("w") as out:
            process = subprocess.Popen(
                [PROGRAM, "run", str(file), "--data", str(bench.root), "--out", str(bench.root / "results" / name),
                 "--memory", f"{MEMORY}M", "--threads", str(THREADS), "--no-cache", "--quiet"],
                env={**os.environ, "SEMBLANCE_PLUGIN_PATH": "", "LC_ALL": "C.UTF-8", "HOME": str(bench.root)},
                stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT)
        at_signal = self._signalled(process.pid, stop_after) if stop_after is not None else None
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = self.code = os.waitstatus_to_exitcode(status)
        self.output = log.read_text(errors="replace")
        self.folder = bench.root / "results" / name
        self.peak = usage.ru_maxrss / 1024
        self.seconds = usage.ru_utime + usage.ru_stime
        self.after_stop = self.seconds - at_signal if at_signal is not None else None

    @staticmethod
    def _signalled(process, stop_after):
        while True:
            now = processor_seconds(process)
            with open(f"/proc/{process}/stat", encoding="ascii") as file:
                if file.read().rpartition(")")[2].split()[0] == "Z":
                    return None  # it has ended
            if now is not None and now >= stop_after:
                os.kill(process, signal.SIGTERM)
                return now
            time.sleep(0.01)


def predictions(folder):
    """All numbers of all predictions."""
    return [float(field) for file in sorted((folder / "predictions").glob("*.csv"))
            for field in re.findall(r"(?<![^,\n])-?[0-9][0-9.e+-]*(?=[,\n])", file.read_text())]


def shares(folder):
    """Those of all explained samples, in the order of the columns."""
    seen = json.loads((folder / "metrics.json").read_text())["nodes"].get("seen", {})
    return [share["share"] for each in seen.get("explanations", [])
            for share in each.get("shares", {}).get("of", [])]


class Memory(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.bench = Workbench()
        cls.components = cls.bench.components()
        for name, width in (("narrow", 4), ("wide", WIDE), ("very_wide", VERY_WIDE)):
            write_sparse(cls.bench.root, name, width)
        write_graphs(cls.bench.root, "labelled", True)
        write_graphs(cls.bench.root, "plain", False)

    @classmethod
    def tearDownClass(cls):
        cls.bench.close()

    def judge(self, cases):
        """Cases by name: the lines of a pipeline."""
        runs = side_by_side(lambda case: Run(self.bench, *case), list(cases.items()))
        for name, run in zip(cases, runs):
            with self.subTest(name):
                self.assertIn(run.code, (0, 1, 2), run.output)
                self.assertLessEqual(run.peak, MOST, f"MiB\n{run.output}")
                if run.code:  # refused, by a message
                    self.assertRegex(run.output, r"(?m)^semblance: |error: ")
        self.judge_stops(cases, runs)

    def judge_stops(self, cases, runs):
        """What takes long is stopped on the way."""
        wanted = {}
        for (name, text), run in zip(cases.items(), runs):
            for share in (0.3, 0.8):
                if run.seconds > STOP_SECONDS:
                    wanted[f"{name}, stopped at {share}"] = text, share * run.seconds
        stopped = side_by_side(lambda case: Run(self.bench, case[0], *case[1]), list(wanted.items()))
        for name, run in zip(wanted, stopped):
            with self.subTest(name):
                if run.after_stop is not None:
                    self.assertLessEqual(run.after_stop, STOP_SECONDS, f"seconds\n{run.output}")

    def sparse(self, file):
        files = {"classes": file, "numbers": f"{file}_numbers"}
        return {f"{name} {file}": SOURCES[target] % files[target] + "\n" + lines
                for name, target, lines in sparse_cases(self.components)}

    def test_sparse_rows_of_twenty_million_columns(self):
        cases = self.sparse("wide")
        self.assertGreater(len(cases), 50)
        self.judge(of_the_day(cases, 7))

    def test_where_the_columns_are_makes_no_difference(self):
        def both(name):
            return [Run(self.bench, f"{file} beside {name}", cases[name]) for file, cases in sides.items()]
        sides = {file: {name.removesuffix(file): text for name, text in self.sparse(file).items()
                        # Their default width depends on the number of columns.
                        if "laplacian" not in name and "polynomial" not in name}
                 for file in ("narrow", "wide")}
        chosen = of_the_day(list(sides["wide"]), 7)
        for name, (narrow, wide) in zip(chosen, side_by_side(both, chosen)):
            with self.subTest(name):
                if wide.code == 0:
                    self.assertEqual(narrow.code, 0, narrow.output)
                    self.assert_close(predictions(wide.folder), predictions(narrow.folder))
                    if "of rbf" not in name:  # a product over more than 4,096 columns has no shares
                        self.assert_close(shares(wide.folder), shares(narrow.folder))

    def assert_close(self, found, expected):
        self.assertEqual(len(found), len(expected))
        for one, other in zip(found, expected):
            self.assertAlmostEqual(one, other, delta=1e-4 * max(1, abs(other)))

    def test_sparse_rows_of_as_many_columns_as_there_can_be(self):
        self.judge(of_the_day(self.sparse("very_wide"), 7))

    def test_a_graph_of_ten_thousand_nodes(self):
        taking = [c for c in self.components if takes(c, "graph") and c["kind"] not in ("solver", "basis")]
        cases = {}
        for name in ("labelled", "plain"):
            source = f"data: {{is: source/graphs, path: {name}.jsonl, test_fraction: 0.5}}\n"
            cases.update({f"{c['id']} {name}": source + nodes(c, "") for c in taking})
            cases[f"kernel_svm {name}"] = (
                f"{source}machine: {{is: solver/kernel_svm, kernel: {{is: similarity/graph_edit}}, from: data}}")
        self.judge(of_the_day(cases, 5))

    def test_archives_of_large_files(self):
        write_archives(self.bench.root)
        self.judge(of_the_day({name: f"data: {source}\nmachine: {{is: solver/linear_svm, from: data}}"
                               for name, source in ARCHIVES.items()}, 7))


if __name__ == "__main__":
    unittest.main(verbosity=2)
