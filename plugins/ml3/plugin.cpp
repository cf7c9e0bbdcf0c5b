// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

#include "lcc.hpp"
#include "linear_svm_sgd.hpp"
#include "llsvm.hpp"
#include "localized_mkl.hpp"
#include "ml3.hpp"
#include "occ.hpp"

SEMBLANCE_PLUGIN("semblance_ml3", "0.1.0", "MIT", semblance::ml3::Lcc, semblance::ml3::LinearSvmSgd,
                 semblance::ml3::LlSvm, semblance::ml3::LocalizedMkl, semblance::ml3::Ml3,
                 semblance::ml3::Occ)
