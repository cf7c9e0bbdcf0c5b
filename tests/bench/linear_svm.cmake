# SPDX-License-Identifier: MIT
add_executable(linear_svm_bench linear_svm_bench.cpp linear_svm_bench_data.cpp
               linear_svm_bench_peaks.cpp)
target_include_directories(linear_svm_bench PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
target_link_libraries(linear_svm_bench PRIVATE semblance_linear_objects semblance_oracle_data
                      hwy::hwy ${SEMBLANCE_LIBLINEAR})

add_executable(linear_options_bench linear_options_bench.cpp linear_svm_bench_data.cpp)
target_include_directories(linear_options_bench PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
target_link_libraries(linear_options_bench PRIVATE semblance_linear_objects semblance_oracle_data
                      ${SEMBLANCE_LIBLINEAR})
