# SPDX-License-Identifier: MIT
# Semblance::openblas, if found: BLAS and LAPACK for Semblance::numerics.
if(NOT TARGET Semblance::openblas)
  find_library(SEMBLANCE_OPENBLAS openblas)
  if(SEMBLANCE_OPENBLAS)
    add_library(Semblance::openblas UNKNOWN IMPORTED GLOBAL)
    set_target_properties(Semblance::openblas PROPERTIES IMPORTED_LOCATION ${SEMBLANCE_OPENBLAS})
  endif()
endif()
