# SPDX-License-Identifier: MIT
"""The pipelines and data that `write` stores: all kinds of samples, targets and machines, as small as they can be."""
import json
import random
import struct

PIPELINES = {
    "classes": """
nodes:
  table:  {is: source/csv, path: customers.csv, label: left, columns: [auto], missing: keep, test_rows: 20}
  filled: {is: normalizer/impute, indicator: true, from: table}
  z:      {is: normalizer/zscore, from: filled}
  x:      {is: normalizer/learned_metric, from: z}
  svm:    {is: solver/kernel_svm, kernel: {is: similarity/rbf, gamma: 1}, from: x}
  likely: {is: calibrator/probabilities, from: svm}
  linear: {is: solver/linear_svm, from: z}
  sets:   {is: calibrator/conformal, folds: 3, from: linear}
  ml3:    {is: solver/ml3, models: 2, from: z}
  ridge:  {is: solver/ridge_classifier, from: z}
  test:   {is: evaluator/classification, from: svm}
select:
  metric: test.error_rate
  folds: 3
  parameters: {C: {path: nodes.svm.C, values: [1, 10]}}
""",
    "numbers": """
nodes:
  table:  {is: source/csv, path: houses.csv, target: price, ignore: [rent], test_fraction: 0.3}
  z:      {is: normalizer/min_max, from: table}
  ridge:  {is: solver/kernel_ridge, kernel: {is: similarity/rbf, gamma: 0.5}, from: z}
  range:  {is: calibrator/conformal_intervals, from: ridge}
  svr:    {is: solver/kernel_svr, kernel: {is: similarity/polynomial, degree: 2}, C: 10, from: z}
  ends:   {is: solver/quantile_regression, from: z}
  gauss:  {is: solver/kernel_intervals, kernel: {is: similarity/rbf, gamma: 1}, from: z}
  bases:  {is: basis/all, from: z}
  rbf:    {is: similarity/rbf, gamma: 1, from: z, bases: bases}
  near:   {is: solver/neighbour_regression, k: 3, from: rbf}
  test:   {is: evaluator/regression, from: ridge}
""",
    "novelty": """
nodes:
  table: {is: source/csv, path: vibrations.csv, label: none, test_fraction: 0.2}
  x:     {is: normalizer/robust, from: table}
  near:  {is: solver/neighbour_novelty, k: 3, from: x}
  alarm: {is: calibrator/false_alarms, from: near}
  plane: {is: solver/one_class_svm, kernel: {is: similarity/rbf, gamma: 0.5}, nu: 0.1, from: x}
  ball:  {is: solver/svdd, kernel: {is: similarity/rbf, gamma: 0.5}, nu: 0.1, from: x}
""",
    "pictures": """
nodes:
  images: {is: source/npy, path: images.npy, label: kinds.npy, test_fraction: 0.3}
  hog:    {is: feature/hog, cell: 4, from: images}
  bases:  {is: basis/random_per_class, per_class: 4, from: images}
  moving: {is: similarity/deformable, shift: 1, local: 1, from: hog, bases: bases}
  rbf:    {is: similarity/rbf, gamma: 1, from: hog, bases: bases}
  map:    {is: normalizer/mean_norm, from: [moving, rbf]}
  svm:    {is: solver/linear_svm, from: map}
  test:   {is: evaluator/classification, from: svm}
""",
    "series": """
nodes:
  series: {is: source/ucr, path: series.tsv, test_fraction: 0.3}
  z:      {is: feature/znorm, from: series}
  bases:  {is: basis/random_per_class, per_class: 4, from: z}
  dtw:    {is: similarity/dtw, window: 3, from: z, bases: bases}
  svm:    {is: solver/linear_svm, from: dtw}
  maps:   {is: normalizer/minirocket, from: z}
  ridge:  {is: solver/ridge_classifier, from: maps}
  set:    {is: feature/as_set, time: 1, from: z}
  near:   {is: similarity/chamfer, from: set, bases: bases}
  points: {is: solver/linear_svm, from: near}
  test:   {is: evaluator/classification, from: svm}
""",
    "strings": """
nodes:
  words:    {is: source/strings, path: words.tsv, test_fraction: 0.3}
  bases:    {is: basis/random, count: 8, from: words}
  edit:     {is: similarity/edit, from: words, bases: bases}
  svm:      {is: solver/linear_svm, from: edit}
  spectrum: {is: feature/spectrum, longest: 2, from: words}
  sparse:   {is: solver/linear_svm, from: spectrum}
  test:     {is: evaluator/classification, from: svm}
""",
    "texts": """
nodes:
  texts: {is: source/text, path: texts.tsv, test_fraction: 0.3}
  tfidf: {is: normalizer/tfidf, from: texts}
  svm:   {is: solver/linear_svm, from: tfidf}
  test:  {is: evaluator/classification, from: svm}
""",
    "graphs": """
nodes:
  graphs: {is: source/graphs, path: graphs.jsonl, test_fraction: 0.3}
  wl:     {is: normalizer/weisfeiler_lehman, depth: 2, from: graphs}
  svm:    {is: solver/kernel_svm, kernel: {is: similarity/linear}, from: wl}
  bases:  {is: basis/random, count: 8, from: graphs}
  edits:  {is: similarity/graph_edit, from: graphs, bases: bases}
  linear: {is: solver/linear_svm, from: edits}
  test:   {is: evaluator/classification, from: svm}
""",
    "pairs": """
nodes:
  table: {is: source/csv, path: faces.csv, label: who, test_class_fraction: 0.3}
  x:     {is: normalizer/zscore, from: table}
  pairs: {is: pairs/all, from: table}
  svm:   {is: solver/pairwise_svm, kernel: {is: pair_kernel/metric_learning}, from: x, pairs: pairs}
  cosine: {is: solver/pair_cosine, from: x, pairs: pairs}
  test:  {is: evaluator/verification, from: svm}
""",
    "pairs_of_two_kinds": """
nodes:
  pairs:
    is: source/pairs
    path: affinities.csv
    first:  {is: source/csv, path: drugs.csv, label: none, id: drug}
    second: {is: source/strings, path: proteins.fasta, label: none}
    first_id: drug
    second_id: protein
    target: affinity
    setting: new_pairs
    test_fraction: 0.3
  x:     {is: feature/parts, second: {is: feature/spectrum, longest: 2}, from: pairs}
  z:     {is: normalizer/parts, first: {is: normalizer/zscore}, from: x}
  ridge:
    is: solver/kronecker_ridge
    first:  {is: similarity/rbf, gamma: 0.5}
    second: {is: similarity/cosine}
    penalty: 0.1
    from: z
  test:  {is: evaluator/regression, from: ridge}
""",
    "study": """
study:
  metric: test.error_rate
  baseline: {scale: z, C: 1}
  slots:
    scale: {z: {}, none: {bypass: z}}
    C:     {path: nodes.svm.C, values: [1, 10]}
  repeats: {folds: 3, seeds: 2}
nodes:
  table: {is: source/csv, path: faces.csv, label: who}
  z:     {is: normalizer/zscore, from: table}
  svm:   {is: solver/linear_svm, from: z}
  test:  {is: evaluator/classification, from: svm}
""",
}

# What each model predicts, as arguments of `predict`.
NEW = {"classes": "new_customers.csv", "numbers": "new_houses.csv", "novelty": "new_vibrations.csv",
       "pictures": "new_images.npy", "series": "new_series.tsv", "strings": "new_words.tsv", "texts": "new_texts.tsv",
       "graphs": "new_graphs.jsonl", "pairs": "new_faces.csv", "pairs_of_two_kinds":
       "new_affinities.csv --set nodes.pairs.first.path=drugs.csv --set nodes.pairs.second.path=proteins.fasta"}


def customers(draw, row):
    age, city = 20 + int(50 * draw()), ("Rome", "Oslo", "Bern")[int(3 * draw())]
    left = (age > 45) != (city == "Oslo")
    return ["" if row % 9 == 0 else age, city, round(1 + 3 * draw(), 2), "yes" if left else "no"]


def houses(draw, row):
    size, rooms = 30 + int(90 * draw()), 1 + row % 5
    return [size, rooms, round(2 * size + 9 * rooms + 5 * draw(), 2), 7 * size]


def vibrations(draw, row):
    return [round(draw() + draw(), 3), round(draw() + row % 2, 3), round(10 * draw(), 3)]


def faces(draw, row):
    return [*(round(row % 6 * weight % 5 + draw(), 3) for weight in (1, 2, 3)), "abcdef"[row % 6]]


def series(draw, row):
    return [row % 2 + 1, *(round((-1) ** (step // (3 + row % 2 * 3)) + draw(), 3) for step in range(24))]


def words(draw, row):
    letters = ("aabc", "abcc")[row % 2]
    return [("left", "right")[row % 2], "".join(letters[int(4 * draw())] for _ in range(4 + row % 5))]


def texts(draw, row):
    known = (("price", "share", "profit", "market"), ("wheat", "maize", "crop", "market"))[row % 2]
    return [("trade", "grain")[row % 2], " ".join(known[int(4 * draw())] for _ in range(6))]


def graphs(draw, row):
    size = 4 + row % 3
    edges = [[node, node + 1, "single"] for node in range(size - 1)] + row % 2 * [[0, size - 1, "double"]]
    nodes = ["CCNO"[int(4 * draw())] for _ in range(size)]
    return {"nodes": nodes, "edges": edges, "label": ("chain", "ring")[row % 2]}


def lines(make, rows, seed, header="", separator=","):
    draw = random.Random(seed).random
    made = [separator.join(map(str, make(draw, row))) for row in range(rows)]
    return "".join(line + "\n" for line in ([header] if header else []) + made)


def npy(kind, shape, values):
    header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", 118) + header.encode() + struct.pack(
        f"<{len(values)}{'i' if kind == '<i4' else 'B'}", *values)


def images(rows, seed):
    """Lines of twelve by twelve pixels, upright or level, somewhere."""
    draw = random.Random(seed).random
    places = [2 + int(8 * draw()) for _ in range(rows)]
    return npy("|u1", (rows, 12, 12), [
        int(60 * draw()) + 180 * ((x, y)[row % 2] == places[row])
        for row in range(rows) for y in range(12) for x in range(12)])


def write_data(folder):
    tables = {"customers.csv": (customers, "age,city,income,left"), "houses.csv": (houses, "size,rooms,price,rent"),
              "vibrations.csv": (vibrations, "a,b,c"), "faces.csv": (faces, "nose,eyes,mouth,who")}
    for name, (make, header) in tables.items():
        (folder / name).write_text(lines(make, 60, 1, header))
        (folder / f"new_{name}").write_text(lines(make, 12, 2, header))
    for name, make in {"series.tsv": series, "words.tsv": words, "texts.tsv": texts}.items():
        (folder / name).write_text(lines(make, 40, 1, separator="\t"))
        (folder / f"new_{name}").write_text(lines(make, 12, 2, separator="\t"))
    for name, rows, seed in (("", 40, 1), ("new_", 12, 2)):
        draw = random.Random(seed).random
        made = [json.dumps(graphs(draw, row)) + "\n" for row in range(rows)]
        (folder / f"{name}graphs.jsonl").write_text("".join(made))
        (folder / f"{name}images.npy").write_bytes(images(rows, seed))
    (folder / "kinds.npy").write_bytes(npy("<i4", (40,), [row % 2 for row in range(40)]))
    draw = random.Random(1).random
    drugs = {f"d{number}": [round(draw(), 3), round(draw(), 3)] for number in range(6)}
    proteins = {f"p{number}": "".join("ACGT"[int(4 * draw())] for _ in range(8 + number)) for number in range(5)}
    rows = [f"{name},{mass},{logp}\n" for name, (mass, logp) in drugs.items()]
    (folder / "drugs.csv").write_text("drug,mass,logp\n" + "".join(rows))
    (folder / "proteins.fasta").write_text("".join(f">{name}\n{text}\n" for name, text in proteins.items()))
    known = [f"{drug},{protein},{round(5 + 3 * draw(), 2)}\n" for drug in drugs for protein in proteins]
    (folder / "affinities.csv").write_text("drug,protein,affinity\n" + "".join(known[:26]))
    (folder / "new_affinities.csv").write_text("drug,protein\n" + "".join(
        line.rpartition(",")[0] + "\n" for line in known[26:]))
