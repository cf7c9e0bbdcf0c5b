// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

#include "banana.hpp"
#include "checkerboard.hpp"
#include "cifar10.hpp"
#include "clusters.hpp"
#include "csv.hpp"
#include "double_interval.hpp"
#include "glyphs.hpp"
#include "idx.hpp"
#include "images.hpp"
#include "lfw.hpp"
#include "libsvm.hpp"
#include "npy.hpp"
#include "rings.hpp"
#include "xor.hpp"

SEMBLANCE_PLUGIN("semblance_sources", "0.1.0", "MIT", semblance::Banana, semblance::Checkerboard,
                 semblance::Cifar10, semblance::Clusters, semblance::Csv, semblance::DoubleInterval,
                 semblance::Glyphs, semblance::Idx, semblance::Images, semblance::Lfw,
                 semblance::LibsvmFile, semblance::Npy, semblance::Rings, semblance::Xor)
