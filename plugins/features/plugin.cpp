// SPDX-License-Identifier: MIT
#include "../common/component_list.hpp"

SEMBLANCE_COMPONENTS("semblance_features", features, band_pooling, color_cells, crop, dense, hog,
                     lbp, log, mirror_mean, pixels, sift_at_points, sift_grid, tplbp)
