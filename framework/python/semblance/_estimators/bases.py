# SPDX-License-Identifier: MIT
"""Estimators on similarities to some of the training samples."""

from __future__ import annotations

import numbers
from typing import Any, Dict, List, Optional, Sequence, Tuple

import numpy as np

from .._component import resolved, spec_of
from .estimator import Nodes
from .functions import OnFunction

#: Similarities, features before each of them, and the normalizer.
Parts = Tuple[List[Any], List[Tuple[Any, ...]], Any]

#: The nodes of the bases, and of the first similarity.
BASES, SIMILARITY = "bases", "similarity"


class OnBases(OnFunction):
    """What estimators have in common that compare samples with some of the training samples."""

    basis_indices_: np.ndarray
    similarity: Any
    bases: Any
    features: Any
    normalizer: Any

    def _parts(self) -> Parts:
        given, features, normalizer = getattr(self, self._measure), self.features, self.normalizer
        if self._function() is not None:
            if features is not None or normalizer not in (None, "auto"):
                raise ValueError(f"The {self._measure!r} parameter of {self._name()} is a function, "
                                 "which compares samples as they are: omit features and normalizer, "
                                 "or decorate it with @semblance.similarity(\"similarity/NAME\").")
            given = "precomputed"
        several = given if isinstance(given, (list, tuple)) else [given]
        if not several:
            raise ValueError(f"The {self._measure!r} parameter of {self._name()} is empty: give at "
                             f"least one similarity.")
        measures = [resolved(one, "similarity", self._name(), self._measure) for one in several]
        return measures, feature_chains(features, len(measures), self._name()), normalizer

    def _precomputed(self) -> bool:
        try:
            return self._function() is None and any(map(_is_precomputed, self._parts()[0]))
        except (TypeError, ValueError):
            return False

    def _normalizer(self, normalizer: Any) -> Any:
        return resolved(normalizer, "normalizer", self._name(), "normalizer")

    def accepted_layouts(self) -> Tuple[str, ...]:
        taken: Optional[Tuple[str, ...]] = None
        measures, chains, normalizer = self._parts()
        for measure, chain in zip(measures, chains):
            own = (chain[0] if chain else measure).accepted_layouts()
            if not chain and normalizer not in (None, "auto"):
                first = self._normalizer(normalizer).accepted_layouts()
                own = tuple(kind for kind in own if kind in first)
            taken = own if taken is None else tuple(kind for kind in taken if kind in own)
        return (*(taken or ()), "sparse vector") if self._densifies() else taken or ()

    def _nodes(self, kind: str, classes: Sequence[Any], labels: Optional[np.ndarray]) -> Nodes:
        nodes: Nodes = {}

        def add(prefix: str, node: Dict[str, Any]) -> str:
            """The name of a node like this; equal nodes exist once."""
            for name, known in nodes.items():
                if known == node:
                    return name
            count = sum(name.startswith(prefix) for name in nodes)
            name = prefix if count == 0 else f"{prefix}{count + 1}"
            nodes[name] = node
            return name

        chosen = add(BASES, {**self._bases_spec(), "from": "data"})
        maps = []
        measures, chains, normalizer = self._parts()
        for measure, chain in zip(measures, chains):
            node, given = "data", kind
            for feature in chain:
                node = add("feature", {**feature.spec(), "from": node})
                given = feature.gives[0] if feature.gives else given
            scaling = normalizer
            if isinstance(normalizer, str) and normalizer == "auto":
                equal = given in ("vector", "image", "grid") and not _is_precomputed(measure)
                scaling = "mean_norm" if equal else None
            if scaling is not None:
                node = add("x", {**self._normalizer(scaling).spec(), "from": node})
            maps.append(add(SIMILARITY, {**measure.spec(), "from": node, "bases": chosen}))
        scaling = getattr(self, "output_normalizer", None)
        if scaling is not None:
            said = spec_of(scaling, "normalizer", self._name(), "output_normalizer")
            maps = [add("phi", {**said, "from": maps})]
        nodes[self._result] = ({**self._solver(classes, labels), "from": maps} if self.component
                               else nodes.pop(maps[0]))
        return nodes

    def _bases_spec(self) -> Dict[str, Any]:
        """Bases in the form of a pipeline: a number to draw at random, or a component."""
        if not self._draws_bases() or isinstance(self.bases, bool):
            return spec_of(self.bases, "basis", self._name(), "bases")
        if self.bases < 1:
            raise ValueError(f"The 'bases' parameter of {self._name()} must be at least 1, got "
                             f"{self.bases}.")
        return {"is": "basis/random", "count": int(self.bases), "fewer": "all"}

    def _draws_bases(self) -> bool:
        """Whether bases are a number of samples to draw, which ignores classes."""
        return isinstance(self.bases, numbers.Integral)

    def _keep(self, trained: Any) -> None:
        super()._keep(trained)
        self.basis_indices_ = trained.chosen_rows(BASES)


def _is_precomputed(similarity: Any) -> bool:
    return bool(similarity.component == "similarity/precomputed")


def feature_chains(features: Any, similarities: int, owner: str) -> List[Tuple[Any, ...]]:
    """The features before each similarity, in their order."""
    each = features if isinstance(features, list) else [features] * similarities
    if len(each) != similarities:
        raise ValueError(f"The 'features' parameter of {owner} is a list of {len(each)}, and there "
                         f"are {similarities} similarities: give one entry for each, or a tuple of "
                         f"features that follow each other.")
    chains = [() if entry is None else entry if isinstance(entry, tuple) else (entry,)
              for entry in each]
    return [tuple(resolved(part, "feature", owner, "features") for part in chain)
            for chain in chains]
