# SPDX-License-Identifier: MIT
"""Components written in Python: how a function or class is declared as one.

Nothing here imports NumPy or the native module, so that the program reads a plugin quickly.
"""

from .declaration import Declaration
from .decorators import KINDS, Kind, can_be_sent, declare, declared, register
from .drawings import Bars, Curve, HeatMap, Picture, Scatter
from .parameters import Figure, Refused, Stopped, figure
from .parameters import (Parameter, boolean, choice, integer, integers, mapping, measure, number,
                         numbers, path, text, texts)

__all__ = [
    "Bars", "Curve", "Declaration", "Figure", "HeatMap", "KINDS", "Kind", "Parameter", "Picture",
    "Refused", "Scatter", "Stopped", "boolean", "can_be_sent", "choice", "declare",
    "declared", "figure", "integer", "integers", "mapping", "measure", "number", "numbers", "path",
    "register", "text", "texts"]
