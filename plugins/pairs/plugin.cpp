// SPDX-License-Identifier: MIT
#include "../common/component_list.hpp"

SEMBLANCE_COMPONENTS("semblance_pairs", pairs, all_pairs, asymmetric_tensor, cartesian, direct_sum,
                     given, kronecker, kronecker_ridge, kronecker_svm, listed, metric_learning,
                     ordered_representation, pair_cosine, pairwise_newton, pairwise_svm,
                     part_features, part_normalizers, polynomial_direct_sum, polynomial_tensor,
                     projected, sampled, symmetric_direct_sum, tensor_learning,
                     tensor_metric_learning)
