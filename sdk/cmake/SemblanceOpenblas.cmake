# SPDX-License-Identifier: MIT
# Semblance::openblas, BLAS and LAPACK for Semblance::numerics. As needed: OpenBLAS takes
# milliseconds to load, and most that link with the numeric library call nothing of it.
if(NOT TARGET Semblance::openblas)
  find_library(SEMBLANCE_OPENBLAS openblas)
  if(SEMBLANCE_OPENBLAS)
    add_library(Semblance::openblas INTERFACE IMPORTED GLOBAL)
    set_target_properties(Semblance::openblas PROPERTIES INTERFACE_LINK_LIBRARIES
      "-Wl,--push-state,--as-needed,${SEMBLANCE_OPENBLAS},--pop-state")
  endif()
endif()
