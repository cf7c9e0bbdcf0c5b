# SPDX-License-Identifier: MIT
"""The test cases of the day: long tests run a part of their cases each day, and all of them within `days` days.

Case n, counted from 0, runs on the days d (since 1970-01-01, UTC) for which n + d is divisible by `days`.
SEMBLANCE_TESTS=whole runs all cases at once, as a release does. The tests in C++ follow the same rule
(of_the_day() in tests/program/program.cpp); tests/program/sampled_test.cpp compares the two.
"""
import os
import time

WHOLE = os.environ.get("SEMBLANCE_TESTS") == "whole"


def of_the_day(items, days):
    """Today's cases of a sequence, as a list, or of a mapping, as a mapping."""
    assert days <= 7, "all cases run within a week"
    today = int(time.time()) // 86400
    chosen = items if WHOLE else list(items)[-today % days::days]
    return {key: items[key] for key in chosen} if isinstance(items, dict) else list(chosen)
