// SPDX-License-Identifier: MIT
#include "llc.hpp"
#include "semblance/plugin.hpp"
#include "vector_quantization.hpp"

SEMBLANCE_PLUGIN("semblance_vocabulary", "0.1.0", "MIT", semblance::Llc,
                 semblance::VectorQuantization)
