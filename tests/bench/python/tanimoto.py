# SPDX-License-Identifier: MIT
"""Tanimoto similarities of Morgan fingerprints beside RDKit's bulk call, in processor
time, in one run: the table of docs/molecules.md.

    SEMBLANCE_DATA=DIR ./semblance python tests/bench/python/tanimoto.py

RDKit compares 100 rows, and its time is multiplied: it takes as long for each. Its fingerprints are made
before. Ours are dense arrays of float32, and packing them into bits counts.
"""

import csv
import lzma
import os
import time

import numpy as np
from rdkit import Chem, DataStructs
from rdkit.Chem import rdMolDescriptors

from semblance.similarity import Tanimoto

ROWS, BASES, BITS = 10_000, 36_000, 2048
RDKIT_ROWS = 100


def prints():
    """RDKit's fingerprints of the 4,200 molecules of Lipophilicity."""
    path = os.path.join(os.environ["SEMBLANCE_DATA"], "molecules", "Lipophilicity.csv.xz")
    with lzma.open(path, "rt") as file:
        molecules = [Chem.MolFromSmiles(row["smiles"]) for row in csv.DictReader(file)]
    return [rdMolDescriptors.GetMorganFingerprintAsBitVect(m, 2, BITS) for m in molecules]


def as_arrays(vectors):
    rows = np.zeros((len(vectors), BITS), np.float32)
    for row, vector in zip(rows, vectors):
        DataStructs.ConvertToNumpyArray(vector, row)
    return rows


def seconds(work, rounds=3):
    best = np.inf
    for _ in range(rounds):
        start = time.process_time()
        found = work()
        best = min(best, time.process_time() - start)
    return best, found


found = prints()
order = np.random.RandomState(0).randint(len(found), size=ROWS + BASES)
chosen = [found[i] for i in order]
rows, bases = chosen[:ROWS], chosen[ROWS:]
bulk, wanted = seconds(
    lambda: [DataStructs.BulkTanimotoSimilarity(row, bases) for row in rows[:RDKIT_ROWS]], 1)
bulk *= ROWS / RDKIT_ROWS
X, B = as_arrays(rows), as_arrays(bases)
measure = Tanimoto()
first, values = seconds(lambda: measure(X, B), 1)
np.testing.assert_array_equal(values[:RDKIT_ROWS], np.array(wanted, np.float32))
del values
again, _ = seconds(lambda: measure(X, B))
print(f"{ROWS} x {BASES} prints of {BITS} bits, processor seconds:")
print(f"RDKit's BulkTanimotoSimilarity   {bulk:8.2f}")
print(f"first call, memory from the system {first:6.2f}   {bulk / first:.0f} times as fast")
print(f"later calls                        {again:6.2f}   {bulk / again:.0f} times as fast")
