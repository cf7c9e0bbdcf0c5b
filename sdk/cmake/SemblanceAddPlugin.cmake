# SPDX-License-Identifier: MIT
# semblance_add_plugin(NAME SOURCES file... [LINK library...] [TESTS file...])
#
# Builds the plugin libNAME.so into the plugin folder. TESTS are doctest files that are linked with
# the plugin's objects into NAME_test and registered with CTest.
function(semblance_add_plugin name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK;TESTS" ${ARGN})
  add_library(${name}_objects OBJECT ${arg_SOURCES})
  target_include_directories(${name}_objects PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(${name}_objects PUBLIC Semblance::sdk ${arg_LINK})

  add_library(${name} MODULE)
  target_link_libraries(${name} PRIVATE ${name}_objects)
  set_target_properties(${name} PROPERTIES
    LIBRARY_OUTPUT_DIRECTORY ${SEMBLANCE_PLUGIN_DIRECTORY})
  target_link_options(${name} PRIVATE -Wl,--no-undefined)
  set_property(GLOBAL APPEND PROPERTY SEMBLANCE_PLUGINS ${name})

  if(arg_TESTS AND SEMBLANCE_TESTS)
    add_executable(${name}_test ${arg_TESTS})
    target_link_libraries(${name}_test PRIVATE ${name}_objects Semblance::test_main)
    add_test(NAME ${name} COMMAND ${name}_test)
  endif()
endfunction()
