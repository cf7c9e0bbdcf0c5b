// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

#include "all_pairs.hpp"
#include "given.hpp"
#include "listed.hpp"
#include "sampled.hpp"

SEMBLANCE_PLUGIN("semblance_pairs", "0.1.0", "MIT", semblance::AllPairs, semblance::GivenPairs,
                 semblance::ListedPairs, semblance::SampledPairs)
