// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

#include "cifar10.hpp"
#include "csv.hpp"
#include "glyphs.hpp"

SEMBLANCE_PLUGIN("semblance_sources", "0.1.0", "MIT", semblance::Cifar10, semblance::Csv,
                 semblance::Glyphs)
