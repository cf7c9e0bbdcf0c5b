# SPDX-License-Identifier: MIT
"""Names of earlier versions: those that are deprecated work, with a FutureWarning, and those that
are gone are errors with the same words."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Container, Dict, Mapping, Optional, Sequence, Tuple

from ._errors import warn


@dataclass(frozen=True)
class Former:
    """As components declare them: see FormerName of the SDK."""

    written: str
    since: str
    instead: str = ""
    advice: str = ""
    usual: str = ""
    gone: bool = False

    def state(self) -> str:
        return "is gone" if self.gone else f"is deprecated since {self.since}"

    def remedy(self, id: str = "") -> str:
        """What to write, for a former id in place of `id`."""
        said = ", ".join(filter(None, (f"is: {id}" if id else "", self.instead)))
        return self.advice or f"write {said}"

    def tell(self, what: str, remedy: str) -> None:
        """Warns of a deprecated name."""
        warn(f"{what} {self.state()}: {remedy}", FutureWarning)


def current(names: Sequence[Tuple[Any, ...]], parameters: Mapping[str, Any], owner: str,
            own: Container[str] = ()) -> Dict[str, Any]:
    """Parameters under their current names; `names` has the fields of each Former. Raises TypeError
    for one that is gone, or that is given under both names. What the class of `owner` has among its
    `own` parameters means that: a derived class may have one of a name that went."""
    known = {one[0]: Former(*one) for one in names}
    found: Dict[str, Any] = {}
    for key, value in parameters.items():
        name, inside, inner = key.partition("__")
        former = known.get(name)
        if former and not (name in own and (former.gone or former.instead)):
            what = f"the parameter {name!r} of {owner}"
            if former.gone:
                raise TypeError(f"{what} {former.state()}: {former.remedy()}")
            former.tell(what, former.remedy())
            name = former.instead or name
            if name + inside + inner in parameters and former.instead:
                raise TypeError(f"{what} is a former name of {name!r}, which is given too")
        found[name + inside + inner] = value
    return found


def former_id(id: str, declarations: Sequence[Mapping[str, Any]]) -> Tuple[str, Optional[Former]]:
    """The component that declares this id as a former name of a component, and that name."""
    for declaration in declarations:
        for one in declaration.get("former", ()):
            if one["written"] == id:
                return declaration["id"], Former(**one)
    return id, None


def values_of(former: Former) -> Dict[str, Any]:
    """The values that the component takes in the place of a former id: those of `instead`."""
    name, colon, text = former.instead.partition(": ")
    if not colon:
        return {}
    try:
        return {name: json.loads(text)}
    except ValueError:
        return {name: text}
