# SPDX-License-Identifier: MIT
# The shipped plugins go where the program looks for them, some in a package of their own.
foreach(plugin ${SEMBLANCE_PLUGINS})
  get_target_property(package ${plugin} SEMBLANCE_PACKAGE)
  if(NOT package)
    set(package semblance)
  endif()
  install(TARGETS ${plugin} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/semblance/plugins
          COMPONENT ${package})
endforeach()

# Manual pages, which help2man makes of each command's help, and the shells' completion.
find_program(SEMBLANCE_HELP2MAN help2man)
if(SEMBLANCE_HELP2MAN)
  set(manual ${PROJECT_BINARY_DIR}/share/man/man1)
  add_custom_command(OUTPUT ${manual}/semblance.1
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${manual}
    COMMAND ${PROJECT_SOURCE_DIR}/packaging/manual.sh $<TARGET_FILE:semblance> ${PROJECT_VERSION} ${manual}
    DEPENDS semblance ${PROJECT_SOURCE_DIR}/packaging/manual.sh VERBATIM)
  add_custom_target(manual ALL DEPENDS ${manual}/semblance.1)
  add_dependencies(product manual)
  install(DIRECTORY ${manual} DESTINATION ${CMAKE_INSTALL_MANDIR})
endif()
set(completion ${PROJECT_SOURCE_DIR}/packaging/completion)
install(FILES ${completion}/semblance.bash RENAME semblance
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
# Debian's zsh searches another folder for those of packages than for those below /usr/local.
install(CODE "set(zsh_folder site-functions)
if(CMAKE_INSTALL_PREFIX STREQUAL \"/usr\" AND EXISTS /etc/debian_version)
  set(zsh_folder vendor-completions)
endif()")
install(FILES ${completion}/_semblance DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/\${zsh_folder})
install(FILES ${completion}/semblance.fish
        DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

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
