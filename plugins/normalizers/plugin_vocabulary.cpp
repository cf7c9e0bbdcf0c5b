// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

namespace semblance::normalizers {
ComponentEntry declare_llc(), declare_vector_quantization();
}
using namespace semblance::normalizers;

SEMBLANCE_PLUGIN("semblance_vocabulary", SEMBLANCE_VERSION, "MIT", declare_llc,
                 declare_vector_quantization)
