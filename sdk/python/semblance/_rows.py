# SPDX-License-Identifier: MIT
"""Samples as the runtime takes them: float32 values in one layout.

Float32 arrays in C order are passed on as they lie in memory; everything else is converted once.

===========  ==============================================================================
layout       what Python gives
===========  ==============================================================================
vector       (n, columns): an array, a data frame, anything with ``__arrow_c_stream__``
image        (n, height, width) or (n, height, width, channels); flat rows with `image_shape`
grid         (n, height, width, values)
sequence     (n, steps), (n, channels, steps), or a list of arrays (steps,), (channels, steps)
string       a list or an array of str
set          (n, points, coordinates), or a list of arrays (points, coordinates)
===========  ==============================================================================
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

import numpy as np

LARGEST = float(np.finfo(np.float32).max)

#: Integers up to this one are float32 numbers.
EXACT = 2 ** 24

Layout = Dict[str, Any]

KINDS = ("vector", "image", "grid", "sequence", "string", "set")


@dataclass(frozen=True)
class Samples:
    """Samples in the form that the runtime takes."""

    values: np.ndarray  #: float32, C order: (n, size), or flat where samples differ in size
    layout: Layout
    offsets: Optional[np.ndarray] = None  #: uint64, n + 1; where samples differ in size

    def __len__(self) -> int:
        return len(self.values) if self.offsets is None else len(self.offsets) - 1

    def rows(self, name: str = "X") -> Any:
        """The samples as the native module has them, in place."""
        from . import _native
        return _native.Rows(self.values, self.layout, self.offsets, name)


def size_of(layout: Mapping[str, Any]) -> int:
    """Values of a sample, where all have the same size."""
    return int(layout.get("height", 1) * layout.get("width", 1) * layout["depth"])


def is_ragged(layout: Mapping[str, Any]) -> bool:
    return layout["kind"] in ("sequence", "string", "set")


def as_float32(values: np.ndarray, name: str = "X") -> np.ndarray:
    """The values as float32 in C order: the array itself where it is so already.

    Raises
    ------
    ValueError
        A number is too large for float32, or is NaN or infinity.
    TypeError
        These are no real numbers.
    """
    if values.dtype == np.float32:
        return np.ascontiguousarray(values)
    if values.dtype == object:  # columns of several types
        values = values.astype(np.float64)
    if values.dtype.kind == "c":
        raise ValueError(f"Complex data not supported\n{values!r}\n")
    if values.dtype.kind not in "fiub":
        raise TypeError(f"{name} must hold numbers, got an array of type {values.dtype}.")
    _tell_rounded_integers(values, name)
    with np.errstate(over="ignore"):
        converted = np.ascontiguousarray(values, dtype=np.float32)
    if values.dtype.kind == "f" and values.dtype.itemsize > 4 and converted.size:
        low, high = converted.min(), converted.max()
        if not (np.isfinite(low) and np.isfinite(high)):
            _refuse_overflow(values, converted, name)
    return converted


def _tell_rounded_integers(values: np.ndarray, name: str) -> None:
    if values.dtype.kind not in "iu" or values.dtype.itemsize < 4 or not values.size:
        return
    if values.max() > EXACT or values.min() < -EXACT:
        from ._errors import warn
        warn(f"{name} has integers beyond {EXACT:,}, which float32 rounds: machines compute with "
             f"float32 values. Scale or shift such columns first.")


def _tell_lost_digits(values: np.ndarray, converted: np.ndarray, name: str) -> None:
    """Warns of columns that vary by so little beside their size that float32 loses it."""
    if values.dtype.kind != "f" or values.dtype.itemsize <= 4 or len(values) < 2:
        return
    low, high = converted.min(axis=0).astype(float), converted.max(axis=0).astype(float)
    narrow = np.flatnonzero(high - low < np.maximum(np.abs(low), np.abs(high)) * 2.0 ** -10)
    if not narrow.size:
        return
    columns = values[:, narrow]
    spread = columns.max(axis=0) - columns.min(axis=0)
    lost = np.abs(columns - converted[:, narrow]).max(axis=0) > spread * 2.0 ** -10
    lost &= spread > 0
    if lost.any():
        first = int(np.argmax(lost))
        from ._errors import warn
        warn(f"{name} has columns that vary by less than float32 can tell: column "
             f"{int(narrow[first])} (from 0) has values around {columns[0, first]:.4g} that differ "
             f"by {spread[first]:.2g} at most, and machines compute with float32 values. Subtract "
             f"their mean first, with StandardScaler for example.")


def _refuse_overflow(values: np.ndarray, converted: np.ndarray, name: str) -> None:
    place = np.unravel_index(int(np.argmin(np.isfinite(converted))), converted.shape)
    value = values[place]
    if not np.isfinite(value):
        raise ValueError(f"Input {name} contains NaN or infinity.")
    raise ValueError(
        f"Input {name} contains a value too large for dtype('float32'): {value:g} at "
        f"{tuple(int(i) for i in place)}. Machines compute with float32 values, whose magnitude "
        f"is at most {LARGEST:.3g}: scale the columns, with StandardScaler for example.")


# What the samples are ----------------------------------------------------------------------------

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


def _is_list_of_arrays(values: Any) -> bool:
    """Whether samples come one by one and differ in size, or may."""
    if isinstance(values, np.ndarray):
        return values.dtype == object and values.ndim == 1
    if not isinstance(values, (list, tuple)) or not values:
        return False
    if any(np.ndim(sample) == 0 for sample in values[:1]):
        return False
    return len({np.shape(sample) for sample in values}) > 1 or np.ndim(values[0]) == 2


def layout_kind(values: Any, taken: Sequence[str], image_shape: Any, owner: str) -> str:
    """Which kind of samples these are, for somebody who takes the kinds `taken`.

    Raises
    ------
    TypeError, ValueError
        Nobody takes such samples, or their number of dimensions is none of what is taken.
    """
    if image_shape is not None:
        if "image" not in taken:
            raise ValueError(f"{owner} takes no images, so 'image_shape' has no meaning: leave it "
                             f"out.")
        return "image"
    if _is_text(values):
        if "string" in taken:
            return "string"
        raise ValueError(f"{owner} takes {_listed(taken)}, got strings: dtype='numeric' is not "
                         f"compatible with arrays of bytes/strings.")
    if taken == ("string",):
        raise TypeError(f"{owner} takes strings: give a list of str, got "
                        f"{type(values).__name__}"
                        f"{_of_first(values)}.")
    if _is_list_of_arrays(values):
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


def _of_first(values: Any) -> str:
    first = values[0] if isinstance(values, (list, tuple)) and values else None
    return "" if first is None else f" of {type(first).__name__}"


def _by_dimensions(values: Any, dimensions: int) -> Tuple[str, ...]:
    """Kinds that an array of so many dimensions may be, the likeliest first."""
    if dimensions == 4:
        bytes_ = getattr(values, "dtype", None) == np.uint8
        return ("image", "grid") if bytes_ else ("grid", "image")
    return {2: ("vector", "sequence"), 3: ("image", "sequence", "set")}.get(dimensions, ())


FORMS = {
    "vector": "tables (n, columns)",
    "image": "images (n, height, width) or (n, height, width, channels)",
    "grid": "grids of cells (n, height, width, values)",
    "sequence": "series: an array (n, steps) or (n, channels, steps), or a list of arrays "
                "(steps,) or (channels, steps)",
    "string": "strings: a list of str",
    "set": "sets of points: an array (n, points, coordinates), or a list of arrays (points, "
           "coordinates)",
}


def _listed(taken: Sequence[str]) -> str:
    return ", ".join(FORMS[kind] for kind in taken) or "nothing"


# From Python to the runtime ----------------------------------------------------------------------

def vectors(values: np.ndarray, name: str = "X", training: bool = False) -> Samples:
    """A table that scikit-learn's checks have passed; to be learned from if `training`."""
    converted = as_float32(values, name)
    if training:
        _tell_lost_digits(values, converted, name)
    return Samples(converted, {"kind": "vector", "depth": converted.shape[1]})


def samples(values: Any, kind: str, *, owner: str = "The estimator", image_shape: Any = None,
            fitted: Optional[Mapping[str, Any]] = None, name: str = "X",
            training: bool = False) -> Samples:
    """Samples of any kind.

    Parameters
    ----------
    values : object
        As the table above says.
    kind : str
        What they are, see :func:`layout_kind`.
    image_shape : sequence of int, optional
        Of flat images: (height, width) or (height, width, channels).
    fitted : mapping, optional
        The layout of the samples that were trained on: these must agree with it.
    training : bool
        Whether they are to be learned from: then warns where float32 says too little of them.

    Raises
    ------
    ValueError
        They are not what was trained on; there are none; a value is NaN or infinity.
    TypeError
        They are no numbers, or no strings.
    """
    if kind == "vector":
        made = vectors(_table(values, name), name, training)
    elif kind == "string":
        made = _strings(values, fitted, owner, name)
    elif kind in ("image", "grid"):
        made = _pictures(values, kind, image_shape, name)
    else:
        made = _of_different_sizes(values, kind, name)
    if len(made) == 0:
        raise ValueError(f"Found array with 0 sample(s) in {name} while a minimum of 1 is "
                         f"required by {owner}.")
    return _as_fitted(made, fitted, owner, name)


def table_of(values: Any, name: str = "X") -> Any:
    """The values, or where they are an Arrow table, a data frame of it, so that its columns keep
    their names.

    Raises
    ------
    ValueError
        Some values are masked: they are missing.
    """
    if isinstance(values, np.ma.MaskedArray) and np.any(values.mask):
        raise ValueError(f"{name} is a masked array with values that are masked: missing values "
                         f"are not accepted. Fill them in, or leave out their rows.")
    if not hasattr(values, "__arrow_c_stream__") or hasattr(values, "iloc"):
        return values
    if hasattr(values, "__array__") and not hasattr(values, "columns"):
        return values  # one column
    import pandas
    from . import _native
    return pandas.DataFrame(dict(_native.arrow_columns(values)), copy=False)


def _array(values: Any, name: str) -> np.ndarray:
    values = table_of(values, name)
    if hasattr(values, "toarray"):
        raise TypeError(f"{name} is a sparse matrix: it must be dense. Convert it by .toarray().")
    array = np.asarray(values)
    if array.dtype == object:
        try:
            array = array.astype(np.float64)
        except (TypeError, ValueError) as error:
            raise ValueError(f"{name} must be an array of numbers: {error}") from error
    return array


def _table(values: Any, name: str) -> np.ndarray:
    array = _array(values, name)
    if array.ndim != 2:
        raise ValueError(f"Expected 2D array, got {array.ndim}D array instead. Reshape your data "
                         f"either using array.reshape(-1, 1) if it has a single feature or "
                         f"array.reshape(1, -1) if it contains a single sample.")
    return array


def _pictures(values: Any, kind: str, shape: Any, name: str) -> Samples:
    array = _array(values, name)
    if shape is not None:
        array = array.reshape(len(array), *_checked_shape(shape, array, name))
    if array.ndim == 3:
        array = array[..., np.newaxis]
    if array.ndim != 4:
        raise ValueError(f"{name} must be {FORMS[kind]}; got an array of shape {array.shape}.")
    count, height, width, depth = array.shape
    if kind == "image" and depth > 1:
        array = array.transpose(0, 3, 1, 2)
    flat = as_float32(array, name).reshape(count, -1)
    return Samples(flat, {"kind": kind, "height": height, "width": width, "depth": depth})


def _checked_shape(shape: Any, array: np.ndarray, name: str) -> Tuple[int, ...]:
    sides = tuple(int(side) for side in shape)
    if len(sides) not in (2, 3) or min(sides) < 1:
        raise ValueError(f"The 'image_shape' parameter must be (height, width) or (height, width, "
                         f"channels), got {shape!r}.")
    if array.ndim == 2 and array.shape[1] != int(np.prod(sides)):
        raise ValueError(f"{name} has {array.shape[1]} columns, and image_shape={sides} makes "
                         f"{int(np.prod(sides))}.")
    if array.ndim != 2 and array.shape[1:] not in (sides, sides + (1,), sides[:2]):
        raise ValueError(f"{name} has the shape {array.shape}, which is none of "
                         f"image_shape={sides}.")
    return sides


def _of_different_sizes(values: Any, kind: str, name: str) -> Samples:
    if _is_list_of_arrays(values):
        parts = [_one_by_one(sample, kind, i, name) for i, sample in enumerate(values)]
        return _joined(parts, kind, name)
    array = _array(values, name)
    if kind == "sequence" and array.ndim == 2:
        array = array[:, np.newaxis, :]
    if array.ndim != 3:
        raise ValueError(f"{name} must be {FORMS[kind]}; got an array of shape {array.shape}.")
    if kind == "sequence":
        array = array.transpose(0, 2, 1)  # steps are the slower ones inside
    count, steps, depth = array.shape
    if steps * depth == 0:
        raise ValueError(f"Found array with 0 feature(s) (shape={array.shape}) while a minimum of "
                         f"1 is required.")
    flat = as_float32(array, name).reshape(-1)
    offsets = np.arange(count + 1, dtype=np.uint64) * np.uint64(steps * depth)
    return Samples(flat, {"kind": kind, "width": steps, "depth": depth}, offsets)


def _one_by_one(sample: Any, kind: str, place: int, name: str) -> np.ndarray:
    """A sample as (elements, values of each)."""
    array = _array(sample, f"{name}[{place}]")
    if kind == "sequence" and array.ndim == 1:
        array = array[np.newaxis, :]
    if array.ndim != 2 or array.size == 0:
        raise ValueError(f"{name}[{place}] must be one of {FORMS[kind]}; got an array of shape "
                         f"{array.shape}.")
    return as_float32(array.T if kind == "sequence" else array, f"{name}[{place}]")


def _joined(parts: List[np.ndarray], kind: str, name: str) -> Samples:
    depth = parts[0].shape[1]
    for place, part in enumerate(parts):
        if part.shape[1] != depth:
            what = "channels" if kind == "sequence" else "coordinates"
            raise ValueError(f"{name}[{place}] has {part.shape[1]} {what}, and {name}[0] has "
                             f"{depth}: all samples must have the same.")
    offsets = np.zeros(len(parts) + 1, dtype=np.uint64)
    np.cumsum([part.size for part in parts], out=offsets[1:])
    longest = max(len(part) for part in parts)
    return Samples(np.concatenate([part.reshape(-1) for part in parts]),
                   {"kind": kind, "width": longest, "depth": depth}, offsets)


def texts_of(values: Any, name: str) -> List[str]:
    """Strings, each with at least one symbol.

    Raises
    ------
    TypeError, ValueError
        These are no strings; one is empty.
    """
    if isinstance(values, (str, bytes)):
        raise TypeError(f"{name} must be a list of str, got {values!r}.")
    texts = list(values)
    for place, text in enumerate(texts):
        if not isinstance(text, str):
            raise TypeError(f"{name}[{place}] must be a str, got {text!r}.")
        if not text:
            raise ValueError(f"{name}[{place}] is empty: a string must have at least one symbol.")
    return texts


def _strings(values: Any, fitted: Optional[Mapping[str, Any]], owner: str, name: str) -> Samples:
    texts = texts_of(values, name)
    offsets = np.zeros(len(texts) + 1, dtype=np.uint64)
    np.cumsum([len(text) for text in texts], out=offsets[1:])
    codes = np.frombuffer("".join(texts).encode("utf-32-le"), dtype=np.uint32)
    alphabet = np.unique(codes)
    if fitted is not None:
        known = np.array([ord(symbol) for symbol in fitted["alphabet"]], dtype=np.uint32)
        strange = np.setdiff1d(alphabet, known)
        if strange.size:
            first = int(np.argmax(codes == strange[0]))
            row = int(np.searchsorted(offsets, first, side="right")) - 1
            raise ValueError(f"{name}[{row}] has the symbol {chr(int(strange[0]))!r}, which no "
                             f"string has that {owner} was trained on.")
        alphabet = known
    longest = max((len(text) for text in texts), default=0)
    return Samples(np.searchsorted(alphabet, codes).astype(np.float32),
                   {"kind": "string", "width": longest, "depth": 1,
                    "alphabet": "".join(chr(int(code)) for code in alphabet)}, offsets)


def _as_fitted(made: Samples, fitted: Optional[Mapping[str, Any]], owner: str,
               name: str) -> Samples:
    """The samples in the layout that was trained on, where that is possible."""
    if fitted is None:
        return made
    if made.layout["kind"] != fitted["kind"]:
        raise ValueError(f"{name} must be {FORMS[fitted['kind']]}, as {owner} was trained on; got "
                         f"{FORMS[made.layout['kind']]}.")
    if not is_ragged(fitted):
        for side in ("height", "width", "depth"):
            if made.layout.get(side, 1) != fitted.get(side, 1):
                raise ValueError(f"{name} has samples of {_sides(made.layout)}, but {owner} is "
                                 f"expecting {_sides(fitted)}, as it was trained on.")
        return made
    if made.layout["depth"] != fitted["depth"]:
        raise ValueError(f"{name} has {made.layout['depth']} values a step or point, but {owner} "
                         f"is expecting {fitted['depth']}, as it was trained on.")
    return made


def check_longest(made: Samples, fitted: Mapping[str, Any], owner: str, name: str = "X") -> None:
    """Refuses samples that are longer than all that were trained on.

    Raises
    ------
    ValueError
        One is longer.
    """
    if made.offsets is None or made.layout["width"] <= fitted["width"]:
        return
    sizes = np.diff(made.offsets.astype(np.int64)) // made.layout["depth"]
    raise ValueError(f"{name}[{int(sizes.argmax())}] has {int(sizes.max())} {_elements(fitted)}, "
                     f"and the longest sample that {owner} was trained on has "
                     f"{fitted['width']}: shorten it, or train with one as long.")


def _elements(layout: Mapping[str, Any]) -> str:
    return {"sequence": "steps", "string": "symbols", "set": "points"}[layout["kind"]]


def in_common(first: Samples, second: Samples) -> Tuple[Samples, Samples]:
    """Both in one layout: of samples that differ in size, as large as the largest of both."""
    if first.layout == second.layout or not is_ragged(first.layout):
        return first, second
    width = max(first.layout["width"], second.layout["width"])
    return (Samples(first.values, {**first.layout, "width": width}, first.offsets),
            Samples(second.values, {**second.layout, "width": width}, second.offsets))


def _sides(layout: Mapping[str, Any]) -> str:
    if layout["kind"] == "vector":
        return f"{layout['depth']} features"
    return (f"{layout.get('height', 1)}x{layout.get('width', 1)}x{layout['depth']} (height x "
            f"width x {'channels' if layout['kind'] == 'image' else 'values'})")


# From the runtime to Python ----------------------------------------------------------------------

def as_python(values: np.ndarray, layout: Mapping[str, Any], offsets: Optional[np.ndarray] = None,
              flat: bool = False) -> Any:
    """Rows that the runtime gave, in the form of the table above.

    With `flat`, samples of equal size are rows (n, size) in the order of that form's values.
    """
    kind, depth = layout["kind"], int(layout["depth"])
    if offsets is not None:
        return _list_of(values, kind, depth, np.asarray(offsets, dtype=np.int64))
    if kind == "vector":
        return values
    height, width = int(layout.get("height", 1)), int(layout.get("width", 1))
    if kind == "image" and depth > 1:
        planes = values.reshape(len(values), depth, height, width).transpose(0, 2, 3, 1)
        values = np.ascontiguousarray(planes)
    if flat:
        return values.reshape(len(values), -1)
    if kind == "image" and depth == 1:
        return values.reshape(len(values), height, width)
    return values.reshape(len(values), height, width, depth)


def _list_of(values: np.ndarray, kind: str, depth: int, offsets: np.ndarray) -> Any:
    parts = [values[start:end].reshape(-1, depth) for start, end in zip(offsets, offsets[1:])]
    if kind == "sequence":
        parts = [part[:, 0] if depth == 1 else part.T for part in parts]
    if len({part.shape for part in parts}) == 1:
        return np.stack(parts)
    return parts
