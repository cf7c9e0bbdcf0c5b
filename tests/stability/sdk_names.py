# SPDX-License-Identifier: MIT
"""The public names of a C++ header, found by brackets and statements: types, functions, values, members and macros."""
import re

DROPPED = re.compile(r'//.*|"(?:\\.|[^"\\\n])*"|\'\\?.\'|^#(?:.*\\\n)*.*', re.M)
MACRO = re.compile(r"^#\s*define (SEMBLANCE_\w+)", re.M)
PREFIX = re.compile(r"\s*(?:template *|requires *\w*|inline|static|constexpr|\[\[.*?\]\])(?!\w)")
SCOPE = re.compile(r"\s*(namespace|class|struct|union|enum class|enum)\b(?: alignas\(\))?\s*([\w:]*)[^=()]*$")
NO_NAME = re.compile(r"(?:friend|static_assert|extern|namespace)\b|using [^=]*$|[^(]*~")
NAME = re.compile(r"(?:using|concept) (\w+)|.*?(operator\s*(?:\(\)|[^\w\s(]+))|"
                  r"[^=({\[]*?[\w>&*\]]\s+[*&]*(\w+)\s*(?:[=({\[]|$)")
CLOSING = {"(": ")", "{": "}"}


def names_of(text):
    """{class, or "" outside of all: its names}, without private ones, constructors, and namespaces `detail`."""
    found = {"": set(MACRO.findall(text))}
    _read(DROPPED.sub("", text), "", found)
    return found


def _read(text, owner, found, public=True):
    """Notes what is declared in a namespace or a class."""
    at, head = 0, ""
    while at < len(text):
        access = re.match(r"\s*(public|protected|private)\s*:(?!:)", text[at:])
        if access and not head.strip():
            public = access[1] != "private"
            at += access.end()
            continue
        sign = text[at]
        if sign not in CLOSING:
            at += 1
            if sign == ";":
                head = _note(head, owner, found, public)
            else:
                head += sign
            continue
        end = _end(text, at)
        inside = text[at + 1:end - 1]
        at = end
        scope = SCOPE.match(_bare(head)) if sign == "{" else None
        if scope:
            if public:
                _enter(scope, inside, owner, found)
            head = "friend " if scope[1] != "namespace" else ""  # what follows a class up to its semicolon is no name
        elif sign == "{" and not re.match(r"\s*[;,{]", text[at:]):
            head = _note(head, owner, found, public)
        else:
            head += sign + CLOSING[sign]


def _enter(scope, inside, owner, found):
    kind, name = scope[1], scope[2]
    if kind == "namespace":
        if name and not name.endswith("detail"):
            _read(inside, owner, found)
        return
    inner = f"{owner}::{name}".removeprefix("::")
    found.setdefault(inner, set())
    if kind.startswith("enum"):
        found[inner] |= set(re.findall(r"(?:^|,)\s*(\w+)", inside))
    else:
        _read(inside, inner, found, kind != "class")


def _end(text, at):
    """Behind the bracket that closes the one at this place."""
    opening, depth = text[at], 0
    for place in range(at, len(text)):
        depth += (text[place] == opening) - (text[place] == CLOSING[opening])
        if not depth:
            return place + 1
    raise ValueError(f"a bracket stays open: {text[at:at + 40]}")


def _bare(head):
    """Without template arguments and what precedes a declaration."""
    shorter = re.sub(r"(?<!operator)<[^<>=;]*>", " ", head)
    while shorter != head:
        head, shorter = shorter, re.sub(r"(?<!operator)<[^<>=;]*>", " ", shorter)
    while prefix := PREFIX.match(head):
        head = head[prefix.end():]
    return " ".join(head.split())


def _note(head, owner, found, public):
    bare = _bare(head)
    name = public and not NO_NAME.match(bare) and NAME.match(bare)
    if name and name[name.lastindex] != owner.rsplit("::", 1)[-1]:
        found[owner].add(name[name.lastindex].replace(" ", ""))
    return ""
