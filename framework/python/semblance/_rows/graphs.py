# SPDX-License-Identifier: MIT
"""Graphs in the forms that Python's libraries give them, as the runtime's rows
(semblance/graph.hpp)."""

from __future__ import annotations

import collections.abc
import itertools
import math
import numbers
from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

import numpy as np

from .form import FORMS, Layout, Samples
from .tables import check_digits, is_sparse

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
        array = np.array(values, dtype=np.float64).reshape(len(values), -1)
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
    if isinstance(given, bool) or not 0 <= float(given) < LARGEST or given != int(given):
        raise ValueError(f"{name} has {given} nodes: give their number, or their labels.")
    return int(given), None


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
        raise ValueError(f"{name} has the edge ({ends[0, 0]!r}, {ends[0, 1]!r}): nodes are numbers, "
                         f"counted from 0.")
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


def graphs(values: Any, fitted: Optional[Mapping[str, Any]], name: str) -> Samples:
    """Graphs as samples; with `fitted`, by the labels and the direction of training graphs."""
    numeric = isinstance(values, np.ndarray) and values.dtype.kind not in "OU"
    if isinstance(values, (str, bytes)) or numeric and values.ndim != 3:
        raise ValueError(f"{name} must be {FORMS['graph']}; got "
                         f"{f'an array of {values.ndim} dimensions' if numeric else repr(values)}.")
    given = [graph_of(value, f"{name}[{place}]") for place, value in enumerate(values)]
    for place, graph in enumerate(given):
        if graph.nodes == 0:
            raise ValueError(f"{name}[{place}] has no nodes.")
    known = fitted["shape"] if fitted else None
    shape = _shape(given, known, name)
    for key in ("node_attributes", "edge_attributes"):
        parts = [getattr(g, key) for g in given if getattr(g, key) is not None]
        if parts and fitted is None:
            check_digits(np.concatenate(parts), f"{name}, {key.replace('_', ' ')}")
    numbers = [_numbers(shape[key], given, key, name) for key in ("node_labels", "edge_labels")]
    rows = [_row(graph, numbers, f"{name}[{place}]", shape, known is not None)
            for place, graph in enumerate(given)]
    offsets = np.zeros(len(rows) + 1, dtype=np.uint64)
    np.cumsum([len(row) for row in rows], out=offsets[1:])
    flat = np.concatenate(rows) if rows else np.zeros(0, dtype=np.float32)
    return Samples(flat, {"kind": "graph", "width": 1, "depth": 1, "shape": shape}, offsets)


def both_graphs(bases: Layout, samples: Layout) -> Layout:
    """A layout for the graphs of B and X, with the labels of both."""
    from .. import _native
    shapes = bases["shape"], samples["shape"]
    shape: dict[str, Any] = {**shapes[0],
                             "directed": any(each["directed"] for each in shapes)}
    for key in ("node_labels", "edge_labels"):
        have = [bool(shape[key]) for shape in shapes if key == "node_labels" or shape["edges"]]
        if any(have) and not all(have):
            raise ValueError(f"Either the graphs of X or those of B have {key.replace('_', ' ')}: "
                             f"both must have them, or none.")
        shape[key] = _native.in_natural_order(list({*shapes[0][key], *shapes[1][key]}))
    return {**bases, "shape": shape}


def _shape(given: Sequence[Graph], known: Optional[Mapping[str, Any]],
           name: str) -> Dict[str, Any]:
    from .. import _native
    parts = {"node_labels": [g.node_labels is not None for g in given],
             "edge_labels": [g.edge_labels is not None for g in given if len(g.edges)]}
    shape: Dict[str, Any] = {"nodes": max((g.nodes for g in given), default=0),
                             "edges": max((len(g.edges) for g in given), default=0),
                             "directed": _directed(given, known, name)}
    for key, have in parts.items():
        what = key.replace("_", " ")
        if any(have) and not all(have):
            raise ValueError(f"Some graphs of {name} have {what} and others have none.")
        if known is not None:
            if have and any(have) != bool(known[key]):
                raise ValueError(f"The graphs of {name} have {what if any(have) else f'no {what}'}"
                                 f", unlike those trained on.")
            shape[key] = list(known[key])
        else:
            shape[key] = _native.in_natural_order(
                list({label for g in given for label in getattr(g, key) or ()}))
    for key in ("node_attributes", "edge_attributes"):
        counted = [g for g in given if key == "node_attributes" or len(g.edges)]
        sizes = {0 if getattr(g, key) is None else getattr(g, key).shape[1] for g in counted}
        size = known[key] if known is not None else max(sizes, default=0)
        if sizes - {size}:
            raise ValueError(f"The graphs of {name} differ in their number of "
                             f"{key.replace('_', ' ')}: {', '.join(map(str, sorted(sizes)))}"
                             + (f", and those trained on have {size}." if known else "."))
        shape[key] = size
    return shape


def _directed(given: Sequence[Graph], known: Optional[Mapping[str, Any]], name: str) -> bool:
    said = {g.directed for g in given if g.directed is not None}
    if len(said) == 2:
        raise ValueError(f"Some graphs of {name} are directed and others are not.")
    if known is not None:
        if said and said != {bool(known["directed"])}:
            raise ValueError(f"The graphs of {name} are {'' if True in said else 'un'}directed, "
                             f"unlike those trained on.")
        return bool(known["directed"])
    if said:
        return True in said
    return any(_lacks_opposite(g) for g in given)


def _lacks_opposite(graph: Graph) -> bool:
    codes = np.sort(graph.edges[:, 0] * graph.nodes + graph.edges[:, 1])
    return not np.array_equal(codes, np.sort(graph.edges[:, 1] * graph.nodes + graph.edges[:, 0]))


def _numbers(names: Sequence[str], given: Sequence[Graph], key: str, name: str) -> Dict[str, int]:
    """The number of each label: those of training graphs, then new ones."""
    from .. import _native
    numbers: Dict[str, int] = {}
    for number, label in enumerate(_native.canonical_labels(list(names))):
        numbers.setdefault(label, number)  # older models distinguish 6.0 from 6
    fresh = itertools.count(len(names))
    for graph in given:
        for label in getattr(graph, key) or ():
            if label not in numbers:
                numbers[label] = next(fresh)
    if len(numbers) > LARGEST:
        raise ValueError(f"{name} has {len(numbers)} {key.replace('_', ' ')}: too many.")
    return numbers


def _row(graph: Graph, numbers: Sequence[Dict[str, int]], name: str, shape: Mapping[str, Any],
         trained: bool) -> np.ndarray:
    if max(graph.nodes, len(graph.edges)) >= LARGEST:
        raise ValueError(f"{name} has {graph.nodes} nodes and {len(graph.edges)} edges: too many.")
    edges, directed = graph.edges, shape["directed"]
    labels = np.array([numbers[1][label] for label in graph.edge_labels or ()], dtype=np.int64)
    ends = edges if directed else np.sort(edges, axis=1)
    _, kept = np.unique(ends[:, 0] * graph.nodes + ends[:, 1], return_index=True)
    if graph.directed is not None and len(kept) < len(edges):
        raise ValueError(f"{name} lists an edge twice: list each edge once.")
    if graph.directed is None and not directed and _lacks_opposite(graph):
        raise ValueError(f"{name} is an asymmetric matrix, which is a directed graph, and "
                         f"{'those trained on' if trained else 'others'} are undirected.")
    kept.sort()
    parts = [np.array([graph.nodes, len(kept)])]
    if shape["node_labels"]:
        parts.append(np.array([numbers[0][label] for label in graph.node_labels or ()]))
    if graph.node_attributes is not None:
        parts.append(graph.node_attributes.reshape(-1))
    parts.append(edges[kept].reshape(-1))
    if shape["edge_labels"]:
        parts.append(labels[kept])
    if graph.edge_attributes is not None:
        parts.append(graph.edge_attributes[kept].reshape(-1))
    return np.concatenate(parts).astype(np.float32)
