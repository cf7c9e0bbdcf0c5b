# SPDX-License-Identifier: MIT
# The shipped plugins go where the program looks for them.
install(TARGETS ${SEMBLANCE_PLUGINS} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/semblance/plugins)

# The book, and the reference, which the program generates from the plugins' declarations.
set(reference ${PROJECT_BINARY_DIR}/share/doc/semblance/reference)
add_custom_command(OUTPUT ${reference}/README.md
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${reference}
  COMMAND ${CMAKE_COMMAND} -E env --unset=SEMBLANCE_PLUGIN_PATH
          SEMBLANCE_CACHE=${PROJECT_BINARY_DIR}/share/cache
          $<TARGET_FILE:semblance> describe --pages ${reference}
  DEPENDS semblance ${SEMBLANCE_PLUGINS} VERBATIM)
add_custom_target(reference ALL DEPENDS ${reference}/README.md)
add_dependencies(product reference)
install(DIRECTORY ${reference} DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/semblance)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/ DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/semblance)
