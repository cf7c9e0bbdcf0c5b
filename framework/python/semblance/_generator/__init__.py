# SPDX-License-Identifier: MIT
"""Writes one Python class per component, from the components' declarations.

The build runs it as a program, with what ``semblance describe --all --json`` prints::

    python3 -m semblance._generator --declarations components.json --output semblance/_generated

Components that are declared while Python runs get their classes from
:func:`semblance._generator.sources.class_source`. The generator does not import the native
module, which does not exist yet when the build calls it.
"""
