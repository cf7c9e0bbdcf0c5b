// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

#include "banana.hpp"
#include "cifar10.hpp"
#include "csv.hpp"
#include "glyphs.hpp"
#include "idx.hpp"
#include "images.hpp"
#include "libsvm.hpp"
#include "npy.hpp"
#include "rings.hpp"
#include "xor.hpp"

SEMBLANCE_PLUGIN("semblance_sources", "0.1.0", "MIT", semblance::Banana, semblance::Cifar10,
                 semblance::Csv, semblance::Glyphs, semblance::Idx, semblance::Images,
                 semblance::LibsvmFile, semblance::Npy, semblance::Rings, semblance::Xor)
