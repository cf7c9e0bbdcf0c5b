# SPDX-License-Identifier: MIT
"""Graphs as samples: networkx, lists of edges, adjacency matrices."""
import pickle

import numpy as np
import pytest
import scipy.sparse
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

from semblance import BasisExpandingSVM, KernelSVM, NearestNeighbour
from semblance.feature import Graphlets, ShortestPaths
from semblance.normalizer import WeisfeilerLehman
from semblance.similarity import GraphEdit, graph_edit


class Networkx:
    """What is used of a graph of networkx."""

    def __init__(self, labels, edges, directed=False, multigraph=False):
        self._labels, self._edges = labels, edges
        self._directed, self._multigraph = directed, multigraph

    def is_directed(self):
        return self._directed

    def is_multigraph(self):
        return self._multigraph

    @property
    def nodes(self):
        return _View(self._labels)

    def edges(self, data):
        assert data == "label"
        return [(u, v, label) for (u, v), label in self._edges.items()]


class _View(dict):
    def __call__(self, data):
        assert data == "label"
        return list(self.items())


WATER = ([(0, 1), (0, 2)], ["O", "H", "H"])
HYDRONIUM = ([(0, 1), (0, 2), (0, 3)], ["O", "H", "H", "H"])


def rings_and_chains(count):
    graphs, labels = [], []
    for i in range(count):
        nodes = 4 + i % 5
        edges = [(v, v + 1) for v in range(nodes - 1)] + [(nodes - 1, 0)] * (i % 2)
        graphs.append((edges, ["N" if v == i % 3 else "C" for v in range(nodes)]))
        labels.append(("chain", "ring")[i % 2])
    return graphs, np.array(labels)


def test_the_similarity_of_water_and_hydronium_is_the_one_that_grakel_documents():
    rows = ShortestPaths().fit_transform([WATER, HYDRONIUM])
    assert scipy.sparse.issparse(rows)
    np.testing.assert_allclose((rows @ rows.T).toarray()[0, 1], 0.94280904, rtol=1e-6)


def test_all_forms_of_a_graph_are_the_same():
    names = {"a": "O", "b": "H", "c": "H"}
    of_networkx = Networkx(names, {("a", "b"): None, ("a", "c"): None})
    expected = WeisfeilerLehman(depth=2, unit_length=False).fit_transform([WATER, HYDRONIUM])
    given = WeisfeilerLehman(depth=2, unit_length=False).fit_transform([of_networkx, HYDRONIUM])
    assert (expected != given).nnz == 0
    matrix = np.array([[0, 1, 1], [1, 0, 0], [1, 0, 0]])
    forms = [matrix, scipy.sparse.csr_matrix(matrix), scipy.sparse.coo_array(matrix),
             ([(0, 1), (0, 2)], 3), (np.array([[0, 1], [0, 2]]), [None] * 3)]
    rows = Graphlets(values="counts").fit_transform(forms)
    np.testing.assert_array_equal(rows, [[1, 0]] * len(forms))


def test_an_asymmetric_matrix_is_a_directed_graph():
    arrow = np.array([[0, 1], [0, 0]])
    rows = ShortestPaths(unit_length=False).fit_transform([arrow])
    assert rows.sum() == 1
    assert ShortestPaths(unit_length=False).fit_transform([arrow + arrow.T]).sum() == 2
    one = Networkx({0: None, 1: None}, {(0, 1): None}, directed=True)
    assert ShortestPaths(unit_length=False).fit_transform([one]).sum() == 1


def test_edges_have_labels():
    single, double = ([(0, 1)], ["C", "O"], ["single"]), ([(0, 1)], ["C", "O"], [2])
    rows = WeisfeilerLehman(depth=1, unit_length=False).fit_transform([single, double])
    assert (rows @ rows.T).toarray().tolist() == [[4, 2], [2, 4]]


def test_machines_learn_graphs_in_a_pipeline():
    graphs, labels = rings_and_chains(60)
    machine = make_pipeline(WeisfeilerLehman(depth=2), KernelSVM(kernel="linear", C=100))
    assert cross_val_score(machine, graphs, labels, cv=3).mean() > 0.9
    machine.fit(graphs, labels)
    again = pickle.loads(pickle.dumps(machine))
    larger = ([(v, v + 1) for v in range(30)], ["C"] * 30 + ["P"])  # a label that is new, too
    np.testing.assert_array_equal(again.decision_function(graphs + [larger]),
                                  machine.decision_function(graphs + [larger]))


def test_the_edit_distance_of_water_and_hydronium_is_a_node_and_an_edge():
    assert graph_edit([WATER], [HYDRONIUM], as_="negative")[0, 0] == -2
    values = GraphEdit(as_="negative")([WATER, HYDRONIUM], [HYDRONIUM])
    np.testing.assert_array_equal(values, [[-2], [0]])


def test_measures_number_the_labels_of_both_sides_together():
    oxygen, sulfur = ([], ["O"]), ([], ["S"])
    np.testing.assert_array_equal(
        GraphEdit(as_="negative").similarities([oxygen, sulfur], [sulfur]), [[-1], [0]])
    bond = ([(0, 1)], ["S", "O"], ["single"])
    assert graph_edit([bond], [oxygen], as_="negative") == -2
    with pytest.raises(ValueError, match="graphs of X or those of B have node labels: both"):
        graph_edit([oxygen], [([], 1)])
    arrow = np.array([[0, 1], [0, 0]])
    assert graph_edit([arrow], [arrow + arrow.T], as_="negative") == -1


def test_machines_learn_from_edit_distances():
    graphs, labels = rings_and_chains(60)
    machine = KernelSVM(kernel=GraphEdit(as_="exponential"), repair="krein", C=10)
    assert cross_val_score(machine, graphs, labels, cv=3).mean() > 0.9
    for other in (BasisExpandingSVM(similarities=GraphEdit(), bases=30, C=100),
                  NearestNeighbour(similarity=GraphEdit(as_="negative"))):
        assert cross_val_score(other, graphs, labels, cv=3).mean() > 0.6


def test_new_labels_equal_no_old_ones():
    transformer = WeisfeilerLehman(depth=0, unit_length=False).fit([WATER])
    assert transformer.transform([([], ["S", "H", "S"])]).toarray().sum() == 1


@pytest.mark.parametrize("graphs, words", [
    ([([(0, 3)], ["a", "b"])], r"X\[0\] has the edge \(0, 3\), but its nodes are numbered 0 to 1"),
    ([WATER, ([], [])], r"X\[1\] has no nodes"),
    ([WATER, ([(0, 1), (1, 0)], ["a", "b"])], r"X\[1\] lists an edge twice"),
    ([WATER, ([], ["a", None])], r"1 of 2 nodes of X\[1\] have no label"),
    ([WATER, ([(0, 1)], 2)], "Some graphs of X have node labels and others have none"),
    ([([(0, 1)], ["a", "b"], ["x", "y"])], "1 edges and 2 labels of edges"),
    ([np.zeros((2, 3))], r"X\[0\] is no graph, but ndarray: give a list of graphs"),
    ([scipy.sparse.csr_matrix((2, 3))], "it must be square"),
    (["graph"], r"X\[0\] is no graph, but str"),
    ([Networkx({0: None}, {}, multigraph=True)], "is a multigraph"),
    ([Networkx({0: "a"}, {}, directed=True), WATER], "Some graphs of X are directed"),
    ([], "0 sample"),
])
def test_what_is_no_graph_is_refused(graphs, words):
    with pytest.raises(ValueError, match=words):
        WeisfeilerLehman().fit(graphs)


def test_new_graphs_must_have_the_parts_of_those_trained_on():
    fitted = WeisfeilerLehman().fit([WATER])
    with pytest.raises(ValueError, match="have no node labels, unlike those trained on"):
        fitted.transform([([(0, 1)], 2)])
    with pytest.raises(ValueError, match="are directed, unlike those trained on"):
        fitted.transform([Networkx({0: "O", 1: "H"}, {(0, 1): None}, directed=True)])
