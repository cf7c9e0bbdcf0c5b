// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

namespace semblance::normalizers {
ComponentEntry declare_lda(), declare_pca();
}
using namespace semblance::normalizers;

SEMBLANCE_PLUGIN("semblance_projections", "0.1.0", "MIT", declare_lda, declare_pca)
