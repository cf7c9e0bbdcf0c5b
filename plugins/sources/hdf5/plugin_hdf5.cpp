// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

namespace semblance::sources {
ComponentEntry declare_hdf5_source();
}
using namespace semblance::sources;

SEMBLANCE_PLUGIN("semblance_hdf5", SEMBLANCE_VERSION, "MIT", declare_hdf5_source)
