// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

#include "found_parts.hpp"
#include "impute.hpp"
#include "max_abs.hpp"
#include "mean_norm.hpp"
#include "min_max.hpp"
#include "none.hpp"
#include "tfidf.hpp"
#include "unit_length.hpp"
#include "zscore.hpp"

SEMBLANCE_PLUGIN("semblance_normalizers", "0.1.0", "MIT", semblance::FoundParts, semblance::Impute,
                 semblance::MaxAbs, semblance::MeanNorm, semblance::MinMax, semblance::NoNormalizer,
                 semblance::TfIdf, semblance::UnitLength, semblance::ZScore)
