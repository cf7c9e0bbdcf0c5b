// SPDX-License-Identifier: MIT
#include "../../common/component_list.hpp"

SEMBLANCE_COMPONENTS("semblance_projections", normalizers, lda, learned_metric, pca, random_fourier)
