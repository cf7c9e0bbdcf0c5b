# SPDX-License-Identifier: MIT
add_executable(pairwise_svm_bench pairwise_svm_bench.cpp)
target_link_libraries(pairwise_svm_bench PRIVATE
  semblance_pairwise_objects semblance_similarity_measures ${SEMBLANCE_LIBSVM})
