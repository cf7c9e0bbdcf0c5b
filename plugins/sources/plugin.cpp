// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

namespace semblance::sources {
ComponentEntry declare_arff(), declare_array_source(), declare_banana(), declare_checkerboard(),
    declare_cifar10(), declare_clusters(), declare_csv(), declare_double_interval(),
    declare_friedman(), declare_glyphs(), declare_idx(), declare_images(), declare_lfw(),
    declare_libsvm(), declare_npy_source(), declare_random_strings(), declare_rings(),
    declare_strings(), declare_text_source(), declare_ucr(), declare_warped_series(), declare_xor();
}
using namespace semblance::sources;

SEMBLANCE_PLUGIN("semblance_sources", SEMBLANCE_VERSION, "MIT", declare_arff, declare_array_source,
                 declare_banana, declare_checkerboard, declare_cifar10, declare_clusters,
                 declare_csv, declare_double_interval, declare_friedman, declare_glyphs,
                 declare_idx, declare_images, declare_lfw, declare_libsvm, declare_npy_source,
                 declare_random_strings, declare_rings, declare_strings, declare_text_source,
                 declare_ucr, declare_warped_series, declare_xor)
