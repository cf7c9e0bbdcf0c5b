# SPDX-License-Identifier: MIT
"""Components written in Python that come with the package.

The program finds them by name: ``semblance run FILE --plugin-path sklearn_solver.py``. In Python,
import the module.
"""
