# SPDX-License-Identifier: MIT
"""Graphs from Python, in the runtime's rows (semblance/graph.hpp)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

import numpy as np

from .form import FORMS, Layout, Samples
from .sparse import is_sparse

#: Whole numbers below it are exact in float32.
LARGEST = 1 << 24


@dataclass(frozen=True)
class _Graph:
    """A graph as it is given: each edge in all directions in which it is listed."""

    nodes: int
    edges: np.ndarray  #: int64 (m, 2)
    node_labels: Optional[List[str]]
    edge_labels: Optional[List[str]]
    directed: Optional[bool]  #: None: edges decide, an undirected one is listed in both directions


def graphs(values: Any, fitted: Optional[Mapping[str, Any]], name: str) -> Samples:
    """Graphs as samples; with `fitted`, by the labels and the direction of training graphs."""
    if isinstance(values, np.ndarray) and values.dtype != object and values.ndim != 3:
        raise ValueError(f"{name} must be {FORMS['graph']}; got an array of {values.ndim} "
                         f"dimensions.")
    given = [_graph(value, f"{name}[{place}]") for place, value in enumerate(values)]
    for place, graph in enumerate(given):
        if graph.nodes == 0:
            raise ValueError(f"{name}[{place}] has no nodes.")
    known = fitted["shape"] if fitted else None
    shape = _shape(given, known, name)
    numbers = [_numbers(shape[key], given, key, name)
               for key in ("node_labels", "edge_labels")]
    rows = [_row(graph, shape["directed"], numbers, f"{name}[{place}]", shape)
            for place, graph in enumerate(given)]
    offsets = np.zeros(len(rows) + 1, dtype=np.uint64)
    np.cumsum([len(row) for row in rows], out=offsets[1:])
    flat = np.concatenate(rows) if rows else np.zeros(0, dtype=np.float32)
    return Samples(flat, {"kind": "graph", "width": 1, "depth": 1, "shape": shape}, offsets)


def both_graphs(bases: Layout, samples: Layout) -> Layout:
    """A layout for the graphs of B and X, with the labels of both."""
    shapes = bases["shape"], samples["shape"]
    shape: dict[str, Any] = {**shapes[0],
                             "directed": any(each["directed"] for each in shapes)}
    for key in ("node_labels", "edge_labels"):
        have = [bool(shape[key]) for shape in shapes if key == "node_labels" or shape["edges"]]
        if any(have) and not all(have):
            raise ValueError(f"Either the graphs of X or those of B have {key.replace('_', ' ')}: "
                             f"both must have them, or none.")
        shape[key] = sorted({*shapes[0][key], *shapes[1][key]}, key=_natural)
    return {**bases, "shape": shape}


def _graph(value: Any, name: str) -> _Graph:
    if hasattr(value, "is_directed") and hasattr(value, "nodes"):
        return _of_networkx(value, name)
    if is_sparse(value) or (isinstance(value, np.ndarray) and value.ndim == 2
                            and value.shape[0] == value.shape[1]):
        return _of_matrix(value, name)
    if isinstance(value, (tuple, list)) and len(value) in (2, 3):
        return _of_lists(value, name)
    raise ValueError(f"{name} is no graph, but {type(value).__name__}: give {FORMS['graph']}.")


def _of_networkx(value: Any, name: str) -> _Graph:
    if value.is_multigraph():
        raise ValueError(f"{name} is a multigraph; join its parallel edges, as in "
                         f"networkx.Graph(graph).")
    places = {node: place for place, node in enumerate(value.nodes)}
    listed = list(value.edges(data="label"))
    edges = np.array([(places[u], places[v]) for u, v, _ in listed], dtype=np.int64)
    return _Graph(len(places), edges.reshape(-1, 2),
                  _labels([label for _, label in value.nodes(data="label")], f"nodes of {name}"),
                  _labels([label for *_, label in listed], f"edges of {name}"),
                  bool(value.is_directed()))


def _of_matrix(value: Any, name: str) -> _Graph:
    if value.shape[0] != value.shape[1]:
        raise ValueError(f"{name} is an adjacency matrix of shape {value.shape}: it must be "
                         f"square.")
    first, second = (value if is_sparse(value) else np.asarray(value)).nonzero()
    edges = np.stack([np.asarray(first), np.asarray(second)], axis=1).astype(np.int64)
    return _Graph(int(value.shape[0]), edges, None, None, None)


def _of_lists(value: Sequence[Any], name: str) -> _Graph:
    edges = np.asarray(value[0], dtype=np.int64).reshape(-1, 2)
    count = isinstance(value[1], (int, np.integer))
    nodes = int(value[1]) if count else len(value[1])
    outside = np.flatnonzero(((edges < 0) | (edges >= nodes)).any(axis=1))
    if len(outside):
        place = int(outside[0])
        raise ValueError(f"{name} has the edge {tuple(edges[place].tolist())}, but its nodes are "
                         f"numbered 0 to {nodes - 1}.")
    labels = None
    if len(value) == 3:
        labels = _labels(value[2], f"edges of {name}")
        if labels is not None and len(labels) != len(edges):
            raise ValueError(f"{name} has {len(edges)} edges and {len(labels)} labels of edges.")
    return _Graph(nodes, edges, None if count else _labels(value[1], f"nodes of {name}"), labels,
                  False)


def _labels(values: Sequence[Any], what: str) -> Optional[List[str]]:
    """Labels as texts; None if there are none."""
    missing = sum(value is None for value in values)
    if missing == len(values):
        return None
    if missing:
        raise ValueError(f"{missing} of {len(values)} {what} have no label: label all or none.")
    return [str(value) for value in values]


def _shape(given: Sequence[_Graph], known: Optional[Mapping[str, Any]],
           name: str) -> Dict[str, Any]:
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
            names = {label for g in given for label in getattr(g, key) or ()}
            shape[key] = sorted(names, key=_natural)
    return shape


def _natural(label: str) -> Tuple[int, float, str]:
    """Numbers by value, then texts."""
    try:
        return (0, float(label), label)
    except ValueError:
        return (1, 0.0, label)


def _directed(given: Sequence[_Graph], known: Optional[Mapping[str, Any]], name: str) -> bool:
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


def _lacks_opposite(graph: _Graph) -> bool:
    codes = np.sort(graph.edges[:, 0] * graph.nodes + graph.edges[:, 1])
    return not np.array_equal(codes, np.sort(graph.edges[:, 1] * graph.nodes + graph.edges[:, 0]))


def _numbers(names: Sequence[str], given: Sequence[_Graph], key: str, name: str) -> Dict[str, int]:
    """The number of each label: those of training graphs, then new ones."""
    numbers = {label: number for number, label in enumerate(names)}
    for graph in given:
        for label in getattr(graph, key) or ():
            numbers.setdefault(label, len(numbers))
    if len(numbers) > LARGEST:
        raise ValueError(f"{name} has {len(numbers)} {key.replace('_', ' ')}: too many.")
    return numbers


def _row(graph: _Graph, directed: bool, numbers: Sequence[Dict[str, int]], name: str,
         shape: Mapping[str, Any]) -> np.ndarray:
    if max(graph.nodes, len(graph.edges)) >= LARGEST:
        raise ValueError(f"{name} has {graph.nodes} nodes and {len(graph.edges)} edges: too many.")
    edges = graph.edges
    labels = np.array([numbers[1][label] for label in graph.edge_labels or ()], dtype=np.int64)
    ends = edges if directed else np.sort(edges, axis=1)
    _, kept = np.unique(ends[:, 0] * graph.nodes + ends[:, 1], return_index=True)
    if graph.directed is not None and len(kept) < len(edges):
        raise ValueError(f"{name} lists an edge twice: list each edge once.")
    kept.sort()
    parts = [np.array([graph.nodes, len(kept)])]
    if shape["node_labels"]:
        parts.append(np.array([numbers[0][label] for label in graph.node_labels or ()]))
    parts.append(edges[kept].reshape(-1))
    if shape["edge_labels"]:
        parts.append(labels[kept])
    return np.concatenate(parts).astype(np.float32)
