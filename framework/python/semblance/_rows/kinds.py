# SPDX-License-Identifier: MIT
"""The kind of the given samples, and series in the forms of other packages."""

from __future__ import annotations

from typing import Any, List, Sequence, Tuple

import numpy as np

from .form import FORMS
from .tables import DENSE_NEEDED, is_sparse

#: How many times as many channels as steps look like axes that were exchanged. PEMS-SF, with 963
#: channels and 144 steps, has the most of the archive's sets.
SUSPICIOUS = 8


def unnested(values: Any, name: str = "X") -> Any:
    """Samples in the cells of a pandas.Series, or series in those of a data frame, a column per
    channel, as a list of arrays; other values as they are. Raises ValueError where the channels of
    a series have different lengths."""
    listed = (values.dtype == object and values.ndim == 1 if isinstance(values, np.ndarray) else
              isinstance(values, (list, tuple)))
    if listed and len(values) and _is_picture(values[0]):
        return _arrays_of_pictures(values, name)
    if not hasattr(values, "iloc") or 0 in values.shape:
        return values
    first = values.iloc[0] if values.ndim == 1 else values.iloc[0, 0]
    if isinstance(first, (str, bytes)) or np.ndim(first) == 0:
        return values
    if values.ndim == 1:
        return [np.asarray(sample) for sample in values]
    rows: List[np.ndarray] = []
    for place, cells in enumerate(values.itertuples(index=False, name=None)):
        channels = [np.asarray(cell) for cell in cells]
        if len({channel.shape for channel in channels}) > 1:
            raise ValueError(f"{name} has channels of different lengths in row {place}: "
                             f"{', '.join(str(len(channel)) for channel in channels)}; resample "
                             f"them to one length")
        rows.append(np.stack(channels))
    return rows


def _is_picture(value: Any) -> bool:
    return type(value).__module__.split(".")[0] == "PIL"


def _arrays_of_pictures(pictures: Any, name: str) -> np.ndarray:
    """Pictures of Pillow as an array (n, height, width), or (n, height, width, channels)."""
    kept = ("L", "RGB", "RGBA", "F", "I", "I;16")  # others are numbers of colours, or bits
    modes = {picture.mode if picture.mode in kept else "L" if picture.mode == "1" else "RGB"
             for picture in pictures}
    mode = modes.pop() if len(modes) == 1 else "RGB"
    for place, picture in enumerate(pictures):
        if picture.size != pictures[0].size:
            raise ValueError(f"{name}[{place}] is a picture of {picture.size} pixels, and {name}[0] "
                             f"one of {pictures[0].size}: make all of one size, as in "
                             f"picture.resize({pictures[0].size})")
    return np.stack([np.asarray(picture if picture.mode == mode else picture.convert(mode))
                     for picture in pictures])


def is_panel(values: Any) -> bool:
    """Whether it is a data frame of series by (sample, time), as of sktime: pd-multiindex."""
    return hasattr(values, "iloc") and getattr(values.index, "nlevels", 1) == 2


def series_of_panel(values: Any) -> List[np.ndarray]:
    """The series (channels, steps) in the order in which they begin."""
    frame = values.to_frame() if values.ndim == 1 else values
    return [series.sort_index(level=1).to_numpy().T
            for _, series in frame.groupby(level=0, sort=False)]


def from_tslearn(X: Any) -> Any:
    """Series with steps before channels, as tslearn has them, in the form of this package.

    Parameters
    ----------
    X : array-like of shape (n, steps, channels), or a list of arrays (steps,) or (steps, channels)
        Steps at the end whose channels are all NaN are padding.

    Returns
    -------
    ndarray of shape (n, channels, steps), or a list of ndarray of shape (channels, steps)
        A list where lengths differ.

    Raises
    ------
    ValueError
        The samples have other numbers of axes; one consists of NaN.
    TypeError
        X is a sparse matrix.

    Examples
    --------
    >>> import numpy as np
    >>> from semblance import from_tslearn
    >>> X = np.array([[[1.0], [2.0], [3.0]], [[4.0], [5.0], [np.nan]]])
    >>> [series.tolist() for series in from_tslearn(X)]
    [[[1.0, 2.0, 3.0]], [[4.0, 5.0]]]
    """
    if is_sparse(X):
        raise TypeError(DENSE_NEEDED)
    rows = []
    for place, sample in enumerate(unnested(X)):
        steps = np.asarray(sample)
        if steps.ndim == 1:
            steps = steps[:, np.newaxis]
        if steps.ndim != 2:
            raise ValueError(f"X must be an array (n, steps, channels) or a list of arrays "
                             f"(steps, channels); X[{place}] has the shape {steps.shape}")
        rows.append(without_padding(steps, f"X[{place}]").T)
    return np.stack(rows) if len({row.shape for row in rows}) == 1 else rows


def without_padding(steps: np.ndarray, name: str) -> np.ndarray:
    """A series (steps, channels) without the steps at its end that are NaN in all channels. Raises
    ValueError where no steps are left."""
    if steps.dtype.kind != "f" or not steps.size or not np.isnan(steps[-1]).all():
        return steps
    there = np.flatnonzero(~np.isnan(steps).all(axis=1))
    if not there.size:
        raise ValueError(f"{name} contains NaN only: remove it")
    return steps[:there[-1] + 1]


def is_padded(array: np.ndarray) -> bool:
    """Whether an array (n, steps, channels) has series that end with such steps."""
    return (array.dtype.kind == "f" and array.size > 0
            and bool(np.isnan(array[:, -1]).all(axis=1).any()))


def warn_of_exchanged_axes(channels: int, steps: int, name: str) -> None:
    """Warns of series that have far more channels than steps."""
    if channels <= SUSPICIOUS * steps:
        return
    from .._errors import warn
    warn(f"{name} has series of {channels} channels and {steps} "
         f"{'step' if steps == 1 else 'steps'}: the axes of an array are (n, channels, steps). If "
         f"yours are (n, steps, channels), as in tslearn, give semblance.from_tslearn({name}).")


def warn_of_channels_first(height: int, width: int, channels: int, name: str) -> None:
    """Warns of pictures whose rows look like channels, as in PyTorch."""
    if height > 4 or min(width, channels) <= 4:
        return
    from .._errors import warn
    warn(f"{name} has pictures of {height} x {width} pixels with {channels} channels: the axes of an "
         f"array are (n, height, width, channels). If yours are (n, channels, height, width), as in "
         f"PyTorch, give {name}.transpose(0, 2, 3, 1).")


def layout_kind(values: Any, taken: Sequence[str], image_shape: Any, owner: str) -> str:
    """The kind of these samples, for a component that takes the kinds `taken`. Raises TypeError or
    ValueError where the component does not take such samples, or not their number of dimensions."""
    if is_sparse(values):
        if "sparse vector" not in taken or image_shape is not None:
            raise TypeError(DENSE_NEEDED)
        return "sparse vector"
    if taken and all(kind == "pair" for kind in taken):
        raise TypeError(f"{owner} takes {FORMS['pair']}: run a pipeline with semblance.run.")
    if taken and all(kind == "graph" for kind in taken):
        return "graph"
    if is_panel(values) and "sequence" in taken and "vector" not in taken:
        return "sequence"
    values = unnested(values)
    if image_shape is not None:
        if "image" not in taken:
            raise ValueError(f"{owner} takes no images, so 'image_shape' has no meaning: omit it.")
        return "image"
    if _is_text(values):
        if "string" in taken:
            return "string"
        raise ValueError(f"{owner} takes {_listed(taken)}, got strings: dtype='numeric' is not "
                         f"compatible with arrays of bytes/strings.")
    if taken == ("string",):
        inside = (f" of {type(values[0]).__name__}" if isinstance(values, (list, tuple)) and values
                  else "")
        raise TypeError(f"{owner} takes strings: give a list of str, got "
                        f"{type(values).__name__}{inside}.")
    if is_list_of_arrays(values):
        for kind in ("sequence", "set"):
            if kind in taken:
                return kind
    shape = values.shape if hasattr(values, "shape") else np.asarray(values).shape
    dimensions = len(shape)
    for kind in _by_dimensions(values, dimensions):
        if kind in taken:
            return kind
    if "vector" in taken:
        return "vector"  # its own check says what is wrong
    raise ValueError(f"{owner} takes {_listed(taken)}; got an array of {dimensions} dimensions.")


def _by_dimensions(values: Any, dimensions: int) -> Tuple[str, ...]:
    """Possible kinds of an array with this number of dimensions, the likeliest first."""
    if dimensions == 4:
        bytes_ = getattr(values, "dtype", None) == np.uint8
        return ("image", "grid") if bytes_ else ("grid", "image")
    return {2: ("vector", "sequence"), 3: ("image", "sequence", "set")}.get(dimensions, ())


def _is_text(values: Any) -> bool:
    if isinstance(values, np.ndarray):
        if values.dtype.kind == "U":
            return True
        return (values.dtype == object and values.ndim == 1 and len(values) > 0
                and isinstance(values[0], str))
    if hasattr(values, "iloc") and getattr(values, "ndim", 0) == 1:
        return len(values) > 0 and isinstance(values.iloc[0], str)
    return (isinstance(values, (list, tuple)) and len(values) > 0
            and isinstance(values[0], str))


def is_list_of_arrays(values: Any) -> bool:
    """Whether samples are a list, and differ in size or may do so."""
    if isinstance(values, np.ndarray):
        return values.dtype == object and values.ndim == 1
    if not isinstance(values, (list, tuple)) or not values:
        return False
    if any(np.ndim(sample) == 0 for sample in values[:1]):
        return False
    return len({np.shape(sample) for sample in values}) > 1 or np.ndim(values[0]) == 2


def _listed(taken: Sequence[str]) -> str:
    dense = [kind for kind in taken if kind not in ("sparse vector", "pair")]
    return ", ".join(FORMS[kind] for kind in dense or taken) or "nothing"
