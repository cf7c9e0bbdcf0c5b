// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

namespace semblance::normalizers {
ComponentEntry declare_found_parts(), declare_impute(), declare_max_abs(), declare_mean_norm(),
    declare_min_max(), declare_none(), declare_robust(), declare_tfidf(), declare_unit_length(),
    declare_zscore();
}
using namespace semblance::normalizers;

SEMBLANCE_PLUGIN("semblance_normalizers", SEMBLANCE_VERSION, "MIT", declare_found_parts,
                 declare_impute, declare_max_abs, declare_mean_norm, declare_min_max, declare_none,
                 declare_robust, declare_tfidf, declare_unit_length, declare_zscore)
