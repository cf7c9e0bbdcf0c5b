// SPDX-License-Identifier: MIT
#include "../../common/component_list.hpp"

SEMBLANCE_COMPONENTS("semblance_hdf5", sources, hdf5_source)
