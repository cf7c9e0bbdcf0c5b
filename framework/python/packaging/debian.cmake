# SPDX-License-Identifier: MIT
# The Debian package python3-semblance. Its plugins are those of the package semblance.
list(APPEND CPACK_COMPONENTS_ALL python)
set(CPACK_DEBIAN_PYTHON_DESCRIPTION "large-margin learning with similarity measures, in Python
Estimators for scikit-learn, runs and studies on Python's arrays in place, and
components that are written in Python: similarities, solvers and others of
one's own.")
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-semblance)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
# The module is compiled for one version of Python.
get_property(python_version GLOBAL PROPERTY SEMBLANCE_PYTHON_VERSION)
string(REPLACE "." ";" parts ${python_version})
list(GET parts 0 major)
list(GET parts 1 minor)
math(EXPR next_minor "${minor} + 1")
string(CONCAT CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
  "semblance (= ${this_version}), python3-numpy, "
  "python3 (>= ${major}.${minor}~), python3 (<< ${major}.${next_minor})")
# The estimators are scikit-learn's; a study's table is a data frame of pandas.
set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "python3-sklearn, python3-pandas")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-matplotlib, python3-tqdm, jupyter-notebook")
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA
  ${CMAKE_CURRENT_LIST_DIR}/postinst ${CMAKE_CURRENT_LIST_DIR}/prerm)
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_STRICT_PERMISSION ON)
