# SPDX-License-Identifier: MIT
"""Graphs as samples: networkx, lists of edges, adjacency matrices."""
import pickle

import numpy as np
import pytest
import scipy.sparse
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

import semblance
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
        return [(u, v, label if data == "label" else None)
                for (u, v), label in self._edges.items()]


class _View(dict):
    def __call__(self, data):
        return [(node, label if data == "label" else None) for node, label in self.items()]


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
             ([(0, 1), (0, 2)], 3), (np.array([[1, 0, 0, 2], [0, 1, 2, 0]]), [None] * 3)]
    rows = Graphlets(values="counts").fit_transform(forms)
    np.testing.assert_array_equal(rows, [[1, 0]] * len(forms))


def random_graph(random):
    nodes = int(random.integers(1, 9))
    pairs = [(u, v) for u in range(nodes) for v in range(u + 1) if random.random() < 0.4]
    pairs = [pairs[place] for place in random.permutation(len(pairs))]
    return pairs, nodes, [int(random.integers(3)) for _ in pairs]


def in_both_directions(pairs, labels, random):
    """As PyTorch Geometric lists edges: ends, (edges, 2), and their labels."""
    listed = [*zip(pairs, labels), *(((v, u), label) for (u, v), label in zip(pairs, labels)
                                     if u != v)]
    random.shuffle(listed)
    return [edge for edge, _ in listed], [label for _, label in listed]


def test_random_graphs_are_read_alike_in_all_forms_or_refused():
    random = np.random.default_rng(7)
    graphs = [random_graph(random) for _ in range(300)]
    graphs = [graph for graph in graphs if graph[0]]
    fitted = WeisfeilerLehman(depth=3).fit(graphs)
    bare = WeisfeilerLehman(depth=3).fit([graph[:2] for graph in graphs])
    accepted = 0
    for pairs, nodes, labels in graphs:
        ends, twice = in_both_directions(pairs, labels, random)
        matrix = np.zeros((nodes, nodes))
        for u, v in pairs:
            matrix[u, v] = matrix[v, u] = 1
        of_networkx = Networkx(dict.fromkeys(range(nodes)), dict(zip(pairs, labels)))
        labelled = [of_networkx, ([(float(u), v) for u, v in pairs], nodes, labels),
                    (np.array(pairs), nodes, np.array(labels, dtype=float)),
                    (np.array(pairs).T, nodes, labels), (np.array(pairs).T.tolist(), nodes, labels),
                    (ends, nodes, twice), (np.array(ends), nodes, twice),
                    (np.array(ends).T, nodes, twice), (np.array(ends).T.tolist(), nodes, twice)]
        without = [([list(edge) for edge in pairs], nodes), (np.array(ends).T, [None] * nodes),
                   matrix, matrix.astype(bool), scipy.sparse.csr_matrix(matrix),
                   scipy.sparse.coo_matrix(matrix)]
        for transformer, graph, forms in ((fitted, (pairs, nodes, labels), labelled),
                                          (bare, (pairs, nodes), without)):
            expected = transformer.transform([graph])
            for form in forms:
                try:
                    assert (transformer.transform([form]) != expected).nnz == 0, (graph, form)
                    accepted += 1
                except ValueError as error:
                    assert "give a list of tuples" in str(error).lower() or "Give" in str(error)
    assert accepted > 0.8 * 15 * len(graphs)


def test_weights_are_no_labels_and_no_edges():
    random = np.random.default_rng(8)
    for _ in range(100):
        pairs, nodes, weights = random_graph(random)
        if not pairs:
            continue
        triples = [(u, v, weight) for (u, v), weight in zip(pairs, weights)]
        for given in (triples, np.array(triples), np.array(triples, dtype=float)):
            with pytest.raises(ValueError, match="three values each, and edges have no weights"):
                ShortestPaths().fit([(given, nodes)])


def test_labels_are_those_of_files():
    rows = WeisfeilerLehman(depth=0, unit_length=False).fit_transform(
        [([], [6, 6.0, "6", "6.0", np.float32(6), np.int8(6)]), ([], [0.0, -0.0, 0, "-0.0"]),
         ([], [True, "true", np.bool_(True)]), ([], ["06", "6.5", 6.5])])
    assert sorted(map(sorted, rows.tolil().data)) == [[1, 2], [3], [4], [6]]
    edges = [(0, 1), (1, 2)]
    rows = WeisfeilerLehman(depth=1, unit_length=False).fit_transform(
        [(edges, 3, [1, 2.0]), (edges, 3, ["1.0", np.float64(2)])])
    assert (rows[0] != rows[1]).nnz == 0


def test_labels_learned_from_a_file_are_known_in_python(tmp_path):
    (tmp_path / "graphs.jsonl").write_text(
        '{"nodes": [6.0, 7], "edges": [[0, 1, 1.0]], "label": "a"}\n'
        '{"nodes": [10, 10], "edges": [[0, 1, 2]], "label": "b"}\n' * 4)
    result = semblance.run({"nodes": {
        "graphs": {"is": "source/graphs", "path": "graphs.jsonl", "test_fraction": 0.25},
        "wl": {"is": "normalizer/weisfeiler_lehman", "depth": 1, "from": "graphs"},
        "svm": {"is": "solver/linear_svm", "from": "wl"}}}, data_folder=tmp_path, cache=False)
    given = [([(0, 1)], ["6", 7.0], [1]), ([(0, 1)], [10.0, 10], ["2.0"])]
    assert result.model.predict(given).tolist() == ["a", "b"]


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
    ([WATER, ([(0, 1), (0, 1)], ["a", "b"])], r"X\[1\] lists an edge twice: list each"),
    ([([(0, 1), (1, 0), (1, 2)], 3)], r"twice, in both directions, but \(1, 2\) once"),
    ([([(0, 1), (1, 0)], 2, ["a", "b"])], r"edge \(0, 1\) with the label 'a', and 'b' in the opp"),
    ([(np.array([[0, 1, 1, 2], [1, 0, 2, 3]]), 4)],
     r"has the edge \(1, 2\), but not \(2, 1\): edges of shape \(2, edges\) list each edge in both"),
    ([([[0, 1], [0, 2]], 3)], r"shape \(2, 2\), which could be pairs \(from, to\), or all from"),
    ([(((0, 1), (0, 2)), 3)], r"shape \(2, 2\), which could be pairs"),
    ([([(0, 1.9)], 3)], r"has the edge \(0.0, 1.9\), but its nodes are numbered 0 to 2"),
    ([([(0, np.nan)], 3)], r"has the edge \(0.0, nan\)"),
    ([([(0, np.inf)], 3)], r"has the edge \(0.0, inf\)"),
    ([([(-1, 0)], 3)], r"has the edge \(-1, 0\)"),
    ([([("0", "1")], 3)], r"has the edge \('0', '1'\): nodes are numbers, counted from 0"),
    ([([(0, 1, "single")], 2)], "three values each"),
    ([([0, 1], 2)], "neither pairs"), ([({(0, 1)}, 2)], "neither pairs"),
    ([([(0, 1), (1, 2, 3)], 4)], "neither pairs"), ([(np.eye(4), 4)], "neither pairs"),
    ([([], 2.5)], "has 2.5 nodes: give their number, or their labels"),
    ([([], True)], "has True nodes"), ([([], -1)], "has -1 nodes"), ([([], np.nan)], "nan nodes"),
    ([([], 2 ** 24)], "has 16777216 nodes"),
    ([([], {0: "a"})], "labels of nodes that are dict: give a list in the order of the nodes"),
    ([([], {"a", "b"})], "labels of nodes that are set"), ([([], "CO")], "that are str"),
    ([([], np.eye(2))], "labels of nodes that are ndarray"),
    ([([], ["a", np.nan])], r"the label nan, which is neither text nor a finite number"),
    ([([], [(1, 0)])], r"the label \(1, 0\), which is neither"),
    ([np.array([[0, 2], [2, 0]])], r"has the entry 2 at \(0, 1\): an adjacency matrix has entries 0"),
    ([np.array([[0, np.nan], [1, 0]])], r"has the entry nan at \(0, 1\)"),
    ([np.array([[0, -1], [1, 0]])], r"has the entry -1 at \(0, 1\)"),
    ([np.array([[0, 1], [np.inf, 0]])], r"has the entry inf at \(1, 0\)"),
    ([scipy.sparse.csr_matrix([[0, 0.5], [0.5, 0]])], r"has the entry 0.5 at \(0, 1\)"),
    ([scipy.sparse.coo_matrix(([1, 1], ([0, 0], [1, 1])), shape=(2, 2))], r"entry 2 at \(0, 1\)"),
    ([np.array([[0, None], [None, 0]])], "of type object: its entries must be the numbers 0 and 1"),
    ([np.ma.masked_equal([[0, 1], [1, 0]], 1)], "masked entries"),
    ([([(0, 1)], 2), np.array([[0, 1], [0, 0]])],
     r"X\[1\] is an asymmetric matrix, which is a directed graph, and others are undirected"),
    ([[[0, 1], [1, 0]]], "neither pairs"),
    ([WATER, ([], ["a", None])], r"1 of 2 nodes of X\[1\] have no label"),
    ([WATER, ([(0, 1)], 2)], "Some graphs of X have node labels and others have none"),
    ([([(0, 1)], ["a", "b"], ["x", "y"])], "1 edges and 2 labels of edges"),
    ([np.zeros((2, 3))], r"X\[0\] is no graph, but ndarray: give a list of graphs"),
    ([scipy.sparse.csr_matrix((2, 3))], "it must be square"),
    (["graph"], r"X\[0\] is .*(SMILES|RDKit)"),
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
    bare = WeisfeilerLehman().fit([([(0, 1)], 2)])
    with pytest.raises(ValueError, match="asymmetric matrix, which is a directed graph, and those"):
        bare.transform([np.array([[0, 1], [0, 0]])])
    with pytest.raises(ValueError, match="are directed, unlike those trained on"):
        fitted.transform([Networkx({0: "O", 1: "H"}, {(0, 1): None}, directed=True)])
