// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

namespace semblance::pairs {
ComponentEntry declare_all_pairs(), declare_asymmetric_tensor(), declare_cartesian(),
    declare_direct_sum(), declare_given(), declare_kronecker(), declare_kronecker_ridge(),
    declare_kronecker_svm(), declare_listed(), declare_metric_learning(),
    declare_ordered_representation(), declare_pair_cosine(), declare_pairwise_newton(),
    declare_pairwise_svm(), declare_part_features(), declare_part_normalizers(),
    declare_polynomial_direct_sum(), declare_polynomial_tensor(), declare_projected(),
    declare_sampled(), declare_symmetric_direct_sum(), declare_tensor_learning(),
    declare_tensor_metric_learning();
}
using namespace semblance::pairs;

SEMBLANCE_PLUGIN("semblance_pairs", SEMBLANCE_VERSION, "MIT", declare_all_pairs,
                 declare_asymmetric_tensor, declare_cartesian, declare_direct_sum, declare_given,
                 declare_kronecker, declare_kronecker_ridge, declare_kronecker_svm, declare_listed,
                 declare_metric_learning, declare_ordered_representation, declare_pair_cosine,
                 declare_pairwise_newton, declare_pairwise_svm, declare_part_features,
                 declare_part_normalizers, declare_polynomial_direct_sum, declare_polynomial_tensor,
                 declare_projected, declare_sampled, declare_symmetric_direct_sum,
                 declare_tensor_learning, declare_tensor_metric_learning)
