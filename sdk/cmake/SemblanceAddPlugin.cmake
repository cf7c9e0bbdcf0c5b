# SPDX-License-Identifier: MIT
# semblance_add_plugin(NAME [SOURCES file...] [LINK library...] [TESTS file...] [TEST_PLUGINS name...]
#                      [DEFAULTS name...] [CHECK argument...])
#
# Builds the plugin libNAME.so into ${SEMBLANCE_PLUGIN_DIRECTORY}, or into the project's build
# folder if that is not set. Without SOURCES, all .cpp files of the folder and its subfolders are
# its sources, and those that end in _test.cpp its tests. TESTS are doctest files, linked with the
# plugin's objects into NAME_test and registered with CTest. They can also make components of the plugins that
# TEST_PLUGINS names, which this project builds. DEFAULTS are the plugins whose components its parameters have as
# default: they are built whenever it is. CTest also runs NAME_check: `semblance check-plugin`
# on the plugin, with the arguments that follow CHECK.
function(semblance_add_plugin name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK;TESTS;TEST_PLUGINS;DEFAULTS;CHECK" ${ARGN})
  if(NOT arg_SOURCES)
    semblance_find_sources(arg_SOURCES arg_TESTS)
  endif()
  if(NOT arg_SOURCES OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "semblance_add_plugin(${name} [SOURCES file...] [LINK library...] "
                        "[TESTS file...] [TEST_PLUGINS name...] [DEFAULTS name...] [CHECK argument...]): "
                        "there are no sources, or there are unknown arguments")
  endif()
  set(folder ${SEMBLANCE_PLUGIN_DIRECTORY})
  if(NOT folder)
    set(folder ${CMAKE_CURRENT_BINARY_DIR})
  endif()

  semblance_separate_simd_sources(${arg_SOURCES} ${arg_TESTS})
  add_library(${name}_objects OBJECT ${arg_SOURCES})
  target_include_directories(${name}_objects PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(${name}_objects PUBLIC Semblance::sdk ${arg_LINK})
  # A plugin exports a single function, so that the symbols of two plugins cannot clash.
  set_target_properties(${name}_objects PROPERTIES
    POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)

  add_library(${name} MODULE)
  target_link_libraries(${name} PRIVATE ${name}_objects)
  set_target_properties(${name} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${folder})
  # It loads only the libraries that it calls, not all dependencies of what it links with.
  target_link_options(${name} PRIVATE -Wl,--as-needed)
  # With clang the sanitizers' functions are only in the program.
  if(NOT (SEMBLANCE_SANITIZE AND CMAKE_CXX_COMPILER_ID MATCHES Clang))
    target_link_options(${name} PRIVATE -Wl,--no-undefined)
  endif()
  if(arg_DEFAULTS)
    add_dependencies(${name} ${arg_DEFAULTS})
  endif()
  set_property(GLOBAL APPEND PROPERTY SEMBLANCE_PLUGINS ${name})

  if(NOT SEMBLANCE_TESTS)
    return()
  endif()
  if(arg_TESTS AND TARGET Semblance::test_main)
    add_executable(${name}_test ${arg_TESTS})
    # Tests have helpers with short names, which may clash in a unity build.
    if(SEMBLANCE_TEST_BATCH_SIZE)
      set_target_properties(${name}_test PROPERTIES UNITY_BUILD_BATCH_SIZE ${SEMBLANCE_TEST_BATCH_SIZE})
    else()
      set_target_properties(${name}_test PROPERTIES UNITY_BUILD OFF)
    endif()
    target_link_libraries(${name}_test PRIVATE ${name}_objects Semblance::test_main)
    semblance_test_plugins(${name}_test ${arg_TEST_PLUGINS})
    semblance_add_test(NAME ${name} COMMAND ${name}_test)
  endif()
  if(SEMBLANCE_SANITIZE)  # everything takes longer then
    set(timeout --timeout 1200)
  endif()
  semblance_add_test(NAME ${name}_check
           COMMAND $<TARGET_FILE:Semblance::program> check-plugin $<TARGET_FILE:${name}> ${timeout}
                   ${arg_CHECK})
endfunction()

# semblance_find_sources(SOURCES TESTS [folder...])
#
# Sets the variable SOURCES to the .cpp files of the folders and their subfolders, in the order of their names, and
# TESTS to those that end in _test.cpp. Without folders: of this one.
function(semblance_find_sources sources tests)
  set(patterns *.cpp)
  if(ARGN)
    list(TRANSFORM ARGN APPEND /*.cpp OUTPUT_VARIABLE patterns)
  endif()
  file(GLOB_RECURSE found RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS ${patterns})
  list(FILTER found EXCLUDE REGEX "^build/|/CMakeFiles/")
  semblance_separate_simd_sources(${found})
  set(found_tests ${found})
  list(FILTER found_tests INCLUDE REGEX "_test\\.cpp$")
  list(FILTER found EXCLUDE REGEX "_test\\.cpp$")
  set(${sources} ${found} PARENT_SCOPE)
  set(${tests} ${found_tests} PARENT_SCOPE)
endfunction()

# semblance_separate_simd_sources(source...)
#
# Sources that Highway compiles once per SIMD target, by including them again, cannot share a unity source.
function(semblance_separate_simd_sources)
  foreach(source ${ARGN})
    cmake_path(ABSOLUTE_PATH source OUTPUT_VARIABLE file)
    if(EXISTS ${file})
      file(STRINGS ${file} included REGEX "^#include .hwy/foreach_target\\.h" LIMIT_COUNT 1)
      if(included)
        set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
      endif()
    endif()
  endforeach()
endfunction()

# As add_test(). The test is "Skipped", not "Passed", where it exits with 77, or is a program of doctest none
# of whose cases failed or checked anything.
function(semblance_add_test keyword name)
  add_test(${keyword} ${name} ${ARGN})
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77
    SKIP_REGULAR_EXPRESSION "\\| 0 failed \\|[^\n]*\n\\[doctest\\] assertions: +0 \\|")
endfunction()

# Lets the test TARGET make components of the plugins NAME..., which this project builds.
function(semblance_test_plugins target)
  if(NOT ARGN)
    return()
  endif()
  list(TRANSFORM ARGN REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE files)
  list(JOIN files ":" files)
  target_compile_definitions(${target} PRIVATE SEMBLANCE_TESTED_WITH="${files}")
  add_dependencies(${target} ${ARGN})
endfunction()
