// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

namespace semblance::pairwise {
ComponentEntry declare_asymmetric_tensor(), declare_direct_sum(), declare_metric_learning(),
    declare_ordered_representation(), declare_pair_cosine(), declare_pairwise_newton(),
    declare_pairwise_svm(), declare_polynomial_direct_sum(), declare_polynomial_tensor(),
    declare_projected(), declare_symmetric_direct_sum(), declare_tensor_learning(),
    declare_tensor_metric_learning();
}
using namespace semblance::pairwise;

SEMBLANCE_PLUGIN("semblance_pairwise", SEMBLANCE_VERSION, "MIT", declare_asymmetric_tensor,
                 declare_direct_sum, declare_metric_learning, declare_ordered_representation,
                 declare_pair_cosine, declare_pairwise_newton, declare_pairwise_svm,
                 declare_polynomial_direct_sum, declare_polynomial_tensor, declare_projected,
                 declare_symmetric_direct_sum, declare_tensor_learning,
                 declare_tensor_metric_learning)
