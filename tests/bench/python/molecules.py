# SPDX-License-Identifier: MIT
"""Regression on ESOL, FreeSolv and Lipophilicity by the protocol of gauche's benchmark: 20 splits of
scikit-learn's train_test_split, a fifth for testing, ECFP6 of 2048 bits. A Tanimoto Gaussian process as
defined there (standardized targets, a constant mean, output scale and noise of the largest marginal
likelihood) beside our machines: the tables of docs/molecules.md. The negative log predictive density (NLPD) is that
of standardized targets, of each molecule by itself: gauche's script takes that of all test molecules together.

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

from semblance import KernelIntervals, KernelRidge, KernelSVR
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
    """Estimates and deviations of new numbers."""
    mean, deviation = y[train].mean(), y[train].std()
    spectrum, vectors = eigh(K[np.ix_(train, train)])
    spectrum = np.maximum(spectrum, 0)
    targets, ones = vectors.T @ ((y[train] - mean) / deviation), vectors.T @ np.ones(len(train))

    def noise(logs):
        return np.exp(logs[1]) + 1e-4  # GPyTorch's bound

    def parts(logs):
        variances = np.exp(logs[0]) * spectrum + noise(logs)
        constant = ones @ (targets / variances) / (ones @ (ones / variances))
        return variances, constant, targets - constant * ones

    def loss(logs):
        variances, _, rest = parts(logs)
        return (rest @ (rest / variances) + np.log(variances).sum()) / 2

    logs = minimize(loss, [0, -2], method="Nelder-Mead").x
    variances, constant, rest = parts(logs)
    near = np.exp(logs[0]) * K[np.ix_(test, train)] @ vectors
    process = np.exp(logs[0]) * K[test, test] - (near ** 2 / variances).sum(axis=1)
    spread = np.sqrt(np.maximum(process, 0) + noise(logs))
    return (near @ (rest / variances) + constant) * deviation + mean, spread * deviation


def machine(made, deviations=False):
    def fitted(K, X, y, train, test):
        made.fit(X[train], y[train])
        return made.predict(X[test], return_std=True) if deviations else (made.predict(X[test]), None)
    return fitted


def density(error, deviation, unit):
    """The NLPD of targets divided by the unit."""
    if deviation is None:
        return np.nan
    return np.mean(np.log(2 * np.pi * (deviation / unit) ** 2) + (error / deviation) ** 2) / 2


for name in sys.argv[1:] or TARGETS:
    molecules, y = table(name)
    of_counts = counts(molecules)
    for form, X in (("bits", of_counts.sign()), ("counts", of_counts)):
        K = Tanimoto()(X).astype(float)
        ridge = KernelRidge(kernel=Tanimoto(), penalties=[0.001, 0.003, 0.01, 0.03, 0.1, 0.3])
        svr = KernelSVR(kernel=Tanimoto(), C=5, epsilon=0.1, relative=True)
        noises = [0.003, 0.006, 0.01, 0.02, 0.03, 0.06, 0.1, 0.2, 0.3]
        likelihood, left_out = (KernelIntervals(kernel=Tanimoto(), penalties=noises, choose_by=how)
                                for how in ("likelihood", "squared_error"))
        for method, fitted in (("gauche's process",
                                lambda K, X, y, train, test: gaussian_process(K, y, train, test)),
                               ("KernelIntervals, likelihood", machine(likelihood, True)),
                               ("KernelIntervals, errors", machine(left_out, True)),
                               ("KernelRidge", machine(ridge)), ("KernelSVR", machine(svr))):
            figures = []
            for split in range(SPLITS):
                train, test = train_test_split(np.arange(len(y)), test_size=0.2, random_state=split)
                found, deviation = fitted(K, X, y, train, test)
                error = found - y[test]
                figures.append((np.sqrt(np.mean(error ** 2)), 1 - np.mean(error ** 2) / y[test].var(),
                                density(error, deviation, y[train].std())))
            print(f"{name:14} {form:7} {method:28}" + "  ".join(
                f"{figure} {mean:.3f} +- {spread / np.sqrt(SPLITS):.3f}" for figure, mean, spread in
                zip(("rmse", "r2", "nlpd"), np.mean(figures, axis=0), np.std(figures, axis=0))
                if np.isfinite(mean)), flush=True)
