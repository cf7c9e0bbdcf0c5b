# SPDX-License-Identifier: MIT
"""scikit-learn's own tests of its machines, on Semblance's: each passes, or the list says why its
expectation is not Semblance's."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent / "sklearn_own"))
import outcomes  # noqa: E402

pytestmark = pytest.mark.skipif(bool(outcomes.installed()), reason=outcomes.installed())


@pytest.mark.days(2)
def test_every_outcome_is_the_listed_one():
    found, expected = outcomes.run(), outcomes.listed()
    wrong = [f"{test}: {outcome}, listed as {expected.get(test, 'nothing')!r} {error}"
             for test, (outcome, error) in found.items()
             if not agree(outcome, expected.get(test, ""))]
    assert not wrong, "\n".join(wrong)
    assert set(found) == set(expected)


def agree(outcome, said):
    if outcome == "skipped":  # no Matplotlib
        return said in ("passes", "none of ours")
    return is_reason(said) if outcome == "fails" else outcome == said


def is_reason(said):
    return any(said.startswith(word) and len(said) > len(word) for word in
               (outcomes.NOT_APPLICABLE, outcomes.OTHER, outcomes.WAITING))


def test_four_of_five_that_apply_pass():
    passing, applying = outcomes.share(outcomes.listed())
    print(f"{passing} of {applying} of scikit-learn's tests that apply pass")
    assert passing >= 0.8 * applying and applying > 100
