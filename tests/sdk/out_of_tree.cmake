# SPDX-License-Identifier: MIT
cmake_minimum_required(VERSION 3.25)
# Writes a plugin of each kind, builds them against the package in WORK/prefix with COMPILER, runs
# their tests and a pipeline.
find_program(compiler ${COMPILER} NO_CACHE)
if(NOT compiler)
  message("skipped: there is no ${COMPILER}")
  return()
endif()
if(SANITIZE AND NOT COMPILER STREQUAL g++)
  message("skipped: the sanitizers of two compilers do not mix")
  return()
endif()

# Moved after its installation, as a package may be.
set(folder ${WORK}/${COMPILER})
file(REMOVE_RECURSE ${folder})
file(COPY ${WORK}/prefix DESTINATION ${folder}/moved)
set(prefix ${folder}/moved/prefix)
set(semblance ${prefix}/bin/semblance)
set(ENV{SEMBLANCE_CACHE} ${folder}/cache)
set(ENV{SEMBLANCE_PLUGIN_PATH} "")

function(run)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${folder}
                  OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
  set(output "${output}" PARENT_SCOPE)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "this ended with ${result}:\n${ARGN}\n${output}")
  endif()
endfunction()

set(options -G Ninja -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_CXX_COMPILER=${compiler}
            -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0  # nobody debugs them
            -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER})
if(SANITIZE)
  set(sanitizer -fsanitize=${SANITIZE})
endif()

set(kinds source feature normalizer basis similarity pair_kernel pairs solver calibrator evaluator
          series_distance graph_similarity regressor novelty_detector pair_solver)
foreach(kind ${kinds})
  run(${semblance} new-plugin ${kind}/my_${kind} --out plugins/${kind})
endforeach()
# Those that nested.yaml uses, and others in turn. What another compiler warns of it says without code.
set(built similarity evaluator)
include(${CMAKE_CURRENT_LIST_DIR}/of_the_day.cmake)
if(COMPILER STREQUAL g++)
  set(others ${kinds})
  list(REMOVE_ITEM others ${built})
  of_the_day(today 7 ${others})
else()
  set(read ${kinds})
  of_the_day(today 2 series_distance pair_solver)
endif()
list(APPEND built ${today})
list(LENGTH built tests)
math(EXPR tests "2 * ${tests}")
string(REPLACE ";" "," listed "${built}")
string(REPLACE ";" "," read "${read}")
run(${CMAKE_COMMAND} -S ${PROJECT} -B all ${options} -DKINDS=${listed} -DONLY_READ=${read} -DFOLDER=${folder}/plugins
    "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Wpedantic -Werror ${sanitizer}")
run(${CMAKE_COMMAND} --build all -j 2)
run(${CMAKE_CTEST_COMMAND} --test-dir all --output-on-failure)
if(NOT output MATCHES "100% tests passed, 0 tests failed out of ${tests}")
  message(FATAL_ERROR "each plugin has a test and a check:\n${output}")
endif()

# In the pipelines that came with them.
foreach(kind ${built})
  run(${semblance} check plugins/${kind}/pipeline.yaml --plugin-path all/plugins)
endforeach()
# check_output(kind pattern): the kind's pipeline says what the pattern matches.
function(check_output kind pattern)
  if(NOT kind IN_LIST built)
    return()
  endif()
  run(${semblance} run plugins/${kind}/pipeline.yaml --plugin-path all/plugins --out ${kind})
  if(NOT output MATCHES "${pattern}")
    message(FATAL_ERROR "the pipeline of ${kind} says something else than ${pattern}:\n${output}")
  endif()
endfunction()
foreach(kind pair_kernel pairs pair_solver calibrator)
  check_output(${kind} ".")
endforeach()
check_output(similarity "test of 'svm': +accuracy [89][0-9]")
check_output(series_distance "test of 'svm': +accuracy [789][0-9]")
check_output(graph_similarity "test of 'svm': +accuracy [6789][0-9]")
check_output(regressor "test of 'mine': .* r2 0\\.6")
check_output(novelty_detector "test of 'mine': +auc 9[0-9]")
# As a part of other components, and in the model that they leave behind.
run(${semblance} run ${PROJECT}/nested.yaml --plugin-path all/plugins --out nested)
if(NOT output MATCHES "linear_test of 'linear': +balanced_accuracy [89][0-9]" OR
   NOT output MATCHES "kernel_test of 'kernel': +balanced_accuracy [789][0-9]")
  message(FATAL_ERROR "the nested similarity tells another accuracy:\n${output}")
endif()
run(${semblance} predict nested/model --plugin-path all/plugins --out predicted --quiet)
foreach(solver linear kernel)
  run(${CMAKE_COMMAND} -E compare_files nested/predictions/${solver}.npy predicted/${solver}.npy)
endforeach()

# A plugin that computes with the shipped numeric library, which only who asks for it has to have.
run(${CMAKE_COMMAND} -S ${FAST_PRODUCT} -B fast_product ${options}
    "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Wpedantic -Werror ${sanitizer}")
run(${CMAKE_COMMAND} --build fast_product -j 2)
run(${CMAKE_CTEST_COMMAND} --test-dir fast_product --output-on-failure)
if(NOT output MATCHES "100% tests passed, 0 tests failed out of 2")
  message(FATAL_ERROR "the plugin has a test and a check:\n${output}")
endif()
if(NOT COMPILER STREQUAL g++)
  return()
endif()
execute_process(COMMAND ${CMAKE_COMMAND} -S ${FAST_PRODUCT} -B without_highway ${options}
                        -DCMAKE_DISABLE_FIND_PACKAGE_hwy=ON
                WORKING_DIRECTORY ${folder} OUTPUT_QUIET ERROR_VARIABLE output
                RESULT_VARIABLE result)
if(result EQUAL 0 OR NOT output MATCHES "libhwy-dev[ \n]+and[ \n]+libopenblas-dev")
  message(FATAL_ERROR "numerics without Highway gives ${result}:\n${output}")
endif()

# Other instructions than the program was built with do not matter,
file(STRINGS /proc/cpuinfo avx2 REGEX " avx2 " LIMIT_COUNT 1)
if(avx2)
  run(${CMAKE_COMMAND} -S plugins/similarity -B avx2 ${options}
      "-DCMAKE_CXX_FLAGS=-mavx2 ${sanitizer}")
  run(${CMAKE_COMMAND} --build avx2)
  run(${CMAKE_CTEST_COMMAND} --test-dir avx2 --output-on-failure)
  run(${semblance} run plugins/similarity/pipeline.yaml --plugin-path avx2 --out result_avx2
      --quiet)
endif()

# another standard library does, and is refused in words when the plugin is compiled.
run(${CMAKE_COMMAND} -S plugins/similarity -B debug_library ${options} -DSEMBLANCE_TESTS=OFF
    "-DCMAKE_CXX_FLAGS=-D_GLIBCXX_DEBUG ${sanitizer}")
execute_process(COMMAND ${CMAKE_COMMAND} --build debug_library
                WORKING_DIRECTORY ${folder} OUTPUT_VARIABLE output ERROR_VARIABLE output
                RESULT_VARIABLE result)
if(result EQUAL 0 OR NOT output MATCHES "the SDK was built without _GLIBCXX_DEBUG")
  message(FATAL_ERROR "a plugin with another standard library gives ${result}:\n${output}")
endif()
