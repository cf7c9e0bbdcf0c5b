# SPDX-License-Identifier: MIT
"""Transformers: features, normalizers and similarity maps."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Sequence, Tuple, TypeVar

import numpy as np
from sklearn.base import TransformerMixin
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted

from .. import _rows
from .bases import OnBases
from .._data import coded, numbered_targets, target_names
from .estimator import Estimator
from .rounding import Rounding

T = TypeVar("T", bound="Transformer")


class Transformer(TransformerMixin, Estimator):
    """A transformer: learns from training samples, then maps each sample to another one."""

    _result = "transformer"

    def fit(self: T, X: Any, y: Any = None) -> T:
        """Learns from training samples.

        Parameters
        ----------
        X : array-like of shape (n, columns), or other samples that the component takes
            Training samples. A float32 array in C order is used in place.
        y : array-like of shape (n,), optional
            Their labels, for components that choose samples by class; others ignore them.

        Returns
        -------
        self

        Raises
        ------
        ValueError, TypeError
            Something is wrong with a parameter, or with X.
        """
        with self._refitting():
            self._learn(X, y)
            self._output = dict(self._trained.output_layout(self._result))
            if not _rows.is_ragged(self._output):
                self._n_features_out = _rows.size_of(self._output)
        return self

    def _learn(self, X: Any, y: Any) -> None:
        samples, _ = self._training_samples(X)
        classes, labels = self._classes(y, len(samples))
        self._train(samples, labels, classes)
        self._learned(samples)

    def transform(self, X: Any) -> Any:
        """Transforms samples. X: samples like those of fit(). Gives an array of float32, of shape
        (n, columns): a list of arrays if the output samples differ in size; a sparse matrix if
        they are sparse, as after fit() on a sparse matrix."""
        return _rows.as_python(self._apply(self._result, X), self._output, flat=self._flat())

    def _learned(self, samples: _rows.Samples) -> None:
        """Sets attributes of a trained transformer."""

    def _flat(self) -> bool:
        return bool(getattr(self, "flatten", False))

    def _classes(self, y: Any, count: int) -> Tuple[Sequence[Any], Optional[np.ndarray]]:
        return (), None

    def _one_to_one(self) -> bool:
        return (not self.gives and self._layout["kind"] == self._output["kind"]
                and self._output["kind"] in _rows.TABLES
                and _rows.size_of(self._output) == _rows.size_of(self._layout))

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Names of the output columns.

        Parameters
        ----------
        input_features : array-like of str, optional
            Names of the input columns, if the estimator was trained without names.

        Returns
        -------
        ndarray of str objects
        """
        check_is_fitted(self)
        if self._one_to_one():
            names: np.ndarray = _check_feature_names_in(self, input_features)
            return names
        if not hasattr(self, "_n_features_out"):
            raise AttributeError(f"Samples that come out of {self._name()} differ in size: they "
                                 f"have no columns.")
        prefix = type(self).__name__.lower()
        return np.array([f"{prefix}{i}" for i in range(self._n_features_out)], dtype=object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float32"]
        return tags

    @property
    def output_shape_(self) -> Tuple[int, ...]:
        """Shape of one output sample, before it becomes a flat row."""
        check_is_fitted(self)
        if _rows.is_ragged(self._output):
            raise AttributeError(f"Samples that come out of {self._name()} differ in size.")
        if self._output["kind"] in _rows.TABLES:
            return (_rows.size_of(self._output),)
        return (int(self._output["height"]), int(self._output["width"]),
                int(self._output["depth"]))


class Supervised(Transformer):
    """A normalizer that learns from y: labels, or numbers to predict where these are not whole."""

    def _learn(self, X: Any, y: Any) -> None:
        numeric = y is not None and type_of_target(y).startswith("continuous")
        names = target_names(y)
        samples, y = self._training_samples(X, y, labelled=True, numeric=numeric)
        if numeric:
            targets = np.ascontiguousarray(y.reshape(len(y), -1), dtype=np.float64)
            self._train(samples, targets=targets,
                        target_names=names or numbered_targets(targets.shape[1]))
            return
        classes, labels = coded(y)
        self._train(samples, labels, classes)

    @property
    def feature_importances_(self) -> np.ndarray:
        """The relevance of the columns, (columns,): their shares of the metric, of sum 1; all equal
        where no metric is better than none."""
        check_is_fitted(self)
        table = self.metrics_.get("relevance")
        count = _rows.size_of(self._layout)
        if table is None:
            return np.full(count, 1 / count)
        names = self._column_names() or [f"column {c + 1}" for c in range(count)]
        shares = dict(zip(table["rows"], (values[0] for values in table["values"])))
        return np.array([shares[name] for name in names])

    def _more_tags(self) -> Dict[str, Any]:
        return {**super()._more_tags(), "requires_y": True}


class Reversible(Transformer):
    """A normalizer of columns whose output says what its input was. What it has learned has
    scikit-learn's names: see :meth:`_learned_values`."""

    mean_: np.ndarray
    scale_: np.ndarray
    components_: np.ndarray
    explained_variance_: np.ndarray

    def _ignores_constants(self) -> Optional[bool]:
        free = self.component != "normalizer/max_abs" and getattr(self, "center", True)
        return True if free and self._image_shape() is None else None

    def _loses(self, rounding: Rounding) -> bool:
        if self.component != "normalizer/pca":
            return False
        _, axes = self._affine()
        return (not axes.any(axis=1).all() or rounding.loses_scores(axes)) and (
            rounding.loses_directions(0))

    def _densifies(self) -> bool:
        return self.component == "normalizer/pca"

    def _learned(self, samples: _rows.Samples) -> None:
        if self.component == "normalizer/pca" and len(samples) > 1:
            rows = self._told(self._trained.apply, self._result, samples.rows())
            self._variances = np.asarray(rows, dtype=np.float64).var(axis=0, ddof=1)
            self._total, self._degrees = _total_variance(samples), len(samples) - 1
        if self.component == "normalizer/zscore" and samples.layout["kind"] in _rows.TABLES:
            self._variances = _scale_variances(samples, self._affine()[1])

    def _affine(self) -> Tuple[np.ndarray, np.ndarray]:
        """Constants of the columns that are subtracted, and factors; of Pca the axes, each times
        its factor."""
        state = self._trained.state(self._result)
        axes = "weights" in state
        # Two float32 each: the second is what the first rounds away.
        offset = state["shift" if axes else "offset"].astype(np.float64).sum(axis=0)
        if self._centre is not None:
            offset = offset + self._centre
        factors = state["weights" if axes else "scale"].astype(np.float64)
        return offset, factors if axes else factors.reshape(-1)

    def inverse_transform(self, X: Any) -> Any:
        """The samples that transform() gives these rows for; of Pca with fewer axes than columns
        the nearest ones.

        Parameters
        ----------
        X : array-like of shape (n, columns)
            Rows like those of transform().

        Returns
        -------
        ndarray of float64, of shape (n, columns of fit()); of sparse rows a CSR matrix
        """
        check_is_fitted(self)
        offset, factors = self._affine()
        sparse = hasattr(X, "tocsr")  # as transform() gives samples that stay sparse
        if sparse and (factors.ndim > 1 or offset.any()):
            raise TypeError(_rows.DENSE_NEEDED)
        rows = X.astype(np.float64) if sparse else np.asarray(X, dtype=np.float64)
        if rows.ndim != 2 or rows.shape[1] != self._n_features_out:
            raise ValueError(f"X must have the {self._n_features_out} columns of transform(), got "
                             f"the shape {rows.shape}.")
        if sparse:
            return rows.multiply(_inverse(factors)).tocsr()
        if self.component == "normalizer/pca":
            return rows @ (factors * _inverse((factors ** 2).sum(axis=1, keepdims=True))) + offset
        return (rows - getattr(self, "low", 0.0)) * _inverse(factors) + offset

    def _learned_values(self) -> Dict[str, Any]:
        """What was learned: of Pca the axes, each of length 1, that of largest variance first, and
        the variances of the training samples along them; of others what columns are about, and what
        they are divided by, of MinMax multiplied by."""
        offset, factors = self._affine()
        if self.component == "normalizer/pca":
            lengths = np.sqrt((factors ** 2).sum(axis=1))
            variances = self._variances * _inverse(lengths ** 2)
            return {"mean_": offset, "components_": factors * _inverse(lengths)[:, np.newaxis],
                    "n_components_": len(factors), "explained_variance_": variances,
                    "explained_variance_ratio_": variances / (self._total or 1),
                    "singular_values_": np.sqrt(variances * self._degrees)}
        widths = _inverse(factors)
        if self.component == "normalizer/max_abs":
            return {"scale_": widths, "max_abs_": widths}
        if self.component != "normalizer/min_max":
            known = getattr(self, "scale", False) and "_variances" in self.__dict__
            return {"mean_": offset, "scale_": widths,
                    **({"var_": self._variances} if known else {})}
        low: float = getattr(self, "low")
        ranges = widths * (getattr(self, "high") - low)
        return {"scale_": factors, "data_min_": offset, "data_max_": offset + ranges,
                "data_range_": ranges, "min_": low - offset * factors}

    def __getattr__(self, name: str) -> Any:
        own = name.endswith("_") and not name.startswith("_") and "_trained" in self.__dict__
        found = self._learned_values() if own else {}
        if name not in found:
            raise AttributeError(f"{self._name()} has no attribute {name!r}, or is not fitted.")
        return found[name]

    def __dir__(self) -> List[str]:
        return [*super().__dir__(), *(self._learned_values() if "_trained" in vars(self) else ())]


def _inverse(values: np.ndarray) -> np.ndarray:
    """1 / values; 0 where they are 0, which columns and axes without variance have."""
    return np.divide(1, values, out=np.zeros_like(values), where=values != 0)


def _scale_variances(samples: _rows.Samples, factors: np.ndarray) -> np.ndarray:
    """The variances of columns that were divided by their deviations; the factor of a column
    without variance is 1."""
    variances = _inverse(factors) ** 2
    for column in np.flatnonzero(factors == 1):
        values = (samples.values[:, column] if samples.columns is None else
                  samples.values[samples.columns == column]).astype(np.float64)
        mean = values.sum() / len(samples)
        zeros = len(samples) - len(values)
        variances[column] = (np.square(values - mean).sum() + zeros * mean ** 2) / len(samples)
    return variances


def _total_variance(samples: _rows.Samples) -> float:
    """The sum of the variances of the columns, in double; in parts, since they are float32."""
    values, count, columns = samples.values, len(samples), samples.columns
    width = _rows.size_of(samples.layout)
    if columns is not None:
        means = np.bincount(columns, values, minlength=width) / count
        return float((np.square(values, dtype=np.float64).sum() - count * means @ means)
                     / (count - 1))
    means = values.mean(axis=0, dtype=np.float64)
    parts = range(0, count, 4096)
    return sum(float(((values[i:i + 4096] - means) ** 2).sum()) for i in parts) / (count - 1)


class SimilarityTransformer(OnBases, Transformer):
    """The similarities of samples to bases, or features that are made of them."""

    def _one_to_one(self) -> bool:
        return False

    def _classes(self, y: Any, count: int) -> Tuple[Sequence[Any], Optional[np.ndarray]]:
        if y is None or self._draws_bases():
            return (), None
        return coded(self._checked_labels(y, count))
