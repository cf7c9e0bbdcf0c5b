# SPDX-License-Identifier: MIT
"""Samples as other packages have them: Pillow, RDKit, igraph, networkx, pandas' panels."""

import numpy as np
import pytest
from sklearn.datasets import load_digits

import semblance
from semblance import _rows
from semblance import (HOG, KernelSVM, LinearSVM, NearestNeighbour, ShortestPaths, WeisfeilerLehman,
                       ZScore)
from semblance.similarity import DTW, graph_edit

ALCOHOL = ([(0, 1), (1, 2)], ["C", "C", "O"], ["single", "single"])
ANION = ([(0, 1), (1, 2)], ["C", "N+", "O-"], ["single", "single"])


# Pictures ----------------------------------------------------------------------------------------

def pictures(count=60):
    image = pytest.importorskip("PIL.Image")
    arrays = (load_digits().images[:count] * 15).astype(np.uint8)
    return arrays, [image.fromarray(array) for array in arrays], load_digits().target[:count]


def test_pictures_of_pillow_are_arrays():
    arrays, given, y = pictures()
    objects = np.empty(len(given), dtype=object)
    objects[:] = given
    for some in (given, tuple(given), objects):
        np.testing.assert_array_equal(HOG(cell=4).fit_transform(some),
                                      HOG(cell=4).fit_transform(arrays))
    one = KernelSVM(image_shape=(8, 8)).fit(given, y)
    np.testing.assert_array_equal(one.predict(given),
                                  KernelSVM(image_shape=(8, 8)).fit(arrays, y).predict(arrays))
    with pytest.raises(ValueError, match="X.1. is a picture of .9, 8. pixels"):
        HOG(cell=4).fit([given[0], given[1].resize((9, 8))])


def test_colours_of_a_palette_are_no_numbers():
    arrays, given, _ = pictures(5)
    indexed = [picture.convert("RGB").convert("P") for picture in given]
    colours = [picture.convert("RGB") for picture in indexed]
    hog = HOG(cell=4).fit(colours)
    np.testing.assert_array_equal(hog.transform(indexed), hog.transform(colours))
    mixed = [given[0], colours[1]]
    assert HOG(cell=4).fit_transform(mixed).shape[0] == 2


# Series ------------------------------------------------------------------------------------------

def test_a_panel_of_pandas_is_series_by_sample_and_time():
    pandas = pytest.importorskip("pandas")
    make = np.random.default_rng(0)
    series = [make.normal(size=(2, size)) for size in (5, 7, 6, 5)]
    frames = {name: pandas.DataFrame(part.T, columns=["a", "b"])
              for name, part in zip(("w", "x", "y", "z"), series)}
    panel = pandas.concat(frames, names=["sample", "time"])
    shuffled = panel.sample(frac=1, random_state=0).sort_index(level=0, sort_remaining=False)
    measure = DTW(as_="negative")
    machine = NearestNeighbour(similarity=measure).fit(panel, [0, 1, 1, 0])
    np.testing.assert_array_equal(machine.decision_function(shuffled),
                                  machine.decision_function(series))
    assert len(machine.predict(panel)) == 4
    single = NearestNeighbour(similarity=measure).fit(panel["a"], [0, 1, 1, 0])
    np.testing.assert_array_equal(single.kneighbors([s[0] for s in series], 2)[1],
                                  single.kneighbors(panel["a"], 2)[1])
    for given, lists in (panel, series), (panel["a"], [part[0] for part in series]):
        np.testing.assert_array_equal(measure(given), measure(lists))


def test_rows_of_a_table_with_two_levels_are_samples():
    pandas = pytest.importorskip("pandas")
    index = pandas.MultiIndex.from_product([[0, 1, 2], [0, 1]])
    table = pandas.DataFrame(np.arange(12).reshape(6, 2), index=index, columns=["a", "b"])
    assert len(KernelSVM().fit(table, [0, 1] * 3).predict(table)) == 6


# Molecules ---------------------------------------------------------------------------------------

def test_molecules_are_graphs_as_in_the_program():
    chem = pytest.importorskip("rdkit.Chem")
    smiles = ["CCO", "C[NH2+][O-]"]
    for given in (smiles, np.array(smiles), [chem.MolFromSmiles(text) for text in smiles]):
        np.testing.assert_array_equal(graph_edit(given, [ALCOHOL, ANION], as_="negative"),
                                      graph_edit([ALCOHOL, ANION], as_="negative"))
    ring = [([(i, (i + 1) % 6) for i in range(6)], ["C"] * 6, ["aromatic"] * 6)]
    assert graph_edit(["c1ccccc1"], ring, as_="negative") == 0
    vectors = WeisfeilerLehman(depth=2).fit(["CCO", "CCN", "c1ccccc1O", "C"])
    assert vectors.transform(["CCN"]).shape[0] == 1


def test_what_is_no_molecule_is_said():
    pytest.importorskip("rdkit")
    with pytest.raises(ValueError, match="X.1. is 'C1CC', which RDKit does not understand"):
        WeisfeilerLehman().fit(["CC", "C1CC"])
    with pytest.raises(ValueError, match="X must be a list of graphs.*got 'CCO'"):
        WeisfeilerLehman().fit("CCO")


def test_without_rdkit_a_text_says_what_is_missing(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "rdkit", None)
    with pytest.raises(ValueError, match="install RDKit"):
        WeisfeilerLehman().fit(["CC", "CO"])


# Graphs ------------------------------------------------------------------------------------------

class Items(dict):
    """Vertices or edges of igraph: values by the name of the attribute."""

    def __init__(self, count, **values):
        super().__init__(values)
        self.count = count

    def __len__(self):
        return self.count

    def attributes(self):
        return list(self)


class Graph:
    """What is used of a graph of igraph."""

    def __init__(self, edges, vertices, **of_edges):
        self.edges, self.vs = edges, vertices
        self.es = Items(len(edges), **of_edges)

    def get_edgelist(self):
        return self.edges

    def vcount(self):
        return len(self.vs)

    def is_directed(self):
        return False


Graph.__module__ = "igraph"


def test_graphs_of_igraph_with_labels():
    given = [Graph(ALCOHOL[0], Items(3, label=ALCOHOL[1], color=["red"] * 3), label=ALCOHOL[2]),
             Graph(ANION[0], Items(3, label=ANION[1]), label=ANION[2])]
    np.testing.assert_array_equal(graph_edit(given, as_="negative"),
                                  graph_edit([ALCOHOL, ANION], as_="negative"))
    bare = ShortestPaths().fit_transform([Graph([(0, 1)], Items(2)), Graph([], Items(1))])
    np.testing.assert_array_equal(
        bare.toarray(), ShortestPaths().fit_transform([([(0, 1)], 2), ([], 1)]).toarray())


def test_attributes_of_nodes_are_used():
    def graph(*values):
        return Graph([(0, 1)], Items(2, attributes=list(values)))
    given = [graph(0.0, 1.0), graph(0.0, 9.0), graph(5.0, 9.0), graph(0.1, 1.1)]
    binned = WeisfeilerLehman(attributes="bins", depth=0, random_state=1).fit(given)
    rows = binned.transform([graph(0.0, 1.0), graph(5.0, 9.0)]).toarray()
    assert not np.array_equal(rows[0], rows[1])
    with pytest.raises(ValueError, match="differ in their number of node attributes: 2, and"):
        binned.transform([graph((0.0, 1.0), (2.0, 3.0))])
    with pytest.raises(ValueError, match="attributes of the nodes of X.0. must be as many finite"):
        WeisfeilerLehman().fit([graph(0.0, np.nan)])


def test_graphs_of_igraph_itself():
    igraph = pytest.importorskip("igraph")
    given = igraph.Graph(edges=ALCOHOL[0], vertex_attrs={"label": ALCOHOL[1]},
                         edge_attrs={"label": ALCOHOL[2]})
    assert graph_edit([given], [ALCOHOL], as_="negative") == 0


class Geometric:
    """A graph as torch_geometric.data.Data has it."""

    def __init__(self, edges, x, edge_attr=None):
        self.edge_index, self.x, self.edge_attr = np.array(edges).T, np.array(x), edge_attr
        self.num_nodes = len(x)


def test_graphs_of_pytorch_geometric_have_attributes():
    both = [(0, 1), (1, 0), (1, 2), (2, 1), (2, 2)]
    plain = Graph([(0, 1), (1, 2), (2, 2)], Items(3, attributes=[[1.0, 2], [3, 4], [5, 6]]),
                  attributes=[[7.0], [8], [9]])
    given = Geometric(both, [[1, 2], [3, 4], [5, 6]], np.array([[7], [7], [8], [8], [9]]))
    first, second = (_rows.samples([graph], "graph") for graph in (plain, given))
    np.testing.assert_array_equal(first.values, second.values)
    assert first.layout == second.layout and not second.layout["shape"]["directed"]
    assert _rows.samples([Geometric(both[1:], [0, 1, 2])], "graph").layout["shape"]["directed"]
    with pytest.raises(ValueError, match="X.0. has edges whose attributes differ in the two"):
        _rows.samples([Geometric(both, [0, 1, 2], np.arange(5))], "graph")
    with pytest.raises(ValueError, match="X.0. has the edge .0, 3., but its nodes are numbered"):
        _rows.samples([Geometric([(0, 3)], [0, 1, 2])], "graph")


# Dates -------------------------------------------------------------------------------------------

def frame_of_dates(zone=None):
    pandas = pytest.importorskip("pandas")
    days = pandas.date_range("1969-12-28 06:00", periods=40, freq="19D", tz=zone)
    return pandas.DataFrame({"x": np.arange(40.0) % 7, "when": days, "z": np.arange(40) % 3})


def test_dates_of_a_frame_are_those_of_a_file(tmp_path):
    frame, y = frame_of_dates(), np.arange(40) // 20
    frame.assign(y=y).to_csv(tmp_path / "dates.csv", index=False)
    nodes = {"table": {"is": "source/csv", "path": str(tmp_path / "dates.csv"), "label": "y",
                       "dates": ["when"]},
             "svm": {"is": "solver/linear_svm", "from": "table"}}
    file = semblance.run({"nodes": nodes}, cache=False).model
    arrays = semblance.run({"nodes": nodes}, {"table": (frame, y)}, cache=False).model
    machine = LinearSVM().fit(frame, y)
    assert machine.feature_names_in_.tolist() == file._trained.columns("svm") == [
        "x", "when=days since 1970", "when=day of the year", "when=weekday", "z"]
    expected = file.decision_function(frame)
    np.testing.assert_array_equal(arrays.decision_function(frame), expected)
    np.testing.assert_allclose(machine.decision_function(frame), expected[:, 1], rtol=1e-4)
    table = ZScore().fit(frame)
    assert table.inverse_transform(table.transform(frame))[0, 1:4].round(4).tolist() == [-3.75, 362, 7]


def test_other_dates_are_refused():
    pandas = pytest.importorskip("pandas")
    frame = frame_of_dates()
    for other, said in ((frame_of_dates("Europe/Zurich"), "'when' is of type .*Zurich.*tz_localize"),
                        (frame.assign(when=frame.when - frame.when[0]), "timedelta.*total_seconds"),
                        (frame.set_axis([0, 1, 2], axis=1), "The column 1 is of type datetime64"),
                        (frame[["when"]].to_numpy(), "must hold numbers")):
        with pytest.raises(TypeError, match=said):
            LinearSVM().fit(other, np.arange(40) // 20)
    gaps = frame_of_dates()
    gaps.loc[3, "when"] = pandas.NaT
    with pytest.raises(ValueError, match="NaN"):
        LinearSVM().fit(gaps, np.arange(40) // 20)
