# SPDX-License-Identifier: MIT
"""What a day's tests take of what would be too much for every day. Over a few days, all of it has its turn;
SEMBLANCE_TESTS=whole takes it at once, as a release does."""
import datetime
import os

WHOLE = os.environ.get("SEMBLANCE_TESTS") == "whole"


def of_the_day(items, days):
    """Every days-th of the items, others from one day to the next; from a mapping, a mapping."""
    chosen = items if WHOLE else list(items)[datetime.date.today().toordinal() % days::days]
    return {key: items[key] for key in chosen} if isinstance(items, dict) else list(chosen)
