# SPDX-License-Identifier: MIT
add_executable(rocket_bench rocket_bench.cpp)
target_link_libraries(rocket_bench PRIVATE semblance_series_objects benchmark::benchmark)
add_executable(hydra_bench hydra_bench.cpp)
target_link_libraries(hydra_bench PRIVATE semblance_series_objects benchmark::benchmark)
add_executable(rdst_bench rdst_bench.cpp)
target_link_libraries(rdst_bench PRIVATE semblance_series_objects benchmark::benchmark)
target_include_directories(rdst_bench PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})  # includes itself
