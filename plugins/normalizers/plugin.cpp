// SPDX-License-Identifier: MIT
#include "../common/component_list.hpp"

SEMBLANCE_COMPONENTS("semblance_normalizers", normalizers, found_parts, impute, max_abs, mean_norm,
                     min_max, none, robust, tfidf, unit_length, zscore)
