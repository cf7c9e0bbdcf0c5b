// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

namespace semblance::normalizers {
ComponentEntry declare_nystrom();
}
using namespace semblance::normalizers;

SEMBLANCE_PLUGIN("semblance_nystrom", "0.1.0", "MIT", declare_nystrom)
