#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the binary interface of plugins, as the compiler lays it out, with abi.txt, or writes it there.

  tests/stability/abi.py           what differs; exit code 1 if anything does
  tests/stability/abi.py --write   writes abi.txt; refuses changes of what was there under the same sdk_api

A plugin is loaded by every program of its sdk_api, so nothing that it was compiled with may change under one number:
sizes, offsets and types of members, virtual functions and their order, values of enumerations, and the functions of the
library. What is new at an end does no harm, but must be written down.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import sdk_names

TREE = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("SEMBLANCE_BUILD", TREE / "build/release"))
COMPILER = os.environ.get("SEMBLANCE_COMPILER", "g++")
FILE = Path(__file__).with_name("abi.txt")
PROBE = r"""
#include <cxxabi.h>
#include <cstdio>
#include <cstring>
#include <string>
#include <typeinfo>
using namespace semblance;

template <class M> std::string type() {
  char* const text = abi::__cxa_demangle(typeid(M).name(), nullptr, nullptr, nullptr);
  const std::string copy = text;
  std::free(text);
  return copy;
}
template <class M> void member(const char* name, M value) {
  if constexpr (std::is_member_pointer_v<M>) {
    std::ptrdiff_t first = 0;
    std::memcpy(&first, &value, sizeof first);
    if constexpr (std::is_member_object_pointer_v<M>)
      std::printf("  %s at %td: %s\n", name, first, type<M>().c_str());
    else if (first & 1)
      std::printf("  %s virtual %td: %s\n", name, (first - 1) / 8, type<M>().c_str());
    else
      std::printf("  %s: %s\n", name, type<M>().c_str());
  }
}
#define MEMBER(name) \
  if constexpr (requires { &T::name; }) member(#name, &T::name);
#define VALUE(name) std::printf("  %s = %lld\n", #name, static_cast<long long>(T::name));
template <class T> void begin(const char* name) {
  std::printf("%s: size %zu, alignment %zu\n", name, sizeof(T), alignof(T));
}
"""


def headers():
    folder = TREE / "sdk/include/semblance"
    return [one for one in sorted(folder.glob("*.hpp"))
            if one.stem == "plugin_testing" or not one.stem.endswith("testing")]


def compiled(folder, text, *options):
    source = folder / "probe.cpp"
    source.write_text(text, encoding="utf-8")
    subprocess.run([COMPILER, "-std=c++20", "-w", "-I", TREE / "sdk/include", *options, source], check=True)


def layouts(folder):
    """Of each class without template arguments: its size, members and functions; of each enumeration its values."""
    include = "".join(f'#include "semblance/{header.name}"\n' for header in headers())
    dump = folder / "classes"
    compiled(folder, include, "-fsyntax-only", f"-fdump-lang-class={dump}")
    dumped = dump.read_text(encoding="utf-8")
    classes, enums = set(re.findall(r"^Class semblance::([\w:]+)$", dumped, re.M)), set()
    names = {}
    for header in headers():
        text = header.read_text(encoding="utf-8")
        enums |= set(re.findall(r"^enum class (\w+)", text, re.M))
        for owner, found in sdk_names.names_of(text).items():
            names.setdefault(owner, set()).update(found)
    probe, calls = include + PROBE, ""
    for place, owner in enumerate(sorted((classes | enums) & names.keys())):
        macro = "VALUE" if owner in enums else "MEMBER"
        members = "\n".join(f"  {macro}({name})" for name in sorted(names[owner]) if re.fullmatch(r"\w+", name))
        probe += f"template <class T> void show_{place}() {{\n  begin<T>(\"{owner}\");\n{members}\n}}\n"
        calls += f"  show_{place}<{owner}>();\n"
    compiled(folder, f"{probe}int main() {{\n{calls}}}\n", "-c", "-o", folder / "probe.o")
    subprocess.run([COMPILER, "-o", folder / "probe", folder / "probe.o", library(), f"-Wl,-rpath,{library().parent}"],
                   check=True)
    shown = subprocess.run([folder / "probe"], check=True, text=True, stdout=subprocess.PIPE).stdout
    return shown + "".join(tables(dumped))


def tables(dumped):
    """The virtual functions of each class, also those that the probe cannot name, in their order."""
    for owner, entries in re.findall(r"^Vtable for semblance::([\w:]+)\n[^\n]*\n((?:.+\n)+)", dumped, re.M):
        functions = [line.rpartition(")")[2].split("::")[-1].strip() for line in entries.splitlines()]
        yield f"table of {owner}: {' '.join(functions)}\n"


def library():
    return BUILD / "lib/libsemblance_sdk.so"


def functions():
    """What the library gives to plugins, apart from what a header defines."""
    shown = subprocess.run(["nm", "-D", "--defined-only", "-C", library()], check=True, text=True,
                           stdout=subprocess.PIPE).stdout
    return "".join(sorted(f"function {name}\n" for name in set(re.findall(r" T (semblance::.*)", shown))))


def found():
    api = re.search(r"sdk_api = (\d+)", (TREE / "sdk/include/semblance/plugin.hpp").read_text(encoding="utf-8"))[1]
    with tempfile.TemporaryDirectory() as place:
        text = layouts(Path(place))
    text += functions()
    for pattern, shorter in ((r"semblance::|std::__cxx11::|std::", ""), (r" ?\([\w:]+::\*\)| [\w:]+::\*", ""),
                             (r"basic_string<char, char_traits<char>, allocator<char> ?>", "string"),
                             (r", (?:allocator|default_delete)<(?:[^<>]|<[^<>]*>)*>", ""),
                             (r", 18446744073709551615ul", "")):
        text = re.sub(pattern, shorter, text)
    return f"sdk_api {api}\n{text}"


def entries(text):
    """Lines, those of a class's members with the class."""
    owner = ""
    for line in text.splitlines():
        owner = line.split(":")[0] if not line.startswith(" ") else owner
        yield f"{owner}:{line}" if line.startswith(" ") else line


def main():
    if not shutil.which(COMPILER):
        print(f"skipped: there is no {COMPILER}")
        return 0
    now = found()
    before = FILE.read_text(encoding="utf-8") if FILE.exists() else ""
    old, new = (dict.fromkeys(entries(text)) for text in (before, now))
    gone, more = [one for one in old if one not in new], [one for one in new if one not in old]
    same_number = before.splitlines()[:1] == now.splitlines()[:1]
    print(*(f"before: {one}" for one in gone), *(f"now:    {one}" for one in more), sep="\n")
    if gone and same_number:
        print("A plugin that was built before would be taken and go wrong: raise sdk_api in semblance/plugin.hpp.")
        return 1
    if sys.argv[1:] == ["--write"]:
        FILE.write_text(now, encoding="utf-8")
        return 0
    if gone or more:
        print("Write it down: tests/stability/abi.py --write")
    return 1 if gone or more else 0


if __name__ == "__main__":
    sys.exit(main())
