# SPDX-License-Identifier: MIT
add_executable(kernel_svm_bench kernel_svm_bench.cpp)
target_link_libraries(kernel_svm_bench PRIVATE
  semblance_kernel_objects semblance_oracle_data ${SEMBLANCE_LIBSVM})
semblance_test_plugins(kernel_svm_bench semblance_vectors)

add_executable(kernel_svr_bench kernel_svr_bench.cpp)
target_link_libraries(kernel_svr_bench PRIVATE
  semblance_kernel_objects ${SEMBLANCE_LIBSVM})
semblance_test_plugins(kernel_svr_bench semblance_vectors)
