# SPDX-License-Identifier: MIT
"""Figures as the page writes them."""


def percent(share: float) -> str:
    """.7594 -> 75.94"""
    return f"{100 * share:.2f}"


def points(difference: float) -> float:
    """A difference of shares in percentage points."""
    return 100 * difference


def signed(value: float) -> str:
    return f"{value:+.1f}".replace("-", "−")


def listed(parts) -> str:
    return ", ".join(parts)
