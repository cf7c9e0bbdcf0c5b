// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

namespace semblance::two_domains {
ComponentEntry declare_cartesian(), declare_kronecker(), declare_kronecker_ridge(),
    declare_kronecker_svm(), declare_part_features(), declare_part_normalizers();
}
using namespace semblance::two_domains;

SEMBLANCE_PLUGIN("semblance_two_domains", SEMBLANCE_VERSION, "MIT", declare_cartesian,
                 declare_kronecker, declare_kronecker_ridge, declare_kronecker_svm,
                 declare_part_features, declare_part_normalizers)
