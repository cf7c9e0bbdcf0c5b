// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

#include "arrays/array_source.hpp"
#include "arrays/idx.hpp"
#include "arrays/npy_source.hpp"
#include "generated/banana.hpp"
#include "generated/checkerboard.hpp"
#include "generated/clusters.hpp"
#include "generated/double_interval.hpp"
#include "generated/glyphs.hpp"
#include "generated/random_strings.hpp"
#include "generated/rings.hpp"
#include "generated/warped_series.hpp"
#include "generated/xor.hpp"
#include "pictures/cifar10.hpp"
#include "pictures/images.hpp"
#include "pictures/lfw.hpp"
#include "series/ucr.hpp"
#include "text/arff.hpp"
#include "text/csv.hpp"
#include "text/libsvm.hpp"
#include "text/strings.hpp"
#include "text/text_source.hpp"

SEMBLANCE_PLUGIN("semblance_sources", "0.1.0", "MIT", semblance::Arff, semblance::ArraySource,
                 semblance::Banana, semblance::Checkerboard, semblance::Cifar10,
                 semblance::Clusters, semblance::Csv, semblance::DoubleInterval, semblance::Glyphs,
                 semblance::Idx, semblance::Images, semblance::Lfw, semblance::LibsvmFile,
                 semblance::Npy, semblance::RandomStrings, semblance::Rings, semblance::Strings,
                 semblance::TextSource, semblance::Ucr, semblance::WarpedSeries, semblance::Xor)
