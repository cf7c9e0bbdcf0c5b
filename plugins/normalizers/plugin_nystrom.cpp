// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

namespace semblance::normalizers {
ComponentEntry declare_nystrom();
}
using namespace semblance::normalizers;

SEMBLANCE_PLUGIN("semblance_nystrom", SEMBLANCE_VERSION, "MIT", declare_nystrom)
