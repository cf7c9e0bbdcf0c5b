// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

#include "hog.hpp"
#include "pixels.hpp"

SEMBLANCE_PLUGIN("semblance_features", "0.1.0", "MIT", semblance::Hog, semblance::Pixels)
