// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

namespace semblance::features {
ComponentEntry declare_band_pooling(), declare_color_cells(), declare_crop(), declare_dense(),
    declare_hog(), declare_lbp(), declare_log(), declare_mirror_mean(), declare_pixels(),
    declare_sift_at_points(), declare_sift_grid(), declare_tplbp();
}
using namespace semblance::features;

SEMBLANCE_PLUGIN("semblance_features", SEMBLANCE_VERSION, "MIT", declare_band_pooling,
                 declare_color_cells, declare_crop, declare_dense, declare_hog, declare_lbp,
                 declare_log, declare_mirror_mean, declare_pixels, declare_sift_at_points,
                 declare_sift_grid, declare_tplbp)
