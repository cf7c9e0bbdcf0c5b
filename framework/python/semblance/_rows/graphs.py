# SPDX-License-Identifier: MIT
"""Graphs as the runtime's rows (semblance/graph.hpp)."""

from __future__ import annotations

import itertools
from typing import Any, Dict, Mapping, Optional, Sequence

import numpy as np

from .form import FORMS, Layout, Samples
from .graph_forms import Graph, LARGEST, graph_of, lacks_opposite
from .tables import check_digits


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
    return any(lacks_opposite(g.edges, g.nodes) for g in given)


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
    if graph.directed is None and not directed and lacks_opposite(graph.edges, graph.nodes):
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
