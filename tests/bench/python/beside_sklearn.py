# SPDX-License-Identifier: MIT
"""scikit-learn's classifiers and ours on the same data, in turns, in one run: the table of
docs/python.md.

    SEMBLANCE_DATA=DIR ./semblance python tests/bench/python/beside_sklearn.py
"""

import lzma

import mnist
from side_by_side import compare, data_folder
from sklearn import datasets, svm
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline, make_pipeline

from semblance import KernelSVM, LinearSVM, NearestNeighbour
from semblance.similarity import RBF, Euclidean


def digits():
    found = datasets.load_digits()
    return train_test_split(found.data, found.target, test_size=0.5, shuffle=False)


def newsgroups(folder):
    """Counts of the words of 20 Newsgroups."""
    with lzma.open(folder / "20news.train.svm.xz") as train, \
            lzma.open(folder / "20news.test.svm.xz") as test:
        X, y, X_test, y_test = datasets.load_svmlight_files([train, test])
    return X.astype("float32"), X_test.astype("float32"), y, y_test


def both(title, theirs, ours, data, rounds):
    print(f"\n{title}")
    X, X_test, y, y_test = data
    compare({name(theirs()): theirs, name(ours()): ours}, X, y, X_test, y_test, rounds)


def name(machine):
    return type(machine[-1] if isinstance(machine, Pipeline) else machine).__name__


both("digits, Gaussian kernel", lambda: svm.SVC(gamma=0.001),
     lambda: KernelSVM(kernel=RBF(gamma=0.001)), digits(), 15)
both("digits, one neighbour", lambda: KNeighborsClassifier(1),
     lambda: NearestNeighbour(k=1, similarity=Euclidean()), digits(), 15)
if folder := data_folder("mnist"):
    X, y, X_test, y_test = mnist.data(folder, 10000)
    parts = X, X_test, y, y_test
    both("MNIST, 10,000 rows, Gaussian kernel", lambda: svm.SVC(gamma=mnist.GAMMA, C=mnist.C),
         lambda: KernelSVM(kernel=RBF(gamma=mnist.GAMMA), C=mnist.C), parts, 1)
    both("MNIST, 10,000 rows, linear", lambda: svm.LinearSVC(C=0.01, dual=False),
         lambda: LinearSVM(C=0.01), parts, 1)
if folder := data_folder("text"):
    both("20 Newsgroups, tf-idf and a linear machine",
         lambda: make_pipeline(TfidfTransformer(sublinear_tf=True), svm.LinearSVC()),
         lambda: make_pipeline(TfidfTransformer(sublinear_tf=True), LinearSVM()),
         newsgroups(folder), 3)
