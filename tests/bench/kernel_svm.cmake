# SPDX-License-Identifier: MIT
add_executable(kernel_svm_bench kernel_svm_bench.cpp)
target_link_libraries(kernel_svm_bench PRIVATE
  semblance_solvers_objects semblance_similarity_measures semblance_oracle_data
  ${SEMBLANCE_LIBSVM})
