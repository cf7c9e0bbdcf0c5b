# SPDX-License-Identifier: MIT
add_executable(factor_bench factor_bench.cpp)
target_include_directories(factor_bench PRIVATE ${SEMBLANCE_CBLAS_INCLUDE})
target_link_libraries(factor_bench PRIVATE Semblance::numerics Semblance::openblas Eigen3::Eigen)
