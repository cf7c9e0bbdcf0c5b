# SPDX-License-Identifier: MIT
"""Regression on ESOL, FreeSolv and Lipophilicity by the protocol of gauche's benchmark: 20 splits of
scikit-learn's train_test_split, a fifth for testing, ECFP6 of 2048 bits. A Tanimoto Gaussian process as
defined there (standardized targets, a constant mean, output scale and noise of the largest marginal
likelihood) beside our machines: a table of docs/molecules.md.

    SEMBLANCE_DATA=DIR ./semblance python tests/bench/python/molecules.py [SET...]
"""

import csv
import lzma
import os
import sys

import numpy as np
from rdkit import Chem
from rdkit.Chem import rdMolDescriptors
from scipy.linalg import eigh
from scipy.optimize import minimize
from scipy.sparse import csr_matrix
from sklearn.model_selection import train_test_split

from semblance import KernelRidge, KernelSVR
from semblance.similarity import Tanimoto

TARGETS = {"ESOL": "measured log solubility in mols per litre", "FreeSolv": "expt",
           "Lipophilicity": "exp"}
SPLITS, BITS, RADIUS = 20, 2048, 3


def table(name):
    path = os.path.join(os.environ["SEMBLANCE_DATA"], "molecules", name + ".csv.xz")
    with lzma.open(path, "rt") as file:
        rows = list(csv.DictReader(file))
    molecules = [Chem.MolFromSmiles(row["smiles"]) for row in rows]
    return molecules, np.array([float(row[TARGETS[name]]) for row in rows])


def counts(molecules):
    found = [rdMolDescriptors.GetHashedMorganFingerprint(m, RADIUS, BITS).GetNonzeroElements()
             for m in molecules]
    columns = [sorted(row) for row in found]
    values = [row[c] for row, ordered in zip(found, columns) for c in ordered]
    starts = np.cumsum([0] + [len(row) for row in columns])
    return csr_matrix((np.array(values, np.float32), np.concatenate(columns), starts),
                      shape=(len(found), BITS))


def gaussian_process(K, y, train, test):
    mean, deviation = y[train].mean(), y[train].std()
    spectrum, vectors = eigh(K[np.ix_(train, train)])
    spectrum = np.maximum(spectrum, 0)
    targets, ones = vectors.T @ ((y[train] - mean) / deviation), vectors.T @ np.ones(len(train))

    def parts(logs):
        variances = np.exp(logs[0]) * spectrum + np.exp(logs[1])
        constant = ones @ (targets / variances) / (ones @ (ones / variances))
        return variances, constant, targets - constant * ones

    def loss(logs):
        variances, _, rest = parts(logs)
        return (rest @ (rest / variances) + np.log(variances).sum()) / 2

    logs = minimize(loss, [0, -2], method="Nelder-Mead").x
    variances, constant, rest = parts(logs)
    weights = vectors @ (rest / variances)
    return (np.exp(logs[0]) * K[np.ix_(test, train)] @ weights + constant) * deviation + mean


def machine(made):
    return lambda X, y, train, test: made.fit(X[train], y[train]).predict(X[test])


for name in sys.argv[1:] or TARGETS:
    molecules, y = table(name)
    of_counts = counts(molecules)
    for form, X in (("bits", of_counts.sign()), ("counts", of_counts)):
        K = Tanimoto()(X).astype(float)
        ridge = KernelRidge(kernel=Tanimoto(), penalties=[0.001, 0.003, 0.01, 0.03, 0.1, 0.3])
        svr = KernelSVR(kernel=Tanimoto(), C=5, epsilon=0.1, relative=True)
        for method, fitted in (("Gaussian process", None), ("KernelRidge", machine(ridge)),
                               ("KernelSVR", machine(svr))):
            errors = []
            for split in range(SPLITS):
                train, test = train_test_split(np.arange(len(y)), test_size=0.2, random_state=split)
                found = (fitted(X, y, train, test) if fitted
                         else gaussian_process(K, y, train, test))
                errors.append(np.sqrt(np.mean((found - y[test]) ** 2)))
            print(f"{name:14} {form:7} {method:17} rmse {np.mean(errors):.3f} +- "
                  f"{np.std(errors) / np.sqrt(SPLITS):.3f}", flush=True)
