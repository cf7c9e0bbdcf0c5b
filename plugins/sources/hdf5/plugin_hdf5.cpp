// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

namespace semblance::sources {
ComponentEntry declare_hdf5_source();
}
using namespace semblance::sources;

SEMBLANCE_PLUGIN("semblance_hdf5", "0.1.0", "MIT", declare_hdf5_source)
