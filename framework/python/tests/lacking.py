# SPDX-License-Identifier: MIT
"""Attributes that are not there, and why."""

import re
from contextlib import contextmanager

import pytest


@contextmanager
def lacks(reason):
    """An AttributeError for this reason, which scikit-learn 1.3 and later give as its cause."""
    with pytest.raises(AttributeError) as caught:
        yield
    assert re.search(reason, f"{caught.value} {caught.value.__cause__}")
