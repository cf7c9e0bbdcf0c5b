// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

namespace semblance::normalizers {
ComponentEntry declare_lda(), declare_learned_metric(), declare_pca(), declare_random_fourier();
}
using namespace semblance::normalizers;

SEMBLANCE_PLUGIN("semblance_projections", SEMBLANCE_VERSION, "MIT", declare_lda,
                 declare_learned_metric, declare_pca, declare_random_fourier)
