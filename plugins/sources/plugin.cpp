// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

namespace semblance::sources {
ComponentEntry declare_arff(), declare_array_source(), declare_cifar10(), declare_csv(),
    declare_idx(), declare_images(), declare_lfw(), declare_libsvm(), declare_npy_source(),
    declare_pairs(), declare_strings(), declare_text_source(), declare_ucr();
}
using namespace semblance::sources;

SEMBLANCE_PLUGIN("semblance_sources", SEMBLANCE_VERSION, "MIT", declare_arff, declare_array_source,
                 declare_cifar10, declare_csv, declare_idx, declare_images, declare_lfw,
                 declare_libsvm, declare_npy_source, declare_pairs, declare_strings,
                 declare_text_source, declare_ucr)
