// SPDX-License-Identifier: MIT
#include "../common/component_list.hpp"

SEMBLANCE_COMPONENTS("semblance_ml3", ml3, lcc, linear_svm_sgd, llsvm, localized_mkl, ml3, occ)
