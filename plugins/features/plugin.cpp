// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

#include "band_pooling.hpp"
#include "color_cells.hpp"
#include "crop.hpp"
#include "dense.hpp"
#include "hog.hpp"
#include "lbp.hpp"
#include "log.hpp"
#include "mirror_mean.hpp"
#include "pixels.hpp"
#include "sift_at_points.hpp"
#include "sift_grid.hpp"
#include "tplbp.hpp"

SEMBLANCE_PLUGIN("semblance_features", "0.1.0", "MIT", semblance::BandPooling,
                 semblance::ColorCells, semblance::Crop, semblance::Dense, semblance::Hog,
                 semblance::Lbp, semblance::Log, semblance::MirrorMean, semblance::Pixels,
                 semblance::SiftAtPoints, semblance::SiftGrid, semblance::Tplbp)
