# SPDX-License-Identifier: MIT
add_executable(elastic_bench elastic_bench.cpp)
target_link_libraries(elastic_bench PRIVATE
  semblance_series_objects ${SEMBLANCE_OPENBLAS} benchmark::benchmark)
