# SPDX-License-Identifier: MIT
# The classes of the components, written from their declarations: semblance/_generated.
get_property(plugins GLOBAL PROPERTY SEMBLANCE_PLUGINS)
set(declarations ${CMAKE_CURRENT_BINARY_DIR}/components.json)
file(GLOB generator CONFIGURE_DEPENDS semblance/_generator/*.py)
add_custom_command(
  OUTPUT ${package}/_generated/__init__.py
  COMMAND semblance describe --all --json > ${declarations}
  COMMAND ${CMAKE_COMMAND} -E env PYTHONPATH=${CMAKE_CURRENT_SOURCE_DIR}
    ${Python_EXECUTABLE} -B -m semblance._generator
    --declarations ${declarations} --output ${package}/_generated
    --plugins ${PROJECT_BINARY_DIR}/lib/semblance/plugins
  DEPENDS semblance ${plugins} ${generator}
  COMMENT "Writing Python's classes of the components"
  VERBATIM)
add_custom_target(semblance_python_classes ALL DEPENDS ${package}/_generated/__init__.py)
add_dependencies(semblance_python semblance_python_classes)
