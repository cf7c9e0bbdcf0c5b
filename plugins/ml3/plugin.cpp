// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

namespace semblance::ml3 {
ComponentEntry declare_lcc(), declare_linear_svm_sgd(), declare_llsvm(), declare_localized_mkl(),
    declare_ml3(), declare_occ();
}
using namespace semblance::ml3;

SEMBLANCE_PLUGIN("semblance_ml3", SEMBLANCE_VERSION, "MIT", declare_lcc, declare_linear_svm_sgd,
                 declare_llsvm, declare_localized_mkl, declare_ml3, declare_occ)
