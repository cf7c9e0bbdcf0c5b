// SPDX-License-Identifier: MIT
#include "hdf5/hdf5_source.hpp"
#include "semblance/plugin.hpp"

SEMBLANCE_PLUGIN("semblance_hdf5", "0.1.0", "MIT", semblance::Hdf5)
