// SPDX-License-Identifier: MIT
#include "../common/component_list.hpp"

SEMBLANCE_COMPONENTS("semblance_sources", sources, arff, array_source, cifar10, csv, idx, images,
                     lfw, libsvm, npy_source, pairs, strings, text_source, ucr)
