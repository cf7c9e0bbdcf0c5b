# SPDX-License-Identifier: MIT
"""Nodes around a machine: features, normalizers, bases and similarity maps."""

from __future__ import annotations

import json
import numbers
from typing import Any, Dict, List, Optional, Sequence, Tuple

from . import _rows
from ._component import resolved, spec_of

Nodes = Dict[str, Dict[str, Any]]

EQUAL_SIZES = ("vector", "image", "grid")


def bases_spec(bases: Any, owner: str) -> Dict[str, Any]:
    """Bases in the form of a pipeline: a number to draw at random, or a component."""
    if isinstance(bases, numbers.Integral) and not isinstance(bases, bool):
        if bases < 1:
            raise ValueError(f"The 'bases' parameter of {owner} must be at least 1, got {bases}.")
        return {"is": "basis/random", "count": int(bases), "fewer": "all"}
    return spec_of(bases, "basis", owner, "bases")


def draws_bases(bases: Any) -> bool:
    """Whether bases are a number of samples to draw, which ignores classes."""
    return isinstance(bases, numbers.Integral)


def feature_chains(features: Any, similarities: int, owner: str) -> List[Tuple[Any, ...]]:
    """The features before each similarity, in their order."""
    if isinstance(features, list):
        if len(features) != similarities:
            raise ValueError(f"The 'features' parameter of {owner} is a list of {len(features)}, "
                             f"and there are {similarities} similarities: give one entry for "
                             f"each, or a tuple of features that follow each other.")
        each = features
    else:
        each = [features] * similarities
    return [tuple(resolved(part, "feature", owner, "features") for part in _chain(entry))
            for entry in each]


def _chain(entry: Any) -> Tuple[Any, ...]:
    if entry is None:
        return ()
    return entry if isinstance(entry, tuple) else (entry,)


def similarity_list(similarities: Any, owner: str, name: str) -> List[Any]:
    """The similarities as components. Raises ValueError where there are none."""
    several = similarities if isinstance(similarities, (list, tuple)) else [similarities]
    if not several:
        raise ValueError(f"The {name!r} parameter of {owner} is empty: give at least one "
                         f"similarity.")
    return [resolved(one, "similarity", owner, name) for one in several]


def is_precomputed(similarity: Any) -> bool:
    """Whether the similarity's samples are rows of a matrix of similarities."""
    return bool(similarity.component == "similarity/precomputed")


def normalizer_for(normalizer: Any, kind: str, similarity: Any, owner: str) -> Optional[Any]:
    """The normalizer of samples of this kind before a similarity, with "auto" resolved; None:
    none."""
    if normalizer is None:
        return None
    if isinstance(normalizer, str) and normalizer == "auto":
        if kind not in EQUAL_SIZES or is_precomputed(similarity):
            return None
        normalizer = "mean_norm"
    return resolved(normalizer, "normalizer", owner, "normalizer")


def kind_behind(kind: str, components: Sequence[Any]) -> str:
    """The kind of the output of a chain of components."""
    for component in components:
        if component.gives:
            kind = component.gives[0]
    return kind


def accepted(similarities: Sequence[Any], chains: Sequence[Tuple[Any, ...]], normalizer: Any,
             owner: str) -> Tuple[str, ...]:
    """Kinds of samples that all chains take."""
    taken: Optional[Tuple[str, ...]] = None
    for similarity, chain in zip(similarities, chains):
        own = chain[0].accepted_layouts() if chain else similarity.accepted_layouts()
        if not chain and normalizer not in (None, "auto"):
            first = resolved(normalizer, "normalizer", owner, "normalizer").accepted_layouts()
            own = tuple(kind for kind in own if kind in first)
        taken = own if taken is None else tuple(kind for kind in taken if kind in own)
    return taken or ()


class NodeMaker:
    """Makes nodes; equal nodes exist once."""

    def __init__(self) -> None:
        self.nodes: Nodes = {}
        self._names: Dict[str, str] = {}

    def add(self, prefix: str, spec: Dict[str, Any], **inputs: Any) -> str:
        """Adds a node of this component with these inputs; returns its name."""
        node = {**spec, **{("from" if port == "from_" else port): nodes
                           for port, nodes in inputs.items()}}
        key = json.dumps(node, sort_keys=True)
        if key not in self._names:
            count = sum(name.startswith(prefix) for name in self.nodes)
            name = prefix if count == 0 else f"{prefix}{count + 1}"
            self._names[key] = name
            self.nodes[name] = node
        return self._names[key]


#: The nodes that maps() makes of the bases, and of the first similarity.
BASES, SIMILARITY = "bases", "similarity"


def maps(maker: NodeMaker, similarities: Sequence[Any], chains: Sequence[Tuple[Any, ...]],
         normalizer: Any, bases: Any, kind: str, owner: str) -> List[str]:
    """Makes the nodes from ``data`` to the similarity maps; returns the names of the maps."""
    chosen = maker.add(BASES, bases_spec(bases, owner), from_="data")
    made = []
    for similarity, chain in zip(similarities, chains):
        node = "data"
        for feature in chain:
            node = maker.add("feature", feature.spec(), from_=node)
        scaling = normalizer_for(normalizer, kind_behind(kind, chain), similarity, owner)
        if scaling is not None:
            node = maker.add("x", scaling.spec(), from_=node)
        made.append(maker.add(SIMILARITY, similarity.spec(), from_=node, bases=chosen))
    return made


def refuse_unless_square(samples: _rows.Samples) -> None:
    """Raises ValueError where a matrix does not compare all training samples with all."""
    rows, columns = samples.values.shape
    if rows != columns:
        raise ValueError(f"Precomputed matrix must be a square matrix: the similarities of all "
                         f"training samples to all training samples. Input is a {rows}x{columns} "
                         f"matrix.")
