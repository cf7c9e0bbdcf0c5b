// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

#include "impute.hpp"
#include "mean_norm.hpp"
#include "min_max.hpp"
#include "none.hpp"
#include "unit_length.hpp"
#include "zscore.hpp"

SEMBLANCE_PLUGIN("semblance_normalizers", "0.1.0", "MIT", semblance::Impute, semblance::MeanNorm,
                 semblance::MinMax, semblance::NoNormalizer, semblance::UnitLength,
                 semblance::ZScore)
