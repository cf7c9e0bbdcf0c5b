# SPDX-License-Identifier: MIT
add_executable(string_bench string_bench.cpp)
target_link_libraries(string_bench PRIVATE
  semblance_strings_objects ${SEMBLANCE_OPENBLAS} benchmark::benchmark)
