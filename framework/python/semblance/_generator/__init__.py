# SPDX-License-Identifier: MIT
"""Writes one Python class a component, from the components' declarations.

The build runs it as a program, with what ``semblance describe --all --json`` prints::

    python3 -m semblance._generator --declarations components.json --output semblance/_generated

Components that are declared while Python runs get theirs from
:func:`semblance._generator.sources.class_source`. It imports nothing of the native module,
which is not there yet when the build calls it.
"""
