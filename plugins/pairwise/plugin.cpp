// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

#include "pair_cosine.hpp"
#include "pair_kernels.hpp"
#include "pairwise_newton.hpp"
#include "pairwise_svm.hpp"
#include "projected.hpp"

SEMBLANCE_PLUGIN("semblance_pairwise", "0.1.0", "MIT", semblance::pairwise::AsymmetricTensor,
                 semblance::pairwise::DirectSum, semblance::pairwise::MetricLearning,
                 semblance::pairwise::OrderedRepresentation, semblance::pairwise::PairCosine,
                 semblance::pairwise::PairwiseNewton, semblance::pairwise::PairwiseSvm,
                 semblance::pairwise::PolynomialDirectSum, semblance::pairwise::PolynomialTensor,
                 semblance::pairwise::Projected, semblance::pairwise::SymmetricDirectSum,
                 semblance::pairwise::TensorLearning, semblance::pairwise::TensorMetricLearning)
