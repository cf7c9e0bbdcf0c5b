# SPDX-License-Identifier: MIT
"""A graph in the forms that Python's libraries give it."""

from __future__ import annotations

import collections.abc
import math
import numbers
from dataclasses import dataclass
from typing import Any, List, Optional, Tuple

import numpy as np

from .form import FORMS
from .tables import is_sparse

#: Whole numbers below it are exact in float32.
LARGEST = 1 << 24


@dataclass(frozen=True)
class Graph:
    """A graph as it is given."""

    nodes: int
    edges: np.ndarray  #: int64 (m, 2)
    node_labels: Optional[List[str]]
    edge_labels: Optional[List[str]]
    directed: Optional[bool]  #: None: edges decide, an undirected one is listed in both directions
    node_attributes: Optional[np.ndarray] = None  #: (nodes, numbers)
    edge_attributes: Optional[np.ndarray] = None


def graph_of(value: Any, name: str) -> Graph:
    """The graph. Raises ValueError where it has none of the forms, or one that can be read in two
    ways, or has weights."""
    package = type(value).__module__.split(".")[0]
    if package == "rdkit" or isinstance(value, str):
        return _of_molecule(value, name)
    if package == "igraph":
        return _of_igraph(value, name)
    if hasattr(value, "is_directed") and hasattr(value, "nodes"):
        return _of_networkx(value, name)
    if hasattr(value, "edge_index"):
        return _of_geometric(value, name)
    square = isinstance(value, np.ndarray) and value.ndim == 2 and len(set(value.shape)) == 1
    if square or is_sparse(value) and hasattr(value, "tocoo"):
        return _of_matrix(value, name)
    if isinstance(value, (tuple, list)) and len(value) in (2, 3):
        return _of_parts(name, *value)
    raise ValueError(f"{name} is no graph, but {type(value).__name__}: give {FORMS['graph']}.")


def _of_networkx(value: Any, name: str) -> Graph:
    if value.is_multigraph():
        raise ValueError(f"{name} is a multigraph; join its parallel edges, as in "
                         f"networkx.Graph(graph).")
    places = {node: place for place, node in enumerate(value.nodes)}
    edges = [(places[u], places[v]) for u, v, _ in value.edges(data="label")]

    def data(view: Any, key: str) -> List[Any]:
        return [found for *_, found in view(data=key)]
    return _described(name, edges, len(places), value.is_directed(), *(
        data(view, key) for view in (value.nodes, value.edges) for key in ("label", "attributes")))


def _of_igraph(value: Any, name: str) -> Graph:
    def data(items: Any, key: str) -> List[Any]:
        return list(items[key]) if key in items.attributes() else [None] * len(items)
    return _described(name, value.get_edgelist(), value.vcount(), value.is_directed(), *(
        data(items, key) for items in (value.vs, value.es) for key in ("label", "attributes")))


def _of_geometric(value: Any, name: str) -> Graph:
    """The graph of an object as of PyTorch Geometric, with ``x`` and ``edge_attr`` as attributes; an
    undirected one lists each edge in both directions."""
    nodes = int(value.num_nodes)
    edges, _ = _ends(list(map(tuple, np.asarray(value.edge_index).T.tolist())), nodes, name)

    def numbers_of(key: str, of: str) -> Optional[np.ndarray]:
        given = getattr(value, key, None)
        return None if given is None else _attributes(list(np.asarray(given)), of, name)
    of_nodes, of_edges = numbers_of("x", "nodes"), numbers_of("edge_attr", "edges")
    directed = lacks_opposite(edges, nodes)
    if directed:
        return Graph(nodes, edges, None, None, True, of_nodes, of_edges)
    there, back = (np.lexsort(ends.T) for ends in (edges, edges[:, ::-1]))
    if of_edges is not None and not np.array_equal(of_edges[there], of_edges[back]):
        raise ValueError(f"{name} has edges whose attributes differ in the two directions.")
    once = edges[:, 0] <= edges[:, 1]
    return Graph(nodes, edges[once], None, None, False, of_nodes,
                 None if of_edges is None else of_edges[once])


def _of_molecule(value: Any, name: str) -> Graph:
    """The graph that source/molecules makes of a molecule of RDKit, or of SMILES."""
    if isinstance(value, str):
        try:
            from rdkit import Chem
        except ImportError:
            raise ValueError(f"{name} is a text: to read molecules in SMILES, install RDKit "
                             f"(apt-get install python3-rdkit).") from None
        smiles, value = value, Chem.MolFromSmiles(value)
        if value is None:
            raise ValueError(f"{name} is {smiles!r}, which RDKit does not understand as SMILES.")
    atoms = []
    for atom in value.GetAtoms():
        charge = atom.GetFormalCharge()
        size = str(abs(charge)) if abs(charge) > 1 else ""
        atoms.append(atom.GetSymbol() + ("" if not charge else "+-"[charge < 0] + size))
    bonds = list(value.GetBonds())
    ends = [(bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()) for bond in bonds]
    kinds = [str(bond.GetBondType()).lower() for bond in bonds]
    return _described(name, ends, len(atoms), False, atoms, [None] * len(atoms), kinds,
                      [None] * len(bonds))


def _described(name: str, edges: Any, nodes: int, directed: bool, node_labels: List[Any],
               node_attributes: List[Any], edge_labels: List[Any],
               edge_attributes: List[Any]) -> Graph:
    """The graph whose nodes and edges have these labels and attributes; None: none."""
    return Graph(nodes, np.array(edges, dtype=np.int64).reshape(-1, 2),
                 _labels(node_labels, "nodes", name), _labels(edge_labels, "edges", name),
                 bool(directed), _attributes(node_attributes, "nodes", name),
                 _attributes(edge_attributes, "edges", name))


def _attributes(values: List[Any], of: str, name: str) -> Optional[np.ndarray]:
    """Numbers, (n, numbers of each); None if there are none."""
    if all(value is None for value in values):
        return None
    try:
        array: np.ndarray = np.array(values, dtype=np.float64).reshape(len(values), -1)
    except (TypeError, ValueError):
        array = np.array([[np.nan]])
    if not np.isfinite(array).all():
        raise ValueError(f"The attributes of the {of} of {name} must be as many finite numbers for "
                         f"each.")
    return array


def _of_matrix(value: Any, name: str) -> Graph:
    """The graph of an adjacency matrix, whose entries are 0 and 1."""
    if len(value.shape) != 2 or value.shape[0] != value.shape[1]:
        raise ValueError(f"{name} is an adjacency matrix of shape {tuple(value.shape)}: it must be "
                         f"square.")
    if isinstance(value, np.ma.MaskedArray) and np.any(value.mask):
        raise ValueError(f"{name} is an adjacency matrix with masked entries: fill them in.")
    if is_sparse(value):
        rows = value.tocsr(copy=True)
        rows.sum_duplicates()
        listed = rows.tocoo()
        first, second, entries = listed.row, listed.col, listed.data
    else:
        first, second = np.nonzero(np.asarray(value))  # NaN is not 0
        entries = np.asarray(value)[first, second]
    if entries.dtype.kind not in "biuf":
        raise ValueError(f"{name} is an adjacency matrix of type {entries.dtype}: its entries must "
                         f"be the numbers 0 and 1.")
    wrong = np.flatnonzero(~((entries == 0) | (entries == 1)))
    if len(wrong):
        place = int(wrong[0])
        raise ValueError(f"{name} has the entry {entries[place]} at ({first[place]}, "
                         f"{second[place]}): an adjacency matrix has entries 0 and 1, since edges "
                         f"have no weights. Say which entries are edges, as in matrix > 0.5.")
    there = entries != 0
    edges = np.stack([first[there], second[there]], axis=1).astype(np.int64)
    return Graph(int(value.shape[0]), edges, None, None, None)


def _of_parts(name: str, edges: Any, nodes: Any, labels: Any = None) -> Graph:
    """The undirected graph of edges, labels of nodes or their number, and labels of edges."""
    count, node_labels = _nodes(nodes, name)
    ends, both_directions = _ends(edges, count, name)
    edge_labels = None if labels is None else _labels(labels, "edges", name)
    if edge_labels is not None and len(edge_labels) != len(ends):
        raise ValueError(f"{name} has {len(ends)} edges and {len(edge_labels)} labels of edges.")
    kept = _once(ends, count, both_directions, edge_labels, name)
    return Graph(count, ends[kept], node_labels,
                 edge_labels and [edge_labels[place] for place in kept], False)


def _nodes(given: Any, name: str) -> Tuple[int, Optional[List[str]]]:
    """The number of nodes, and their labels if they have any."""
    if hasattr(given, "item") and np.ndim(given) == 0:
        given = given.item()
    if not isinstance(given, numbers.Real):
        labels = _labels(given, "nodes", name)
        return len(given), labels
    if isinstance(given, bool) or not 0 <= float(given) < LARGEST or float(given) % 1:
        raise ValueError(f"{name} has {given} nodes: give their number, or their labels.")
    return int(float(given)), None


def _ends(given: Any, nodes: int, name: str) -> Tuple[np.ndarray, bool]:
    """Both ends of each edge, (m, 2); whether they were given as (2, m), which lists each edge in
    both directions."""
    try:
        array = np.asarray(given)
    except ValueError:  # edges differ in length
        array = np.empty((), dtype=object)
    if array.size == 0 and array.ndim > 0:
        return np.zeros((0, 2), dtype=np.int64), False
    tuples = isinstance(given, list) and all(isinstance(edge, tuple) for edge in given)
    shape = array.shape if array.ndim == 2 else ()
    if shape == (2, 2) and not tuples and not np.array_equal(array, array.T):
        raise ValueError(f"{name} has edges of shape (2, 2), which could be pairs (from, to), or all "
                         f"from and all to: give a list of tuples (from, to).")
    if shape[1:] == (3,):
        raise ValueError(f"{name} has edges of shape {shape}, three values each, and edges have no "
                         f"weights: give a list of tuples (from, to), and labels of edges as the "
                         f"third part of the graph.")
    transposed = shape[:1] == (2,) and shape[1:] != (2,)
    if shape[1:] != (2,) and not transposed:
        raise ValueError(f"{name} has edges that are neither pairs (from, to) nor of shape (2, edges):"
                         f" give a list of tuples (from, to).")
    ends = array.T if transposed else array
    if ends.dtype == object and all(isinstance(end, numbers.Real) for end in ends.flat):
        ends = ends.astype(np.float64)
    if ends.dtype.kind not in "iuf":
        raise ValueError(f"{name} has the edge {tuple(ends[0].tolist())}: nodes are numbers, counted "
                         f"from 0.")
    good = (ends >= 0) & (ends < nodes) & (ends == np.floor(ends))  # NaN equals nothing
    wrong = np.flatnonzero(~good.all(axis=1))
    if len(wrong):
        edge = ", ".join(map(str, ends[wrong[0]].tolist()))
        raise ValueError(f"{name} has the edge ({edge}), but its nodes are numbered 0 to "
                         f"{nodes - 1}.")
    return ends.astype(np.int64), transposed


def _once(ends: np.ndarray, nodes: int, both_directions: bool, labels: Optional[List[str]],
          name: str) -> np.ndarray:
    """The places of undirected edges that are listed once each, or each in both directions."""
    codes, reverse = ends @ [nodes, 1], ends @ [1, nodes]
    order = np.argsort(codes)
    at = np.searchsorted(codes[order], reverse).clip(max=max(len(ends) - 1, 0))
    opposite = np.where(codes[order][at] == reverse, order[at], -1)
    if len(np.unique(codes)) < len(ends):
        raise ValueError(f"{name} lists an edge twice: list each edge once.")
    alone, twice = np.flatnonzero(opposite < 0), (opposite >= 0) & (ends[:, 0] != ends[:, 1])
    if len(alone) and (both_directions or twice.any()):
        edge = tuple(ends[alone[0]].tolist())
        raise ValueError(
            f"{name} has the edge {edge}, but not {edge[::-1]}: edges of shape (2, edges) list each "
            f"edge in both directions. Give a list of tuples (from, to) if edges have no direction, "
            f"and an adjacency matrix if they have." if both_directions else
            f"{name} lists an edge twice, in both directions, but {edge} once: list each edge once.")
    for place, other in enumerate(opposite):
        if labels and other >= 0 and labels[place] != labels[other]:
            raise ValueError(f"{name} has the edge {tuple(ends[place].tolist())} with the label "
                             f"{labels[place]!r}, and {labels[other]!r} in the opposite direction.")
    return np.flatnonzero((opposite < 0) | (np.arange(len(ends)) <= opposite))


def _labels(values: Any, of: str, name: str) -> Optional[List[str]]:
    """Labels as files give them; None if there are none."""
    if isinstance(values, (str, bytes, collections.abc.Mapping, collections.abc.Set)) or \
            not hasattr(values, "__len__") or getattr(values, "ndim", 1) != 1:
        raise ValueError(f"{name} has labels of {of} that are {type(values).__name__}: give a list "
                         f"in the order of the {of}.")
    given = values.tolist() if hasattr(values, "tolist") else list(values)
    missing = sum(value is None for value in given)
    if missing == len(given):
        return None
    if missing:
        raise ValueError(f"{missing} of {len(given)} {of} of {name} have no label: label all or "
                         f"none.")
    from .. import _native
    return _native.canonical_labels([_text(value, of, name) for value in given])


def _text(label: Any, of: str, name: str) -> str:
    """A label as JSON has it."""
    from .._names import of_symbols
    if isinstance(label, str):
        return of_symbols("label", [str(label)])[0]
    if isinstance(label, (bool, np.bool_)):
        return str(label).lower()
    if isinstance(label, numbers.Real) and math.isfinite(label):
        return repr(int(label) if isinstance(label, numbers.Integral) else float(label))
    raise ValueError(f"One of the {of} of {name} has the label {label!r}, which is neither text nor "
                     f"a finite number.")


def lacks_opposite(edges: np.ndarray, nodes: int) -> bool:
    """Whether some edges are listed in one direction only."""
    codes = np.sort(edges @ [nodes, 1])
    return not np.array_equal(codes, np.sort(edges @ [1, nodes]))
