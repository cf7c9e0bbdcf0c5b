// SPDX-License-Identifier: MIT
#include "lda.hpp"
#include "pca.hpp"
#include "semblance/plugin.hpp"

SEMBLANCE_PLUGIN("semblance_projections", "0.1.0", "MIT", semblance::Lda, semblance::Pca)
