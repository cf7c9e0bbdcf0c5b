# SPDX-License-Identifier: MIT
add_executable(pairwise_svm_bench pairwise_svm_bench.cpp)
target_link_libraries(pairwise_svm_bench PRIVATE
  semblance_pairs_objects ${SEMBLANCE_LIBSVM})
semblance_test_plugins(pairwise_svm_bench semblance_vectors)
